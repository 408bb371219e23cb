package collect

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcp-lint/mcp-lint/internal/sandbox"
)

// server is a process with the conversation over its pipes.
type server struct {
	*session
	process *sandbox.Process
	wire    *transport
}

// startServer starts the process. The caller must end it.
func startServer(ctx context.Context, c Command, spec sandbox.Spec, o Options) (*server, error) {
	process, err := o.Sandbox.Start(ctx, spec)
	if err != nil {
		return nil, err
	}
	s := newSession(o, quoter{secrets: newRedactor(c.Secrets), command: c})
	return &server{session: s, process: process, wire: newTransport(lines(process.Stdin), process.Stdout, s.rec)}, nil
}

// longestShown is how long, in bytes, a line that is told as progress may be.
const longestShown = 16 << 10

// showStderr tells, every second, the last line that the server wrote to
// standard error: a first start may download for minutes, and silence looks
// like a hang. It goes on until the function that it returns is called.
func (s *server) showStderr() (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		shown := ""
		for {
			select {
			case <-done:
				return
			case <-tick.C:
			}
			if line := s.lastLine(); line != shown {
				shown = line
				s.options.Progress("waiting for initialize; the server says: " + line)
			}
		}
	}()
	return func() { close(done); <-ended }
}

// lastLine is the last line on standard error so far, fit to be shown. A line
// that has not ended may end inside a secret, so it has to wait.
func (s *server) lastLine() string {
	const everything = -1
	said := s.process.StderrTail(everything)
	said = said[:strings.LastIndexAny(said, "\r\n")+1]
	said = strings.TrimRight(said, "\r\n\t ")
	begin := strings.LastIndexAny(said, "\r\n")
	if begin < 0 && len(said) >= longestShown {
		return "" // its beginning may be gone
	}
	return s.foreign(said[begin+1:])
}

// end ends the process, which gets grace to leave by itself, and says how it
// ended; ended is true when it had done so before we asked.
func (s *server) end(grace time.Duration) (result sandbox.Result, ended bool) {
	select {
	case <-s.process.Done():
		ended = true
	default:
	}
	if s.client == nil {
		_ = s.wire.Close()
	} else {
		_ = s.client.Close() // closes the wire
	}
	return s.process.Stop(grace), ended
}

// awaitEnd gives a process whose output ended the time to end itself, so that
// its exit code can be told.
func (s *server) awaitEnd() {
	timer := time.NewTimer(failedGrace)
	defer timer.Stop()
	select {
	case <-s.process.Done():
	case <-timer.C:
	}
}

// explain turns what went wrong in a conversation into the failure that the
// end of the process explains best. what is the step that failed. ctx is the
// one that the process was started with: when it ended, it ended the process,
// and the pipes may tell of that before a context derived from it does.
func (s *server) explain(ctx context.Context, what string, err error) *Failure {
	f := s.cause(ctx, what, err)
	f.step = what
	return f
}

func (s *server) cause(ctx context.Context, what string, err error) *Failure {
	err = deadline(ctx, err)
	if !isRefusal(err) && !isContext(err) {
		s.awaitEnd()
	}
	result, ended := s.end(failedGrace)
	stderr := s.stderrNote(result)
	var refusal *jsonrpc.Error
	switch {
	case result.Class == sandbox.Memory:
		return failuref(Sandbox, err, "the server used more memory than it may (%s)%s", what, stderr)
	case result.Class == sandbox.PIDs:
		return failuref(Sandbox, err, "the server started more processes than it may (%s)%s", what, stderr)
	case result.Class == sandbox.Output:
		return failuref(Sandbox, err, "the server wrote more than %d MB (%s)%s", maxOutput>>20, what, stderr)
	case result.Class == sandbox.Denied:
		return failuref(Sandbox, err, "the server was ended for a system call that the sandbox denies (%s)%s", what, stderr)
	case errors.As(err, &refusal):
		return failuref(Protocol, err, "%s was refused: error %d: %s%s", what, refusal.Code, s.foreign(refusal.Message), stderr)
	case errors.Is(err, context.DeadlineExceeded) && what == stepInitialize:
		return failuref(TimedOut, err, "%s got no answer in time (%s, --start-timeout or startTimeout); a first start may still be downloading%s%s", what, s.options.StartTimeout, s.noiseNote(), stderr)
	case errors.Is(err, context.DeadlineExceeded):
		return failuref(TimedOut, err, "%s got no answer in time (%s, --request-timeout or requestTimeout)%s%s", what, s.options.RequestTimeout, s.noiseNote(), stderr)
	case errors.Is(err, context.Canceled):
		return failuref(TimedOut, err, "%s was interrupted", what)
	case ended && asksForVariable(result.Stderr):
		return failuref(NeedsSecret, err, "the server ended with %s before %s was answered and asks for a variable; hand it on with --pass-env or passEnv%s", status(result), what, stderr)
	case ended:
		return failuref(Crash, err, "the server ended with %s before %s was answered; if it needs a variable, hand it on with --pass-env or passEnv%s", status(result), what, stderr)
	}
	return failuref(Protocol, err, "%s failed: %s%s", what, s.foreign(err.Error()), stderr)
}

// noiseNote tells what the server wrote to standard output instead of an
// answer.
func (s *server) noiseNote() string {
	if noise := s.odd.unanswered(StdoutNoise); noise != "" {
		return "; " + noise
	}
	return ""
}
