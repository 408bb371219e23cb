package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/go-github/v66/github"

	"github.com/mcp-lint/mcp-lint/internal/audit"
	"github.com/mcp-lint/mcp-lint/internal/queue"
	"github.com/mcp-lint/mcp-lint/internal/store"
	"github.com/mcp-lint/mcp-lint/linter/report"
)

// job is one attempt at one job.
type job struct {
	w    *Worker
	pull *store.Pull
	// run is nil for the job of a closed pull request.
	run     *store.Run
	attempt queue.Attempt
	write   *github.Client
	log     *slog.Logger
}

// errReplaced stops a job whose run was superseded or closed meanwhile.
var errReplaced = errors.New("the run was replaced")

// do closes what older runs left, and then does this one if it is still wanted.
func (j *job) do(ctx context.Context) error {
	if err := j.settle(ctx); err != nil {
		if later := retryLater(err); later != nil {
			return later
		}
		if ctx.Err() != nil || !gone(err) && !j.attempt.Last() {
			return fmt.Errorf("close replaced runs: %w", err)
		}
		// What older runs left must not keep this one from its verdict.
		j.log.Error("check runs of replaced runs not closed", "error", err)
	}
	if j.run == nil || !j.pull.Open || j.run.Generation != j.pull.Generation {
		return nil
	}
	wanted, err := j.w.o.Store.Start(ctx, j.run.ID)
	if err != nil || !wanted {
		return err
	}
	started := j.w.o.Now()
	verdict, err := j.review(ctx)
	switch {
	case err == nil:
		return j.finish(ctx, verdict, started)
	case errors.Is(err, errReplaced) || queue.Cancelled(ctx):
		j.log.Info("run replaced")
		return nil
	}
	if later := retryLater(err); later != nil {
		j.log.Info("run postponed", "after", later.After.String(), "reason", later.Reason)
		return later
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return err // the process stops; the queue keeps the job
	}
	reason, permanent := reasonOf(err)
	if !permanent && !j.attempt.Last() {
		j.log.Warn("attempt failed", "attempt", j.attempt.Number, "error", err)
		return err
	}
	j.log.Error("not checked", "attempt", j.attempt.Number, "error", err)
	return j.giveUp(ctx, reason, started)
}

// review does the run and returns its verdict as published.
func (j *job) review(ctx context.Context) (verdictPair, error) {
	if err := j.begin(ctx); err != nil {
		return verdictPair{}, fmt.Errorf("begin check runs: %w", err)
	}
	if j.attempt.Number > j.attempt.Max {
		return verdictPair{}, errDied
	}
	result, err := j.audit(ctx)
	if err != nil {
		return verdictPair{}, err
	}
	verdict := verdictPair{lint: result.LintCheckRun(), lock: result.LockCheckRun()}
	if err := j.publish(ctx, verdict, result); err != nil {
		return verdictPair{}, fmt.Errorf("publish: %w", err)
	}
	return verdict, nil
}

// audit fetches the trees and has them audited.
func (j *job) audit(ctx context.Context) (*report.Review, error) {
	t, err := j.fetch(ctx)
	if err != nil {
		return nil, fmt.Errorf("fetch: %w", err)
	}
	defer t.remove(j.log)
	auditCtx, cancel := context.WithTimeoutCause(ctx, j.w.o.AuditTimeout, errAuditTimeout)
	defer cancel()
	result, err := j.w.o.Run(auditCtx, audit.Request{
		Head: t.head, Base: t.base, Tip: t.tip, Policy: t.policy,
		Static:     j.w.notStarted(j.pull.Fork, j.run.Approved),
		Relock:     !j.pull.Fork,
		Sandbox:    j.w.o.Sandbox,
		AllowHosts: j.w.o.AllowHosts,
		Cache:      j.w.o.Cache,
		Now:        j.w.o.Now(),
		// Before ours, so that one slow server does not cost the others' verdict.
		Deadline: time.Now().Add(j.w.o.AuditTimeout / 10 * 9),
	})
	if err != nil {
		if cause := context.Cause(auditCtx); errors.Is(cause, errAuditTimeout) {
			err = fmt.Errorf("%w: %w", cause, err)
		}
		return nil, fmt.Errorf("audit: %w", err)
	}
	if result.Lock.Refreshed != "" {
		distrust(result, t.policy)
	}
	return result, nil
}

// finish records the end of the run.
func (j *job) finish(ctx context.Context, v verdictPair, started time.Time) error {
	wanted, err := j.w.o.Store.Finish(ctx, j.run.ID, string(v.lint.Conclusion), string(v.lock.Conclusion))
	if err != nil || !wanted {
		return err
	}
	took := j.w.o.Now().Sub(started)
	j.w.metrics.finished(v, took)
	j.log.Info("run done", "lint", v.lint.Conclusion, "lock", v.lock.Conclusion, "took", took.String())
	return nil
}

// Limits on saying that we could not check.
const (
	giveUpTimeout = 20 * time.Second // a job that ran out of time still says so
	giveUpAgain   = 15 * time.Minute
	giveUpFor     = 24 * time.Hour
)

// giveUp publishes that the pull request was not checked. Unlike all else it
// must not be given up itself: a check run that stays in progress blocks the
// pull request for two weeks.
func (j *job) giveUp(ctx context.Context, reason string, started time.Time) error {
	verdict := verdictPair{
		lint: report.NotChecked(report.LintCheck, reason),
		lock: report.NotChecked(report.LockCheck, reason),
	}
	if ctx.Err() != nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), giveUpTimeout)
		defer cancel()
	}
	err := j.begin(ctx)
	if err == nil {
		err = j.publish(ctx, verdict, nil)
	}
	switch {
	case err == nil:
		return j.finish(ctx, verdict, started)
	case errors.Is(err, errReplaced) || queue.Cancelled(ctx):
		return nil
	}
	if later := retryLater(err); later != nil {
		return later
	}
	if gone(err) || j.w.o.Now().Sub(j.run.CreatedAt) > giveUpFor {
		j.log.Error("could not even say that nothing was checked", "error", err)
		return j.finish(ctx, verdictPair{}, started)
	}
	j.log.Warn("could not say that nothing was checked; trying again", "error", err)
	return &queue.Later{After: giveUpAgain, Reason: "GitHub did not take the verdict"}
}
