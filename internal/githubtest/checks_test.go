package githubtest

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v66/github"
)

func annotations(n int) []*github.CheckRunAnnotation {
	var all []*github.CheckRunAnnotation
	for i := range n {
		all = append(all, &github.CheckRunAnnotation{
			Path: ptr("README.md"), StartLine: ptr(1), EndLine: ptr(1), AnnotationLevel: ptr("warning"), Message: ptr(fmt.Sprint("message ", i)),
		})
	}
	return all
}

func output(change func(*github.CheckRunOutput)) *github.CheckRunOutput {
	o := &github.CheckRunOutput{Title: ptr("title"), Summary: ptr("summary")}
	if change != nil {
		change(o)
	}
	return o
}

func TestCheckRunLifeCycle(t *testing.T) {
	t.Parallel()
	srv := start(t, Options{})
	repo, _, head := newRepo(t, srv, "tools", RepositoryOptions{})
	openPull(t, repo, "Change", "feature", PullOptions{})
	checks := repoClient(t, srv, repo, nil).Checks

	run := must[*github.CheckRun](t)(checks.CreateCheckRun(ctx, "acme", "tools", github.CreateCheckRunOptions{
		Name: "mcp-lint", HeadSHA: head, Status: ptr("in_progress"), ExternalID: ptr("job-1"), DetailsURL: ptr("https://example.com/1"),
	}))
	if run.GetStatus() != "in_progress" || run.GetConclusion() != "" || run.GetApp().GetID() != AppID || len(run.PullRequests) != 1 {
		t.Errorf("created run: %v", run)
	}
	go func() {
		checks.UpdateCheckRun(ctx, "acme", "tools", run.GetID(), github.UpdateCheckRunOptions{Name: "mcp-lint", Output: output(func(o *github.CheckRunOutput) { o.Annotations = annotations(50) })})
		checks.UpdateCheckRun(ctx, "acme", "tools", run.GetID(), github.UpdateCheckRunOptions{
			Name: "mcp-lint", Conclusion: ptr("failure"), Output: output(func(o *github.CheckRunOutput) { o.Annotations, o.Text = annotations(3), ptr("text") }),
			Actions: []*github.CheckRunAction{{Label: "Accept", Description: "Accept the change", Identifier: "accept"}},
		})
	}()
	limited, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	done, err := srv.WaitForChecks(limited, repo, head, "mcp-lint")
	if err != nil {
		t.Fatal(err)
	}
	if got := done[0]; got.Conclusion != "failure" || len(got.Annotations) != 53 || got.Text != "text" || got.ExternalID != "job-1" || got.CompletedAt.IsZero() || len(got.Actions) != 1 {
		t.Errorf("finished run: %+v", got)
	}
	got := must[*github.CheckRun](t)(checks.GetCheckRun(ctx, "acme", "tools", run.GetID()))
	if got.GetConclusion() != "failure" || got.GetOutput().GetAnnotationsCount() != 53 {
		t.Errorf("run over the API: %v", got)
	}
	second := must[[]*github.CheckRunAnnotation](t)(checks.ListCheckRunAnnotations(ctx, "acme", "tools", run.GetID(), &github.ListOptions{Page: 2, PerPage: 50}))
	if len(second) != 3 || second[0].GetMessage() != "message 0" {
		t.Errorf("second page of annotations: %v", second)
	}
}

func TestAConclusionCannotBeCleared(t *testing.T) {
	t.Parallel()
	srv := start(t, Options{})
	repo, _, head := newRepo(t, srv, "tools", RepositoryOptions{})
	checks := repoClient(t, srv, repo, nil).Checks
	run := must[*github.CheckRun](t)(checks.CreateCheckRun(ctx, "acme", "tools", github.CreateCheckRunOptions{Name: "x", HeadSHA: head, Conclusion: ptr("success")}))
	if run.GetStatus() != "completed" {
		t.Errorf("a conclusion leaves status %s", run.GetStatus())
	}
	got := must[*github.CheckRun](t)(checks.UpdateCheckRun(ctx, "acme", "tools", run.GetID(), github.UpdateCheckRunOptions{Name: "x", Status: ptr("in_progress")}))
	if got.GetConclusion() != "success" {
		t.Errorf("conclusion is %q after going back to in_progress", got.GetConclusion())
	}
}

func TestTheNewestRunOfAnyNameWins(t *testing.T) {
	t.Parallel()
	srv := start(t, Options{})
	repo, base, head := newRepo(t, srv, "tools", RepositoryOptions{})
	checks := repoClient(t, srv, repo, nil).Checks
	var last *github.CheckRun
	for _, conclusion := range []string{"failure", "success"} {
		last = must[*github.CheckRun](t)(checks.CreateCheckRun(ctx, "acme", "tools", github.CreateCheckRunOptions{Name: "x", HeadSHA: head, Conclusion: &conclusion}))
	}
	must[*github.CheckRun](t)(checks.CreateCheckRun(ctx, "acme", "tools", github.CreateCheckRunOptions{Name: "y", HeadSHA: head}))
	must[*github.CheckRun](t)(checks.CreateCheckRun(ctx, "acme", "tools", github.CreateCheckRunOptions{Name: "x", HeadSHA: base}))
	repo.AddForeignCheckRun(99, "other-app", "x", head, "failure")
	for name, test := range map[string]struct {
		ref  string
		opts *github.ListCheckRunsOptions
		want int
	}{
		"latest by default": {head, nil, 3},
		"all":               {head, &github.ListCheckRunsOptions{Filter: ptr("all")}, 4},
		"one name":          {"feature", &github.ListCheckRunsOptions{CheckName: ptr("x")}, 2},
		"one app":           {head, &github.ListCheckRunsOptions{CheckName: ptr("x"), AppID: ptr(int64(AppID))}, 1},
		"one status":        {head, &github.ListCheckRunsOptions{Status: ptr("queued")}, 1},
		"one page":          {head, &github.ListCheckRunsOptions{ListOptions: github.ListOptions{PerPage: 1}}, 3},
	} {
		got := must[*github.ListCheckRunsResults](t)(checks.ListCheckRunsForRef(ctx, "acme", "tools", test.ref, test.opts))
		if got.GetTotal() != test.want {
			t.Errorf("%s: %d runs, want %d", name, got.GetTotal(), test.want)
		}
		if name == "one app" && got.CheckRuns[0].GetID() != last.GetID() {
			t.Errorf("%s: run %d, want the newest, %d", name, got.CheckRuns[0].GetID(), last.GetID())
		}
	}
	suites := must[*github.ListCheckSuiteResults](t)(checks.ListCheckSuitesForRef(ctx, "acme", "tools", head, nil))
	if suites.GetTotal() != 2 || suites.CheckSuites[0].GetStatus() != "in_progress" || suites.CheckSuites[1].GetConclusion() != "failure" {
		t.Errorf("suites: %v", suites.CheckSuites)
	}
	suite := must[*github.CheckSuite](t)(checks.GetCheckSuite(ctx, "acme", "tools", suites.CheckSuites[0].GetID()))
	if got := must[*github.ListCheckRunsResults](t)(checks.ListCheckRunsCheckSuite(ctx, "acme", "tools", suite.GetID(), nil)); got.GetTotal() != 3 {
		t.Errorf("%d runs in the suite", got.GetTotal())
	}
	foreign := srv.CheckRuns(repo, head)[3]
	_, _, err := checks.UpdateCheckRun(ctx, "acme", "tools", foreign.ID, github.UpdateCheckRunOptions{Name: "x", Conclusion: ptr("success")})
	wantStatus(t, err, 403, "can only be modified by the GitHub App that created it")
}

func TestOldRunsOfOneNameArePruned(t *testing.T) {
	t.Parallel()
	srv := start(t, Options{})
	repo, _, head := newRepo(t, srv, "tools", RepositoryOptions{})
	for range MaxRunsOfOneName + 2 {
		repo.AddForeignCheckRun(99, "other-app", "x", head, "success")
	}
	if got := len(srv.CheckRuns(repo, head)); got != MaxRunsOfOneName {
		t.Errorf("%d runs are kept", got)
	}
}

// TestCheckRunLimits holds each limit at its edge (accepted) and one beyond.
func TestCheckRunLimits(t *testing.T) {
	t.Parallel()
	srv := start(t, Options{ContentWritesPerMinute: -1})
	repo, _, head := newRepo(t, srv, "tools", RepositoryOptions{})
	checks := repoClient(t, srv, repo, nil).Checks
	create := func(change func(*github.CreateCheckRunOptions)) error {
		opts := github.CreateCheckRunOptions{Name: "x", HeadSHA: head}
		change(&opts)
		_, _, err := checks.CreateCheckRun(ctx, "acme", "tools", opts)
		return err
	}
	out := func(change func(*github.CheckRunOutput)) func(*github.CreateCheckRunOptions) {
		return func(o *github.CreateCheckRunOptions) { o.Output = output(change) }
	}
	note := func(change func(*github.CheckRunAnnotation)) func(*github.CreateCheckRunOptions) {
		return out(func(o *github.CheckRunOutput) {
			o.Annotations = annotations(1)
			change(o.Annotations[0])
		})
	}
	long := func(n int) *string { return ptr(strings.Repeat("x", n)) }
	wide := func(n int) *string { return ptr(strings.Repeat("é", n)) } // two bytes each
	action := func(label, description, identifier int) func(*github.CreateCheckRunOptions) {
		return func(o *github.CreateCheckRunOptions) {
			o.Actions = []*github.CheckRunAction{{Label: *wide(label), Description: *wide(description), Identifier: *wide(identifier)}}
		}
	}
	actions := func(n int) func(*github.CreateCheckRunOptions) {
		return func(o *github.CreateCheckRunOptions) {
			for range n {
				o.Actions = append(o.Actions, &github.CheckRunAction{Label: "l", Description: "d", Identifier: "i"})
			}
		}
	}
	for name, test := range map[string]struct {
		good, bad func(*github.CreateCheckRunOptions)
		want      string
		described bool // the description itself refuses it
	}{
		"annotations":        {out(func(o *github.CheckRunOutput) { o.Annotations = annotations(50) }), out(func(o *github.CheckRunOutput) { o.Annotations = annotations(51) }), "50", true},
		"title bytes":        {out(func(o *github.CheckRunOutput) { o.Title = long(65535) }), out(func(o *github.CheckRunOutput) { o.Title = wide(32768) }), "bytesize", false},
		"summary bytes":      {out(func(o *github.CheckRunOutput) { o.Summary = long(65535) }), out(func(o *github.CheckRunOutput) { o.Summary = wide(32768) }), "bytesize", false},
		"text bytes":         {out(func(o *github.CheckRunOutput) { o.Text = long(65535) }), out(func(o *github.CheckRunOutput) { o.Text = wide(32768) }), "bytesize", false},
		"annotation title":   {note(func(a *github.CheckRunAnnotation) { a.Title = wide(255) }), note(func(a *github.CheckRunAnnotation) { a.Title = wide(256) }), "title", false},
		"annotation message": {note(func(a *github.CheckRunAnnotation) { a.Message = long(64 << 10) }), note(func(a *github.CheckRunAnnotation) { a.Message = wide(32<<10 + 1) }), "message", false},
		"raw details":        {note(func(a *github.CheckRunAnnotation) { a.RawDetails = long(64 << 10) }), note(func(a *github.CheckRunAnnotation) { a.RawDetails = long(64<<10 + 1) }), "raw_details", false},
		"columns need one line": {
			note(func(a *github.CheckRunAnnotation) { a.StartColumn, a.EndColumn = ptr(1), ptr(2) }),
			note(func(a *github.CheckRunAnnotation) { a.EndLine, a.StartColumn = ptr(2), ptr(1) }), "start_column", false,
		},
		"line range":    {note(func(a *github.CheckRunAnnotation) { a.EndLine = ptr(9) }), note(func(a *github.CheckRunAnnotation) { a.StartLine, a.EndLine = ptr(2), ptr(1) }), "range", false},
		"line 0":        {note(func(a *github.CheckRunAnnotation) {}), note(func(a *github.CheckRunAnnotation) { a.StartLine = ptr(0) }), "range", false},
		"empty message": {note(func(a *github.CheckRunAnnotation) {}), note(func(a *github.CheckRunAnnotation) { a.Message = ptr("") }), "message", false},
		"level":         {note(func(a *github.CheckRunAnnotation) {}), note(func(a *github.CheckRunAnnotation) { a.AnnotationLevel = ptr("error") }), "annotation_level", true},
		"actions":       {actions(3), actions(4), "actions", true},
		"label":         {action(20, 40, 20), action(21, 40, 20), "label", true},
		"description":   {action(20, 40, 20), action(20, 41, 20), "description", true},
		"identifier":    {action(20, 40, 20), action(20, 40, 21), "identifier", true},
		"completed needs a conclusion": {
			func(o *github.CreateCheckRunOptions) { o.Status, o.Conclusion = ptr("completed"), ptr("neutral") },
			func(o *github.CreateCheckRunOptions) { o.Status = ptr("completed") }, "conclusion", false,
		},
		"completed_at needs a conclusion": {
			func(o *github.CreateCheckRunOptions) {
				o.CompletedAt, o.Conclusion = &github.Timestamp{Time: time.Now()}, ptr("neutral")
			},
			func(o *github.CreateCheckRunOptions) { o.CompletedAt = &github.Timestamp{Time: time.Now()} }, "conclusion", false,
		},
		"stale is GitHub's": {func(o *github.CreateCheckRunOptions) {}, func(o *github.CreateCheckRunOptions) { o.Conclusion = ptr("stale") }, "stale", false},
		"details_url": {
			func(o *github.CreateCheckRunOptions) { o.DetailsURL = ptr("http://127.0.0.1/x") },
			func(o *github.CreateCheckRunOptions) { o.DetailsURL = ptr("javascript:alert(1)") }, "details_url", false,
		},
		"unknown commit": {func(o *github.CreateCheckRunOptions) {}, func(o *github.CreateCheckRunOptions) { o.HeadSHA = strings.Repeat("0", 40) }, "No commit found", false},
		"short SHA":      {func(o *github.CreateCheckRunOptions) {}, func(o *github.CreateCheckRunOptions) { o.HeadSHA = head[:7] }, "No commit found", false},
		"name":           {func(o *github.CreateCheckRunOptions) {}, func(o *github.CreateCheckRunOptions) { o.Name = "" }, "name", false},
	} {
		t.Run(name, func(t *testing.T) {
			if err := create(test.good); err != nil {
				t.Errorf("at the limit: %v", err)
			}
			wantStatus(t, create(test.bad), 422, test.want)
			if test.described {
				wantViolation(t, srv, test.want)
			}
		})
	}
	run := must[*github.CheckRun](t)(checks.CreateCheckRun(ctx, "acme", "tools", github.CreateCheckRunOptions{Name: "x", HeadSHA: head}))
	_, _, err := checks.UpdateCheckRun(ctx, "acme", "tools", run.GetID(), github.UpdateCheckRunOptions{Name: "x", Output: output(func(o *github.CheckRunOutput) { o.Text = wide(32768) })})
	wantStatus(t, err, 422, "bytesize")
	_, _, err = checks.UpdateCheckRun(ctx, "acme", "tools", run.GetID(), github.UpdateCheckRunOptions{Name: "x", Status: ptr("completed")})
	wantStatus(t, err, 422, "anyOf") // an update without conclusion: here the description does say it
	wantViolation(t, srv, "anyOf")
	_, _, err = checks.UpdateCheckRun(ctx, "acme", "tools", 1, github.UpdateCheckRunOptions{Name: "x"})
	wantStatus(t, err, 404, "Not Found")
}
