package checks_test

import (
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/checks"
	"github.com/mcp-lint/mcp-lint/internal/githubtest"
	"github.com/mcp-lint/mcp-lint/linter/report"
)

func TestButtonsFitTheLimits(t *testing.T) {
	t.Parallel()
	w := newWorld(t, githubtest.Options{}, githubtest.RepositoryOptions{})
	run := verdict(120) // in three requests: the button comes with the verdict
	run.Actions = []report.Action{
		{Label: strings.Repeat("é", 30), Description: strings.Repeat("é", 50), Identifier: "one"},
		{Label: "two", Description: "two", Identifier: strings.Repeat("x", 21)}, // would come back as another
		{Label: "three", Description: "three", Identifier: "three"},
		{Label: "four", Description: "four", Identifier: "four"},
		{Label: "five", Description: "five", Identifier: "five"},
	}
	if err := w.publish(w.worker(&disk{kill: -1}), run); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, a := range w.run(run.Name).Actions {
		got = append(got, a.Identifier)
	}
	if strings.Join(got, " ") != "one three four" {
		t.Errorf("buttons %q", got)
	}
}

func TestNoteStandsBeforeTheSummary(t *testing.T) {
	t.Parallel()
	w := newWorld(t, githubtest.Options{}, githubtest.RepositoryOptions{})
	p := w.worker(&disk{kill: -1})
	run := verdict(3)
	run.Actions = []report.Action{{Label: "Accept changes", Description: "x", Identifier: "accept"}}
	if err := w.publish(p, run); err != nil {
		t.Fatal(err)
	}
	before := w.run(run.Name)
	for _, note := range []string{"**Outdated**: first", "**Accepted**: second", "**Accepted**: second"} {
		if err := p.Note(t.Context(), before.ID, note); err != nil {
			t.Fatal(err)
		}
		got := w.run(run.Name)
		if !strings.HasPrefix(got.Summary, note) || strings.Count(got.Summary, "**") != 2 || !strings.HasSuffix(strings.TrimSpace(got.Summary), run.Summary) {
			t.Errorf("summary %q", got.Summary)
		}
		if got.Title != before.Title || got.Conclusion != before.Conclusion || len(got.Annotations) != 3 || len(got.Actions) != 1 {
			t.Errorf("changed: %+v", got)
		}
	}
	// 1 create, 1 verdict, 2 notes: the third said nothing new.
	if n := w.count("checks/update"); n != 3 {
		t.Errorf("%d updates, want 3", n)
	}
}

func TestNoteFitsALongSummaryAndLeavesOthersAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, githubtest.Options{}, githubtest.RepositoryOptions{})
	p := w.worker(&disk{kill: -1})
	run := verdict(1)
	run.Summary = strings.Repeat("A line of the summary.\n", checks.MaxOutput)
	if err := w.publish(p, run); err != nil {
		t.Fatal(err)
	}
	if err := p.Note(t.Context(), w.run(run.Name).ID, "**Outdated**"); err != nil {
		t.Fatal(err)
	}
	if s := w.run(run.Name).Summary; !strings.HasPrefix(s, "**Outdated**") || len(s) > checks.MaxOutput {
		t.Errorf("%d bytes: %.60s", len(s), s)
	}
	w.repo.AddForeignCheckRun(99, "other", "theirs", w.sha, "success")
	for _, r := range w.srv.CheckRuns(w.repo, w.sha) {
		if r.AppID == 99 {
			if err := p.Note(t.Context(), r.ID, "x"); err == nil {
				t.Error("another App's check run was changed")
			}
		}
	}
}
