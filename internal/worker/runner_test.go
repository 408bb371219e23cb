package worker_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcp-lint/mcp-lint/internal/audit"
	"github.com/mcp-lint/mcp-lint/internal/worker"
	"github.com/mcp-lint/mcp-lint/linter/report"
)

// shell is a runner whose child is a shell script.
func shell(t *testing.T, script string) *worker.Runner {
	t.Helper()
	return &worker.Runner{Command: []string{"/bin/sh", "-c", script}, Dir: t.TempDir()}
}

func TestRunnerHandsTheRequestOverAndTheReviewBack(t *testing.T) {
	t.Parallel()
	r := shell(t, `request=$(cat); printf '{"review":{"pending":["%s"]}}' "$(printf %s "$request" | tr -d '"\\')"`)
	review, err := r.Run(t.Context(), audit.Request{Head: "/trees/head", Static: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(review.Pending) != 1 || !strings.Contains(review.Pending[0], "head:/trees/head") || !strings.Contains(review.Pending[0], "static:true") {
		t.Errorf("the child got %q", review.Pending)
	}
	if left, err := os.ReadDir(r.Dir); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// The child of a process full of secrets has none of them.
func TestRunnerGetsNextToNoEnvironment(t *testing.T) {
	t.Setenv("MCP_LINT_WEBHOOK_SECRET", "s3cret")
	t.Setenv("GITHUB_TOKEN", "s3cret")
	t.Setenv("HTTPS_PROXY", "http://proxy.example:3128")
	t.Setenv("EXTRA_INDEX", "https://packages.example")
	list := filepath.Join(t.TempDir(), "environment")
	r := shell(t, `cat >/dev/null; env > `+list+`; pwd >> `+list+`; echo '{"review":{}}'`)
	r.PassEnv = append(worker.RunnerPassEnv(), "EXTRA_INDEX")
	if _, err := r.Run(t.Context(), audit.Request{}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(text, []byte("s3cret")) {
		t.Errorf("the child has the parent's secrets:\n%s", text)
	}
	for _, want := range []string{"HTTPS_PROXY=http://proxy.example:3128\n", "EXTRA_INDEX=https://packages.example\n", "GOMEMLIMIT=", "HOME=" + r.Dir, "TMPDIR=" + r.Dir} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

func TestRunnerThatGoesWrong(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		script    string
		change    func(*worker.Runner)
		reason    string
		permanent bool
	}{
		"crash":           {`cat >/dev/null; exit 3`, nil, "crashed", false},
		"no answer":       {`cat >/dev/null`, nil, "could not be read", false},
		"half an answer":  {`cat >/dev/null; printf '{"review":{'`, nil, "could not be read", false},
		"error":           {`cat >/dev/null; echo '{"error":"no such tree"}'`, nil, "could not be audited", false},
		"cannot do it":    {`cat >/dev/null; echo '{"reason":"no sandbox here","error":"bwrap: not found"}'`, nil, "no sandbox here", true},
		"no program":      {``, func(r *worker.Runner) { r.Command = []string{"/does/not/exist"} }, "could not be started", false},
		"endless answer":  {`cat >/dev/null; exec yes`, func(r *worker.Runner) { r.MaxOutput = 1 << 20 }, "too large", true},
		"endless memory":  {`cat >/dev/null; exec tail /dev/zero`, func(r *worker.Runner) { r.Memory = 64 << 20 }, "out of memory", false},
		"does not listen": {`exit 1`, nil, "crashed", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := shell(t, c.script)
			if c.change != nil {
				c.change(r)
			}
			review, err := r.Run(t.Context(), audit.Request{Head: strings.Repeat("x", 1<<20)})
			failure := (*worker.RunnerError)(nil)
			if review != nil || !errors.As(err, &failure) {
				t.Fatalf("%v, %v, want a RunnerError", review, err)
			}
			if !strings.Contains(failure.Reason, c.reason) || failure.Permanent != c.permanent {
				t.Errorf("reason %q, permanent %v, want %q, %v", failure.Reason, failure.Permanent, c.reason, c.permanent)
			}
		})
	}
}

// Cancelling ends the child with everything below it, wherever that hid.
func TestRunnerEndsWithEverythingBelowIt(t *testing.T) {
	t.Parallel()
	pids := filepath.Join(t.TempDir(), "pids")
	r := shell(t, strings.ReplaceAll(`setsid sleep 300 & echo $! >>LIST.tmp
		setsid sh -c 'sleep 300 & echo $! >>LIST.tmp; wait' & echo $! >>LIST.tmp
		sleep 300 & echo $! >>LIST.tmp; echo $$ >>LIST.tmp
		sleep 0.3; mv LIST.tmp LIST; wait`, "LIST", pids))
	ctx, cancel := context.WithCancelCause(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := r.Run(ctx, audit.Request{})
		done <- err
	}()
	var text []byte
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		var err error
		if text, err = os.ReadFile(pids); err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the child did not start")
		}
	}
	stop := errors.New("stop")
	cancel(stop)
	select {
	case err := <-done:
		if !errors.Is(err, stop) {
			t.Errorf("error %v, want the context's cause", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the runner did not end")
	}
	alive := strings.Fields(string(text))
	if len(alive) != 5 {
		t.Fatalf("the child started only %v", alive)
	}
	for deadline := time.Now().Add(5 * time.Second); len(alive) > 0 && time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		var still []string
		for _, p := range alive {
			if running(p) {
				still = append(still, p)
			}
		}
		alive = still
	}
	if len(alive) > 0 {
		t.Errorf("still alive: %v", alive)
	}
}

// running tells whether a process exists and is no zombie.
func running(pid string) bool {
	n, err := strconv.Atoi(pid)
	if err != nil || syscall.Kill(n, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	return err == nil && !bytes.Contains(stat, []byte(") Z "))
}

func TestRunnersWordsAreLoggedAndBounded(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	r := shell(t, `cat >/dev/null; echo first >&2; yes | head -c 200000 >&2; echo last >&2; echo '{"review":{}}'`)
	r.Log = slog.New(slog.NewJSONHandler(&log, nil))
	if _, err := r.Run(t.Context(), audit.Request{}); err != nil {
		t.Fatal(err)
	}
	if text := log.String(); !strings.Contains(text, `"last"`) || strings.Contains(text, `"first"`) || !strings.Contains(text, "runner said more") {
		t.Errorf("log of %d bytes: …%s", len(text), text[max(0, len(text)-300):])
	}
}

// What crosses the pipe must mean the same on the other side.
func TestReviewSurvivesThePipe(t *testing.T) {
	t.Parallel()
	text, err := json.Marshal(worker.RunnerResult{Review: faulty()})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "result")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := shell(t, `cat >/dev/null; cat `+file).Run(t.Context(), audit.Request{})
	if err != nil {
		t.Fatal(err)
	}
	said := func(r *report.Review) []any {
		comment, wanted := r.Comment(report.CommentOptions{})
		return []any{r.LintCheckRun(), r.LockCheckRun(), comment, wanted}
	}
	if diff := cmp.Diff(said(faulty()), said(got)); diff != "" {
		t.Errorf("(-sent +received)\n%s", diff)
	}
}
