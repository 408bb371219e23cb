package collect

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"

	"golang.org/x/net/http/httpguts"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// maxHops is how many redirects of one request are followed.
const maxHops = 5

// connections makes the connections of one conversation.
func (o Options) connections() *http.Transport {
	t := o.Egress.transport(o.Env)
	t.TLSClientConfig = &tls.Config{RootCAs: o.roots, MinVersion: tls.VersionTLS12}
	return t
}

// httpRequest is one request to the server.
type httpRequest struct {
	method  string
	to      *url.URL
	body    []byte
	message object // the body's
	after   string // the event that a stream goes on behind
}

// do sends a request and follows redirects inside the same origin, with method,
// headers and body: what is sent is for that server and for no other.
func (w *httpWire) do(ctx context.Context, r httpRequest) (*http.Response, error) {
	for hop := 0; ; hop++ {
		request, err := http.NewRequestWithContext(ctx, r.method, r.to.String(), bytes.NewReader(r.body))
		if err != nil {
			return nil, failuref(Input, err, "%s: the address cannot be asked", w.display())
		}
		w.setHeaders(request, r)
		response, err := w.connections.RoundTrip(request)
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return nil, w.networkFault(err)
		}
		location := response.Header.Get("Location")
		if response.StatusCode/100 != 3 || response.StatusCode == http.StatusNotModified || location == "" {
			return response, nil
		}
		response.Body.Close()
		if r.to, err = w.redirect(r, location, response.StatusCode, hop); err != nil {
			return nil, err
		}
	}
}

// redirect is where a redirect leads, or why it is not followed.
func (w *httpWire) redirect(r httpRequest, location string, status, hop int) (*url.URL, error) {
	to, err := r.to.Parse(location)
	switch {
	case err != nil:
		return nil, failuref(Protocol, err, "%s redirects to an address that cannot be read", w.display())
	case hop == maxHops:
		return nil, failuref(Protocol, nil, "%s redirects more than %d times", w.display(), maxHops)
	case status == http.StatusSeeOther && r.method != http.MethodGet:
		return nil, failuref(Protocol, nil, "%s answers %s with a redirect that turns it into another request (status 303)", w.display(), r.method)
	case w.address.Scheme == "https" && to.Scheme == "http":
		return nil, failuref(Protocol, nil, "%s redirects from https to http (%s); not followed, for what is sent could be read on the way", w.display(), w.shown(to))
	case !sameOrigin(w.address, to):
		return nil, failuref(Protocol, nil, "%s redirects to another origin (%s); not followed, for headers are for one server only; give its address if you mean it", w.display(), w.shown(to))
	}
	to.User, to.Fragment, to.RawFragment = nil, "", ""
	return to, nil
}

// setHeaders sets the operator's headers and, over them, the protocol's.
func (w *httpWire) setHeaders(request *http.Request, r httpRequest) {
	h := w.header.Clone()
	request.Header = h
	// A server may close a connection while we write to it. What we ask changes
	// nothing, so net/http may ask again over a new one; the name without a value
	// says so, and is not sent.
	if h.Get("Idempotency-Key") == "" {
		h["Idempotency-Key"] = nil
	}
	request.Host = h.Get("Host") // "" stands for the address's
	h.Del("Host")
	if h.Get("User-Agent") == "" {
		h.Set("User-Agent", "mcp-lint/"+w.options.ClientVersion)
	}
	h.Set("Accept", "application/json, text/event-stream")
	if r.method == http.MethodGet {
		h.Set("Accept", "text/event-stream")
	}
	if r.body != nil {
		h.Set("Content-Type", "application/json")
	}
	if r.after != "" && httpguts.ValidHeaderFieldValue(r.after) {
		h.Set(eventHeader, r.after)
	}
	w.mu.Lock()
	session, version := w.session, w.version
	w.mu.Unlock()
	if session != "" {
		h.Set(sessionHeader, session)
	}
	// Stateless revisions say their version, and the method, with every message.
	// Others know no such header, so the method is always there: a gateway may
	// want it before it lets the first message through.
	// Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
	if method := r.message.text("method"); method != "" {
		h.Set(methodHeader, method)
	}
	if own := decode(decode(r.message["params"])["_meta"]).text("io.modelcontextprotocol/protocolVersion"); own != "" {
		version = own
	}
	if version != "" && httpguts.ValidHeaderFieldValue(version) {
		h.Set(versionHeader, version)
	}
}

// networkFault words what went wrong below HTTP.
func (w *httpWire) networkFault(err error) error {
	var (
		failure *Failure
		network *net.OpError
	)
	switch {
	case errors.As(err, &failure):
		return failure
	case errors.Is(err, errNotPublic):
		return failuref(Sandbox, err, "%s is not asked: %s", w.display(), errNotPublic)
	case errors.Is(err, errLineTooLong):
		return failuref(Protocol, err, "%s: %s", w.display(), err)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return failuref(Crash, err, "%s ended the connection before its answer was complete", w.display())
	}
	if errors.As(err, &network) && network.Op == "proxyconnect" {
		return failuref(Start, err, "%s cannot be reached: its proxy does not answer", w.display())
	}
	return failuref(Start, err, "%s cannot be reached: %s", w.display(), w.foreign(withoutAddresses(err)))
}

// withoutAddresses words a fault of the network without the address, the port
// and the resolver that the errors of net carry: they are the operator's.
func withoutAddresses(err error) string {
	var (
		name    *net.DNSError
		network *net.OpError
		call    *os.SyscallError
	)
	switch {
	case errors.As(err, &name):
		return "its name is not found: " + name.Err
	case errors.As(err, &call):
		return call.Err.Error()
	case errors.As(err, &network):
		return network.Err.Error()
	}
	return err.Error()
}

// shown is another address as far as it may be shown; it is the server's text.
func (w *httpWire) shown(u *url.URL) string { return w.foreign(displayURL(u)) }

// displayURL is what of an address may be shown: scheme and host.
func displayURL(u *url.URL) string {
	host := u.Hostname()
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	return snapshot.Visible(u.Scheme + "://" + host)
}

// sameOrigin compares scheme, host and port.
func sameOrigin(a, b *url.URL) bool {
	port := func(u *url.URL) string {
		if p := u.Port(); p != "" {
			return p
		}
		return map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return a.Scheme == b.Scheme && strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}
