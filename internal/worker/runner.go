package worker

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/mcp-lint/mcp-lint/internal/audit"
	"github.com/mcp-lint/mcp-lint/linter/report"
)

// Limits of a runner.
const (
	// MaxRunnerOutput bounds the document that a runner writes, in bytes.
	MaxRunnerOutput = 64 << 20
	// DefaultRunnerMemory bounds a runner's own memory, in bytes. The servers
	// that it starts have limits of their own, in the sandbox.
	DefaultRunnerMemory = 2 << 30
	maxRunnerLog        = 64 << 10
)

// RunnerPassEnv are the variables that a runner gets from the bot's own
// environment: where programs are found, and the operator's settings for the
// package registries, proxies and certificates that fetching packages needs.
// Everything else, above all what holds a secret of the bot, stays behind.
func RunnerPassEnv() []string {
	return []string{
		"PATH", "LANG",
		"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy",
		"SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "PIP_CERT",
		"NPM_CONFIG_REGISTRY", "npm_config_registry", "NPM_CONFIG_CAFILE", "npm_config_cafile",
		"UV_DEFAULT_INDEX", "UV_INDEX_URL", "UV_NATIVE_TLS", "PIP_INDEX_URL",
	}
}

// RunnerResult is the one document that `bot runner` writes.
type RunnerResult struct {
	Review *report.Review `json:"review,omitempty"`
	// Reason says, fit to be published, why there can be no review here; ""
	// when only Error knows.
	Reason string `json:"reason,omitempty"`
	// Error says in words why there is no review. It may quote the audited
	// tree, so it is logged and never published.
	Error string `json:"error,omitempty"`
}

// RunnerError says that an audit ended without a review.
type RunnerError struct {
	// Reason is ours alone and can be published.
	Reason string
	// Permanent is true when another attempt would end the same way.
	Permanent bool
	err       error
}

func (e *RunnerError) Error() string {
	if e.err == nil {
		return "runner: " + e.Reason
	}
	return fmt.Sprintf("runner: %s: %v", e.Reason, e.err)
}

func (e *RunnerError) Unwrap() error { return e.err }

// Runner starts `bot runner`: a child with next to no environment, no key,
// token or database, and a limit on its memory. It reads an audit.Request on
// standard input and writes one RunnerResult on standard output. Another
// machine can stand here later.
type Runner struct {
	// Command is the program and its arguments; nil means this program's
	// subcommand "runner".
	Command []string
	// Dir holds the private home and temporary folders of the children.
	Dir string
	// PassEnv names variables to pass on; nil means RunnerPassEnv.
	PassEnv []string
	// Memory in bytes; 0 means DefaultRunnerMemory.
	Memory int64
	// MaxOutput in bytes; 0 means MaxRunnerOutput.
	MaxOutput int64
	Log       *slog.Logger
}

// Run audits a request in a child. The child and everything below it are
// killed when ctx ends. Errors: *RunnerError, or the context's.
func (r *Runner) Run(ctx context.Context, request audit.Request) (*report.Review, error) {
	input, err := json.Marshal(request)
	if err != nil {
		return nil, fmt.Errorf("runner request: %w", err)
	}
	home, err := os.MkdirTemp(r.Dir, tempPrefix)
	if err != nil {
		return nil, fmt.Errorf("runner home: %w", err)
	}
	defer os.RemoveAll(home)
	cmd, err := r.command(home)
	if err != nil {
		return nil, err
	}
	output, err := r.exchange(ctx, cmd, input)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, err
	}
	var result RunnerResult
	if err := json.Unmarshal(output, &result); err != nil {
		return nil, &RunnerError{Reason: "its answer could not be read", err: err}
	}
	if result.Reason != "" {
		return nil, &RunnerError{Reason: result.Reason, Permanent: true, err: errors.New(result.Error)}
	}
	if result.Review == nil {
		return nil, &RunnerError{Reason: "the tree could not be audited", err: errors.New(result.Error)}
	}
	return result.Review, nil
}

func (r *Runner) memory() int64 {
	if r.Memory == 0 {
		return DefaultRunnerMemory
	}
	return r.Memory
}

func (r *Runner) command(home string) (*exec.Cmd, error) {
	argv := r.Command
	if argv == nil {
		self, err := os.Executable()
		if err != nil {
			return nil, fmt.Errorf("runner: %w", err)
		}
		argv = []string{self, "runner"}
	}
	tmp := filepath.Join(home, "tmp")
	if err := os.Mkdir(tmp, 0o700); err != nil {
		return nil, fmt.Errorf("runner home: %w", err)
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = home
	// Go starts to collect well before the kernel says no.
	cmd.Env = []string{"HOME=" + home, "TMPDIR=" + tmp, "GOMEMLIMIT=" + strconv.FormatInt(r.memory()/4*3, 10)}
	names := r.PassEnv
	if names == nil {
		names = RunnerPassEnv()
	}
	for _, name := range names {
		if value, ok := os.LookupEnv(name); ok {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
	}
	// Its own group, so that it can be ended as a whole, and an end with us: a
	// killed bot leaves no audit behind.
	cmd.WaitDelay = 5 * time.Second // somebody may still hold the pipes
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	return cmd, nil
}

// exchange runs the child and returns what it wrote.
func (r *Runner) exchange(ctx context.Context, cmd *exec.Cmd, input []byte) ([]byte, error) {
	limit := r.MaxOutput
	if limit == 0 {
		limit = MaxRunnerOutput
	}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("runner: %w", err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("runner: %w", err)
	}
	stderr := &tail{max: maxRunnerLog}
	cmd.Stderr = stderr
	// The kernel ties Pdeathsig to the thread that started the child.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := cmd.Start(); err != nil {
		return nil, &RunnerError{Reason: "it could not be started", err: err}
	}
	stop := context.AfterFunc(ctx, func() { killTree(cmd.Process.Pid) })
	defer stop()
	// The child has no work before it has read its request, so the limit holds
	// before it matters. RLIMIT_DATA counts what can be written, not the large
	// reservations that Go and V8 make at their start.
	memory := uint64(r.memory())
	if err := unix.Prlimit(cmd.Process.Pid, unix.RLIMIT_DATA, &unix.Rlimit{Cur: memory, Max: memory}, nil); err != nil {
		killTree(cmd.Process.Pid)
		_ = cmd.Wait()
		return nil, &RunnerError{Reason: "its memory could not be limited", err: err}
	}
	// A child that dies early closes the pipe; its exit says more than EPIPE.
	_, _ = stdin.Write(input)
	_ = stdin.Close()
	output, readErr := io.ReadAll(io.LimitReader(stdout, limit+1))
	tooMuch := int64(len(output)) > limit
	if tooMuch {
		killTree(cmd.Process.Pid)
	}
	waitErr := cmd.Wait()
	r.logStderr(stderr)
	switch {
	case tooMuch:
		return nil, &RunnerError{Reason: "its answer was too large", Permanent: true}
	case waitErr != nil:
		return nil, &RunnerError{Reason: "it crashed or ran out of memory", err: waitErr}
	case readErr != nil:
		return nil, &RunnerError{Reason: "its answer could not be read", err: readErr}
	}
	return output, nil
}

// logStderr passes the child's own words on: at most 64 KB, the last ones.
func (r *Runner) logStderr(t *tail) {
	if r.Log == nil || len(t.kept) == 0 {
		return
	}
	for line := range bytes.Lines(t.kept) {
		r.Log.Info("runner", "line", string(bytes.TrimRight(line, "\n")))
	}
	if t.dropped > 0 {
		r.Log.Warn("runner said more", "bytes", t.dropped)
	}
}

// tail keeps the last bytes written to it.
type tail struct {
	max     int
	kept    []byte
	dropped int
}

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - t.max; over > 0 {
		t.dropped += over
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(p), nil
}
