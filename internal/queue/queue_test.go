package queue_test

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcp-lint/mcp-lint/internal/queue"
	"github.com/mcp-lint/mcp-lint/internal/store"
)

func open(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "bot.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// newQueue makes a queue; start tells whether it works until the test's end.
func newQueue(t *testing.T, s *store.Store, o queue.Options, start bool) *queue.Queue {
	t.Helper()
	if o.Retry == nil {
		o.Retry = func(int) time.Duration { return 0 }
	}
	q, err := queue.New(t.Context(), s.DB(), o)
	if err != nil {
		t.Fatal(err)
	}
	if start {
		if err := q.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { q.Stop(context.Background()) })
	}
	return q
}

func add(t *testing.T, s *store.Store, q *queue.Queue, job queue.Review) (id int64, added bool) {
	t.Helper()
	err := s.InTx(t.Context(), func(tx *store.Tx) (err error) {
		id, added, err = q.Add(t.Context(), tx.SQL(), job)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return id, added
}

func cancel(t *testing.T, s *store.Store, q *queue.Queue, id int64) {
	t.Helper()
	if err := s.InTx(t.Context(), func(tx *store.Tx) error { return q.Cancel(t.Context(), tx.SQL(), id) }); err != nil {
		t.Fatal(err)
	}
}

func state(t *testing.T, db *sql.DB, id int64) (state string) {
	t.Helper()
	if err := db.QueryRow(`SELECT state FROM river_job WHERE id = ?`, id).Scan(&state); err != nil {
		t.Fatal(err)
	}
	return state
}

// waitFor waits until cond holds.
func waitFor(t *testing.T, what string, cond func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if cond() {
			return
		}
	}
	t.Fatalf("no %s within 20 s", what)
}

func TestSameJobIsStoredOnceUntilItIsDone(t *testing.T) {
	t.Parallel()
	s := open(t)
	release := make(chan struct{})
	var ran atomic.Int32
	q := newQueue(t, s, queue.Options{Work: func(context.Context, queue.Review, queue.Attempt) error {
		ran.Add(1)
		<-release
		return nil
	}}, true)
	job := queue.Review{RepositoryID: 1, PR: 2, HeadSHA: "a", Generation: 1, Owner: "acme", Delivery: "x"}
	id, added := add(t, s, q, job)
	if !added {
		t.Fatal("first job not added")
	}
	waitFor(t, "running job", func() bool { return ran.Load() == 1 })
	again := job
	again.Owner, again.Delivery = "renamed", "y" // not part of the identity
	if same, added := add(t, s, q, again); added || same != id {
		t.Errorf("same job added as %d beside %d", same, id)
	}
	for name, other := range map[string]queue.Review{
		"generation": {RepositoryID: 1, PR: 2, HeadSHA: "a", Generation: 2},
		"head":       {RepositoryID: 1, PR: 2, HeadSHA: "b", Generation: 1},
		"pr":         {RepositoryID: 1, PR: 3, HeadSHA: "a", Generation: 1},
		"repository": {RepositoryID: 2, PR: 2, HeadSHA: "a", Generation: 1},
	} {
		if _, added := add(t, s, q, other); !added {
			t.Errorf("job with another %s taken for the same", name)
		}
	}
	close(release)
	waitFor(t, "completed job", func() bool { return state(t, s.DB(), id) == "completed" })
	if _, added := add(t, s, q, job); !added {
		t.Error("a completed job keeps the same one from running again")
	}
}

func TestJobLivesAndDiesWithItsTransaction(t *testing.T) {
	t.Parallel()
	s := open(t)
	q := newQueue(t, s, queue.Options{}, false)
	boom := errors.New("boom")
	err := s.InTx(t.Context(), func(tx *store.Tx) error {
		if _, _, err := q.Add(t.Context(), tx.SQL(), queue.Review{PR: 1}); err != nil {
			return err
		}
		return boom
	})
	if !errors.Is(err, boom) {
		t.Fatal(err)
	}
	if depth, err := q.Depth(t.Context()); err != nil || len(depth) != 0 {
		t.Errorf("jobs %v, %v after the rollback", depth, err)
	}
}

func TestFailuresAreTriedAgainAndLaterDoesNotCount(t *testing.T) {
	t.Parallel()
	s := open(t)
	attempts := make(chan queue.Attempt, 10)
	var n atomic.Int32
	q := newQueue(t, s, queue.Options{MaxAttempts: 3, Work: func(_ context.Context, _ queue.Review, a queue.Attempt) error {
		attempts <- a
		switch n.Add(1) {
		case 1:
			return errors.New("network")
		case 2:
			return &queue.Later{Reason: "rate limit"}
		}
		return nil
	}}, true)
	id, _ := add(t, s, q, queue.Review{PR: 1})
	waitFor(t, "completed job", func() bool { return state(t, s.DB(), id) == "completed" })
	for i, want := range []queue.Attempt{{Number: 1, Max: 3}, {Number: 2, Max: 3}, {Number: 2, Max: 3}} {
		if got := <-attempts; got != want {
			t.Errorf("call %d: attempt %+v, want %+v", i+1, got, want)
		}
	}
}

func TestCancelEndsWaitingAndRunningJobs(t *testing.T) {
	t.Parallel()
	s := open(t)
	running := make(chan struct{})
	ended := make(chan bool, 1)
	q := newQueue(t, s, queue.Options{Workers: 1, Work: func(ctx context.Context, _ queue.Review, _ queue.Attempt) error {
		close(running)
		<-ctx.Done()
		ended <- queue.Cancelled(ctx)
		return ctx.Err()
	}}, true)
	first, _ := add(t, s, q, queue.Review{PR: 1})
	<-running
	second, _ := add(t, s, q, queue.Review{PR: 2})
	start := time.Now()
	cancel(t, s, q, second)
	if got := state(t, s.DB(), second); got != "cancelled" {
		t.Errorf("waiting job is %s", got)
	}
	cancel(t, s, q, first)
	if !<-ended {
		t.Error("the context does not say that the job was cancelled")
	}
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("cancelling took %s", took)
	}
	waitFor(t, "cancelled job", func() bool { return state(t, s.DB(), first) == "cancelled" })
	cancel(t, s, q, 4711) // unknown: nothing to do
}

// A process that was killed leaves its jobs running; the next one takes them
// at its start, not after River's rescue time.
func TestJobsOfAKilledProcessRunAgainAtOnce(t *testing.T) {
	t.Parallel()
	s := open(t)
	attempts := make(chan queue.Attempt, 10)
	q := newQueue(t, s, queue.Options{MaxAttempts: 2, Work: func(_ context.Context, _ queue.Review, a queue.Attempt) error {
		attempts <- a
		return nil
	}}, false)
	killed := map[string]int64{}
	for i, c := range []struct {
		name, set string
	}{
		{"first attempt", `attempt = 1`},
		{"last attempt", `attempt = 2`},
		{"being cancelled", `attempt = 1, metadata = jsonb_set(metadata, '$.cancel_attempted_at', 'now')`},
	} {
		id, _ := add(t, s, q, queue.Review{PR: i + 1})
		killed[c.name] = id
		if _, err := s.DB().Exec(`UPDATE river_job SET state = 'running', `+c.set+` WHERE id = ?`, id); err != nil {
			t.Fatal(err)
		}
	}
	if err := q.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { q.Stop(context.Background()) })
	got := map[queue.Attempt]bool{<-attempts: true, <-attempts: true}
	if !got[queue.Attempt{Number: 2, Max: 2}] || !got[queue.Attempt{Number: 3, Max: 2}] {
		t.Errorf("attempts %v: want the second, and one beyond the last", got)
	}
	for name, want := range map[string]string{"first attempt": "completed", "last attempt": "completed", "being cancelled": "cancelled"} {
		waitFor(t, name, func() bool { return state(t, s.DB(), killed[name]) == want })
	}
}

func TestStopPutsCancelledJobsBack(t *testing.T) {
	t.Parallel()
	s := open(t)
	running := make(chan struct{})
	q := newQueue(t, s, queue.Options{SoftStop: 50 * time.Millisecond, Work: func(ctx context.Context, _ queue.Review, _ queue.Attempt) error {
		close(running)
		<-ctx.Done()
		if queue.Cancelled(ctx) {
			t.Error("stopping looks like cancelling")
		}
		return ctx.Err()
	}}, true)
	id, _ := add(t, s, q, queue.Review{PR: 1})
	<-running
	if err := q.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	var attempt int
	if err := s.DB().QueryRow(`SELECT attempt FROM river_job WHERE id = ?`, id).Scan(&attempt); err != nil {
		t.Fatal(err)
	}
	if got := state(t, s.DB(), id); got != "available" || attempt != 0 {
		t.Errorf("job is %s after attempt %d, want available after 0", got, attempt)
	}
}

func TestQueueWithoutWorkDoesNotStart(t *testing.T) {
	t.Parallel()
	if err := newQueue(t, open(t), queue.Options{}, false).Start(t.Context()); err == nil {
		t.Error("started")
	}
}
