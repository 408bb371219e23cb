package collect

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-lint/mcp-lint/internal/sandbox"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// session is one conversation with one server: a process, or one over HTTP.
type session struct {
	options Options
	command Command
	process *sandbox.Process // nil for a remote server
	http    *httpWire        // nil for a process
	secrets *redactor
	wire    *transport
	client  *mcp.ClientSession
	odd     *oddities
}

// oddities collects what a server did that a client may stumble over. The
// reading side adds to it as well.
type oddities struct {
	mu   sync.Mutex
	list []string
}

// lines returns what was collected so far.
func (o *oddities) lines() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.list)
}

func (o *oddities) addf(format string, args ...any) {
	line := snapshot.Visible(fmt.Sprintf(format, args...))
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.list) < maxOdd && !slices.Contains(o.list, line) {
		o.list = append(o.list, line)
	}
}

// connect starts the conversation: initialize, or server/discover for a
// version beyond those that are initialized.
func (s *session) connect(ctx context.Context, version string) error {
	ctx, cancel := context.WithTimeout(ctx, s.options.StartTimeout)
	defer cancel()
	client := mcp.NewClient(
		&mcp.Implementation{Name: "mcp-lint", Version: s.options.ClientVersion},
		&mcp.ClientOptions{
			// No capabilities at all: what a server offers to a client that
			// declares some is another list.
			Capabilities: &mcp.ClientCapabilities{},
			Logger:       slog.New(slog.DiscardHandler),
		},
	)
	var err error
	s.client, err = client.Connect(ctx, s.wire, &mcp.ClientSessionOptions{ProtocolVersion: version})
	return deadline(ctx, err)
}

// showStderr tells, every second, the last line that the server wrote to
// standard error: a first start may download for minutes, and silence looks
// like a hang. It goes on until the function that it returns is called.
func (s *session) showStderr() (stop func()) {
	if s.process == nil {
		return func() {}
	}
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

// lastLine is the last line on standard error so far, fit to be shown.
func (s *session) lastLine() string {
	const enough = 1 << 10
	lines := strings.Split(strings.TrimSpace(s.process.StderrTail(enough)), "\n")
	return s.foreign(lines[len(lines)-1])
}

// deadline prefers the reason of the context: the typed layer words its end as
// an error of its own.
func deadline(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// parts asks for everything the server offers.
func (s *session) parts(ctx context.Context) (snapshot.Parts, error) {
	hello := decode(s.wire.result())
	p := snapshot.Parts{
		ServerInfo:      hello["serverInfo"],
		ProtocolVersion: hello["protocolVersion"],
		Capabilities:    hello["capabilities"],
		Instructions:    hello["instructions"],
	}
	offers := decode(hello["capabilities"])
	for _, list := range []struct {
		capability, method string
		into               *[][]byte
		optional           bool
	}{
		{"tools", "tools/list", &p.Tools, false},
		{"prompts", "prompts/list", &p.Prompts, false},
		{"resources", "resources/list", &p.Resources, false},
		{"resources", "resources/templates/list", &p.ResourceTemplates, true},
	} {
		if !offers.has(list.capability) {
			continue
		}
		if kind := offers[list.capability].Kind(); kind != '{' {
			s.odd.addf("capability %s is %s, not an object", list.capability, s.foreign(start(offers[list.capability])))
		}
		s.options.Progress("waiting for " + list.method)
		entities, err := s.list(ctx, list.method)
		var refusal *jsonrpc.Error
		if list.optional && errors.As(err, &refusal) {
			s.odd.addf("%s is refused although resources are offered", list.method)
			continue
		}
		if err != nil {
			return p, &stepError{list.method, err}
		}
		*list.into = entities
	}
	return p, nil
}

// stepError remembers which request failed.
type stepError struct {
	step string
	err  error
}

func (e *stepError) Error() string { return e.step + ": " + e.err.Error() }
func (e *stepError) Unwrap() error { return e.err }

// list reads all pages of a list, and again when the server says meanwhile
// that it changed, so that the result is one consistent list.
func (s *session) list(ctx context.Context, method string) ([][]byte, error) {
	for restarts := 0; ; restarts++ {
		s.wire.clearChanged()
		entities, err := s.pages(ctx, method)
		if err != nil || !s.wire.clearChanged() {
			return entities, err
		}
		if restarts == maxRestarts {
			s.odd.addf("%s changed each time it was read", method)
			return entities, nil
		}
	}
}

// pages reads the pages of a list once. Paging that does not move ends it: a
// page that came before is dropped, and so is the rest.
func (s *session) pages(ctx context.Context, method string) ([][]byte, error) {
	key := listKey(method)
	entities := [][]byte{}
	var (
		cursor  string
		cursors = make(map[string]bool)
		seen    = make(map[[sha256.Size]byte]bool)
	)
	for range maxPages {
		page, err := s.ask(ctx, method, cursor)
		if err != nil {
			return nil, err
		}
		elements, ok := page.list(key)
		if !ok {
			// Counting it as an empty list would call a server clean that
			// nobody could read.
			return nil, fmt.Errorf("the result has no list of %s", key)
		}
		sum := sha256.Sum256(page[key])
		if seen[sum] && len(elements) > 0 {
			s.odd.addf("%s: paging is broken, the same page came twice", method)
			return entities, nil
		}
		seen[sum] = true
		entities = append(entities, elements...)

		next, more := page["nextCursor"]
		if !more || next.Kind() != '"' {
			if more && next.Kind() != 'n' {
				s.odd.addf("%s: nextCursor is no text", method)
			}
			return entities, nil
		}
		cursor = page.text("nextCursor")
		if cursors[cursor] {
			s.odd.addf("%s: paging is broken, cursor %q came twice", method, s.foreign(cursor))
			return entities, nil
		}
		cursors[cursor] = true
	}
	return nil, fmt.Errorf("the list has more than %d pages", maxPages)
}

// ask sends one list request and returns its result as it came.
func (s *session) ask(ctx context.Context, method, cursor string) (object, error) {
	ctx, cancel := context.WithTimeout(ctx, s.options.RequestTimeout)
	defer cancel()
	var err error
	switch method {
	case "tools/list":
		_, err = s.client.ListTools(ctx, &mcp.ListToolsParams{Cursor: cursor})
	case "prompts/list":
		_, err = s.client.ListPrompts(ctx, &mcp.ListPromptsParams{Cursor: cursor})
	case "resources/list":
		_, err = s.client.ListResources(ctx, &mcp.ListResourcesParams{Cursor: cursor})
	case "resources/templates/list":
		_, err = s.client.ListResourceTemplates(ctx, &mcp.ListResourceTemplatesParams{Cursor: cursor})
	}
	if err != nil {
		return nil, deadline(ctx, err)
	}
	raw := s.wire.result()
	page := decode(raw)
	if page == nil {
		return nil, fmt.Errorf("the result is no object: %s", s.foreign(start(raw)))
	}
	return page, nil
}

// end ends the process, which gets grace to leave by itself, and says how it
// ended; ended is true when it had done so before we asked.
//
// With a remote server there is no process, only a session to be closed.
func (s *session) end(grace time.Duration) (result sandbox.Result, ended bool) {
	if s.process != nil {
		select {
		case <-s.process.Done():
			ended = true
		default:
		}
	}
	if s.http != nil {
		s.http.close()
	}
	if s.client == nil {
		_ = s.wire.Close()
	} else {
		_ = s.client.Close() // closes the wire
	}
	if s.process == nil {
		return sandbox.Result{}, ended
	}
	return s.process.Stop(grace), ended
}

// awaitEnd gives a process whose output ended the time to end itself, so that
// its exit code can be told.
func (s *session) awaitEnd() {
	timer := time.NewTimer(failedGrace)
	defer timer.Stop()
	select {
	case <-s.process.Done():
	case <-timer.C:
	}
}

// isRefusal reports whether the server answered with an error.
func isRefusal(err error) bool {
	var refusal *jsonrpc.Error
	return errors.As(err, &refusal)
}
