package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Pull is the newest known state of a pull request.
type Pull struct {
	RepositoryID int64
	Number       int
	Installation int64
	Owner, Repo  string

	HeadSHA string
	// BeforeSHA is the head before the last push, "" when unknown.
	BeforeSHA string
	BaseRef   string
	// Fork is true when the head is in another repository, or in none any more.
	Fork, Draft, Open bool
	// UpdatedAt is GitHub's time of the event that told this state.
	UpdatedAt time.Time
	// Generation counts the triggers that asked for work.
	Generation int64
}

const pullColumns = `repository_id, number, installation_id, owner, repo, head_sha, before_sha, base_ref,
	fork, draft, is_open, updated_at, generation`

// Pull returns a pull request, nil when it is unknown.
func (q queries) Pull(ctx context.Context, repositoryID int64, number int) (*Pull, error) {
	row := q.on.QueryRowContext(ctx,
		`SELECT `+pullColumns+` FROM pulls WHERE repository_id = ? AND number = ?`, repositoryID, number)
	p, err := scanPull(row)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return p, err
}

// scanPull reads pullColumns.
func scanPull(row interface{ Scan(...any) error }) (*Pull, error) {
	var p Pull
	var updated int64
	if err := row.Scan(&p.RepositoryID, &p.Number, &p.Installation, &p.Owner, &p.Repo, &p.HeadSHA, &p.BeforeSHA, &p.BaseRef,
		&p.Fork, &p.Draft, &p.Open, &updated, &p.Generation); err != nil {
		return nil, fmt.Errorf("load pull request: %w", err)
	}
	p.UpdatedAt = fromMillis(updated)
	return &p, nil
}

// OpenPulls returns the open pull requests whose head is a commit, by number.
func (q queries) OpenPulls(ctx context.Context, repositoryID int64, sha string) ([]Pull, error) {
	rows, err := q.on.QueryContext(ctx,
		`SELECT `+pullColumns+` FROM pulls WHERE repository_id = ? AND head_sha = ? AND is_open = 1 ORDER BY number`, repositoryID, sha)
	if err != nil {
		return nil, fmt.Errorf("load pull requests: %w", err)
	}
	defer rows.Close()
	var pulls []Pull
	for rows.Next() {
		p, err := scanPull(rows)
		if err != nil {
			return nil, err
		}
		pulls = append(pulls, *p)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("load pull requests: %w", err)
	}
	return pulls, nil
}

// SavePull stores a pull request's state.
func (q queries) SavePull(ctx context.Context, p *Pull) error {
	_, err := q.on.ExecContext(ctx,
		`INSERT INTO pulls (`+pullColumns+`, comment) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '')
		 ON CONFLICT (repository_id, number) DO UPDATE SET
			installation_id = excluded.installation_id, owner = excluded.owner, repo = excluded.repo,
			head_sha = excluded.head_sha, before_sha = excluded.before_sha, base_ref = excluded.base_ref,
			fork = excluded.fork, draft = excluded.draft, is_open = excluded.is_open,
			updated_at = excluded.updated_at, generation = excluded.generation`,
		p.RepositoryID, p.Number, p.Installation, p.Owner, p.Repo, p.HeadSHA, p.BeforeSHA, p.BaseRef,
		boolInt(p.Fork), boolInt(p.Draft), boolInt(p.Open), millis(p.UpdatedAt), p.Generation)
	if err != nil {
		return fmt.Errorf("save pull request: %w", err)
	}
	return nil
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
