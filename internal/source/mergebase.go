package source

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// historyDepths are how far back from both tips the fork point is looked for,
// step by step. Only commits are fetched (about 250 bytes each), where the
// server can leave out their trees.
var historyDepths = [...]int{64, 1024, 8192}

// Base is the commit to compare with; its tree is in the repository.
type Base struct {
	SHA string
	// Note is one sentence when SHA is not the merge base but the tip of the
	// base branch instead; empty otherwise.
	Note string
}

// MergeBase returns the merge base of the request's head and base. When there
// is none, or it is farther back than we look, it returns the base tip with a
// note. It is an error to ask without a base.
func (r *Repository) MergeBase(ctx context.Context) (Base, error) {
	head, base := r.request.Head, r.request.Base
	if base == "" {
		return Base{}, errors.New("source: no base was fetched")
	}
	if head == base {
		return Base{SHA: base}, nil
	}
	sha, note, err := r.forkPoint(ctx, head, base)
	if err != nil {
		return Base{}, fmt.Errorf("find the merge base: %w", err)
	}
	if note != "" || sha == base {
		return Base{SHA: base, Note: note}, nil
	}
	if sha != head {
		if err := r.fetchCommit(ctx, sha); err != nil {
			return Base{}, fmt.Errorf("fetch merge base %s: %w", sha, err)
		}
	}
	return Base{SHA: sha}, nil
}

// forkPoint looks for the merge base in a throw-away repository of commits:
// history would make the real one large, and partial.
func (r *Repository) forkPoint(ctx context.Context, head, base string) (sha, note string, err error) {
	dir, err := os.MkdirTemp(r.request.Dir, "history-")
	if err != nil {
		return "", "", err
	}
	defer os.RemoveAll(dir)
	history := git{dir: filepath.Join(dir, "history.git"), limits: r.git.limits}
	if err := history.init(ctx); err != nil {
		return "", "", err
	}
	for _, depth := range historyDepths {
		err := r.fetch(ctx, history, "--depth="+strconv.Itoa(depth), "--filter=tree:0", "--", r.request.URL, head, base)
		if errors.Is(err, ErrTooLarge) {
			return "", "The history is too large to look for the merge base; compared with the tip of the base branch.", nil
		}
		if err != nil {
			return "", "", err
		}
		out, err := history.output(ctx, stderrBytes, "merge-base", head, base)
		if err == nil {
			return strings.TrimSpace(string(out)), "", nil
		}
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 1 { // 1: none so far
			return "", "", err
		}
		shallow, err := history.output(ctx, stderrBytes, "rev-parse", "--is-shallow-repository")
		if err != nil {
			return "", "", err
		}
		if strings.TrimSpace(string(shallow)) == "false" {
			return "", "Head and base have no common history; compared with the tip of the base branch.", nil
		}
	}
	return "", fmt.Sprintf("The merge base is more than %d commits back; compared with the tip of the base branch.", historyDepths[len(historyDepths)-1]), nil
}
