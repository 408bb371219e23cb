package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Offer is the lock that a check run offers to commit, as it was computed when
// the commit was checked. It is never computed again.
type Offer struct {
	RepositoryID int64
	CheckRunID   int64
	PR           int
	// Generation is that of the run that computed it.
	Generation int64
	// SHA is the commit that was checked, and the parent of what is committed.
	SHA string
	// Path is the lock's path by the trusted configuration.
	Path string
	// Lock is the whole file; "" once a newer offer of the pull request has
	// taken its place, or the pull request was closed.
	Lock string
	// Commit is what was made of it, "" for nothing yet.
	Commit string
}

// SaveOffer stores an offer in the place of the pull request's earlier ones.
// Those are still known, so that a click on an old button can be answered, but
// their locks are not kept. The same offer may be saved again.
func (t *Tx) SaveOffer(ctx context.Context, o Offer) error {
	if err := t.ForgetLocks(ctx, o.RepositoryID, o.PR, o.CheckRunID); err != nil {
		return err
	}
	_, err := t.on.ExecContext(ctx,
		`INSERT INTO offers (repository_id, check_run_id, pr, generation, sha, path, lock, commit_sha, created_at)
		 VALUES (?, ?, ?, ?, ?, ?, ?, '', ?)
		 ON CONFLICT (repository_id, check_run_id) DO UPDATE SET pr = excluded.pr, generation = excluded.generation,
			sha = excluded.sha, path = excluded.path, lock = excluded.lock`,
		o.RepositoryID, o.CheckRunID, o.PR, o.Generation, o.SHA, o.Path, o.Lock, millis(t.now()))
	if err != nil {
		return fmt.Errorf("save offer: %w", err)
	}
	return nil
}

// ForgetLocks drops the locks that a pull request's check runs offer, but for
// that of one check run (0 for none): a lock can have megabytes.
func (t *Tx) ForgetLocks(ctx context.Context, repositoryID int64, pr int, but int64) error {
	_, err := t.on.ExecContext(ctx, `UPDATE offers SET lock = '' WHERE repository_id = ? AND pr = ? AND check_run_id <> ?`,
		repositoryID, pr, but)
	if err != nil {
		return fmt.Errorf("forget offered locks: %w", err)
	}
	return nil
}

// Offer returns what a check run offers, nil when it offers nothing.
func (q queries) Offer(ctx context.Context, repositoryID, checkRunID int64) (*Offer, error) {
	o := Offer{RepositoryID: repositoryID, CheckRunID: checkRunID}
	err := q.on.QueryRowContext(ctx,
		`SELECT pr, generation, sha, path, lock, commit_sha FROM offers WHERE repository_id = ? AND check_run_id = ?`,
		repositoryID, checkRunID).Scan(&o.PR, &o.Generation, &o.SHA, &o.Path, &o.Lock, &o.Commit)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("load offer: %w", err)
	}
	return &o, nil
}

// SetOfferCommit records the commit that was made of an offer.
func (q queries) SetOfferCommit(ctx context.Context, o *Offer, sha string) error {
	_, err := q.on.ExecContext(ctx, `UPDATE offers SET commit_sha = ? WHERE repository_id = ? AND check_run_id = ?`,
		sha, o.RepositoryID, o.CheckRunID)
	if err != nil {
		return fmt.Errorf("record the commit of an offer: %w", err)
	}
	o.Commit = sha
	return nil
}

// PruneOffers forgets offers made before the given time. A click on such an old
// button does nothing; a recheck makes a new one.
func (q queries) PruneOffers(ctx context.Context, before time.Time) (int64, error) {
	res, err := q.on.ExecContext(ctx, `DELETE FROM offers WHERE created_at < ?`, millis(before))
	if err != nil {
		return 0, fmt.Errorf("prune offers: %w", err)
	}
	return res.RowsAffected()
}
