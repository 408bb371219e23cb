// Package queue is the job queue: River on the bot's own database, so that a
// delivery and its job are stored in one transaction and survive a crash.
package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"
	"github.com/riverqueue/river/rivertype"
)

// Defaults of [Options].
const (
	DefaultWorkers     = 2
	DefaultJobTimeout  = 20 * time.Minute
	DefaultMaxAttempts = 5
	DefaultSoftStop    = 20 * time.Second
)

// rescueMargin is how long after its timeout a job counts as lost. River's own
// default is an hour, far too long for somebody who waits to merge.
const rescueMargin = 30 * time.Second

// requestWorkers is how many requests of people are done at the same time.
const requestWorkers = 2

// fetchCooldown is the pause between two looks for new jobs. River's default
// of 100 ms is most of the time from a delivery to its check run.
const fetchCooldown = 20 * time.Millisecond

// Options configure a queue; zero fields have the defaults above.
type Options struct {
	// Workers is how many jobs run at the same time.
	Workers int
	// JobTimeout is how long one attempt may take.
	JobTimeout  time.Duration
	MaxAttempts int
	// SoftStop is how long Stop lets running jobs finish before it cancels them.
	SoftStop time.Duration
	// Retry is the pause after a failed attempt (counted from 1); nil means
	// River's policy: about 1, 16, 81, 256 seconds.
	Retry func(attempt int) time.Duration
	// Work does a job. nil makes a queue that only takes jobs in.
	//
	// ctx ends when the job is cancelled ([Cancelled]), its time is over
	// (context.DeadlineExceeded) or the process stops. An error of type
	// *Later runs the job again without counting; any other is a failed attempt.
	Work func(ctx context.Context, job Review, a Attempt) error
	// Serve does a request, under the same rules; nil does nothing.
	Serve func(ctx context.Context, job Request, a Attempt) error
	Log   *slog.Logger
}

// Queue holds the jobs. It is safe for concurrent use.
type Queue struct {
	client *river.Client[*sql.Tx]
	db     *sql.DB
	max    int
	works  bool
}

// New prepares River's tables in db and returns a queue that is not started.
func New(ctx context.Context, db *sql.DB, o Options) (*Queue, error) {
	if o.Workers == 0 {
		o.Workers = DefaultWorkers
	}
	if o.JobTimeout == 0 {
		o.JobTimeout = DefaultJobTimeout
	}
	if o.MaxAttempts == 0 {
		o.MaxAttempts = DefaultMaxAttempts
	}
	if o.SoftStop == 0 {
		o.SoftStop = DefaultSoftStop
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Work != nil && o.Serve == nil {
		o.Serve = func(context.Context, Request, Attempt) error { return nil }
	}
	driver := riversqlite.New(db)
	migrator, err := rivermigrate.New(driver, &rivermigrate.Config{Logger: quiet(o.Log)})
	if err != nil {
		return nil, fmt.Errorf("job queue migrations: %w", err)
	}
	if _, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return nil, fmt.Errorf("job queue migrations: %w", err)
	}
	config := &river.Config{
		FetchCooldown:        fetchCooldown,
		JobTimeout:           o.JobTimeout,
		Logger:               quiet(o.Log),
		MaxAttempts:          o.MaxAttempts,
		RescueStuckJobsAfter: o.JobTimeout + rescueMargin,
		SoftStopTimeout:      o.SoftStop,
	}
	if o.Retry != nil {
		config.RetryPolicy = retryPolicy(o.Retry)
	}
	if o.Work != nil {
		config.Queues = map[string]river.QueueConfig{
			river.QueueDefault: {MaxWorkers: o.Workers},
			requests:           {MaxWorkers: requestWorkers},
		}
		config.Workers = river.NewWorkers()
		river.AddWorker(config.Workers, &jobWorker[Review]{work: o.Work, max: o.MaxAttempts})
		river.AddWorker(config.Workers, &jobWorker[Request]{work: o.Serve, max: o.MaxAttempts})
	}
	client, err := river.NewClient(driver, config)
	if err != nil {
		return nil, fmt.Errorf("job queue: %w", err)
	}
	return &Queue{client: client, db: db, max: o.MaxAttempts, works: o.Work != nil}, nil
}

// Start begins to work. It first puts the jobs back that were running when the
// last process died: on SQLite there is one process, so nobody else has them.
func (q *Queue) Start(ctx context.Context) error {
	if !q.works {
		return errors.New("job queue: no work function")
	}
	if err := q.requeue(ctx); err != nil {
		return err
	}
	// River ties its life to this context; ours ends with Stop.
	if err := q.client.Start(context.WithoutCancel(ctx)); err != nil {
		return fmt.Errorf("job queue: %w", err)
	}
	return nil
}

// Stop takes no new jobs, lets the running ones finish for the soft-stop time,
// then cancels them and waits until they have returned or ctx is over.
func (q *Queue) Stop(ctx context.Context) error {
	if err := q.client.Stop(ctx); err != nil {
		return fmt.Errorf("stop job queue: %w", err)
	}
	return nil
}

// Add inserts a job in the caller's transaction and returns its id, or the id
// of the same job that is already there.
func (q *Queue) Add(ctx context.Context, tx *sql.Tx, job Review) (id int64, added bool, err error) {
	return q.insert(ctx, tx, job)
}

// AddRequest is [Queue.Add] for what a person asked for.
func (q *Queue) AddRequest(ctx context.Context, tx *sql.Tx, job Request) (id int64, added bool, err error) {
	return q.insert(ctx, tx, job)
}

func (q *Queue) insert(ctx context.Context, tx *sql.Tx, job river.JobArgs) (id int64, added bool, err error) {
	res, err := q.client.InsertTx(ctx, tx, job, nil)
	if err != nil {
		return 0, false, fmt.Errorf("add job: %w", err)
	}
	return res.Job.ID, !res.UniqueSkippedAsDuplicate, nil
}

// Cancel takes a waiting job out of the queue, or ends the context of a
// running one, once the transaction commits. A finished job stays as it is.
func (q *Queue) Cancel(ctx context.Context, tx *sql.Tx, id int64) error {
	if _, err := q.client.JobCancelTx(ctx, tx, id); err != nil && !errors.Is(err, rivertype.ErrNotFound) {
		return fmt.Errorf("cancel job %d: %w", id, err)
	}
	return nil
}

// Depth counts the jobs by state, for metrics. States without jobs are left out.
func (q *Queue) Depth(ctx context.Context) (map[string]int, error) {
	rows, err := q.db.QueryContext(ctx, `SELECT state, count(*) FROM river_job GROUP BY state`)
	if err != nil {
		return nil, fmt.Errorf("count jobs: %w", err)
	}
	defer rows.Close()
	depth := map[string]int{}
	for rows.Next() {
		var state string
		var n int
		if err := rows.Scan(&state, &n); err != nil {
			return nil, fmt.Errorf("count jobs: %w", err)
		}
		depth[state] = n
	}
	return depth, rows.Err()
}

// requeue makes running jobs available again. One that was being cancelled
// becomes cancelled; one that died in its last attempt gets one more, in which
// the worker only says that it could not check.
func (q *Queue) requeue(ctx context.Context) error {
	for _, statement := range []string{
		`UPDATE river_job SET state = 'cancelled', finalized_at = datetime('now', 'subsec')
			WHERE state = 'running' AND json_extract(metadata, '$.cancel_attempted_at') IS NOT NULL`,
		`UPDATE river_job SET state = 'available', scheduled_at = datetime('now', 'subsec'),
			max_attempts = CASE WHEN attempt >= max_attempts THEN attempt + 1 ELSE max_attempts END
			WHERE state = 'running'`,
	} {
		if _, err := q.db.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("put back jobs of the last process: %w", err)
		}
	}
	return nil
}

type retryPolicy func(attempt int) time.Duration

// NextRetry implements river.ClientRetryPolicy.
func (p retryPolicy) NextRetry(job *rivertype.JobRow) time.Time {
	return time.Now().Add(p(len(job.Errors) + 1))
}

// quiet is the logger for River: its informational lines are about itself.
func quiet(log *slog.Logger) *slog.Logger {
	return slog.New(atLeastWarn{log.Handler()}).With("component", "river")
}

type atLeastWarn struct{ slog.Handler }

// Enabled implements slog.Handler.
func (h atLeastWarn) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= slog.LevelWarn && h.Handler.Enabled(ctx, l)
}

// WithAttrs implements slog.Handler.
func (h atLeastWarn) WithAttrs(attrs []slog.Attr) slog.Handler {
	return atLeastWarn{h.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (h atLeastWarn) WithGroup(name string) slog.Handler {
	return atLeastWarn{h.Handler.WithGroup(name)}
}
