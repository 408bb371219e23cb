package collect

import (
	"context"
	"errors"
	"net/url"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// Address is a remote server to ask, over Streamable HTTP or, where a server
// knows only that, HTTP+SSE. Environment look-ups are done.
type Address struct {
	// URL is http or https, with a host.
	URL    *url.URL
	Header map[string]string
	// Secrets are texts of URL and Header that may be in no output. User info
	// and query of the URL need not be named.
	Secrets []string
}

// Remote asks a server for its lists. Of its address only scheme and host are
// in any message. The error is a *Failure.
func Remote(ctx context.Context, a Address, o Options) (*Collected, error) {
	o = o.withDefaults()
	// Far above what a server that answers in time can need.
	ctx, cancel := context.WithTimeout(ctx, o.StartTimeout+maxLists*o.RequestTimeout)
	defer cancel()
	secrets := newRedactor(append(urlSecrets(a.URL), a.Secrets...))
	begun := time.Now()
	collected, err := converseRemote(ctx, a, secrets, o, preferredVersion)
	if errors.Is(err, errSessionLost) {
		collected, err = converseRemote(ctx, a, secrets, o, preferredVersion)
	}
	var first *turnedAway
	if !errors.As(err, &first) {
		return collected, err
	}
	return again(ctx, first, o, begun, func(o Options) (*Collected, error) {
		return converseRemote(ctx, a, secrets, o, first.wanted)
	})
}

// remote is a server over HTTP with the conversation.
type remote struct {
	*session
	http *httpWire
	wire *transport
}

func converseRemote(ctx context.Context, a Address, secrets *redactor, o Options, version string) (*Collected, error) {
	s := newSession(o, quoter{secrets: secrets, address: a.URL})
	r := &remote{session: s, http: newHTTPWire(ctx, a, o, s.odd.stage, s.quoter)}
	r.wire = newTransport(r.http.send, r.http.out, s.rec)
	r.wire.noise = func(line []byte) {
		s.odd.stage(MalformedHTTP, "message", "sent what is no message: \"%s\"", s.quoted(line))
	}
	defer r.end()

	o.Progress("waiting for initialize")
	return s.conclude(ctx, s.connect(ctx, r.wire, version), r.explain)
}

// end closes the session of the server.
func (r *remote) end() {
	r.http.close()
	if r.client == nil {
		_ = r.wire.Close()
		return
	}
	_ = r.client.Close() // closes the wire
}

// explain turns what went wrong in a conversation over HTTP into a
// failure. what is the step that failed.
func (r *remote) explain(ctx context.Context, what string, err error) *Failure {
	f := *r.cause(ctx, what, err) // a fault may be shared
	f.step = what
	return &f
}

func (r *remote) cause(ctx context.Context, what string, err error) *Failure {
	err = deadline(ctx, err)
	fault := r.http.fault()
	r.end()
	at := r.http.display()
	var refusal *jsonrpc.Error
	switch {
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		return failuref(TimedOut, err, "%s was interrupted", what)
	case fault != nil:
		return fault
	case errors.As(err, &refusal):
		return failuref(Protocol, err, "%s: %s was refused: error %d: %s", at, what, refusal.Code, r.foreign(refusal.Message))
	case errors.Is(err, context.DeadlineExceeded) && what == stepInitialize:
		return failuref(TimedOut, err, "%s: %s got no answer in time (%s, --start-timeout or startTimeout)", at, what, r.options.StartTimeout)
	case errors.Is(err, context.DeadlineExceeded):
		return failuref(TimedOut, err, "%s: %s got no answer in time (%s, --request-timeout or requestTimeout)", at, what, r.options.RequestTimeout)
	}
	return failuref(Protocol, err, "%s: %s failed: %s", at, what, r.foreign(err.Error()))
}
