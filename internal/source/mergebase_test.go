package source_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/internal/source"
)

// chain makes n commits on top of parent, each with a file of its own content.
func (o *origin) chain(ref, parent string, n int) string {
	o.t.Helper()
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "commit %s\ncommitter a <a@example.com> %d +0000\ndata 1\nc\n", ref, 1_700_000_000+i)
		if i == 0 && parent != "" {
			fmt.Fprintf(&b, "from %s\n", parent)
		}
		text := fmt.Sprintf("%s %d", ref, i)
		fmt.Fprintf(&b, "M 644 inline file\ndata %d\n%s\n\n", len(text), text)
	}
	o.git([]byte(b.String()), "fast-import", "--quiet", "--force")
	return strings.TrimSpace(o.git(nil, "rev-parse", ref))
}

func TestMergeBase(t *testing.T) {
	t.Parallel()
	o := newOrigin(t)
	fork := o.chain("refs/heads/main", "", 3)
	far := o.chain("refs/heads/far", fork, 70) // beyond the first step
	near := o.chain("refs/heads/near", fork, 2)
	head := o.chain("refs/pull/1/head", fork, 5)
	merged := o.commit("refs/pull/2/head", o.tree(file("a", "1")), head, near)
	other := o.chain("refs/heads/other", "", 2)
	for name, c := range map[string]struct{ head, base, want, note string }{
		"base did not move":         {head, fork, fork, ""},
		"base moved on":             {head, near, fork, ""},
		"base moved on very far":    {head, far, fork, ""},
		"base was merged into head": {merged, near, near, ""},
		"head is an ancestor":       {fork, near, fork, ""},
		"head is the base":          {near, near, near, ""},
		"no common history":         {head, other, other, "no common history"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := o.request(c.head, c.base)
			r.Dir = t.TempDir()
			repo, err := source.Fetch(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			got, err := repo.MergeBase(t.Context())
			if err != nil || got.SHA != c.want || !strings.Contains(got.Note, c.note) || c.note == "" && got.Note != "" {
				t.Fatalf("got %+v, %v; want %s %q", got, err, c.want, c.note)
			}
			if _, err := repo.Tree(t.Context(), got.SHA); err != nil {
				t.Errorf("its tree is not there: %v", err)
			}
			left, err := os.ReadDir(r.Dir)
			if err != nil || len(left) != 1 {
				t.Errorf("left in the directory: %v, %v; want the repository only", left, err)
			}
		})
	}
}

// Looking for the fork point must not download the trees of the history.
func TestMergeBaseFetchesCommitsOnly(t *testing.T) {
	t.Parallel()
	o := newOrigin(t)
	fork := o.commit("refs/heads/main", o.tree(file("a", "1")))
	big := o.commit("refs/heads/main", o.tree(file("a", noise(4<<20))), fork)
	base := o.commit("refs/heads/main", o.tree(file("a", "2")), big)
	head := o.commit("refs/pull/1/head", o.tree(file("a", "3")), fork)
	r := o.request(head, base)
	r.Limits.FetchBytes = 1 << 20
	got, err := o.fetch(r).MergeBase(t.Context())
	if err != nil || got.SHA != fork || got.Note != "" {
		t.Errorf("got %+v, %v; want %s", got, err, fork)
	}
	// A server that cannot leave the trees out makes history too dear: said,
	// not failed.
	o.git(nil, "config", "uploadpack.allowFilter", "false")
	r.Dir = t.TempDir()
	got, err = o.fetch(r).MergeBase(t.Context())
	if err != nil || got.SHA != base || !strings.Contains(got.Note, "too large") {
		t.Errorf("without filters: got %+v, %v; want the base tip and a note", got, err)
	}
}

func TestMergeBaseFailures(t *testing.T) {
	t.Parallel()
	o := newOrigin(t)
	base := o.chain("refs/heads/main", "", 2)
	head := o.chain("refs/pull/1/head", base, 1)
	if _, err := o.fetch(o.request(head, "")).MergeBase(t.Context()); err == nil {
		t.Error("without a base: no error")
	}
	r := o.request(head, base)
	r.Dir = t.TempDir()
	calls := 0
	r.Token = func(context.Context) (string, error) {
		if calls++; calls > 2 {
			return "", errMint
		}
		return token, nil
	}
	if _, err := o.fetch(r).MergeBase(t.Context()); !errors.Is(err, errMint) {
		t.Errorf("got %v; a failure to look must not pass as 'no merge base'", err)
	}
}

// A URL that settings turn into another protocol passes every other check (it
// was http when we looked); git itself must refuse it.
func TestGitSpeaksNothingButHTTP(t *testing.T) {
	t.Parallel()
	o := newOrigin(t)
	fork := o.commit("refs/heads/main", o.tree(file("a", "fork")))
	base := o.commit("refs/heads/main", o.tree(file("a", "base")), fork)
	head := o.commit("refs/pull/1/head", o.tree(file("a", "head")), fork)
	r := o.request(head, base)
	repo := o.fetch(r)
	config, err := os.OpenFile(filepath.Join(r.Dir, "repository.git", "config"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer config.Close()
	if _, err := fmt.Fprintf(config, "[url %q]\n\tinsteadOf = %s\n", "file://"+o.dir, r.URL); err != nil {
		t.Fatal(err)
	}
	_, err = repo.MergeBase(t.Context())
	if err == nil || !strings.Contains(err.Error(), "transport 'file' not allowed") {
		t.Errorf("got %v; want the refusal of the file protocol", err)
	}
}
