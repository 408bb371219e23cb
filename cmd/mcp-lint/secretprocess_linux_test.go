package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mcp-lint/mcp-lint/internal/sandbox"
)

// process is what others can see of one.
type process struct{ cmdline, environ []byte }

// descendants are the processes below one. Those that end meanwhile may lack.
func descendants(pid int) (found []process) {
	below := map[int]bool{pid: true}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	parents := map[int]int{}
	for _, file := range stats {
		stat, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		var (
			state  string
			parent int
		)
		if _, err := fmt.Sscan(string(stat[bytes.LastIndexByte(stat, ')')+1:]), &state, &parent); err != nil {
			continue
		}
		if child, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil {
			parents[child] = parent
		}
	}
	for grown := true; grown; {
		grown = false
		for child, parent := range parents {
			if below[parent] && !below[child] {
				below[child], grown = true, true
			}
		}
	}
	delete(below, pid)
	for child := range below {
		folder := fmt.Sprintf("/proc/%d/", child)
		cmdline, _ := os.ReadFile(folder + "cmdline")
		environ, _ := os.ReadFile(folder + "environ")
		found = append(found, process{cmdline, environ})
	}
	return found
}

// start starts the program, and interrupt ends it as Ctrl-C does.
func (h *hideout) start(args ...string) (cmd *exec.Cmd, printed *bytes.Buffer) {
	h.t.Helper()
	cmd, printed = h.command(args...), &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = printed, printed
	if err := cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	return cmd, printed
}

func (h *hideout) interrupt(cmd *exec.Cmd, printed *bytes.Buffer) {
	h.t.Helper()
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		h.t.Fatal(err)
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != exitInterrupted {
		h.t.Errorf("%v, want exit code %d\n%s", err, exitInterrupted, printed)
	}
	traces := h.traces(nil)
	traces["what it printed"] = printed.Bytes()
	for name, data := range traces {
		for _, place := range secretPlaces() {
			if holds(data, place) {
				h.t.Errorf("the secret of %s is in %s:\n%s", place, name, around(data, place))
			}
		}
	}
}

// until waits for something that a process does.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

// An interrupted run leaves nothing behind.
func TestSecretsOfAnInterruptedRun(t *testing.T) {
	t.Parallel()
	files := ownFiles("hang")
	for name := range files {
		// Nothing but Ctrl-C ends these servers.
		files[name] = strings.NewReplacer(`"startTimeout":1`, `"startTimeout":60`, `"requestTimeout":0.4`, `"requestTimeout":60`).Replace(files[name])
	}
	for name, args := range map[string][]string{
		"run":    allFiles("run", "--pass-env", "MK_PASSED"),
		"lock":   {"lock", "--pass-env", "MK_PASSED", "--json", "out/l.json"},
		"ci":     allFiles("ci", "--sandbox=none", "--base", "main"),
		"survey": {"survey", "--sandbox=none", "--json", "out/s.json", ".mcp-lint.json"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHideout(t, files)
			if name == "run" || name == "lock" {
				args = append(append(args, "--"), tattling("hang")...)
			}
			if name == "ci" {
				h.commit()
			}
			for i, arg := range args {
				args[i] = h.expand(arg)
			}
			cmd, printed := h.start(args...)
			until(t, "the server", func() bool { return h.heard() != "" })
			if name == "ci" {
				left, err := os.ReadDir(h.vars["TMPDIR"])
				if err != nil || len(left) == 0 {
					t.Errorf("%v: no temporary folder to be removed: the case shows nothing", err)
				}
			}
			h.interrupt(cmd, printed)
		})
	}
}

// commit makes a git repository of the folder, with what stands there as main.
func (h *hideout) commit() {
	h.t.Helper()
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"commit", "-q", "-m", "x"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = filepath.Join(h.dir, "work")
		cmd.Env = []string{
			"PATH=" + os.Getenv("PATH"), "HOME=" + h.t.TempDir(), "GIT_CONFIG_NOSYSTEM=1",
			"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com",
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			h.t.Skipf("git cannot make a repository here: %v: %s", err, out)
		}
	}
}

// What we start around a server, to isolate it, shows none of its variables:
// everybody on the machine can read a command line.
func TestSecretsOfTheSandbox(t *testing.T) {
	t.Parallel()
	if _, err := sandbox.New(sandbox.BestEffort, sandbox.Options{}); err != nil {
		t.Skip(err)
	}
	h := newHideout(t, nil)
	cmd, printed := h.start("run", "--sandbox", "--pass-env", "MK_PASSED", "--", "sleep", "60")
	inside := false
	until(t, "the server to have its variable", func() bool {
		for _, p := range descendants(cmd.Process.Pid) {
			around := bytes.HasPrefix(p.cmdline, []byte("bwrap\x00"))
			if holds(p.cmdline, "passed") {
				t.Fatalf("a command line holds a variable: %q", p.cmdline)
			}
			if around && (holds(p.environ, "passed") || holds(p.environ, "unpassed")) {
				t.Fatalf("the environment of %q holds a variable", p.cmdline)
			}
			inside = inside || !around && bytes.Contains(p.cmdline, []byte("sleep\x00")) && holds(p.environ, "passed")
		}
		return inside
	})
	h.interrupt(cmd, printed)
}

// What fetches a server's package gets none of its variables and arguments.
func TestSecretsOfTheFetch(t *testing.T) {
	t.Parallel()
	if _, err := sandbox.New(sandbox.BestEffort, sandbox.Options{}); err != nil {
		t.Skip(err)
	}
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip(err)
	}
	h := newHideout(t, nil)
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer silent.Close()
	h.vars["npm_config_registry"] = strings.Replace(silent.URL, "://", "://me:"+secretCore("registry")+"@", 1)
	cmd, printed := h.start("run", "--sandbox", "--pass-env", "MK_PASSED", "--", "npx", "-y", "tides@1.4.0", "--api-key", secretOf("option"))
	until(t, "npm", func() bool {
		npm := false
		for _, p := range descendants(cmd.Process.Pid) {
			for _, place := range []string{"passed", "unpassed", "option"} {
				if holds(p.cmdline, place) || holds(p.environ, place) {
					t.Fatalf("%q has the secret of %s", p.cmdline, place)
				}
			}
			npm = npm || bytes.Contains(p.cmdline, []byte("npm")) && holds(p.environ, "registry") && !bytes.HasPrefix(p.cmdline, []byte("bwrap"))
		}
		return npm
	})
	h.interrupt(cmd, printed)
}
