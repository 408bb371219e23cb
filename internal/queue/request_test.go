package queue_test

import (
	"context"
	"testing"

	"github.com/mcp-lint/mcp-lint/internal/queue"
	"github.com/mcp-lint/mcp-lint/internal/store"
)

// Somebody who pressed a button does not wait until audits end.
func TestRequestsDoNotWaitForReviews(t *testing.T) {
	t.Parallel()
	s := open(t)
	release := make(chan struct{})
	defer close(release)
	served := make(chan queue.Request, 10)
	q := newQueue(t, s, queue.Options{
		Workers: 1,
		Work:    func(context.Context, queue.Review, queue.Attempt) error { <-release; return nil },
		Serve:   func(_ context.Context, r queue.Request, _ queue.Attempt) error { served <- r; return nil },
	}, true)
	for pr := range 3 {
		add(t, s, q, queue.Review{PR: pr})
	}
	ask := func(r queue.Request) (added bool) {
		t.Helper()
		err := s.InTx(t.Context(), func(tx *store.Tx) (err error) {
			_, added, err = q.AddRequest(t.Context(), tx.SQL(), r)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return added
	}
	want := queue.Request{Delivery: "d", What: queue.Accept, Owner: "acme", SenderID: 1 << 40, CheckRunID: 9}
	if !ask(want) {
		t.Fatal("not added")
	}
	if got := <-served; got != want {
		t.Errorf("served %+v, want %+v", got, want)
	}
}
