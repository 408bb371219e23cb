package checks

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/go-github/v66/github"

	"github.com/mcp-lint/mcp-lint/internal/githubapp"
)

// noteEnd ends a note at the top of a check run's summary. Nothing foreign can
// write it there: HTML is neutralised in every foreign text.
const noteEnd = "<!-- mcp-lint:note -->"

// Note puts a note, in Markdown, before the summary of a check run of ours, in
// the place of an earlier note. Verdict, title and annotations stay. A note that
// is there already is not written again.
func (p *Publisher) Note(ctx context.Context, checkRunID int64, note string) error {
	run, _, err := p.o.Client.Checks.GetCheckRun(ctx, p.o.Owner, p.o.Repo, checkRunID)
	if err != nil {
		return fmt.Errorf("note on check run %d: %w", checkRunID, err)
	}
	if run.GetApp().GetID() != p.o.AppID {
		return fmt.Errorf("note on check run %d: it is that of App %d, expected ours", checkRunID, run.GetApp().GetID())
	}
	old := run.GetOutput().GetSummary()
	summary := old
	if _, after, noted := strings.Cut(old, noteEnd+"\n\n"); noted {
		summary = after
	}
	summary = p.summary(note+"\n\n"+noteEnd+"\n\n"+summary, "")
	if strings.TrimSpace(summary) == strings.TrimSpace(old) {
		return nil
	}
	_, _, err = p.o.Client.Checks.UpdateCheckRun(githubapp.Idempotent(ctx), p.o.Owner, p.o.Repo, checkRunID, github.UpdateCheckRunOptions{
		Name:   run.GetName(),
		Output: &github.CheckRunOutput{Title: github.String(run.GetOutput().GetTitle()), Summary: &summary},
	})
	if err != nil {
		return fmt.Errorf("note on check run %d: %w", checkRunID, err)
	}
	p.o.Log.Info("check run noted", "check_run", checkRunID)
	return nil
}
