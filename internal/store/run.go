package store

import (
	"context"
	"fmt"
	"time"
)

// RunState says how far a run is.
type RunState string

// The states. A run ends as done; Superseded and Closed runs are over too, and
// finished (FinishedAt) once their check runs on GitHub are closed.
const (
	Queued     RunState = "queued"
	Running    RunState = "running"
	Done       RunState = "done"
	Superseded RunState = "superseded" // a newer trigger took over
	Closed     RunState = "closed"     // the pull request was closed
)

// Run is one piece of work: a pull request's head at a generation.
type Run struct {
	ID           int64
	RepositoryID int64
	PR           int
	Generation   int64
	HeadSHA      string
	// JobID is the job in the queue.
	JobID int64
	State RunState
	// Afresh asks for new check runs where the commit has finished ones that
	// speak for this pull request.
	Afresh bool
	// AskedBy is the delivery of the comment that asked for the run, "" when a
	// change of the pull request did.
	AskedBy string
	// Approved tells that somebody with write access asked to start a fork's
	// servers on this commit.
	Approved bool
	// SupersededBy is the head that replaced this one.
	SupersededBy string
	// Lint and Lock are the conclusions of this pull request alone, "" until
	// known. What the commit shows is the worst of all pull requests on it.
	Lint, Lock string

	CreatedAt time.Time
	// StartedAt is zero until the first call to GitHub for this run.
	StartedAt time.Time
	// FinishedAt is zero until nothing is left to do.
	FinishedAt time.Time
}

const runColumns = `id, repository_id, pr, generation, head_sha, job_id, state, afresh, asked_by, approved, superseded_by,
	lint, lock, created_at, started_at, finished_at`

// AddRun inserts a queued run and sets its ID and CreatedAt.
func (q queries) AddRun(ctx context.Context, r *Run) error {
	r.State, r.CreatedAt = Queued, q.now()
	err := q.on.QueryRowContext(ctx,
		`INSERT INTO runs (repository_id, pr, generation, head_sha, job_id, state, afresh, asked_by, approved,
			superseded_by, lint, lock, sarif, created_at, started_at, finished_at)
		 VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, '', '', '', '', ?, 0, 0) RETURNING id`,
		r.RepositoryID, r.PR, r.Generation, r.HeadSHA, r.JobID, r.State, boolInt(r.Afresh), r.AskedBy, boolInt(r.Approved),
		millis(r.CreatedAt)).Scan(&r.ID)
	if err != nil {
		return fmt.Errorf("add run: %w", err)
	}
	return nil
}

// Run returns the run of a generation, nil when there is none.
func (q queries) Run(ctx context.Context, repositoryID int64, pr int, generation int64) (*Run, error) {
	runs, err := q.runs(ctx, `repository_id = ? AND pr = ? AND generation = ?`, repositoryID, pr, generation)
	if err != nil || len(runs) == 0 {
		return nil, err
	}
	return &runs[0], nil
}

// OpenRuns returns the runs of a pull request that are queued or running,
// oldest first.
func (q queries) OpenRuns(ctx context.Context, repositoryID int64, pr int) ([]Run, error) {
	return q.runs(ctx, `repository_id = ? AND pr = ? AND state IN ('queued', 'running')`, repositoryID, pr)
}

// AskedBy tells whether a delivery has started a run already.
func (q queries) AskedBy(ctx context.Context, delivery string) (bool, error) {
	runs, err := q.runs(ctx, `asked_by = ?`, delivery)
	return len(runs) > 0, err
}

// Approved tells whether a fork's servers may be started on a commit of a pull
// request: an approval is for one commit, and stays with it.
func (q queries) Approved(ctx context.Context, repositoryID int64, pr int, sha string) (bool, error) {
	runs, err := q.runs(ctx, `repository_id = ? AND pr = ? AND head_sha = ? AND approved = 1`, repositoryID, pr, sha)
	return len(runs) > 0, err
}

// Judged tells whether the pull request had an earlier run on the same commit
// of which GitHub has heard.
func (q queries) Judged(ctx context.Context, r *Run) (bool, error) {
	runs, err := q.runs(ctx, `repository_id = ? AND pr = ? AND head_sha = ? AND generation < ? AND started_at <> 0`,
		r.RepositoryID, r.PR, r.HeadSHA, r.Generation)
	return len(runs) > 0, err
}

// Leftovers returns the superseded and closed runs of a pull request whose
// check runs on GitHub have not been closed yet, oldest first.
func (q queries) Leftovers(ctx context.Context, repositoryID int64, pr int) ([]Run, error) {
	return q.runs(ctx, `repository_id = ? AND pr = ? AND state IN ('superseded', 'closed') AND finished_at = 0`, repositoryID, pr)
}

// Sharing returns, for each other open pull request with the same head, its
// run of the newest generation.
func (q queries) Sharing(ctx context.Context, repositoryID int64, sha string, otherThan int) ([]Run, error) {
	return q.runs(ctx, `repository_id = ? AND head_sha = ? AND pr <> ? AND EXISTS (
		SELECT 1 FROM pulls p WHERE p.repository_id = runs.repository_id AND p.number = runs.pr
			AND p.is_open = 1 AND p.head_sha = runs.head_sha AND p.generation = runs.generation)`,
		repositoryID, sha, otherThan)
}

func (q queries) runs(ctx context.Context, where string, args ...any) ([]Run, error) {
	rows, err := q.on.QueryContext(ctx, `SELECT `+runColumns+` FROM runs WHERE `+where+` ORDER BY id`, args...)
	if err != nil {
		return nil, fmt.Errorf("load runs: %w", err)
	}
	defer rows.Close()
	var runs []Run
	for rows.Next() {
		var r Run
		var created, started, finished int64
		if err := rows.Scan(&r.ID, &r.RepositoryID, &r.PR, &r.Generation, &r.HeadSHA, &r.JobID, &r.State, &r.Afresh,
			&r.AskedBy, &r.Approved, &r.SupersededBy, &r.Lint, &r.Lock, &created, &started, &finished); err != nil {
			return nil, fmt.Errorf("load runs: %w", err)
		}
		r.CreatedAt, r.StartedAt, r.FinishedAt = fromMillis(created), fromMillis(started), fromMillis(finished)
		runs = append(runs, r)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("load runs: %w", err)
	}
	return runs, nil
}

// Replace marks a queued or running run as superseded by head, or as closed
// when head is "". A run that GitHub never heard of is finished by that.
func (q queries) Replace(ctx context.Context, id int64, head string) error {
	state := Superseded
	if head == "" {
		state = Closed
	}
	_, err := q.on.ExecContext(ctx,
		`UPDATE runs SET state = ?, superseded_by = ?, finished_at = CASE WHEN started_at = 0 THEN ? ELSE 0 END
		 WHERE id = ? AND state IN ('queued', 'running')`, state, head, millis(q.now()), id)
	if err != nil {
		return fmt.Errorf("replace run: %w", err)
	}
	return nil
}

// Start marks a run as running and tells whether it may: false when it was
// replaced or is done. It may be called again after a crash.
func (q queries) Start(ctx context.Context, id int64) (bool, error) {
	return q.move(ctx, `UPDATE runs SET state = 'running',
		started_at = CASE WHEN started_at = 0 THEN ? ELSE started_at END
		WHERE id = ? AND state IN ('queued', 'running')`, millis(q.now()), id)
}

// Finish records a run's conclusions and that nothing is left to do. It tells
// whether the run was still wanted.
func (q queries) Finish(ctx context.Context, id int64, lint, lock string) (bool, error) {
	return q.move(ctx, `UPDATE runs SET state = 'done', lint = ?, lock = ?, finished_at = ?
		WHERE id = ? AND state IN ('queued', 'running')`, lint, lock, millis(q.now()), id)
}

// Settle records that a replaced run's check runs are closed.
func (q queries) Settle(ctx context.Context, id int64) error {
	_, err := q.move(ctx, `UPDATE runs SET finished_at = ?
		WHERE id = ? AND state IN ('superseded', 'closed')`, millis(q.now()), id)
	return err
}

func (q queries) move(ctx context.Context, statement string, args ...any) (bool, error) {
	res, err := q.on.ExecContext(ctx, statement, args...)
	if err != nil {
		return false, fmt.Errorf("update run: %w", err)
	}
	n, err := res.RowsAffected()
	if err != nil {
		return false, fmt.Errorf("update run: %w", err)
	}
	return n > 0, nil
}
