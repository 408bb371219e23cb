package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// Published is what GitHub already shows for a run, as opaque JSON texts ("" =
// nothing yet), each kept where it belongs.
type Published struct {
	// Pair counts the pairs of check runs that the commit has had; 0 means
	// none was ever asked for. Checks describes the newest pair. Both belong
	// to the commit, so all pull requests with this head share them.
	Pair   int64
	Checks string
	// Comment belongs to the pull request.
	Comment string
	// SARIF is the upload and belongs to the run.
	SARIF string
}

// Published returns what GitHub already shows for a run.
func (q queries) Published(ctx context.Context, r *Run) (Published, error) {
	var p Published
	err := q.on.QueryRowContext(ctx, `SELECT pair, checks FROM heads WHERE repository_id = ? AND sha = ?`,
		r.RepositoryID, r.HeadSHA).Scan(&p.Pair, &p.Checks)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return p, fmt.Errorf("load published checks: %w", err)
	}
	err = q.on.QueryRowContext(ctx, `SELECT p.comment, r.sarif FROM runs r
		JOIN pulls p ON p.repository_id = r.repository_id AND p.number = r.pr WHERE r.id = ?`, r.ID).Scan(&p.Comment, &p.SARIF)
	if err != nil {
		return p, fmt.Errorf("load what was published: %w", err)
	}
	return p, nil
}

// Uploads returns the uploads of a pull request's earlier runs, newest first.
func (q queries) Uploads(ctx context.Context, r *Run) ([]string, error) {
	rows, err := q.on.QueryContext(ctx, `SELECT sarif FROM runs WHERE repository_id = ? AND pr = ? AND generation < ? AND sarif <> ''
		ORDER BY generation DESC`, r.RepositoryID, r.PR, r.Generation)
	if err != nil {
		return nil, fmt.Errorf("load uploads: %w", err)
	}
	defer rows.Close()
	var uploads []string
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, fmt.Errorf("load uploads: %w", err)
		}
		uploads = append(uploads, text)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("load uploads: %w", err)
	}
	return uploads, nil
}

// SavePublished stores what GitHub shows for a run.
func (t *Tx) SavePublished(ctx context.Context, r *Run, p Published) error {
	for _, s := range []struct {
		statement string
		args      []any
	}{
		{`INSERT INTO heads (repository_id, sha, pair, checks) VALUES (?, ?, ?, ?)
			ON CONFLICT (repository_id, sha) DO UPDATE SET pair = excluded.pair, checks = excluded.checks`,
			[]any{r.RepositoryID, r.HeadSHA, p.Pair, p.Checks}},
		{`UPDATE pulls SET comment = ? WHERE repository_id = ? AND number = ?`, []any{p.Comment, r.RepositoryID, r.PR}},
		{`UPDATE runs SET sarif = ? WHERE id = ?`, []any{p.SARIF, r.ID}},
	} {
		if _, err := t.on.ExecContext(ctx, s.statement, s.args...); err != nil {
			return fmt.Errorf("save what was published: %w", err)
		}
	}
	return nil
}

// Renew counts a new pair of check runs for a run's commit, forgets the old
// one, and takes back the run's wish for it: a job that is resumed later does
// not make a third pair.
func (t *Tx) Renew(ctx context.Context, r *Run, p Published) (Published, error) {
	p.Pair++
	p.Checks = ""
	if _, err := t.on.ExecContext(ctx, `UPDATE runs SET afresh = 0 WHERE id = ?`, r.ID); err != nil {
		return p, fmt.Errorf("renew check runs: %w", err)
	}
	return p, t.SavePublished(ctx, r, p)
}
