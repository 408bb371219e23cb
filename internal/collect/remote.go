package collect

import (
	"context"
	"errors"
	"net/url"

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
	collected, err := converseRemote(ctx, a, secrets, o, preferredVersion)
	if errors.Is(err, errSessionLost) {
		collected, err = converseRemote(ctx, a, secrets, o, preferredVersion)
	}
	var refused *refusedVersion
	if errors.As(err, &refused) {
		collected, err = converseRemote(ctx, a, secrets, o, refused.wanted)
		if errors.As(err, &refused) {
			return nil, refused.Failure
		}
	}
	return collected, err
}

func converseRemote(ctx context.Context, a Address, secrets *redactor, o Options, version string) (*Collected, error) {
	odd := &oddities{}
	s := &session{options: o, secrets: secrets, odd: odd}
	s.http = newHTTPWire(ctx, a, o, odd.addf, s.foreign)
	s.wire = newTransport(s.http.send, s.http.out, odd.addf, s.foreign)
	defer s.end(0)

	o.Progress("waiting for initialize")
	return s.converse(ctx, version)
}

// explainRemote turns what went wrong in a conversation over HTTP into a
// failure. what is the step that failed.
func (s *session) explainRemote(ctx context.Context, what string, err error) *Failure {
	err = deadline(ctx, err)
	fault := s.http.fault()
	s.end(0)
	at := s.http.display()
	var refusal *jsonrpc.Error
	switch {
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		return failuref(TimedOut, err, "%s was interrupted", what)
	case fault != nil:
		return fault
	case errors.As(err, &refusal):
		return failuref(Protocol, err, "%s: %s was refused: error %d: %s", at, what, refusal.Code, s.foreign(refusal.Message))
	case errors.Is(err, context.DeadlineExceeded) && what == "initialize":
		return failuref(TimedOut, err, "%s: %s got no answer in time (%s, --start-timeout or startTimeout)", at, what, s.options.StartTimeout)
	case errors.Is(err, context.DeadlineExceeded):
		return failuref(TimedOut, err, "%s: %s got no answer in time (%s, --request-timeout or requestTimeout)", at, what, s.options.RequestTimeout)
	}
	return failuref(Protocol, err, "%s: %s failed: %s", at, what, s.foreign(err.Error()))
}
