package collect

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"regexp"
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/internal/sandbox"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// Kind says why a server could not be collected; the values are those of the
// JSON report's error.kind.
type Kind string

// The kinds of failure.
const (
	Start    Kind = "start"
	Crash    Kind = "crash"
	TimedOut Kind = "timeout"
	Protocol Kind = "protocol"
	// NeedsAuthorization is that of a remote server that wants to know who asks.
	NeedsAuthorization Kind = "needs-authorization"
	NeedsSecret        Kind = "needs-secret"
	Sandbox            Kind = "sandbox"
	Input              Kind = "input"
)

// Failure is the error of every function here: why, in one line, without any
// argv or environment value, and with the server's own text made visible.
type Failure struct {
	Kind    Kind
	Message string
	Err     error // the cause, may be nil

	step string // the request that failed, "" for none
}

func (f *Failure) Error() string { return f.Message }

// Unwrap gives the cause.
func (f *Failure) Unwrap() error { return f.Err }

func failuref(kind Kind, err error, format string, args ...any) *Failure {
	return &Failure{Kind: kind, Message: fmt.Sprintf(format, args...), Err: err}
}

func isContext(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}

func startFailure(err error) *Failure {
	var unavailable *sandbox.Unavailable
	if errors.As(err, &unavailable) {
		return failuref(Sandbox, err, "%s", unavailable.Error())
	}
	return failuref(Start, err, "the command could not be started: %s", cause(err))
}

// cause words an error without the path or the command that the errors of os
// and exec carry: argv is in no message.
func cause(err error) string {
	var path *fs.PathError
	var command *exec.Error
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return "no program of that name is in PATH"
	case errors.As(err, &command):
		err = command.Err
	case errors.As(err, &path):
		err = path.Err
	}
	return snapshot.Visible(err.Error())
}

func status(r sandbox.Result) string {
	if r.Signal != "" {
		return "signal " + r.Signal
	}
	return fmt.Sprintf("exit code %d", r.Exit)
}

// stderrLines is how many last lines of standard error a message quotes.
const stderrLines = 3

// stderrNote quotes the last lines that the server wrote to standard error.
// When none of them speaks of an error, as under a stack trace, the last line
// that does stands first.
func (s *server) stderrNote(r sandbox.Result) string {
	stderr := wholeLines(r.Stderr, r.StderrBytes)
	var lines []string
	for line := range strings.Lines(stderr) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		return ""
	}
	cut := max(0, len(lines)-stderrLines)
	earlier, last := lines[:cut], lines[cut:]
	fault := regexp.MustCompile(`(?i)\b(\w*error|\w*exception|panic|fatal)\b`)
	if !slices.ContainsFunc(last, fault.MatchString) {
		for _, line := range slices.Backward(earlier) {
			if fault.MatchString(line) {
				last = append([]string{line}, last[1:]...)
				break
			}
		}
	}
	for i := range last {
		last[i] = s.foreign(last[i])
	}
	return "; its last words: " + strings.Join(last, " | ")
}

// wholeLines is the kept end of an output of that many bytes without the line
// whose beginning was not kept: of a secret in it, only a part might be left,
// which nobody would recognise.
func wholeLines(kept string, written int64) string {
	if int64(len(kept)) == written {
		return kept
	}
	_, whole, _ := strings.Cut(kept, "\n")
	return whole
}

// asksForVariable recognises the usual words of a server that misses a
// variable: its name in capitals beside a word of need.
func asksForVariable(stderr string) bool {
	name := regexp.MustCompile(`\b[A-Z][A-Z0-9]*(_[A-Z0-9]+)+\b`)
	need := regexp.MustCompile(`(?i)\b(missing|required|requires?|not (set|found|defined|provided|configured)|must (be set|set|provide)|please (set|provide)|undefined|environment variables?)\b`)
	for line := range strings.Lines(stderr) {
		if name.MatchString(line) && need.MatchString(line) {
			return true
		}
	}
	return false
}
