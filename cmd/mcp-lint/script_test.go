package main

import (
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/mcp-lint/mcp-lint/internal/sandbox"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"mcp-lint":   main,
		"fakeserver": fakeServer,
		"httprelay":  httpRelay,
		"tattler":    tattler,
	})
}

// TestScripts plays testdata/script: one file a command or a story, each a
// session of commands with the files they read.
func TestScripts(t *testing.T) {
	t.Parallel()
	cases, err := filepath.Abs("testdata/cases")
	if err != nil {
		t.Fatal(err)
	}
	remote := httptest.NewServer(remoteServer())
	t.Cleanup(remote.Close)
	registries := startRegistries(t)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exitcode": exitCode, "appears": appears, "gone": gone, "expand": expand,
		},
		// [sandbox] holds where servers can be isolated, [git] where repositories
		// can be served.
		Condition: func(condition string) (bool, error) {
			switch condition {
			case "sandbox":
				_, err := sandbox.New(sandbox.BestEffort, sandbox.Options{})
				return err == nil, nil
			case "git":
				return registries["COMMIT"] != "", nil
			}
			return false, fmt.Errorf("unknown condition %s", condition)
		},
		Setup: func(env *testscript.Env) error {
			env.Setenv("NO_COLOR", "1")
			env.Setenv("CANARY", "must-not-arrive")
			env.Setenv("CASES", cases)
			env.Setenv("REMOTE", remote.URL)
			env.Setenv("REMOTE_HOST", remote.Listener.Addr().String())
			for name, value := range registries {
				env.Setenv(name, value)
			}
			return nil
		},
	})
}

// exitCode runs a command that must end with a certain code:
//
//	exitcode 3 mcp-lint check good.json broken.json
func exitCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exitcode CODE COMMAND [ARG…]")
	}
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exited *exec.ExitError
		if !errors.As(err, &exited) {
			ts.Fatalf("%s: %v", args[1], err)
		}
		got = exited.ExitCode()
	}
	if want := args[0]; fmt.Sprint(got) != want {
		ts.Fatalf("%s ended with %d, want %s", args[1], got, want)
	}
}

// appears waits for a file that a process in the background writes.
func appears(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: appears FILE")
	}
	within(ts, "no "+args[0], func() bool {
		info, err := os.Stat(ts.MkAbs(args[0]))
		return err == nil && info.Size() > 0
	})
}

// gone waits for the end of the process whose number a file holds.
func gone(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: gone PIDFILE")
	}
	var pid int
	if _, err := fmt.Sscan(ts.ReadFile(args[0]), &pid); err != nil {
		ts.Fatalf("%s: %v", args[0], err)
	}
	within(ts, fmt.Sprintf("process %d still lives", pid), func() bool {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err == nil {
			return strings.Contains(string(stat), ") Z ") // ended, not waited for
		}
		return syscall.Kill(pid, 0) != nil
	})
}

func within(ts *testscript.TestScript, otherwise string, ok func() bool) {
	for end := time.Now().Add(10 * time.Second); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			ts.Fatalf("%s", otherwise)
		}
	}
}
