package worker

import (
	"context"
	"fmt"

	"github.com/mcp-lint/mcp-lint/internal/store"
	"github.com/mcp-lint/mcp-lint/linter/report"
)

// settle closes the check runs of this pull request's replaced runs.
func (j *job) settle(ctx context.Context) error {
	left, err := j.w.o.Store.Leftovers(ctx, j.pull.RepositoryID, j.pull.Number)
	if err != nil {
		return err
	}
	for i := range left {
		if err := j.settleRun(ctx, &left[i]); err != nil {
			return fmt.Errorf("run %d: %w", left[i].ID, err)
		}
	}
	return nil
}

func (j *job) settleRun(ctx context.Context, r *store.Run) error {
	unlock, err := j.lockHead(ctx, r)
	if err != nil {
		return err
	}
	defer unlock()
	others, err := j.w.o.Store.Sharing(ctx, r.RepositoryID, r.HeadSHA, r.PR)
	if err != nil {
		return err
	}
	// The check runs live on when this pull request, or another one, still
	// has the commit as its head.
	if !(j.pull.Open && j.pull.HeadSHA == r.HeadSHA) && len(others) == 0 {
		if err := j.cancel(ctx, r); err != nil {
			return err
		}
	}
	return j.w.o.Store.Settle(ctx, r.ID)
}

// cancel completes what is still in progress on a replaced run's commit.
func (j *job) cancel(ctx context.Context, r *store.Run) error {
	published, err := j.w.o.Store.Published(ctx, r)
	if err != nil {
		return err
	}
	state, err := decode(published)
	if err != nil {
		return err
	}
	p, err := j.publisher(ctx, r, published, state)
	if err != nil {
		return err
	}
	for _, name := range []string{report.LintCheck, report.LockCheck} {
		run := report.Superseded(name, r.SupersededBy)
		if r.State == store.Closed {
			run.Title = "The pull request was closed"
			run.Summary = "The pull request was closed before this was done."
		}
		if err := p.Cancel(ctx, run, r.HeadSHA, p.id); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	j.log.Info("replaced run closed", "old", r.HeadSHA, "by", r.SupersededBy)
	return nil
}
