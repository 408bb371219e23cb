package report

import (
	"io"

	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/lockfile"
)

// WriteReviewText writes a review for a terminal: the servers, what the lock
// accepts, what is pending, and both verdicts at the end, where people look.
// Findings that the base has already are counted only.
func WriteReviewText(w io.Writer, r *Review, o TextOptions) error {
	o.Limits = r.Limits
	t := newTextWriter(w, o)
	t.newOnly = r.Compared
	if len(r.Report.Servers) > 0 {
		t.report(&r.Report)
		t.WriteString("\n")
	}
	t.accepted(r)
	if changed := r.grown(); len(changed) > 0 {
		t.WriteString(t.style(bold, "token cost of definitions and instructions") + "\n")
		for _, g := range changed {
			t.hanging(2, oneLine(shorten(g.Key, maxCode))+": ", g.text(), "")
		}
		t.WriteString("\n")
	}
	if len(r.Pending) > 0 {
		t.WriteString(t.style(bold, "configuration changes that count once they are merged") + "\n")
		for _, p := range r.Pending {
			t.wrapped(2, "- ", oneLine(shorten(p, maxExcerpt)), "")
		}
		t.WriteString("\n")
	}
	for _, run := range []CheckRun{r.LintCheckRun(), r.LockCheckRun()} {
		t.hanging(0, run.Name+": ", string(run.Conclusion)+" – "+run.Title, conclusionStyle(run.Conclusion))
	}
	comment := "none"
	if _, wanted := r.Comment(CommentOptions{}); wanted {
		comment = "one, about the lock"
	}
	t.hanging(0, "comment: ", comment, "")
	return t.end()
}

// accepted writes what merging does to the lock.
func (t *textWriter) accepted(r *Review) {
	for _, key := range r.Lock.RemovedServers {
		t.hanging(0, "removed from the lock: ", oneLine(key), red)
	}
	for i := range r.Lock.Accepted {
		l := &r.Lock.Accepted[i]
		changes := make([]lockfile.Change, len(l.Changes))
		for j := range l.Changes {
			changes[j] = l.Changes[j].Change
		}
		total, _ := tallyChanges(changes, severity.Off)
		t.WriteString(t.style(bold, oneLine(l.Key)+": merging accepts "+changesText(total)) + "\n")
		t.changes(changes)
	}
}

func conclusionStyle(c Conclusion) string {
	switch c {
	case Failure:
		return red
	case Success:
		return green
	case ActionRequired:
		return yellow
	}
	return ""
}
