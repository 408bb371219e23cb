package report

import (
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
)

// LintCheckRun is the verdict on the findings: failure for a new finding at or
// above the limit, a score under its minimum or a launch that was refused (in
// the base too: nobody should start it), else action_required when a
// server could not be checked, else success. It is skipped when there is
// nothing to check.
func (r *Review) LintCheckRun() CheckRun {
	v := r.lintVerdict()
	run := CheckRun{Name: LintCheck, Conclusion: v.conclusion, Title: v.title}
	run.Summary = r.lintSummary(&v)
	run.Annotations = r.lintAnnotations()
	return run
}

// LockCheckRun is the verdict on the lock: failure when the lock or a locked
// server was removed, the lock cannot be read, or a live server differs from
// the head's lock at or above the limit; else action_required when a server
// could not be checked; else success. Without a lock it is skipped.
func (r *Review) LockCheckRun() CheckRun { return r.LockCheckRunWithin(SummaryOptions{}) }

// SummaryOptions says how the summary of a check run is written.
type SummaryOptions struct {
	// MaxBytes bounds the summary; 0 means GitHub's limit.
	MaxBytes int
	// DetailsURL links to the full report; empty leaves the link out, as GitHub
	// has one of its own on the page of a check run.
	DetailsURL string
}

// LockCheckRunWithin is LockCheckRun with a summary that fits, in as much detail
// as there is room for: every change with its texts and schemas, then without
// the schemas, then one row a tool, then counts only.
func (r *Review) LockCheckRunWithin(o SummaryOptions) CheckRun {
	v := r.lockVerdict()
	run := CheckRun{Name: LockCheck, Conclusion: v.conclusion, Title: v.title}
	run.Summary = r.lockSummary(&v, o)
	run.Annotations = r.lockAnnotations(&v)
	return run
}

// NotChecked is the verdict when there is none to give: through GitHub's fault
// or ours, or because the pull request may not start servers.
func NotChecked(name, reason string) CheckRun {
	return CheckRun{
		Name: name, Conclusion: ActionRequired, Title: "Not checked",
		Summary: "**Not checked**: " + prose(reason) + "\n",
	}
}

// Superseded closes the check run of an older head once a newer one is checked.
func Superseded(name, bySHA string) CheckRun {
	return CheckRun{
		Name: name, Conclusion: Cancelled, Title: "Superseded by a newer commit",
		Summary: "Superseded by " + code(bySHA) + ". This commit was not judged.\n",
	}
}

// lintVerdict is what decides about the findings.
type lintVerdict struct {
	conclusion  Conclusion
	title       string
	fresh       tally // new, not suppressed
	known       tally
	lowScores   []string // in words
	notChecked  []*Server
	freshFailed bool
}

func (r *Review) lintVerdict() lintVerdict {
	var v lintVerdict
	if r.Empty {
		v.conclusion, v.title = Skipped, "No MCP server, configuration or lock file"
		return v
	}
	for i := range r.Report.Servers {
		s := &r.Report.Servers[i]
		if s.Error != nil {
			v.notChecked = append(v.notChecked, s)
			v.freshFailed = v.freshFailed || s.Error.Kind == ErrRefused
		}
		for _, f := range r.findings(s) {
			switch {
			case f.Suppressed != nil:
			case f.New:
				v.fresh.addFinding(&f)
				v.freshFailed = v.freshFailed || f.Severity.Reaches(r.Limits.FailOn)
			default:
				v.known.addFinding(&f)
			}
		}
		v.lowScores = append(v.lowScores, lowScores(s, r.Limits)...)
	}
	switch {
	case v.freshFailed || len(v.lowScores) > 0:
		v.conclusion = Failure
	case len(v.notChecked) > 0:
		v.conclusion = ActionRequired
	default:
		v.conclusion = Success
	}
	v.title = v.words(r)
	return v
}

func (v *lintVerdict) words(r *Review) string {
	var parts []string
	newWord := ""
	if r.Compared {
		newWord = "new: "
	}
	if v.fresh.total() > 0 {
		parts = append(parts, newWord+v.fresh.String())
	}
	if n := len(v.lowScores); n > 2 {
		parts = append(parts, itoa(n)+" scores are under their minimum")
	} else {
		parts = append(parts, v.lowScores...)
	}
	parts = append(parts, notCheckedText(v.notChecked)...)
	if len(parts) == 0 {
		switch {
		case len(r.Report.Servers) == 0:
			parts = append(parts, "No server to check")
		case v.known.total() > 0:
			parts = append(parts, "No new findings")
		default:
			parts = append(parts, "No findings")
		}
	}
	title := strings.Join(parts, "; ")
	if v.known.total() > 0 {
		title += " (known: " + v.known.String() + ")"
	}
	return strings.ToUpper(title[:1]) + title[1:]
}

// notCheckedText is empty or one part of a title: how many, and why when all
// have one reason. Keys stay out of titles: they are foreign text.
func notCheckedText(servers []*Server) []string {
	if len(servers) == 0 {
		return nil
	}
	text := counted(len(servers), "server", "servers") + " not checked"
	kind := servers[0].Error.Kind
	if !slices.ContainsFunc(servers, func(s *Server) bool { return s.Error.Kind != kind }) {
		text += " (" + oneLine(string(kind)) + ")"
	}
	return []string{text}
}

// findings are a server's findings; without a comparison all count as new.
func (r *Review) findings(s *Server) []linter.Finding {
	if r.Compared {
		return s.Findings
	}
	fs := slices.Clone(s.Findings)
	for i := range fs {
		fs[i].New = true
	}
	return fs
}

// lockVerdict is what decides about the lock.
type lockVerdict struct {
	conclusion Conclusion
	title      string
	gone       bool // the lock file was removed
	accepted   tally
	live       tally // live servers against the head's lock
	liveFailed bool
	unlocked   []*Server // collected, but not in the lock
	notChecked []*Server
}

func (r *Review) lockVerdict() lockVerdict {
	var v lockVerdict
	switch {
	case r.Empty:
		v.conclusion, v.title = Skipped, "No MCP server, configuration or lock file"
		return v
	case !r.Lock.InBase && !r.Lock.InHead:
		v.conclusion, v.title = Skipped, "No lock file"
		return v
	}
	v.gone = !r.Lock.InHead
	for i := range r.Lock.Accepted {
		for j := range r.Lock.Accepted[i].Changes {
			v.accepted.add(r.Lock.Accepted[i].Changes[j].Severity)
		}
	}
	for i := range r.Report.Servers {
		s := &r.Report.Servers[i]
		switch {
		case s.Error != nil:
			v.notChecked = append(v.notChecked, s)
		case s.Lock == nil:
			v.unlocked = append(v.unlocked, s)
		}
		if s.Lock != nil {
			t, failing := tallyChanges(s.Lock.Changes, r.Limits.LockFailOn)
			v.live.errors += t.errors
			v.live.warnings += t.warnings
			v.live.infos += t.infos
			v.liveFailed = v.liveFailed || failing > 0
		}
	}
	switch {
	case v.gone || len(r.Lock.RemovedServers) > 0 || r.Lock.Error != nil || v.liveFailed:
		v.conclusion = Failure
	case len(v.notChecked) > 0:
		v.conclusion = ActionRequired
	default:
		v.conclusion = Success
	}
	v.title = v.words(&r.Lock)
	return v
}

func (v *lockVerdict) words(l *LockReview) string {
	var parts []string
	switch {
	case v.gone && l.MovedTo != "":
		parts = append(parts, "The lock file was moved")
	case v.gone:
		parts = append(parts, "The lock file was removed")
	case l.Error != nil:
		parts = append(parts, "The lock file cannot be read")
	case len(l.RemovedServers) > 0:
		parts = append(parts, counted(len(l.RemovedServers), "locked server was", "locked servers were")+" removed")
	}
	if n := len(l.RenamedServers); n > 0 {
		parts = append(parts, counted(n, "locked server was", "locked servers were")+" renamed")
	}
	if v.live.total() > 0 {
		parts = append(parts, "live differs from the lock: "+changesText(v.live))
	}
	if v.accepted.total() > 0 {
		parts = append(parts, acceptsText(v.accepted))
	}
	parts = append(parts, notCheckedText(v.notChecked)...)
	if len(parts) == 0 {
		parts = append(parts, "matches the lock")
	}
	if n := len(v.unlocked); n > 0 && l.InHead {
		parts = append(parts, counted(n, "server is", "servers are")+" not in the lock")
	}
	title := strings.Join(parts, "; ")
	return strings.ToUpper(title[:1]) + title[1:]
}

// acceptsText is "accepts 3 changes (1 error)".
func acceptsText(t tally) string {
	return "accepts " + counted(t.total(), "change", "changes") + " (" + counted(t.errors, "error", "errors") + ")"
}

// changedLock tells whether the pull request or a server does anything about
// the lock that a reviewer must see: what makes a comment wanted.
func (v *lockVerdict) changedLock(l *LockReview) bool {
	return v.gone || len(l.RemovedServers)+len(l.RenamedServers) > 0 || l.MovedTo+l.MovedFrom != "" || l.Error != nil || v.liveFailed || v.accepted.total() > 0
}
