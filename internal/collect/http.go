package collect

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// httpWire speaks Streamable HTTP with one server: each message is posted, and
// what comes back, as JSON or as a stream of events, is handed on as one line a
// message. So the same transport reads it that reads a process, and keeps what
// came before anything is decoded; the typed layer's own HTTP client would have
// dropped what is malformed.
//
// No stream is opened for what a server wants to say unasked: it is asked for
// its lists and then left.
//
// Source: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports
type httpWire struct {
	quoter
	address     *url.URL // without user info and fragment
	header      http.Header
	connections *http.Transport
	options     Options
	odd         func(kind, subject, format string, args ...any)

	ctx    context.Context // ends with the conversation
	cancel context.CancelFunc
	out    *io.PipeReader
	in     *io.PipeWriter

	mu      sync.Mutex
	session string   // Mcp-Session-Id
	version string   // that the server chose
	legacy  *url.URL // where an HTTP+SSE server wants its messages; nil for none
	failed  *Failure // the first fault
	left    int64    // bytes that may still come

	delivery sync.Mutex // one message at a time
}

// The headers of the protocol.
const (
	sessionHeader = "Mcp-Session-Id"
	versionHeader = "Mcp-Protocol-Version"
	methodHeader  = "Mcp-Method"
	eventHeader   = "Last-Event-Id"
)

// errSessionLost is the cause of a failure that a fresh session may mend.
var errSessionLost = errors.New("the session is gone")

func newHTTPWire(ctx context.Context, a Address, o Options, odd func(kind, subject, format string, args ...any), q quoter) *httpWire {
	address := *a.URL
	address.User, address.Fragment, address.RawFragment = nil, "", ""
	w := &httpWire{
		address: &address,
		header:  make(http.Header),
		// No http.Client: redirects are followed by hand, see do.
		connections: o.connections(),
		options:     o,
		odd:         odd,
		quoter:      q,
		left:        maxOutput,
	}
	w.ctx, w.cancel = context.WithCancel(ctx)
	w.out, w.in = io.Pipe()
	for name, value := range a.Header {
		w.header.Set(name, value)
	}
	w.header.Del("Accept-Encoding") // unpacking is net/http's business
	if user := a.URL.User; user != nil && w.header.Get("Authorization") == "" {
		r := http.Request{Header: w.header}
		password, _ := user.Password()
		r.SetBasicAuth(user.Username(), password)
	}
	return w
}

// close ends the session and everything that is still being read.
func (w *httpWire) close() {
	w.leave()
	w.cancel()
	w.out.CloseWithError(io.EOF)
	w.connections.CloseIdleConnections()
}

// leave tells the server that its session is over. Most do not care, so none is
// waited for long.
func (w *httpWire) leave() {
	w.mu.Lock()
	session := w.session
	w.mu.Unlock()
	if session == "" || w.ctx.Err() != nil {
		return
	}
	ctx, cancel := context.WithTimeout(w.ctx, failedGrace)
	defer cancel()
	if response, err := w.do(ctx, httpRequest{method: http.MethodDelete, to: w.address}); err == nil {
		response.Body.Close()
	}
}

// fault is what ended the conversation, nil while nothing did.
func (w *httpWire) fault() *Failure {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.failed
}

// fail ends the conversation; the first reason counts. The end of ctx is none:
// whoever ended it knows better.
func (w *httpWire) fail(err error) error {
	var failure *Failure
	switch {
	case w.ctx.Err() != nil:
		return w.ctx.Err()
	case !errors.As(err, &failure):
		failure = failuref(Protocol, err, "%s: %s", w.display(), w.foreign(err.Error()))
	}
	w.mu.Lock()
	if w.failed == nil {
		w.failed = failure
	}
	failure = w.failed
	w.mu.Unlock()
	w.in.CloseWithError(failure)
	return failure
}

// display is all of the address that is shown.
func (w *httpWire) display() string { return displayURL(w.address) }

// send posts one message. It returns when the server has answered with its
// headers; what it says is read behind that, for it may ask back before it
// answers.
func (w *httpWire) send(ctx context.Context, data []byte) error {
	message := decode(data)
	if message.text("method") == "notifications/cancelled" {
		return nil // who did not answer in time is left, and not waited for again
	}
	w.mu.Lock()
	target := w.address
	if w.legacy != nil {
		target = w.legacy
	}
	w.mu.Unlock()

	// The body outlives this call, the wait for its beginning does not.
	bodyCtx, cancel := context.WithCancel(w.ctx)
	stop := context.AfterFunc(ctx, cancel)
	// Our answers to a server's questions come with a ctx that never ends.
	timer := time.AfterFunc(w.options.StartTimeout+w.options.RequestTimeout, cancel)
	response, err := w.do(bodyCtx, httpRequest{method: http.MethodPost, to: target, body: data, message: message})
	timer.Stop()
	stop()
	if err == nil {
		err = w.answered(ctx, cancel, response, data, message)
	}
	if err == nil {
		return nil
	}
	cancel()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, context.Canceled) && w.ctx.Err() == nil:
		err = failuref(TimedOut, err, "%s got no answer to a message in time", w.display())
	}
	return w.fail(err)
}

// answered judges the beginning of an answer and has the rest read. It takes
// the response; cancel ends its body.
func (w *httpWire) answered(ctx context.Context, cancel func(), response *http.Response, data []byte, message object) error {
	method := message.text("method")
	isCall := method != "" && message.has("id")
	w.mu.Lock()
	hadSession, legacy := w.session != "", w.legacy != nil
	if id := response.Header.Get(sessionHeader); id != "" && !hadSession {
		w.session = id
	}
	w.mu.Unlock()

	if response.StatusCode/100 != 2 {
		defer cancel()
		defer response.Body.Close()
		return w.refused(ctx, response, data, message, hadSession)
	}
	if legacy || !isCall {
		// 202, or whatever: nothing that is said here is an answer.
		defer cancel()
		return response.Body.Close()
	}
	read := w.document
	if mediaType(response) == "text/event-stream" {
		read = w.stream
	}
	go func() {
		defer cancel()
		defer response.Body.Close()
		if err := read(response, message); err != nil {
			_ = w.fail(err)
		}
	}()
	return nil
}

// document hands on an answer that is one JSON text.
func (w *httpWire) document(response *http.Response, message object) error {
	raw, err := readMessage(w.body(response))
	if err != nil {
		return w.networkFault(err)
	}
	method := message.text("method")
	raw = bytes.TrimSpace(bytes.TrimPrefix(raw, []byte("\ufeff")))
	switch {
	case len(raw) == 0:
		return failuref(Protocol, nil, "%s answered %s with status %d and nothing else", w.display(), method, response.StatusCode)
	case raw[0] == '[':
		// Revision 2025-03-26 allows several messages in one text.
		elements, ok := object{"batch": raw}.list("batch")
		if !ok {
			break
		}
		for _, element := range elements {
			w.deliver(element, message)
		}
		return nil
	case decode(raw) != nil:
		if mediaType(response) != "application/json" {
			w.odd(MalformedHTTP, method, "the answer to %s has Content-Type \"%s\"", method, w.foreign(response.Header.Get("Content-Type")))
		}
		w.deliver(raw, message)
		return nil
	}
	return failuref(Protocol, nil, "%s answered %s with what is no MCP message: \"%s\"", w.display(), method, w.quoted(raw))
}

// deliver hands on one message, or what should be one, as a line and tells
// whether it is an answer. It may change raw. asked is the request whose answer
// is awaited where it came.
func (w *httpWire) deliver(raw []byte, asked object) (answer bool) {
	got := decode(raw)
	_, isRequest := got["method"]
	answer = got != nil && !isRequest
	if answer && asked.text("method") == "initialize" {
		w.mu.Lock()
		w.version = decode(got["result"]).text("protocolVersion")
		w.mu.Unlock()
	}
	// A line break in JSON is nothing but space; in a text it is escaped.
	for i, c := range raw {
		if c == '\n' || c == '\r' {
			raw[i] = ' '
		}
	}
	w.delivery.Lock()
	defer w.delivery.Unlock()
	// Both fail when the conversation is over.
	_, _ = w.in.Write(raw)
	_, _ = w.in.Write([]byte{'\n'})
	return answer
}

// bounded reads a body and counts what comes, unpacked, against what one
// conversation may bring.
type bounded struct {
	r    io.Reader
	wire *httpWire
}

func (w *httpWire) body(r *http.Response) io.Reader { return &bounded{r.Body, w} }

// errTooMuch says that a server sent more than it may.
var errTooMuch = errors.New("too much")

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	b.wire.mu.Lock()
	b.wire.left -= int64(n)
	over := b.wire.left < 0
	b.wire.mu.Unlock()
	if over {
		return 0, failuref(Protocol, errTooMuch, "%s sent more than %d MB", b.wire.display(), maxOutput>>20)
	}
	return n, err
}

// readMessage reads a body that is one message.
func readMessage(body io.Reader) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(body, maxLine+1))
	if len(raw) > maxLine {
		return nil, fmt.Errorf("%w: over %d MB", errLineTooLong, maxLine>>20)
	}
	return raw, err
}

func mediaType(r *http.Response) string {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		return ""
	}
	return media
}
