package store_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcp-lint/mcp-lint/internal/store"
)

func at(minute int) time.Time { return time.Date(2026, 1, 2, 3, minute, 0, 0, time.UTC) }

// open opens a new database whose clock stands at minute 1.
func open(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "bot ä?#.db"), func() time.Time { return at(1) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func pull(number int, head string) *store.Pull {
	return &store.Pull{
		RepositoryID: 1, Number: number, Installation: 2, Owner: "acme", Repo: "tools", HeadSHA: head, BeforeSHA: "b",
		BaseRef: "main", Fork: true, Draft: true, Open: true, UpdatedAt: at(5), Generation: 1,
	}
}

// must panics the test on an error and otherwise returns the value.
func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func addRun(t *testing.T, s *store.Store, pr int, generation int64, head string) *store.Run {
	t.Helper()
	r := &store.Run{RepositoryID: 1, PR: pr, Generation: generation, HeadSHA: head, JobID: 9, Afresh: true}
	if err := s.AddRun(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestPullKeepsEverything(t *testing.T) {
	t.Parallel()
	s := open(t)
	if p, err := s.Pull(t.Context(), 1, 7); p != nil || err != nil {
		t.Fatalf("unknown pull request: %+v, %v", p, err)
	}
	for _, want := range []*store.Pull{pull(7, "a"), {RepositoryID: 1, Number: 7, HeadSHA: "c"}} {
		if err := s.SavePull(t.Context(), want); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, must[*store.Pull](t)(s.Pull(t.Context(), 1, 7))); diff != "" {
			t.Errorf("(-saved +loaded)\n%s", diff)
		}
	}
}

func TestDatabaseSurvivesItsProcess(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "bot.db")
	for range 2 {
		s, err := store.Open(t.Context(), path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.SavePull(t.Context(), pull(7, "a")); err != nil {
			t.Fatal(err)
		}
		if must[*store.Pull](t)(s.Pull(t.Context(), 1, 7)) == nil {
			t.Error("not found")
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestDatabaseThatCannotBeOpenedIsNamed(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "missing", "bot.db")
	if _, err := store.Open(t.Context(), path, nil); err == nil {
		t.Error("opened")
	}
}

// The settings that keep SQLite whole and quick under one writer.
func TestDatabaseSettings(t *testing.T) {
	t.Parallel()
	s := open(t)
	for name, want := range map[string]string{"journal_mode": "wal", "busy_timeout": "5000", "synchronous": "2", "foreign_keys": "1"} {
		var got string
		if err := s.DB().QueryRow(`PRAGMA ` + name).Scan(&got); err != nil || got != want {
			t.Errorf("%s = %s, %v, want %s", name, got, err, want)
		}
	}
	if n := s.DB().Stats().MaxOpenConnections; n != 1 {
		t.Errorf("%d connections, want 1", n)
	}
}

func TestRunsLife(t *testing.T) {
	t.Parallel()
	s := open(t)
	ctx := t.Context()
	load := func(r *store.Run) *store.Run { return must[*store.Run](t)(s.Run(ctx, 1, r.PR, r.Generation)) }

	done := addRun(t, s, 7, 1, "a")
	if diff := cmp.Diff(&store.Run{
		ID: done.ID, RepositoryID: 1, PR: 7, Generation: 1, HeadSHA: "a", JobID: 9, State: store.Queued, Afresh: true, CreatedAt: at(1),
	}, load(done)); diff != "" {
		t.Errorf("new run (-want +got)\n%s", diff)
	}
	for range 2 { // again after a crash
		if !must[bool](t)(s.Start(ctx, done.ID)) {
			t.Error("not started")
		}
	}
	if !must[bool](t)(s.Finish(ctx, done.ID, "failure", "success")) {
		t.Error("not finished")
	}
	if got := load(done); got.State != store.Done || got.Lint != "failure" || got.Lock != "success" || got.StartedAt != at(1) || got.FinishedAt != at(1) {
		t.Errorf("done run %+v", got)
	}
	if err := s.Replace(ctx, done.ID, "b"); err != nil || load(done).State != store.Done {
		t.Errorf("a done run was replaced: %v", err)
	}

	unheard, started := addRun(t, s, 7, 2, "a"), addRun(t, s, 7, 3, "a")
	must[bool](t)(s.Start(ctx, started.ID))
	for _, r := range []*store.Run{unheard, started} {
		if err := s.Replace(ctx, r.ID, "b"); err != nil {
			t.Fatal(err)
		}
		if must[bool](t)(s.Start(ctx, r.ID)) || must[bool](t)(s.Finish(ctx, r.ID, "success", "success")) {
			t.Error("a replaced run went on")
		}
		if got := load(r); got.State != store.Superseded || got.SupersededBy != "b" {
			t.Errorf("replaced run %+v", got)
		}
	}
	left := must[[]store.Run](t)(s.Leftovers(ctx, 1, 7))
	if len(left) != 1 || left[0].ID != started.ID {
		t.Errorf("leftovers %+v: want the one that GitHub heard of", left)
	}
	if err := s.Settle(ctx, started.ID); err != nil || len(must[[]store.Run](t)(s.Leftovers(ctx, 1, 7))) != 0 {
		t.Errorf("not settled: %v", err)
	}
	if !must[bool](t)(s.Judged(ctx, &store.Run{RepositoryID: 1, PR: 7, HeadSHA: "a", Generation: 4})) ||
		must[bool](t)(s.Judged(ctx, &store.Run{RepositoryID: 1, PR: 7, HeadSHA: "a", Generation: 1})) ||
		must[bool](t)(s.Judged(ctx, &store.Run{RepositoryID: 1, PR: 8, HeadSHA: "a", Generation: 4})) {
		t.Error("Judged is wrong")
	}
}

func TestOneRunAGeneration(t *testing.T) {
	t.Parallel()
	s := open(t)
	addRun(t, s, 7, 1, "a")
	if err := s.AddRun(t.Context(), &store.Run{RepositoryID: 1, PR: 7, Generation: 1}); err == nil {
		t.Error("a second run of the generation")
	}
}

func TestSharingCountsNewestRunsOfOpenPullRequests(t *testing.T) {
	t.Parallel()
	s := open(t)
	for number, change := range map[int]func(*store.Pull){
		1: func(*store.Pull) {},
		2: func(*store.Pull) {},
		3: func(p *store.Pull) { p.Open = false },
		4: func(p *store.Pull) { p.HeadSHA = "b" },
		5: func(p *store.Pull) { p.Generation = 2 },
	} {
		p := pull(number, "a")
		change(p)
		if err := s.SavePull(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		addRun(t, s, number, 1, "a")
	}
	latest := addRun(t, s, 5, 2, "a")
	got := map[int]int64{}
	for _, r := range must[[]store.Run](t)(s.Sharing(t.Context(), 1, "a", 1)) {
		got[r.PR] = r.Generation
	}
	if diff := cmp.Diff(map[int]int64{2: 1, 5: latest.Generation}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestPublishedBelongsWhereItIsShared(t *testing.T) {
	t.Parallel()
	s := open(t)
	ctx := t.Context()
	for _, number := range []int{1, 2} {
		if err := s.SavePull(ctx, pull(number, "a")); err != nil {
			t.Fatal(err)
		}
	}
	one, two, later := addRun(t, s, 1, 1, "a"), addRun(t, s, 2, 1, "a"), addRun(t, s, 1, 2, "b")
	save := func(r *store.Run, p store.Published) {
		t.Helper()
		if err := s.InTx(ctx, func(tx *store.Tx) error { return tx.SavePublished(ctx, r, p) }); err != nil {
			t.Fatal(err)
		}
	}
	save(one, store.Published{Pair: 1, Checks: "runs", Comment: "comment", SARIF: "upload"})
	for _, c := range []struct {
		name string
		run  *store.Run
		want store.Published
	}{
		{"the run itself", one, store.Published{Pair: 1, Checks: "runs", Comment: "comment", SARIF: "upload"}},
		{"another pull request, same head", two, store.Published{Pair: 1, Checks: "runs"}},
		{"same pull request, another head", later, store.Published{Comment: "comment"}},
	} {
		if diff := cmp.Diff(c.want, must[store.Published](t)(s.Published(ctx, c.run))); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.name, diff)
		}
	}
	err := s.InTx(ctx, func(tx *store.Tx) error {
		_, err := tx.Renew(ctx, one, store.Published{Pair: 1, Checks: "runs", Comment: "comment"})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := must[store.Published](t)(s.Published(ctx, two)); got.Pair != 2 || got.Checks != "" {
		t.Errorf("renewed %+v", got)
	}
	if must[*store.Run](t)(s.Run(ctx, 1, 1, 1)).Afresh {
		t.Error("a resumed run would make a third pair")
	}
}

func TestOldDeliveriesAreForgotten(t *testing.T) {
	t.Parallel()
	s := open(t)
	ctx := t.Context()
	d := store.Delivery{ID: "x", Event: "ping"}
	for i, want := range []bool{true, false} {
		if fresh := must[bool](t)(s.AddDelivery(ctx, d)); fresh != want {
			t.Errorf("call %d: fresh %v, want %v", i+1, fresh, want)
		}
	}
	for minute, want := range []int64{0, 0, 1} {
		if n := must[int64](t)(s.PruneDeliveries(ctx, at(minute))); n != want {
			t.Errorf("before minute %d: %d forgotten, want %d", minute, n, want)
		}
	}
}

func TestFailedTransactionLeavesNothing(t *testing.T) {
	t.Parallel()
	s := open(t)
	boom := errors.New("boom")
	err := s.InTx(t.Context(), func(tx *store.Tx) error {
		if err := tx.SavePull(t.Context(), pull(7, "a")); err != nil {
			return err
		}
		return boom
	})
	if !errors.Is(err, boom) || must[*store.Pull](t)(s.Pull(t.Context(), 1, 7)) != nil {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.InTx(ctx, func(*store.Tx) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want the context's", err)
	}
}
