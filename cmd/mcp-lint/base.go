package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/mcp-lint/mcp-lint/internal/audit"
	"github.com/mcp-lint/mcp-lint/internal/source"
)

// The tree of a revision is the user's own: what it may cost is bounded by what
// a temporary folder should hold, not by what a stranger may ask for.
const (
	baseFiles = 100_000
	baseBytes = 1 << 30
)

// withBase fills the request's base from --base and calls work. A folder of
// that name is the base itself. Else it is a git revision, and the base is
// what the commit holds at which HEAD left it: what came into the revision
// later is no work of HEAD's. The trees are read from git's objects, without a
// checkout, into a folder that is gone when work has ended.
func (a *app) withBase(ctx context.Context, r audit.Request, base string, work func(audit.Request) error) error {
	if info, err := os.Stat(base); err == nil && info.IsDir() {
		r.Base, r.BaseName = base, base
		return work(r)
	}
	dir, err := os.MkdirTemp("", "mcp-lint-base-")
	if err != nil {
		return err
	}
	defer func() {
		if err := os.RemoveAll(dir); err != nil {
			a.warn("%v", err)
		}
	}()
	b := baseReader{app: a, revision: base, dir: dir}
	if err := b.read(ctx, &r); err != nil {
		return fmt.Errorf("--base %s: %w", base, b.explain(ctx, err))
	}
	return work(r)
}

// baseReader reads the trees of a revision.
type baseReader struct {
	app      *app
	revision string
	dir      string // to write to
	repo     *source.Local
}

func (b *baseReader) read(ctx context.Context, r *audit.Request) (err error) {
	if b.repo, err = source.OpenLocal(r.Head, source.Limits{Files: baseFiles, Bytes: baseBytes}); err != nil {
		return err
	}
	tip, err := b.repo.Commit(ctx, b.revision)
	if err != nil {
		return err
	}
	head, err := b.repo.Commit(ctx, "HEAD")
	if err != nil {
		return err
	}
	fork, err := b.repo.MergeBase(ctx, head, tip)
	if err != nil {
		return err
	}
	r.BaseName = fmt.Sprintf("%s (merge base %.12s)", b.revision, fork)
	if r.Base, err = b.write(ctx, "base", fork); err != nil || fork == tip {
		return err
	}
	r.Tip, err = b.write(ctx, "tip", tip)
	return err
}

func (b *baseReader) write(ctx context.Context, name, commit string) (string, error) {
	dir := filepath.Join(b.dir, name)
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", err
	}
	tree, err := b.repo.Folder(ctx, commit)
	if err != nil {
		return "", err
	}
	written, err := tree.WriteTo(ctx, dir)
	if err != nil {
		return "", err
	}
	if n := len(written.Skipped) + written.MoreSkipped; n > 0 {
		first := written.Skipped[0]
		b.app.warn("--base %s: left out %d of its files, like %s: %s", b.revision, n, first.Path, first.Reason)
	}
	return dir, nil
}

// explain says what to do about a fault.
func (b *baseReader) explain(ctx context.Context, err error) error {
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return errors.New("no such folder, and git, which would know a revision, is not installed")
	case errors.Is(err, source.ErrNoRepository):
		return errors.New("no such folder, and what is checked is in no git repository")
	case errors.Is(err, source.ErrShallow):
		return fmt.Errorf("this shallow clone ends before HEAD and %s meet; %s", b.revision, fetchHistory)
	case errors.Is(err, source.ErrUnrelated):
		return fmt.Errorf("HEAD and %s have no common history; expected a revision that HEAD was branched from", b.revision)
	case errors.Is(err, source.ErrNoCommit):
		return b.explainUnknown(ctx)
	case errors.Is(err, source.ErrTooLarge):
		return fmt.Errorf("%w; expected less: give ci the folder that holds the servers, or --base a folder", err)
	case errors.Is(err, source.ErrNotFound):
		return fmt.Errorf("the clone lacks files of it; fetch them, as with git fetch --refetch --no-filter (%w)", err)
	}
	return err
}

const fetchHistory = "fetch the history: git fetch --unshallow, or fetch-depth: 0 for actions/checkout"

// explainUnknown looks for the reason why a revision is not there.
func (b *baseReader) explainUnknown(ctx context.Context) error {
	if _, err := b.repo.Commit(ctx, "HEAD"); err != nil {
		return errors.New("no such folder, and the repository has no commit yet")
	}
	hint := "fetch it first, or give a folder"
	if shallow, err := b.repo.Shallow(ctx); err == nil && shallow {
		hint = "this clone is shallow: " + fetchHistory
	}
	if _, err := b.repo.Commit(ctx, "refs/remotes/origin/"+b.revision); err == nil {
		hint = fmt.Sprintf("did you mean %q?", "origin/"+b.revision)
	}
	return fmt.Errorf("no such folder and no such commit; %s", hint)
}
