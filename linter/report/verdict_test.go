package report_test

import (
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// Each row is a row of the verdict table, or says what holds where two meet.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	addFinding := func(r *report.Review, l severity.Level, isNew bool) {
		f := finding("schema/root-type", l, tool("a"), "wrong")
		f.New = isNew
		r.Report.Servers[0].Findings = append(r.Report.Servers[0].Findings, f)
	}
	liveChange := func(r *report.Review, l severity.Level) {
		s := &r.Report.Servers[0]
		s.Lock.Changes = append(s.Lock.Changes, change("description_changed", l, tool("a"), "differs"))
	}
	accept := func(r *report.Review, levels ...severity.Level) {
		a := report.LockedChanges{Key: "files"}
		for _, l := range levels {
			a.Changes = append(a.Changes, report.Located{Change: change("description_changed", l, tool("a"), "differs")})
		}
		r.Lock.Accepted = append(r.Lock.Accepted, a)
	}
	uncollected := func(r *report.Review, kind report.ErrorKind) {
		r.Report.Servers = append(r.Report.Servers, report.Server{Key: "other", Error: &report.Error{Kind: kind, Message: "no"}})
	}
	tests := []struct {
		name                 string
		edit                 func(*report.Review)
		lint                 report.Conclusion
		lintTitle            string
		lock                 report.Conclusion
		lockTitle            string
		comment, reportFails bool
	}{
		{
			name: "nothing to check",
			edit: func(r *report.Review) { *r = report.Review{Empty: true} },
			lint: report.Skipped, lintTitle: "No MCP server, configuration or lock file",
			lock: report.Skipped, lockTitle: "No MCP server, configuration or lock file",
		},
		{
			name: "clean", edit: func(*report.Review) {},
			lint: report.Success, lintTitle: "No findings", lock: report.Success, lockTitle: "Matches the lock",
		},
		{
			name: "clean without a lock",
			edit: func(r *report.Review) { r.Lock = report.LockReview{}; r.Report.Servers[0].Lock = nil },
			lint: report.Success, lintTitle: "No findings", lock: report.Skipped, lockTitle: "No lock file",
		},
		{
			name: "configuration without a server",
			edit: func(r *report.Review) { r.Report.Servers = nil; r.Lock = report.LockReview{} },
			lint: report.Success, lintTitle: "No server to check", lock: report.Skipped, lockTitle: "No lock file",
		},
		{
			name: "new finding at the limit",
			edit: func(r *report.Review) { addFinding(r, severity.Error, true); addFinding(r, severity.Warning, false) },
			lint: report.Failure, lintTitle: "New: 1 error (known: 1 warning)", lock: report.Success, lockTitle: "Matches the lock",
			reportFails: true,
		},
		{
			name: "new finding under the limit",
			edit: func(r *report.Review) { addFinding(r, severity.Warning, true) },
			lint: report.Success, lintTitle: "New: 1 warning", lock: report.Success, lockTitle: "Matches the lock",
		},
		{
			name: "limit lowered to warnings",
			edit: func(r *report.Review) { r.Limits.FailOn = severity.Warning; addFinding(r, severity.Warning, true) },
			lint: report.Failure, lintTitle: "New: 1 warning", lock: report.Success, lockTitle: "Matches the lock", reportFails: true,
		},
		{
			name: "failOn never",
			edit: func(r *report.Review) { r.Limits.FailOn = severity.Off; addFinding(r, severity.Error, true) },
			lint: report.Success, lintTitle: "New: 1 error", lock: report.Success, lockTitle: "Matches the lock",
		},
		{
			name: "suppressed finding",
			edit: func(r *report.Review) {
				addFinding(r, severity.Error, true)
				r.Report.Servers[0].Findings[0].Suppressed = &linter.Suppressed{Reason: "why"}
			},
			lint: report.Success, lintTitle: "No findings", lock: report.Success, lockTitle: "Matches the lock",
		},
		{
			name: "quality under its minimum",
			edit: func(r *report.Review) { r.Limits.MinScore = 100.5 },
			lint: report.Failure, lintTitle: "Quality 100 is under 100.5", lock: report.Success, lockTitle: "Matches the lock", reportFails: true,
		},
		{
			name: "token score under its minimum",
			edit: func(r *report.Review) { r.Limits.FailUnder = 101 },
			lint: report.Failure, lintTitle: "Token cost score 100 is under 101", lock: report.Success, lockTitle: "Matches the lock", reportFails: true,
		},
		{
			name: "no tools have no token score",
			edit: func(r *report.Review) {
				r.Limits.FailUnder = 10
				r.Report.Servers[0].Scores.Tokens = linter.Tokens{}
			},
			lint: report.Success, lintTitle: "No findings", lock: report.Success, lockTitle: "Matches the lock",
		},
		{
			name: "only known findings",
			edit: func(r *report.Review) { addFinding(r, severity.Error, false) },
			lint: report.Success, lintTitle: "No new findings (known: 1 error)", lock: report.Success, lockTitle: "Matches the lock",
		},
		{
			name: "without a comparison all findings are new",
			edit: func(r *report.Review) { r.Compared = false; addFinding(r, severity.Error, false) },
			lint: report.Failure, lintTitle: "1 error", lock: report.Success, lockTitle: "Matches the lock",
		},
		{
			name: "live differs from the lock",
			edit: func(r *report.Review) { liveChange(r, severity.Error); liveChange(r, severity.Info) },
			lint: report.Success, lintTitle: "No findings", lock: report.Failure, lockTitle: "Live differs from the lock: 2 changes (1 error)",
			comment: true, reportFails: true,
		},
		{
			name: "live differs under the limit",
			edit: func(r *report.Review) { liveChange(r, severity.Info) },
			lint: report.Success, lintTitle: "No findings", lock: report.Success, lockTitle: "Live differs from the lock: 1 change",
		},
		{
			name: "lock refreshed and live equals it",
			edit: func(r *report.Review) { accept(r, severity.Error, severity.Warning, severity.Info) },
			lint: report.Success, lintTitle: "No findings", lock: report.Success, lockTitle: "Accepts 3 changes (1 error)", comment: true,
		},
		{
			name: "lock refreshed but stale",
			edit: func(r *report.Review) { accept(r, severity.Warning); liveChange(r, severity.Warning) },
			lint: report.Success, lintTitle: "No findings", lock: report.Failure,
			lockTitle: "Live differs from the lock: 1 change (1 warning); accepts 1 change (0 errors)", comment: true, reportFails: true,
		},
		{
			name: "lock refreshed with a new finding",
			edit: func(r *report.Review) { accept(r, severity.Error); addFinding(r, severity.Error, true) },
			lint: report.Failure, lintTitle: "New: 1 error", lock: report.Success, lockTitle: "Accepts 1 change (1 error)", comment: true, reportFails: true,
		},
		{
			name: "lock removed",
			edit: func(r *report.Review) {
				r.Lock.InHead = false
				r.Lock.RemovedServers = []string{"files"}
				r.Report.Servers[0].Lock = nil
			},
			lint: report.Success, lintTitle: "No findings", lock: report.Failure, lockTitle: "The lock file was removed", comment: true,
		},
		{
			name: "locked server removed",
			edit: func(r *report.Review) { r.Lock.RemovedServers = []string{"gone"} },
			lint: report.Success, lintTitle: "No findings", lock: report.Failure, lockTitle: "1 locked server was removed", comment: true,
		},
		{
			name: "lock cannot be read",
			edit: func(r *report.Review) {
				r.Lock.Error = &report.Error{Kind: report.ErrInput, Message: "conflict markers"}
			},
			lint: report.Success, lintTitle: "No findings", lock: report.Failure, lockTitle: "The lock file cannot be read", comment: true,
		},
		{
			name: "server not collectable",
			edit: func(r *report.Review) { uncollected(r, report.ErrNeedsSecret) },
			lint: report.ActionRequired, lintTitle: "1 server not checked (needs-secret)",
			lock: report.ActionRequired, lockTitle: "1 server not checked (needs-secret)", reportFails: true,
		},
		{
			name: "launch refused",
			edit: func(r *report.Review) { uncollected(r, report.ErrRefused) },
			lint: report.Failure, lintTitle: "1 server not checked (refused)",
			lock: report.ActionRequired, lockTitle: "1 server not checked (refused)", reportFails: true,
		},
		{
			name: "locked server that nothing launches",
			edit: func(r *report.Review) { uncollected(r, report.ErrInput); uncollected(r, report.ErrCrash) },
			lint: report.ActionRequired, lintTitle: "2 servers not checked",
			lock: report.ActionRequired, lockTitle: "2 servers not checked", reportFails: true,
		},
		{
			name: "failure beats what was not checked",
			edit: func(r *report.Review) {
				uncollected(r, report.ErrCrash)
				addFinding(r, severity.Error, true)
				liveChange(r, severity.Error)
			},
			lint: report.Failure, lintTitle: "New: 1 error; 1 server not checked (crash)",
			lock: report.Failure, lockTitle: "Live differs from the lock: 1 change (1 error); 1 server not checked (crash)", comment: true, reportFails: true,
		},
		{
			name: "not collectable without a lock",
			edit: func(r *report.Review) { r.Lock = report.LockReview{}; uncollected(r, report.ErrStart) },
			lint: report.ActionRequired, lintTitle: "1 server not checked (start)", lock: report.Skipped, lockTitle: "No lock file", reportFails: true,
		},
		{
			name: "server outside the lock",
			edit: func(r *report.Review) { r.Report.Servers[0].Lock = nil },
			lint: report.Success, lintTitle: "No findings", lock: report.Success, lockTitle: "Matches the lock; 1 server is not in the lock",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := cleanReview()
			tt.edit(r)
			lint, lock := r.LintCheckRun(), r.LockCheckRun()
			if lint.Name != "mcp-lint" || lint.Conclusion != tt.lint || lint.Title != tt.lintTitle {
				t.Errorf("lint: %s %s %q, want %s %q", lint.Name, lint.Conclusion, lint.Title, tt.lint, tt.lintTitle)
			}
			if lock.Name != "mcp-lint lock" || lock.Conclusion != tt.lock || lock.Title != tt.lockTitle {
				t.Errorf("lock: %s %s %q, want %s %q", lock.Name, lock.Conclusion, lock.Title, tt.lock, tt.lockTitle)
			}
			if lint.Summary == "" || lock.Summary == "" {
				t.Error("a check run without a summary")
			}
			if _, wanted := r.Comment(report.CommentOptions{}); wanted != tt.comment {
				t.Errorf("comment wanted: %v, want %v", wanted, tt.comment)
			}
			if s := report.Summarize(&r.Report, r.Limits); s.Passed == tt.reportFails {
				t.Errorf("report passed: %v", s.Passed)
			}
		})
	}
}

func TestVerdictsWithoutAReview(t *testing.T) {
	t.Parallel()
	run := report.NotChecked(report.LockCheck, "not started: fork of @octocat")
	if run.Conclusion != report.ActionRequired || run.Name != "mcp-lint lock" || !strings.Contains(run.Summary, "fork of @ octocat") {
		t.Errorf("not checked: %+v", run)
	}
	run = report.Superseded(report.LintCheck, "0123abc")
	if run.Conclusion != report.Cancelled || run.Name != "mcp-lint" || !strings.Contains(run.Summary, "`0123abc`") {
		t.Errorf("superseded: %+v", run)
	}
}

func TestAnnotationsAreWorstFirstAndHaveAPlace(t *testing.T) {
	t.Parallel()
	r := hostileReview()
	r.Lock.Places = []report.Place{{Key: "files`|<b>", Entity: tool("a"), Location: at("mcp-lint.lock", 40, 9)}}
	for _, run := range []report.CheckRun{r.LintCheckRun(), r.LockCheckRun()} {
		if len(run.Annotations) == 0 {
			t.Fatalf("%s: no annotations", run.Name)
		}
		last := severity.Error
		for _, a := range run.Annotations {
			if a.Severity > last {
				t.Errorf("%s: %q comes after something less serious", run.Name, a.Title)
			}
			last = a.Severity
			if a.Location.File == "" || a.Location.Line < 1 {
				t.Errorf("%s: %q has no place", run.Name, a.Title)
			}
			if strings.ContainsAny(a.Message+a.Title, "\x1b\u202e\r") {
				t.Errorf("%s: raw control character in %q", run.Name, a.Message)
			}
		}
	}
	lines := map[string]int{}
	accepted := severity.Off
	for _, a := range r.LockCheckRun().Annotations {
		lines[a.Title] = a.Location.Line
		if strings.HasPrefix(a.Title, "accepts ") {
			accepted = a.Severity
		}
	}
	if got := lines["meta_changed in tool a"]; got != 40 {
		t.Errorf("a live change is at line %d, want that of its place, 40", got)
	}
	if got := lines["description_changed in tool export"]; got != 12 {
		t.Errorf("a live change is at line %d, want that of the accepted change, 12", got)
	}
	if accepted != severity.Warning {
		t.Errorf("an accepted error is annotated as %s, want warning: it fails nothing", accepted)
	}
	for _, a := range r.LintCheckRun().Annotations {
		if strings.HasPrefix(a.Title, "description/too-short") {
			t.Error("a known finding is annotated")
		}
	}
}

func TestSummaryLeavesSuppressedOut(t *testing.T) {
	t.Parallel()
	got := hostileReview().Report.Summary
	want := report.Summary{Errors: 1, Warnings: 1, Infos: 2, NotChecked: 1}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
