package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/internal/audit"
	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// finishLock shows what a lock run found and did, and gives its exit code.
func (a *app) finishLock(o *audit.LockOutcome, f *lockFlags, r audit.LockRequest) error {
	if f.all {
		a.printErrors(&o.Report)
	}
	for i, s := range o.Servers {
		if o.Report.Servers[i].Error == nil {
			a.remark(s, r)
		}
	}
	if err := a.writeLockText(o, f); err != nil {
		return err
	}
	decided := verdict(&o.Report, report.Limits{LockFailOn: r.Config.LockFailOn})
	if !f.check {
		decided = lockVerdict(o)
		if err := a.tellLocked(o, f, r); err != nil {
			return err
		}
	}
	if err := a.writeFiles(f.out, &o.Report, nil); err != nil {
		return err
	}
	return decided
}

// remark says on standard error what is no change and yet worth knowing.
func (a *app) remark(s audit.LockedServer, r audit.LockRequest) {
	if s.Empty {
		a.warn("%s: the server has no tools", s.Key)
	}
	switch {
	case !s.New:
	case len(s.Profiles) > 0 && !r.Check:
		others := make([]string, len(s.Profiles))
		for i, p := range s.Profiles {
			others[i] = "without a profile"
			if p != "" {
				others[i] = "under profile " + p
			}
		}
		a.warn("%s: a further entry; the server is locked %s too", s.Key, strings.Join(others, ", "))
	case r.Check && len(s.Profiles) == 0:
		a.warn("%s: not in %s yet", s.Key, r.Path)
	}
}

// writeLockText prints the servers that have changes; a check prints all.
func (a *app) writeLockText(o *audit.LockOutcome, f *lockFlags) error {
	shown := o.Report
	if !f.check {
		shown.Servers = nil
		for _, s := range o.Report.Servers {
			if s.Lock != nil && len(s.Lock.Changes) > 0 {
				shown.Servers = append(shown.Servers, s)
			}
		}
	}
	if len(shown.Servers) == 0 {
		return nil
	}
	return a.writeMain(f.out, &shown, nil, report.Limits{})
}

// tellLocked says what was locked, and what was refused.
func (a *app) tellLocked(o *audit.LockOutcome, f *lockFlags, r audit.LockRequest) error {
	const advice = "Re-run with --accept after reviewing them."
	var written, fresh, changed int
	for i, s := range o.Servers {
		switch {
		case s.Refused > 0 && f.all:
			a.warn("Refusing to update %s in %s: %d error-level changes. %s", s.Key, r.Path, s.Refused, advice)
		case s.Refused > 0:
			a.warn("Refusing to update %s: %d error-level changes. %s", r.Path, s.Refused, advice)
		case !s.Written:
		case s.New:
			written, fresh = written+1, fresh+1
		default:
			written++
			if len(o.Report.Servers[i].Lock.Changes) > 0 {
				changed++
			}
		}
	}
	switch {
	case written == 0:
		return nil
	case f.all:
		return a.say("Locked %d of %d servers in %s: %d new, %d changed, %d unchanged.",
			written, len(o.Servers), r.Path, fresh, changed, written-fresh-changed)
	}
	return a.say("Locked %s in %s.", o.Servers[0].Key, r.Path)
}

// lockVerdict is the exit code of a refresh: 1 when one was refused, or the launch
// of one; servers
// that could not be collected make 3 when others were, 2 when none was.
func lockVerdict(o *audit.LockOutcome) error {
	refused := slices.ContainsFunc(o.Servers, func(s audit.LockedServer) bool { return s.Refused > 0 })
	switch failed := o.Report.Summary.NotChecked; {
	case refused, o.Report.Refused():
		return exit(exitFindings)
	case failed > 0 && failed == len(o.Servers):
		return exit(exitError)
	case failed > 0:
		return exit(exitPartial)
	}
	return nil
}

// say prints one line of the result.
func (a *app) say(format string, args ...any) error {
	_, err := fmt.Fprintln(a.stdout, snapshot.Visible(fmt.Sprintf(format, args...)))
	return err
}
