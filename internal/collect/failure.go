package collect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
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
func (s *server) stderrNote(stderr string) string {
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

// start is as much of a server's bytes as is worth quoting. It is more than
// foreign keeps, so that no secret is cut in two before it is masked.
func start(b []byte) string {
	const enough = 4 << 10
	return string(b[:min(len(b), enough)])
}

// quoter knows what a server was handed and must not be heard to repeat.
type quoter struct {
	secrets *redactor
	command Command // the zero value for a server that was not started
}

// foreign makes a text of the server fit for one line of a message: secrets
// masked, hidden characters visible, not too long.
func (q quoter) foreign(text string) string {
	text = q.mask(strings.Join(strings.Fields(text), " "))
	const longest = 300
	if runes := []rune(text); len(runes) > longest {
		text = string(runes[:longest]) + "…"
	}
	return snapshot.Visible(text)
}

// mask replaces what the server was handed, should it repeat it: the values of
// its variables, and the words of its command line, which may hold a token too.
// Shorter ones ("1", "true") are no secrets and would make nonsense of a text.
func (q quoter) mask(text string) string {
	masks := make(map[string]string)
	hide := func(value, mask string) {
		if len(value) >= shortestSecret {
			masks[value] = mask
		}
	}
	for i, word := range q.command.Argv {
		if i == 0 && !strings.ContainsAny(word, `/\`) {
			continue // a program's name: node
		}
		hide(word, "[argument]")
		if _, value, ok := strings.Cut(word, "="); ok {
			hide(value, "[argument]")
		}
	}
	for _, value := range q.command.Env {
		hide(value, redacted)
	}
	// Longest first: one secret may be the beginning of another.
	values := slices.SortedFunc(maps.Keys(masks), func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	for _, value := range values {
		text = strings.ReplaceAll(text, value, masks[value])
	}
	return q.secrets.text(text) // in other forms, and those of a remote server
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
