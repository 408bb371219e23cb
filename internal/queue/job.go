package queue

import (
	"context"
	"errors"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// uniqueUntilDone makes jobs with equal unique arguments one job until it is
// done. River's default set of states includes completed, which would swallow a
// re-run for as long as the finished job is kept.
func uniqueUntilDone() river.UniqueOpts {
	return river.UniqueOpts{
		ByArgs: true,
		ByState: []rivertype.JobState{
			rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRunning,
			rivertype.JobStateRetryable, rivertype.JobStateScheduled,
		},
	}
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

// jobWorker does the jobs of one kind.
type jobWorker[T river.JobArgs] struct {
	river.WorkerDefaults[T]
	work func(context.Context, T, Attempt) error
	max  int
}

// Work implements river.Worker.
func (w *jobWorker[T]) Work(ctx context.Context, job *river.Job[T]) error {
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
