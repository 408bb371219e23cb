package checks_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/mcp-lint/mcp-lint/checks"
	"github.com/mcp-lint/mcp-lint/internal/githubapp"
	"github.com/mcp-lint/mcp-lint/internal/githubtest"
	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

func TestAnnotationsGoInBatches(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ findings, shown, requests int }{
		{0, 0, 1}, {1, 1, 1}, {50, 50, 1}, {51, 51, 2}, {120, 120, 3}, {250, 250, 5}, {300, 250, 5},
	} {
		w := newWorld(t, githubtest.Options{}, githubtest.RepositoryOptions{})
		if err := w.publish(w.worker(&disk{kill: -1}), verdict(c.findings)); err != nil {
			t.Fatalf("%d: %v", c.findings, err)
		}
		run := w.run(report.LintCheck)
		if len(run.Annotations) != c.shown || w.count("checks/update") != c.requests {
			t.Errorf("%d findings: %d annotations in %d requests, want %d in %d", c.findings, len(run.Annotations), w.count("checks/update"), c.shown, c.requests)
		}
		distinct(t, run.Annotations)
		if run.Status != "completed" || run.Conclusion != "failure" || run.ExternalID != "job-1" || run.DetailsURL != "https://bot.example.com/r/1" {
			t.Errorf("%d findings: the run is %+v", c.findings, run)
		}
		if !strings.HasPrefix(run.Summary, "All the words.") {
			t.Errorf("%d findings: summary %q", c.findings, run.Summary)
		}
		if note := strings.Contains(run.Summary, "50 more warnings are not shown"); note != (c.findings == 300) {
			t.Errorf("%d findings: summary %q", c.findings, run.Summary)
		}
	}
}

func TestTheVerdictComesWithTheLastRequestOnly(t *testing.T) {
	t.Parallel()
	w := newWorld(t, githubtest.Options{}, githubtest.RepositoryOptions{})
	d := &disk{kill: 3} // begun, digest, first batch; then dead before the second is noted
	if err := w.publish(w.worker(d), verdict(120)); !errors.Is(err, errKilled) {
		t.Fatal(err)
	}
	run := w.run(report.LintCheck)
	if run.Status != "in_progress" || run.Conclusion != "" || len(run.Annotations) != 100 || strings.Contains(run.Summary, "All the words") {
		t.Errorf("half-way: %s %q, %d annotations, summary %q", run.Status, run.Conclusion, len(run.Annotations), run.Summary)
	}
}

func TestWorstFirstAndNothingLost(t *testing.T) {
	t.Parallel()
	w := newWorld(t, githubtest.Options{}, githubtest.RepositoryOptions{})
	run := verdict(260)
	for i := range run.Annotations {
		run.Annotations[i].Severity = []severity.Level{severity.Info, severity.Warning}[i%2]
	}
	run.Annotations[259].Severity = severity.Error
	run.Annotations = append(run.Annotations, report.Annotation{Severity: severity.Error, Message: "nowhere"})
	if err := w.publish(w.worker(&disk{kill: -1}), run); err != nil {
		t.Fatal(err)
	}
	got := w.run(report.LintCheck)
	if a := got.Annotations[0]; a.Level != "failure" || a.StartLine != 260 || *a.StartColumn != 3 || a.EndLine != 260 {
		t.Errorf("first is %+v, want the error", a)
	}
	if got.Annotations[249].Level != "notice" {
		t.Errorf("last is %+v, want a notice", got.Annotations[249])
	}
	for _, says := range []string{"10 more infos are not shown", "1 without a place"} {
		if !strings.Contains(got.Summary, says) {
			t.Errorf("summary %q lacks %q", got.Summary, says)
		}
	}
}

func TestTextsAreCutToGitHubsLimits(t *testing.T) {
	t.Parallel()
	w := newWorld(t, githubtest.Options{}, githubtest.RepositoryOptions{})
	run := verdict(300)
	run.Title = strings.Repeat("Tïtle ", 100)
	run.Summary = "<details>\n<summary>all</summary>\n\n```diff\n" + strings.Repeat("+ höre ```\u202e @everyone\n", 3000)
	if len(run.Summary) < 70<<10 {
		t.Fatal("the summary is too short to prove anything")
	}
	run.Annotations[0] = report.Annotation{Location: snapshot.Location{File: "a.json"}, Severity: severity.Error, Title: strings.Repeat("ü", 300), Message: strings.Repeat("日本", 20_000)}
	run.Annotations[1] = report.Annotation{Location: snapshot.Location{File: "a.json", Column: 9}, Severity: severity.Error}
	if err := w.publish(w.worker(&disk{kill: -1}), run); err != nil {
		t.Fatal(err)
	}
	got := w.run(report.LintCheck)
	if len(got.Summary) > 65_535 || len(got.Summary) < 60_000 || !utf8.ValidString(got.Summary) {
		t.Errorf("summary has %d bytes", len(got.Summary))
	}
	// The fence and the details are closed before anything else is said.
	end := got.Summary[strings.LastIndex(got.Summary, "@everyone"):]
	if !strings.HasPrefix(end, "@everyone\n```\n\n</details>\n\n_The rest") || !strings.Contains(end, "https://bot.example.com/r/1") || !strings.Contains(end, "50 more") {
		t.Errorf("the summary ends with %q", end)
	}
	if n := utf8.RuneCountInString(got.Title); n > 255 {
		t.Errorf("title has %d characters", n)
	}
	a := got.Annotations[0]
	if utf8.RuneCountInString(a.Title) != 255 || len(a.Message) > 64_000 || len(a.Message) < 63_000 || !strings.HasSuffix(a.Message, "…") || a.StartLine != 1 {
		t.Errorf("annotation: title of %d characters, message of %d bytes, line %d", utf8.RuneCountInString(a.Title), len(a.Message), a.StartLine)
	}
	if a := got.Annotations[1]; a.Message == "" || a.StartColumn != nil {
		t.Errorf("annotation without text or line: %+v", a)
	}
}

// Whatever a worker was doing when it died, the next one ends with one of each.
func TestKilledWorkersLeaveOneOfEach(t *testing.T) {
	t.Parallel()
	job := func(w *world, p *checks.Publisher) error {
		if err := w.publish(p, verdict(120)); err != nil {
			return err
		}
		if _, err := p.UploadSARIF(t.Context(), document(1), w.ref(), w.sha); err != nil {
			return err
		}
		return p.Comment(t.Context(), w.pr.Number, "Look at this.", true)
	}
	for kill := 0; ; kill++ {
		w := newWorld(t, githubtest.Options{ContentWritesPerMinute: -1}, githubtest.RepositoryOptions{})
		d := &disk{kill: kill}
		err := job(w, w.worker(d))
		if err == nil {
			if kill < 8 {
				t.Errorf("only %d saves", kill)
			}
			return
		}
		if !errors.Is(err, errKilled) {
			t.Fatalf("killed at save %d: %v", kill, err)
		}
		d.kill = -1
		if err := job(w, w.worker(d)); err != nil {
			t.Fatalf("after save %d: %v", kill, err)
		}
		run := w.run(report.LintCheck)
		if len(run.Annotations) != 120 || run.Conclusion != "failure" {
			t.Errorf("killed at save %d: %d annotations, %q", kill, len(run.Annotations), run.Conclusion)
		}
		distinct(t, run.Annotations)
		if c := w.srv.Comments(w.repo, w.pr.Number); len(c) != 1 {
			t.Errorf("killed at save %d: %d comments", kill, len(c))
		}
		if a := w.srv.Alerts(w.repo); len(a) != 1 {
			t.Errorf("killed at save %d: %d alerts", kill, len(a))
		}
		before := len(w.srv.Requests())
		if err := job(w, w.worker(d)); err != nil {
			t.Fatal(err)
		}
		for _, r := range w.srv.Requests()[before:] {
			// The comment may be written again; it is the same text.
			if r.Method != http.MethodGet && r.Operation != "issues/update-comment" && !strings.HasSuffix(r.Path, "/access_tokens") {
				t.Errorf("a finished job wrote again: %s %s", r.Method, r.Path)
			}
		}
	}
}

func TestLostAnswersDoubleNothing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, method, path string
		times              int
	}{
		{"create", http.MethodPost, "/repos/*/*/check-runs", 1},
		{"create, twice", http.MethodPost, "/repos/*/*/check-runs", 2},
		{"first update", http.MethodPatch, "/repos/*/*/check-runs/*", 1},
		{"two updates", http.MethodPatch, "/repos/*/*/check-runs/*", 2},
	} {
		w := newWorld(t, githubtest.Options{}, githubtest.RepositoryOptions{})
		w.srv.DropResponse(c.method, c.path, c.times)
		if err := w.publish(w.worker(&disk{kill: -1}), verdict(120)); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		run := w.run(report.LintCheck)
		if len(run.Annotations) != 120 || run.Conclusion != "failure" {
			t.Errorf("%s: %d annotations, %q", c.name, len(run.Annotations), run.Conclusion)
		}
		distinct(t, run.Annotations)
	}
}

// The last answer is lost and the worker dies: its successor must see that the
// run is completed, even when it would now decide otherwise.
func TestCompletedRunsAreLeftAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, githubtest.Options{}, githubtest.RepositoryOptions{})
	d := &disk{kill: 2} // begun, digest; then completed, but not noted
	if err := w.publish(w.worker(d), verdict(3)); !errors.Is(err, errKilled) {
		t.Fatal(err)
	}
	d.kill = -1
	other := verdict(5)
	other.Conclusion = report.Success
	p := w.worker(d)
	if err := w.publish(p, other); err != nil {
		t.Fatal(err)
	}
	if run := w.run(report.LintCheck); run.Conclusion != "failure" || len(run.Annotations) != 3 {
		t.Errorf("now %q with %d annotations", run.Conclusion, len(run.Annotations))
	}
	if s := p.State().Runs[report.LintCheck]; !s.Completed || s.Conclusion != "failure" {
		t.Errorf("noted as %+v", s)
	}
}

// A resumed job may judge anew and find other things: what is there stays, what
// is missing comes, nothing comes twice.
func TestAnotherVerdictAfterTheKill(t *testing.T) {
	t.Parallel()
	w := newWorld(t, githubtest.Options{}, githubtest.RepositoryOptions{})
	d := &disk{kill: 3}
	if err := w.publish(w.worker(d), verdict(120)); !errors.Is(err, errKilled) {
		t.Fatal(err)
	}
	run := verdict(230)
	run.Annotations = run.Annotations[5:]
	for _, kill := range []int{5, -1} { // dies once more, after its second batch
		d.kill = kill
		if err := w.publish(w.worker(d), run); err != nil && !errors.Is(err, errKilled) {
			t.Fatal(err)
		}
	}
	got := w.run(report.LintCheck)
	if len(got.Annotations) != 230 || got.Status != "completed" {
		t.Errorf("%s with %d annotations, want all 230 of both", got.Status, len(got.Annotations))
	}
	distinct(t, got.Annotations)
}

func TestBeginTakesNobodyElsesRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t, githubtest.Options{}, githubtest.RepositoryOptions{})
	w.repo.AddForeignCheckRun(99, "other", report.LintCheck, w.sha, "success")
	first := w.worker(&disk{kill: -1})
	id1, err := first.Begin(t.Context(), report.LintCheck, w.sha, "job-1")
	if err != nil {
		t.Fatal(err)
	}
	if again, err := first.Begin(t.Context(), report.LintCheck, w.sha, "job-1"); err != nil || again != id1 {
		t.Errorf("begun twice: %d, %d, %v", id1, again, err)
	}
	if err := first.Complete(t.Context(), verdict(1)); err != nil {
		t.Fatal(err)
	}
	// A re-run is a new check run, in the same publisher or in another.
	id2, err := first.Begin(t.Context(), report.LintCheck, w.sha, "job-2")
	if err != nil || id2 == id1 {
		t.Errorf("re-run: %d, %v", id2, err)
	}
	id3, err := w.worker(&disk{kill: -1}).Begin(t.Context(), report.LintCheck, w.sha, "job-3")
	if err != nil || id3 == id1 || id3 == id2 {
		t.Errorf("re-run by another worker: %d, %v", id3, err)
	}
	found, err := w.worker(&disk{kill: -1}).Begin(t.Context(), report.LintCheck, w.sha, "job-2")
	if err != nil || found != id2 {
		t.Errorf("found %d, %v; want %d", found, err, id2)
	}
	if err := w.worker(&disk{kill: -1}).Complete(t.Context(), verdict(1)); err == nil || !strings.Contains(err.Error(), "not begun") {
		t.Errorf("completed without begin: %v", err)
	}
}

// Our run is behind more than a page of former ones.
func TestBeginLooksAtAllPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t, githubtest.Options{}, githubtest.RepositoryOptions{})
	old, err := w.worker(&disk{kill: -1}).Begin(t.Context(), report.LintCheck, w.sha, "job-1")
	if err != nil {
		t.Fatal(err)
	}
	for range 120 {
		w.repo.AddForeignCheckRun(githubtest.AppID, w.srv.AppSlug(), report.LintCheck, w.sha, "success")
	}
	if found, err := w.worker(&disk{kill: -1}).Begin(t.Context(), report.LintCheck, w.sha, "job-1"); err != nil || found != old {
		t.Errorf("found %d, %v; want %d", found, err, old)
	}
}

func TestCancel(t *testing.T) {
	t.Parallel()
	w := newWorld(t, githubtest.Options{}, githubtest.RepositoryOptions{})
	run := report.CheckRun{Name: report.LintCheck, Conclusion: report.Cancelled, Title: "Superseded", Summary: "By another."}
	ctx := t.Context()
	if err := w.worker(&disk{kill: -1}).Cancel(ctx, run, w.sha, "job-1"); err != nil || len(w.srv.CheckRuns(w.repo, w.sha)) > 0 {
		t.Errorf("cancelled before it began: %v, %d runs", err, len(w.srv.CheckRuns(w.repo, w.sha)))
	}
	if _, err := w.worker(&disk{kill: -1}).Begin(ctx, report.LintCheck, w.sha, "job-1"); err != nil {
		t.Fatal(err)
	}
	if err := w.worker(&disk{kill: -1}).Cancel(ctx, run, w.sha, "job-1"); err != nil { // the id is not known here
		t.Fatal(err)
	}
	if got := w.run(report.LintCheck); got.Conclusion != "cancelled" || got.Title != "Superseded" {
		t.Errorf("got %+v", got)
	}
	d := &disk{kill: -1}
	run.Conclusion = report.Success
	if err := w.worker(d).Cancel(ctx, run, w.sha, "job-1"); err != nil {
		t.Fatal(err)
	}
	if got := w.run(report.LintCheck); got.Conclusion != "cancelled" {
		t.Errorf("a completed run became %q", got.Conclusion)
	}
}

func TestRateLimitsReachTheWorker(t *testing.T) {
	t.Parallel()
	w := newWorld(t, githubtest.Options{}, githubtest.RepositoryOptions{})
	w.srv.Fail(http.MethodPatch, "/repos/*/*/check-runs/*", http.StatusForbidden, 1, 90*time.Second)
	d := &disk{kill: -1}
	err := w.publish(w.worker(d), verdict(120))
	var later *githubapp.RetryLater
	if !errors.As(err, &later) || later.After != 90*time.Second {
		t.Fatalf("got %v", err)
	}
	if w.count("checks/update") > 1 {
		t.Error("went on in spite of the limit")
	}
	if err := w.publish(w.worker(d), verdict(120)); !errors.As(err, &later) {
		t.Errorf("before the time: %v", err)
	}
	w.sleep(context.Background(), 91*time.Second)
	if err := w.publish(w.worker(d), verdict(120)); err != nil {
		t.Fatal(err)
	}
	if run := w.run(report.LintCheck); len(run.Annotations) != 120 {
		t.Errorf("%d annotations", len(run.Annotations))
	}
}
