package worker

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/google/go-github/v66/github"

	"github.com/mcp-lint/mcp-lint/internal/githubapp"
	"github.com/mcp-lint/mcp-lint/internal/source"
)

// trees are a pull request's trees on disk.
type trees struct {
	dir                string // holds all, removed at the end
	head, base, policy string
	tip                string // of the base branch, "" for the same as base
}

func (t *trees) remove(log *slog.Logger) {
	if err := os.RemoveAll(t.dir); err != nil {
		log.Error("temporary folder not removed", "error", err)
	}
}

// fetch gets the head, what it is compared with (the merge base), and the
// tree whose configuration is trusted. The caller removes the trees.
func (j *job) fetch(ctx context.Context) (t *trees, err error) {
	gh, token := j.w.o.App.Installation(j.pull.Installation, githubapp.ReadScope(j.pull.RepositoryID))
	tip, trusted, err := j.tips(ctx, gh)
	if err != nil {
		return nil, err
	}
	t = &trees{}
	if t.dir, err = os.MkdirTemp(j.w.o.Dir, tempPrefix); err != nil {
		return nil, fmt.Errorf("temporary folder: %w", err)
	}
	defer func() {
		if err != nil {
			t.remove(j.log)
		}
	}()
	request := source.Request{
		URL:   j.w.o.App.Endpoints().CloneURL(j.pull.Owner, j.pull.Repo),
		Token: token.Reveal,
		Head:  j.pull.HeadSHA, Base: tip, PullNumber: j.pull.Number,
	}
	repo, err := t.open(ctx, "git", request)
	if err != nil {
		return nil, err
	}
	base, err := repo.MergeBase(ctx)
	if err != nil {
		return nil, fmt.Errorf("merge base: %w", err)
	}
	if base.Note != "" {
		j.log.Info("compared with a stand-in for the merge base", "note", base.Note)
	}
	trustedRepo := repo
	if trusted != tip {
		request.Head, request.Base, request.PullNumber = trusted, "", 0
		if trustedRepo, err = t.open(ctx, "git-policy", request); err != nil {
			return nil, fmt.Errorf("trusted branch: %w", err)
		}
	}
	if t.head, err = t.materialise(ctx, repo, "head", j.pull.HeadSHA, j.log); err != nil {
		return nil, err
	}
	if t.base, err = t.materialise(ctx, repo, "base", base.SHA, j.log); err != nil {
		return nil, err
	}
	if trusted == base.SHA {
		t.policy = t.base
	} else if t.policy, err = t.materialise(ctx, trustedRepo, "policy", trusted, j.log); err != nil {
		return nil, err
	}
	switch tip {
	case base.SHA:
	case trusted:
		t.tip = t.policy
	default:
		t.tip, err = t.materialise(ctx, repo, "tip", tip, j.log)
	}
	return t, err
}

// tips returns the commit at the tip of the base branch, and the one whose
// configuration is trusted: the same when not everybody can push there (it is
// the default branch, or protected), otherwise the default branch's.
func (j *job) tips(ctx context.Context, gh *github.Client) (base, trusted string, err error) {
	repo, _, err := gh.Repositories.Get(ctx, j.pull.Owner, j.pull.Repo)
	if err != nil {
		return "", "", fmt.Errorf("repository: %w", err)
	}
	branch, err := j.branch(ctx, gh, j.pull.BaseRef)
	if err != nil {
		return "", "", err
	}
	base = branch.GetCommit().GetSHA()
	if j.pull.BaseRef == repo.GetDefaultBranch() || branch.GetProtected() {
		return base, base, nil
	}
	if branch, err = j.branch(ctx, gh, repo.GetDefaultBranch()); err != nil {
		return "", "", err
	}
	return base, branch.GetCommit().GetSHA(), nil
}

func (j *job) branch(ctx context.Context, gh *github.Client, name string) (*github.Branch, error) {
	branch, _, err := gh.Repositories.GetBranch(ctx, j.pull.Owner, j.pull.Repo, name, 1)
	if err != nil {
		return nil, fmt.Errorf("branch %q: %w", name, err)
	}
	return branch, nil
}

func (t *trees) open(ctx context.Context, name string, r source.Request) (*source.Repository, error) {
	r.Dir = filepath.Join(t.dir, name)
	if err := os.Mkdir(r.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("temporary folder: %w", err)
	}
	return source.Fetch(ctx, r)
}

func (t *trees) materialise(ctx context.Context, repo *source.Repository, name, sha string, log *slog.Logger) (string, error) {
	dir := filepath.Join(t.dir, name)
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", fmt.Errorf("temporary folder: %w", err)
	}
	tree, err := repo.Tree(ctx, sha)
	if err != nil {
		return "", fmt.Errorf("%s tree: %w", name, err)
	}
	written, err := tree.WriteTo(ctx, dir)
	if err != nil {
		return "", fmt.Errorf("%s tree: %w", name, err)
	}
	if n := len(written.Skipped) + written.MoreSkipped; n > 0 {
		log.Info("files left out of a tree", "tree", name, "files", n)
	}
	return dir, nil
}
