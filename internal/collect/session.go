package collect

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// session is one conversation with a server, whatever it is reached by.
type session struct {
	quoter
	options Options
	odd     *oddities
	rec     *recorder
	client  *mcp.ClientSession // nil until connected
}

func newSession(o Options, q quoter) *session {
	odd := &oddities{}
	return &session{quoter: q, options: o, odd: odd, rec: newRecorder(odd, q)}
}

// connect starts the conversation over a transport whose messages pass s.rec:
// with initialize, or server/discover for a version beyond those that are
// initialized.
func (s *session) connect(ctx context.Context, wire mcp.Transport, version string) error {
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
	s.client, err = client.Connect(ctx, wire, &mcp.ClientSessionOptions{ProtocolVersion: version})
	return deadline(ctx, err)
}

// deadline prefers the reason of the context: the typed layer words its end as
// an error of its own.
func deadline(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// turnedAway is the failure of a server that answered initialize with an error,
// or by ending.
type turnedAway struct {
	*Failure
	wanted string // the version to try next
}

// stepInitialize is the first step of a conversation, whatever the request is.
const stepInitialize = "initialize"

// conclude asks for everything that the server offers, once connecting is over;
// err is what came of that. explain turns the error of a step into the failure
// that the end of the connection explains best.
func (s *session) conclude(ctx context.Context, err error, explain func(ctx context.Context, what string, err error) *Failure) (*Collected, error) {
	if err != nil {
		failure := explain(ctx, stepInitialize, err)
		var refusal *jsonrpc.Error
		switch {
		case failure.Kind == Protocol && errors.As(err, &refusal):
			return nil, &turnedAway{failure, wantedVersion(refusal)}
		case failure.Kind == Crash:
			return nil, &turnedAway{failure, discoverVersion}
		}
		return nil, failure
	}
	parts, err := s.parts(ctx)
	var step *stepError
	switch {
	case errors.As(err, &step):
		return nil, explain(ctx, step.step, step.err)
	case err != nil:
		return nil, explain(ctx, "the conversation", err)
	}
	return s.collected(parts)
}

// collected makes a snapshot of the answers, without what the server was handed.
func (s *session) collected(parts snapshot.Parts) (*Collected, error) {
	held := s.secrets.parts(&parts)
	snap, err := snapshot.Parse("", snapshot.Assemble(parts))
	if err != nil {
		var place *snapshot.ParseError
		if errors.As(err, &place) {
			// The place is one in our own assembly of the answers.
			err = errors.New(place.Message)
		}
		return nil, failuref(Protocol, err, "the server's answers cannot be read: %s", s.foreign(err.Error()))
	}
	snap.Redacted = held
	for _, ref := range held {
		s.odd.addOn(ref, RepeatedSecret, "%s %s repeats a secret that the server was given; it is shown as %s", ref.Kind, s.foreign(ref.Name), redacted)
	}
	return &Collected{Snapshot: snap, Oddities: s.odd.all()}, nil
}

// offer is one list that a server may have.
type offer struct {
	capability, method string
	into               *[][]byte
}

// parts reads every list that the server offers, and those again that the
// server calls changed meanwhile, so that each is one consistent list.
func (s *session) parts(ctx context.Context) (snapshot.Parts, error) {
	hello := s.hello()
	p := snapshot.Parts{
		ServerInfo:      hello.serverInfo,
		ProtocolVersion: hello.version,
		Capabilities:    hello.capabilities,
		Instructions:    hello.instructions,
	}
	var lists []offer
	for _, o := range []offer{
		{"tools", "tools/list", &p.Tools},
		{"prompts", "prompts/list", &p.Prompts},
		{"resources", "resources/list", &p.Resources},
		{"resources", "resources/templates/list", &p.ResourceTemplates},
	} {
		if hello.offers(o.capability) {
			lists = append(lists, o)
		}
	}
	// unstable counts how often in a row a list changed while it was read.
	unstable := make(map[string]int)
	for reads := 1; len(lists) > 0 && reads <= 1+maxRestarts; reads++ {
		started := make(map[string]int)
		for _, o := range lists {
			started[o.method], _ = s.rec.notices(o.method)
			if err := s.read(ctx, o, hello); err != nil {
				return p, err
			}
			if _, during := s.rec.notices(o.method); during > started[o.method] {
				unstable[o.method]++
			}
			if unstable[o.method] > maxRestarts {
				s.odd.add(UnstableList, o.method, "%s changed each of the %d times it was read", o.method, reads)
			}
		}
		var changed []offer
		for _, o := range lists {
			if now, _ := s.rec.notices(o.method); now > started[o.method] {
				changed = append(changed, o)
			}
		}
		lists = changed
	}
	return p, nil
}

// read reads one list. A refusal is an answer too: that of a server without the
// list, which cannot have anything in it. Of tools it is a failure, for they are
// what a server is asked for.
func (s *session) read(ctx context.Context, o offer, h greeting) error {
	s.options.Progress("waiting for " + o.method)
	entities, err := s.pages(ctx, o.method)
	var refusal *jsonrpc.Error
	refused := errors.As(err, &refusal)
	missing := refused && refusal.Code == jsonrpc.CodeMethodNotFound
	switch {
	case missing && !h.declared:
		return nil
	case missing && o.method != "tools/list", refused && o.method == "resources/templates/list":
		s.odd.add(RefusedList, o.method, "%s is refused although %s are offered", o.method, o.capability)
		return nil
	case err != nil:
		return &stepError{o.method, err}
	}
	*o.into = entities
	return nil
}

// stepError remembers which request failed.
type stepError struct {
	step string
	err  error
}

func (e *stepError) Error() string { return e.step + ": " + e.err.Error() }
func (e *stepError) Unwrap() error { return e.err }

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
			s.odd.add(BrokenPaging, method, "%s: paging is broken, the same page came twice", method)
			return entities, nil
		}
		seen[sum] = true
		entities = append(entities, elements...)

		next, more := page["nextCursor"]
		if !more || next.Kind() != '"' {
			if more && next.Kind() != 'n' {
				s.odd.add(BrokenPaging, method, "%s: nextCursor is %s, not a text", method, s.quoted(next))
			}
			return entities, nil
		}
		cursor = page.text("nextCursor")
		if cursors[cursor] {
			s.odd.add(BrokenPaging, method, "%s: paging is broken, cursor \"%s\" came twice", method, s.foreign(cursor))
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
	raw := s.rec.result()
	page := decode(raw)
	if page == nil {
		return nil, fmt.Errorf("the result is no object: %s", s.quoted(raw))
	}
	return page, nil
}

// isRefusal reports whether the server answered with an error.
func isRefusal(err error) bool {
	var refusal *jsonrpc.Error
	return errors.As(err, &refusal)
}
