package queue

import (
	"context"
	"errors"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// Review is the job that brings the check runs and the comment of a pull
// request up to a generation. Two jobs with the same repository, pull request,
// head and generation are the same job while one of them is not completed.
type Review struct {
	RepositoryID int64  `json:"repositoryId" river:"unique"`
	PR           int    `json:"pr" river:"unique"`
	HeadSHA      string `json:"headSha" river:"unique"`
	Generation   int64  `json:"generation" river:"unique"`

	Installation int64  `json:"installation"`
	Owner        string `json:"owner"`
	Repo         string `json:"repo"`
	// Delivery is the delivery that asked for the job, for the log.
	Delivery string `json:"delivery"`
}

// Kind implements river.JobArgs. It is stored with every job and never changes.
func (Review) Kind() string { return "review" }

// InsertOpts implements river.JobArgsWithInsertOpts. River's default set of
// states includes completed, which would swallow a re-run for as long as the
// finished job is kept.
func (Review) InsertOpts() river.InsertOpts {
	return river.InsertOpts{UniqueOpts: river.UniqueOpts{
		ByArgs: true,
		ByState: []rivertype.JobState{
			rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRunning,
			rivertype.JobStateRetryable, rivertype.JobStateScheduled,
		},
	}}
}

// Attempt says how often the job has been tried.
type Attempt struct {
	// Number counts from 1. It exceeds Max when the process died during the
	// last attempt.
	Number, Max int
}

// Last is true when a failure will not be tried again.
func (a Attempt) Last() bool { return a.Number >= a.Max }

// Later makes a job run again after d. It is not a failure: the attempt does
// not count.
type Later struct {
	After  time.Duration
	Reason string
}

func (l *Later) Error() string { return "again after " + l.After.String() + ": " + l.Reason }

// Cancelled tells whether ctx, a job's context, ended because the job was
// cancelled by [Queue.Cancel].
func Cancelled(ctx context.Context) bool {
	return errors.Is(context.Cause(ctx), river.ErrJobCancelledRemotely)
}

type reviewWorker struct {
	river.WorkerDefaults[Review]
	work func(context.Context, Review, Attempt) error
	max  int
}

// Work implements river.Worker.
func (w *reviewWorker) Work(ctx context.Context, job *river.Job[Review]) error {
	err := w.work(ctx, job.Args, Attempt{Number: job.Attempt, Max: w.max})
	if err == nil {
		return nil
	}
	if later := (*Later)(nil); errors.As(err, &later) {
		return river.JobSnooze(max(later.After, 0))
	}
	if errors.Is(ctx.Err(), context.Canceled) && !Cancelled(ctx) {
		// The process is stopping. The job did not fail: it is the first to run
		// at the next start.
		return river.JobSnooze(0)
	}
	return err
}
