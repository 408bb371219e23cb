package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// preCommit is the command line of the real pre-commit.
func preCommit(t *testing.T) []string {
	t.Helper()
	argv := []string{"pre-commit"}
	if _, err := exec.LookPath(argv[0]); err != nil {
		argv = []string{"uvx", "pre-commit==4.7.0"}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, argv[0], append(argv[1:], "--version")...).CombinedOutput()
	if err != nil {
		t.Skipf("pre-commit cannot be had here: %s: %v: %.200s", argv[0], err, out)
	}
	return argv
}

// workplace is a folder with programs in front of the PATH.
type workplace struct {
	t   *testing.T
	dir string
	env []string
}

// run runs a command and returns its exit code and what it said.
func (w workplace) run(folder string, argv ...string) (int, string) {
	w.t.Helper()
	cmd := exec.Command(argv[0], argv[1:]...)
	if !strings.Contains(argv[0], "/") {
		if path := filepath.Join(w.dir, "bin", argv[0]); exists(path) {
			cmd = exec.Command(path, argv[1:]...)
		}
	}
	cmd.Dir, cmd.Env = filepath.Join(w.dir, folder), w.env
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		w.t.Fatalf("%q: %v", argv, err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

func (w workplace) must(folder string, argv ...string) string {
	w.t.Helper()
	code, out := w.run(folder, argv...)
	if code != 0 {
		w.t.Fatalf("%q: exit %d\n%s", argv, code, out)
	}
	return out
}

func (w workplace) write(name, text string) {
	w.t.Helper()
	if err := os.WriteFile(filepath.Join(w.dir, name), []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// newWorkplace has this checkout as a git repository of one commit in "hooks",
// an empty one in "user", and the fake server in the PATH.
func newWorkplace(t *testing.T) workplace {
	t.Helper()
	w := workplace{t: t, dir: t.TempDir()}
	for _, folder := range []string{"bin", "hooks", "user"} {
		if err := os.Mkdir(filepath.Join(w.dir, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"fakeserver", "mcp-lint"} {
		if err := os.Symlink(self, filepath.Join(w.dir, "bin", name)); err != nil {
			t.Fatal(err)
		}
	}
	modules, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	ours := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") })
	w.env = append(ours,
		"PATH="+filepath.Join(w.dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"),
		"PRE_COMMIT_HOME="+filepath.Join(w.dir, "home"), "GOMODCACHE="+string(bytes.TrimSpace(modules)),
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")

	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	files, err := exec.Command("git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		t.Skipf("this is no git checkout: %v", err)
	}
	for _, name := range strings.Split(strings.TrimSuffix(string(files), "\x00"), "\x00") {
		data, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			continue // removed and not committed, or a link to a folder
		}
		to := filepath.Join(w.dir, "hooks", name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, folder := range []string{"hooks", "user"} {
		w.must(folder, "git", "init", "-q")
		w.must(folder, "git", "add", "-A")
		w.must(folder, "git", "commit", "-q", "--allow-empty", "-m", "start")
	}
	return w
}

// The hooks under the real pre-commit, from a repository made of this checkout.
func TestPreCommit(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("short: builds the programs as pre-commit does")
	}
	tool := preCommit(t)
	w := newWorkplace(t)
	served := filepath.Join(w.dir, "served.json") // outside: pre-commit puts changes that are not staged aside
	w.write("served.json", "["+goodTool+"]")
	w.write("user/.pre-commit-config.yaml", fmt.Sprintf(`repos:
  - repo: %s
    rev: %s
    hooks:
      - id: mcp-lint-lock
        args: [--, fakeserver, %s]
      - id: mcp-lint-check
`, filepath.Join(w.dir, "hooks"), strings.TrimSpace(w.must("hooks", "git", "rev-parse", "HEAD")), served))
	w.must("user", "mcp-lint", "lock", "--", "fakeserver", served)
	w.must("user", append(tool, "install")...)

	commit := func(code int, want ...string) {
		t.Helper()
		got, out := w.run("user", "git", "commit", "--allow-empty", "-m", "x")
		if got != code {
			t.Errorf("git commit: exit %d, want %d\n%s", got, code, out)
		}
		for _, pattern := range want {
			if !regexp.MustCompile(pattern).MatchString(out) {
				t.Errorf("want %q in\n%s", pattern, out)
			}
		}
	}

	w.must("user", "git", "add", "-A")
	commit(0, `mcp-lint lock --check\.+Passed`, `mcp-lint check\.+\(no files to check\)Skipped`)
	// Nothing is staged, and the server is asked all the same.
	commit(0, `mcp-lint lock --check\.+Passed`)
	w.write("served.json", "["+strings.Replace(goodTool, "metres", "feet", 1)+"]")
	commit(1, `mcp-lint lock --check\.+Failed`, `exit code: 1`, `description_changed`)
	if err := os.Remove(served); err != nil {
		t.Fatal(err)
	}
	commit(1, `exit code: 2`, `(?m)^mcp-lint: the server ended with exit code 1 `)
	w.write("served.json", "["+goodTool+"]")

	// The snapshots among what is staged, and no other JSON.
	w.write("user/package.json", "{}")
	w.write("user/harbour.tools.json", "["+goodTool+"]")
	w.must("user", "git", "add", "-A")
	commit(0, `mcp-lint check\.+Passed`)
	w.write("user/tools.json", `[{"name": "find_tides"}]`)
	w.must("user", "git", "add", "-A")
	commit(1, `mcp-lint lock --check\.+Passed`, `mcp-lint check\.+Failed`, `(?m)^tools\.json `, `description/missing`)
}
