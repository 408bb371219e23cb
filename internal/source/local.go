package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Errors of local repositories that callers branch on; match with errors.Is.
var (
	// ErrNoRepository: the folder is in no git repository.
	ErrNoRepository = errors.New("no git repository")
	// ErrNoCommit: the revision names no commit of the repository.
	ErrNoCommit = errors.New("no such commit")
	// ErrShallow: the history was cut before the merge base.
	ErrShallow = errors.New("the clone is shallow")
	// ErrUnrelated: two commits have no common history.
	ErrUnrelated = errors.New("no common history")
)

// Local is the repository around a folder of this machine. It is only read,
// and reading runs nothing of it: no hook, filter or helper that it may have
// configured, no fetch of what a partial clone lacks.
type Local struct {
	Repository
	// Prefix is the folder's place in the repository, with slashes and without
	// one at its ends; "" is the repository itself.
	Prefix string
}

// OpenLocal finds the repository around dir. Error: ErrNoRepository.
//
// The variables by which git itself is told of a repository (as in a hook) do
// not count, nor does it matter who owns the files: what makes foreign
// repositories dangerous is switched off in any.
func OpenLocal(dir string, l Limits) (*Local, error) {
	dir, err := filepath.Abs(dir)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return nil, err
	}
	for top := dir; ; top = filepath.Dir(top) {
		gitDir, err := gitDirOf(top)
		if err == nil {
			prefix, err := filepath.Rel(top, dir)
			if err != nil {
				return nil, err
			}
			if prefix = filepath.ToSlash(prefix); prefix == "." {
				prefix = ""
			}
			return &Local{Repository{git: git{dir: gitDir, local: true, limits: l.withDefaults()}}, prefix}, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if top == filepath.Dir(top) {
			return nil, ErrNoRepository
		}
	}
}

// gitDirOf returns the repository of a work tree: its .git, or where that file
// points (linked work trees, submodules).
func gitDirOf(top string) (string, error) {
	path := filepath.Join(top, ".git")
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if info.IsDir() {
		if _, err := os.Stat(filepath.Join(path, "HEAD")); err != nil {
			return "", err // an empty .git is none, for git too
		}
		return path, nil
	}
	const most = 8 << 10
	if !info.Mode().IsRegular() || info.Size() > most {
		return "", fmt.Errorf("%s: expected a folder, or a file that names one", path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	target, ok := strings.CutPrefix(strings.TrimRight(string(data), "\r\n"), "gitdir: ")
	if !ok {
		return "", fmt.Errorf("%s: expected a line that begins with \"gitdir: \"", path)
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(top, target)
	}
	return target, nil
}

// Commit returns the commit that a revision names: a branch, a tag, HEAD~2 or
// what else git accepts. Error: ErrNoCommit.
func (l *Local) Commit(ctx context.Context, revision string) (string, error) {
	if revision == "" || strings.HasPrefix(revision, "-") || strings.ContainsAny(revision, "\x00\n") {
		return "", fmt.Errorf("%w: %q", ErrNoCommit, revision)
	}
	out, err := l.git.output(ctx, stderrBytes, "rev-parse", "--verify", "--quiet", revision+"^{commit}")
	var exit *exec.ExitError
	if errors.As(err, &exit) || errors.Is(err, ErrNotFound) {
		return "", fmt.Errorf("%w: %q", ErrNoCommit, revision)
	}
	if err != nil {
		return "", err
	}
	sha := strings.TrimSpace(string(out))
	if !isObject(sha) { // "^main" is a revision too, but none to compare with
		return "", fmt.Errorf("%w: %q", ErrNoCommit, revision)
	}
	return sha, nil
}

// MergeBase returns the commit at which two others parted; the best one where
// there are several. Errors: ErrShallow, ErrUnrelated.
func (l *Local) MergeBase(ctx context.Context, a, b string) (string, error) {
	out, err := l.git.output(ctx, stderrBytes, "merge-base", a, b)
	if err == nil {
		sha, _, _ := strings.Cut(string(out), "\n")
		return sha, nil
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 { // 1: none
		return "", err
	}
	shallow, err := l.Shallow(ctx)
	switch {
	case err != nil:
		return "", err
	case shallow:
		return "", ErrShallow
	}
	return "", ErrUnrelated
}

// Shallow tells whether the clone's history was cut.
func (l *Local) Shallow(ctx context.Context) (bool, error) {
	out, err := l.git.output(ctx, stderrBytes, "rev-parse", "--is-shallow-repository")
	return strings.TrimSpace(string(out)) == "true", err
}

// Folder lists what a commit has below the prefix; nothing when there is no
// such folder. Errors: ErrTooLarge (of the list itself), ErrNotFound (a partial
// clone lacks it).
func (l *Local) Folder(ctx context.Context, sha string) (*Tree, error) {
	if l.Prefix == "" {
		return l.Tree(ctx, sha)
	}
	if !isObject(sha) {
		return nil, fmt.Errorf("source: %q is no full commit SHA", sha)
	}
	list, err := l.git.output(ctx, listBytes, "ls-tree", "-d", "-z", "--full-tree", sha, "--", l.Prefix)
	if err != nil {
		return nil, fmt.Errorf("look for %q in %s: %w", l.Prefix, sha, err)
	}
	head, _, found := strings.Cut(string(list), "\t") // "mode tree hash"
	kind := strings.Fields(head)
	if !found || len(kind) != 3 || kind[1] != "tree" || !isObject(kind[2]) {
		return &Tree{git: l.git, sha: sha}, nil
	}
	return l.Tree(ctx, kind[2])
}
