package source_test

import (
	"crypto/rand"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/internal/source"
)

// clone is a repository with a work tree, as a user has it.
type clone struct {
	t   *testing.T
	dir string
}

func newClone(t *testing.T) *clone {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	c := &clone{t, t.TempDir()}
	c.git("init", "--quiet", "--initial-branch=main")
	return c
}

func (c *clone) git(args ...string) string {
	c.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = c.dir
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + c.dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull,
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com",
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		c.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (c *clone) write(name, text string) {
	c.t.Helper()
	path := filepath.Join(c.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		c.t.Fatal(err)
	}
}

func (c *clone) commit() string {
	c.t.Helper()
	c.git("add", "--all")
	c.git("commit", "--quiet", "--allow-empty", "--message="+rand.Text()) // no two are equal
	return c.git("rev-parse", "HEAD")
}

func (c *clone) open(below string) *source.Local {
	c.t.Helper()
	repo, err := source.OpenLocal(filepath.Join(c.dir, below), source.Limits{})
	if err != nil {
		c.t.Fatal(err)
	}
	return repo
}

// holds writes what a commit has below a folder and lists it.
func (c *clone) holds(below, commit string) []string {
	c.t.Helper()
	tree, err := c.open(below).Folder(c.t.Context(), commit)
	if err != nil {
		c.t.Fatal(err)
	}
	dir := c.t.TempDir()
	if _, err := tree.WriteTo(c.t.Context(), dir); err != nil {
		c.t.Fatal(err)
	}
	var names []string
	for name := range contents(c.t, dir) {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func TestLocalFolder(t *testing.T) {
	t.Parallel()
	c := newClone(t)
	c.write("root", "1")
	c.write("a*/file", "2")
	c.write("a*/deep/file", "3")
	c.write("ab/file", "4")
	sha := c.commit()
	c.write("new/file", "5")
	c.write("root/../late", "6") // in no commit
	for _, tt := range []struct {
		below string
		want  []string
	}{
		{"", []string{"a*/deep/file", "a*/file", "ab/file", "root"}},
		{"a*", []string{"deep/file", "file"}}, // a name, no pattern
		{"a*/deep", []string{"file"}},
		{"new", nil},
	} {
		if got := c.holds(tt.below, sha); !slices.Equal(got, tt.want) {
			t.Errorf("below %q: %q; want %q", tt.below, got, tt.want)
		}
	}
}

func TestLocalMergeBase(t *testing.T) {
	t.Parallel()
	c := newClone(t)
	fork := c.commit()
	main := c.commit()
	c.git("checkout", "--quiet", "-b", "feature", fork)
	feature := c.commit()
	c.git("tag", "--annotate", "--message=x", "v1")
	c.git("checkout", "--quiet", "--orphan", "other")
	other := c.commit()
	repo := c.open("")
	for revision, want := range map[string]string{"main": main, "feature": feature, "v1": feature, "HEAD": other, "main~1": fork, main[:10]: main} {
		if got, err := repo.Commit(t.Context(), revision); got != want || err != nil {
			t.Errorf("%s: %s, %v; want %s", revision, got, err, want)
		}
	}
	for _, revision := range []string{"", "nowhere", "-h", "--all", "^main", "main..feature", "main:root", "HEAD^{tree}", "a\nb", "a\x00b", strings.Repeat("0", 40)} {
		if got, err := repo.Commit(t.Context(), revision); !errors.Is(err, source.ErrNoCommit) {
			t.Errorf("%q: %s, %v", revision, got, err)
		}
	}
	if got, err := repo.MergeBase(t.Context(), feature, main); got != fork || err != nil {
		t.Errorf("merge base %s, %v; want %s", got, err, fork)
	}
	if got, err := repo.MergeBase(t.Context(), other, main); !errors.Is(err, source.ErrUnrelated) {
		t.Errorf("unrelated: %s, %v", got, err)
	}
	if _, err := source.OpenLocal(t.TempDir(), source.Limits{}); !errors.Is(err, source.ErrNoRepository) {
		t.Errorf("no repository: %v", err)
	}
}

// The repository may have been made by a stranger: nothing that it configures
// is run, whatever the environment says.
func TestLocalRunsNothing(t *testing.T) {
	c := newClone(t)
	c.write("kept", "as it is")
	c.write(".gitattributes", "* filter=evil diff=evil text eol=crlf ident export-ignore export-subst\n")
	c.write("id", "$Id$ $Format:%H$\n")
	sha := c.commit()
	ran := filepath.Join(c.dir, "ran")
	evil := filepath.Join(t.TempDir(), "evil")
	if err := os.WriteFile(evil, []byte("#!/bin/sh\necho \"$0 $*\" >>"+ran+"\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, hook := range []string{"post-checkout", "reference-transaction", "pre-auto-gc", "fsmonitor-watchman"} {
		path := filepath.Join(c.dir, ".git", "hooks", hook)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(evil, path); err != nil {
			t.Fatal(err)
		}
	}
	for _, key := range []string{
		"core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "core.askPass", "core.gitProxy", "core.alternateRefsCommand",
		"filter.evil.smudge", "filter.evil.process", "diff.evil.textconv", "diff.external", "credential.helper", "gpg.program",
		"remote.origin.uploadpack", "alias.rev-parse", "pager.ls-tree", "pager.rev-parse", "uploadpack.packObjectsHook",
	} {
		c.git("config", key, evil)
	}
	// What a partial clone lacks would be fetched, by a command of its own.
	c.git("config", "remote.origin.url", c.dir)
	c.git("config", "remote.origin.promisor", "true")
	c.git("config", "core.repositoryFormatVersion", "1")
	c.git("config", "extensions.partialClone", "origin")
	// In a hook, git says which repository is meant; ours is the one around the folder.
	t.Setenv("GIT_DIR", t.TempDir())
	t.Setenv("GIT_OBJECT_DIRECTORY", t.TempDir())
	t.Setenv("GIT_EXTERNAL_DIFF", evil)

	repo := c.open("")
	if got, err := repo.Commit(t.Context(), "HEAD"); got != sha || err != nil {
		t.Fatalf("HEAD: %s, %v", got, err)
	}
	tree, err := repo.Folder(t.Context(), sha)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if _, err := tree.WriteTo(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	if got := contents(t, dir); got["kept"] != "as it is" || got["id"] != "$Id$ $Format:%H$\n" {
		t.Errorf("not as in the objects: %q", got)
	}
	if err := os.Remove(filepath.Join(c.dir, ".git", "objects", object(c, sha+":kept"))); err != nil {
		t.Fatal(err)
	}
	if _, err := repo.Folder(t.Context(), sha); !errors.Is(err, source.ErrNotFound) {
		t.Errorf("an object that is not there: %v", err)
	}
	if _, err := repo.Commit(t.Context(), strings.Repeat("ab", 20)); !errors.Is(err, source.ErrNoCommit) {
		t.Errorf("a commit that is not there: %v", err)
	}
	if log, err := os.ReadFile(ran); err == nil {
		t.Errorf("ran:\n%s", log)
	}
}

// object is the file of a loose object, below objects.
func object(c *clone, name string) string {
	hash := c.git("rev-parse", name)
	return filepath.Join(hash[:2], hash[2:])
}

func TestLocalKeepsLimits(t *testing.T) {
	t.Parallel()
	c := newClone(t)
	c.write("a", "1")
	c.write("b", "2")
	if err := os.Symlink("/etc/passwd", filepath.Join(c.dir, "link")); err != nil {
		t.Fatal(err)
	}
	sha := c.commit()
	if got := c.holds("", sha); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("wrote %q", got)
	}
	for name, l := range map[string]source.Limits{"files": {Files: 1}, "bytes": {Bytes: 1}} {
		repo, err := source.OpenLocal(c.dir, l)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := repo.Folder(t.Context(), sha)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tree.WriteTo(t.Context(), t.TempDir()); !errors.Is(err, source.ErrTooLarge) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
