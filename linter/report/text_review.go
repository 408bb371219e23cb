package report

import "io"

// WriteReviewText writes a review for a terminal: the servers, what the lock
// accepts, what is pending, and both verdicts at the end, where people look.
// Findings that the base has already are counted only.
func WriteReviewText(w io.Writer, r *Review, o TextOptions) error {
	o.Limits = r.Limits
	t := newTextWriter(w, o)
	t.newOnly, t.sections = r.Compared, true
	if len(r.Report.Servers) > 0 {
		t.report(&r.Report)
		t.WriteString("\n")
	}
	t.lock(r)
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

// lock writes what the pull request does to the lock, and its two sections.
func (t *textWriter) lock(r *Review) {
	v := r.lockVerdict()
	for _, n := range r.lockNotes(&v) {
		style := bold
		if n.Fault {
			style = red
		}
		t.hanging(0, n.Bold, oneLine(n.Rest), style)
		for _, item := range n.Items {
			t.wrapped(2, "- ", oneLine(item), "")
		}
		t.WriteString("\n")
	}
	for _, s := range r.lockSections(&v) {
		t.WriteString(t.style(bold, s.Title) + "\n")
		t.wrapped(2, "", s.Lead, "")
		t.WriteString("\n")
		for _, server := range s.Servers {
			t.WriteString("  " + t.style(bold, oneLine(shorten(server.Key, maxCode))) + "  " + changesText(server.Diff.Total) + "\n")
			if server.Command != "" {
				t.hanging(2, "to accept: ", oneLine(server.Command), dim)
			}
			t.diff(server.Diff)
		}
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
