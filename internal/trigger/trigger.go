// Package trigger starts work on a pull request, in the caller's transaction:
// it takes what is under way away and puts a new run with its job in the place.
// A webhook does that for a push, and the worker for a command that it has found
// to be allowed.
package trigger

import (
	"context"

	"github.com/mcp-lint/mcp-lint/internal/queue"
	"github.com/mcp-lint/mcp-lint/internal/store"
)

// Why says why a run is started.
type Why struct {
	// Delivery is the delivery that asks for it, for the log.
	Delivery string
	// AskedBy is the same when a person did, else "".
	AskedBy string
	// Afresh says that a verdict which the pull request already has on the
	// commit is not to be trusted any more.
	Afresh bool
	// Approved says that somebody with write access lets a fork's servers be
	// started on this commit. Once said it holds for every run on the commit.
	Approved bool
}

// Review replaces what is under way for the pull request by a new run on its
// head, and stores the pull request.
func Review(ctx context.Context, q *queue.Queue, tx *store.Tx, p *store.Pull, why Why) error {
	replaced, err := Replace(ctx, q, tx, p, p.HeadSHA)
	if err != nil {
		return err
	}
	for _, r := range replaced {
		why.Afresh = why.Afresh || r.Afresh && r.HeadSHA == p.HeadSHA
	}
	if !why.Approved {
		if why.Approved, err = tx.Approved(ctx, p.RepositoryID, p.Number, p.HeadSHA); err != nil {
			return err
		}
	}
	p.Generation++
	if err := tx.SavePull(ctx, p); err != nil {
		return err
	}
	job, err := Add(ctx, q, tx, p, why.Delivery)
	if err != nil {
		return err
	}
	return tx.AddRun(ctx, &store.Run{
		RepositoryID: p.RepositoryID, PR: p.Number, Generation: p.Generation,
		HeadSHA: p.HeadSHA, JobID: job, Afresh: why.Afresh, AskedBy: why.AskedBy, Approved: why.Approved,
	})
}

// Replace takes the pull request's waiting and running work away, in favour of
// the head by, or of nothing, and returns it.
func Replace(ctx context.Context, q *queue.Queue, tx *store.Tx, p *store.Pull, by string) ([]store.Run, error) {
	open, err := tx.OpenRuns(ctx, p.RepositoryID, p.Number)
	if err != nil {
		return nil, err
	}
	for _, r := range open {
		if err := tx.Replace(ctx, r.ID, by); err != nil {
			return nil, err
		}
		if err := q.Cancel(ctx, tx.SQL(), r.JobID); err != nil {
			return nil, err
		}
	}
	return open, nil
}

// Add adds the job of the pull request's generation and returns its id.
func Add(ctx context.Context, q *queue.Queue, tx *store.Tx, p *store.Pull, delivery string) (int64, error) {
	id, _, err := q.Add(ctx, tx.SQL(), queue.Review{
		RepositoryID: p.RepositoryID, PR: p.Number, HeadSHA: p.HeadSHA, Generation: p.Generation,
		Installation: p.Installation, Owner: p.Owner, Repo: p.Repo, Delivery: delivery,
	})
	return id, err
}
