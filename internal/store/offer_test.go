package store_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcp-lint/mcp-lint/internal/store"
)

func saveOffer(t *testing.T, s *store.Store, o store.Offer) {
	t.Helper()
	if err := s.InTx(t.Context(), func(tx *store.Tx) error { return tx.SaveOffer(t.Context(), o) }); err != nil {
		t.Fatal(err)
	}
}

func TestOfferIsKeptUntilTheNext(t *testing.T) {
	t.Parallel()
	s := open(t)
	if o, err := s.Offer(t.Context(), 1, 5); o != nil || err != nil {
		t.Fatalf("unknown offer: %+v, %v", o, err)
	}
	first := store.Offer{RepositoryID: 1, CheckRunID: 5, PR: 7, Generation: 2, SHA: "a", Path: "mcp-lint.lock", Lock: "{}\n"}
	saveOffer(t, s, first)
	if err := s.SetOfferCommit(t.Context(), &first, "c"); err != nil {
		t.Fatal(err)
	}
	saveOffer(t, s, store.Offer{RepositoryID: 1, CheckRunID: 5, PR: 7, Generation: 2, SHA: "a", Path: "mcp-lint.lock", Lock: "{}\n"})
	if diff := cmp.Diff(&first, must[*store.Offer](t)(s.Offer(t.Context(), 1, 5))); diff != "" {
		t.Errorf("saved again, the commit is forgotten (-want +got)\n%s", diff)
	}
	second := store.Offer{RepositoryID: 1, CheckRunID: 6, PR: 7, Generation: 3, SHA: "b", Path: "mcp-lint.lock", Lock: "{ }\n"}
	saveOffer(t, s, second)
	saveOffer(t, s, store.Offer{RepositoryID: 1, CheckRunID: 8, PR: 9, Lock: "other"})
	first.Lock = "" // of the same pull request
	for _, want := range []*store.Offer{&first, &second} {
		if diff := cmp.Diff(want, must[*store.Offer](t)(s.Offer(t.Context(), 1, want.CheckRunID))); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	}
	if n, err := s.PruneOffers(t.Context(), at(1)); n != 0 || err != nil {
		t.Errorf("%d pruned, %v: nothing is that old", n, err)
	}
	if n, err := s.PruneOffers(t.Context(), at(2)); n != 3 || err != nil {
		t.Errorf("%d pruned, %v", n, err)
	}
}

func TestApprovalIsForACommit(t *testing.T) {
	t.Parallel()
	s := open(t)
	r := &store.Run{RepositoryID: 1, PR: 7, Generation: 1, HeadSHA: "a", Approved: true, AskedBy: "delivery"}
	if err := s.AddRun(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	addRun(t, s, 7, 2, "b")
	if got := must[*store.Run](t)(s.Run(t.Context(), 1, 7, 1)); !got.Approved || got.AskedBy != "delivery" {
		t.Errorf("loaded %+v", got)
	}
	for _, c := range []struct {
		pr   int
		sha  string
		want bool
	}{{7, "a", true}, {7, "b", false}, {8, "a", false}} {
		if got := must[bool](t)(s.Approved(t.Context(), 1, c.pr, c.sha)); got != c.want {
			t.Errorf("#%d at %s: %v", c.pr, c.sha, got)
		}
	}
	for delivery, want := range map[string]bool{"delivery": true, "another": false} {
		if got := must[bool](t)(s.AskedBy(t.Context(), delivery)); got != want {
			t.Errorf("asked by %s: %v", delivery, got)
		}
	}
}

func TestLocksOfAClosedPullRequestAreForgotten(t *testing.T) {
	t.Parallel()
	s := open(t)
	saveOffer(t, s, store.Offer{RepositoryID: 1, CheckRunID: 5, PR: 7, Lock: "{}\n"})
	if err := s.InTx(t.Context(), func(tx *store.Tx) error { return tx.ForgetLocks(t.Context(), 1, 7, 0) }); err != nil {
		t.Fatal(err)
	}
	if o := must[*store.Offer](t)(s.Offer(t.Context(), 1, 5)); o == nil || o.Lock != "" {
		t.Errorf("offer %+v", o)
	}
}
