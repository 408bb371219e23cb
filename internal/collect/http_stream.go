package collect

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// event is one event of a stream.
type event struct {
	name, id string
	data     []byte
	retry    time.Duration
}

// events reads a stream of server-sent events. An event is bounded like any
// other message.
//
// Source: https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
type events struct {
	r       *bufio.Reader
	afterCR bool // a line feed that comes now belongs to the last line
}

func newEvents(r io.Reader) *events {
	e := &events{r: bufio.NewReaderSize(r, 64<<10)}
	if mark, _ := e.r.Peek(3); bytes.Equal(mark, []byte("\ufeff")) {
		_, _ = e.r.Discard(3)
	}
	return e
}

// next is the next event that says anything. At the end of the stream an event
// that was not finished is none.
func (e *events) next() (event, error) {
	var (
		ev    event
		size  int
		data  bool
		known bool
	)
	for {
		line, err := e.line(maxLine - size)
		if err != nil {
			return event{}, err
		}
		size += len(line)
		if len(line) == 0 {
			if known {
				return ev, nil
			}
			ev, size = event{}, 0
			continue
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(name) {
		case "data":
			if data {
				ev.data = append(ev.data, '\n')
			}
			ev.data, data, known = append(ev.data, value...), true, true
		case "event":
			ev.name = string(value)
		case "id":
			ev.id, known = string(value), true
		case "retry":
			if ms, err := strconv.Atoi(string(value)); err == nil && ms >= 0 {
				ev.retry = time.Duration(min(ms, 1<<20)) * time.Millisecond
			}
		}
	}
}

// line reads one line, which CRLF, LF or CR ends.
func (e *events) line(limit int) ([]byte, error) {
	var line []byte
	for {
		first, err := e.r.Peek(1)
		if err != nil {
			return nil, err
		}
		if e.afterCR && first[0] == '\n' {
			e.afterCR = false
			_, _ = e.r.Discard(1)
			continue
		}
		e.afterCR = false
		part, _ := e.r.Peek(e.r.Buffered())
		end := bytes.IndexAny(part, "\r\n")
		if end >= 0 {
			e.afterCR = part[end] == '\r'
			part = part[:end]
		}
		if len(line)+len(part) > limit {
			return nil, fmt.Errorf("%w: over %d MB", errLineTooLong, maxLine>>20)
		}
		line = append(line, part...)
		if end >= 0 {
			_, _ = e.r.Discard(end + 1)
			return line, nil
		}
		_, _ = e.r.Discard(len(part))
	}
}

// maxResumes is how often a stream that ended before its answer is taken up
// again.
const maxResumes = 3

// stream hands on the messages of the stream that answers a request. A server
// may end it early and give the rest to a new one.
func (w *httpWire) stream(response *http.Response, asked object) error {
	method := asked.text("method")
	for resumes := 0; ; resumes++ {
		answered, last, err := w.messages(w.body(response), asked)
		switch {
		case answered:
			return nil // what follows an answer is nobody's
		case err != nil && !errors.Is(err, io.EOF):
			return w.networkFault(err)
		case last.id == "":
			return failuref(Protocol, err, "%s ended its stream before %s was answered", w.display(), method)
		case resumes == maxResumes:
			return failuref(Protocol, err, "%s ended its stream %d times before %s was answered", w.display(), resumes+1, method)
		}
		if response, err = w.resume(last); err != nil {
			return err
		}
		defer response.Body.Close()
	}
}

// messages hands on the messages of one stream until the request is answered.
// last has what is needed to take it up again.
func (w *httpWire) messages(body io.Reader, asked object) (answered bool, last event, err error) {
	stream := newEvents(body)
	for {
		ev, err := stream.next()
		if err != nil {
			return false, last, err
		}
		if ev.id != "" {
			last.id = ev.id
		}
		if ev.retry > 0 {
			last.retry = ev.retry
		}
		if len(bytes.TrimSpace(ev.data)) == 0 || ev.name != "" && ev.name != "message" {
			continue
		}
		if w.deliver(ev.data, asked) {
			return true, last, nil
		}
	}
}

// resume asks for what follows an event.
func (w *httpWire) resume(last event) (*http.Response, error) {
	timer := time.NewTimer(min(max(last.retry, 100*time.Millisecond), w.options.RequestTimeout))
	defer timer.Stop()
	select {
	case <-w.ctx.Done():
		return nil, w.ctx.Err()
	case <-timer.C:
	}
	response, err := w.get(w.ctx, last.id)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK || mediaType(response) != "text/event-stream" {
		response.Body.Close()
		return nil, failuref(Protocol, nil, "%s ended its stream and does not take it up again (status %d)", w.display(), response.StatusCode)
	}
	return response, nil
}

// get opens a stream, or takes one up behind an event.
func (w *httpWire) get(ctx context.Context, after string) (*http.Response, error) {
	return w.do(ctx, httpRequest{method: http.MethodGet, to: w.address, after: after})
}

// connectLegacy asks a server of the time before Streamable HTTP: a stream that
// is opened first says where messages are posted. refusal is the answer that the
// first message got.
func (w *httpWire) connectLegacy(ctx context.Context, first []byte, refusal *Failure) error {
	streamCtx, cancel := context.WithCancel(w.ctx)
	stop := context.AfterFunc(ctx, cancel) // until the stream has begun
	response, err := w.get(streamCtx, "")
	if err != nil {
		cancel()
		return err
	}
	endpoint, stream, err := w.openLegacy(response, refusal)
	stop()
	if err != nil {
		cancel()
		response.Body.Close()
		return err
	}
	w.mu.Lock()
	w.legacy = endpoint
	w.mu.Unlock()
	go func() {
		defer cancel()
		defer response.Body.Close()
		for {
			ev, err := stream.next()
			if err != nil {
				_ = w.fail(w.networkFault(err))
				return
			}
			if ev.name == "" || ev.name == "message" {
				w.deliver(ev.data, nil)
			}
		}
	}()
	return w.send(ctx, first)
}

// openLegacy reads the beginning of the stream of an HTTP+SSE server.
func (w *httpWire) openLegacy(response *http.Response, refusal *Failure) (*url.URL, *events, error) {
	switch {
	case response.StatusCode == http.StatusUnauthorized:
		return nil, nil, w.needsAuthorization(response)
	case response.StatusCode != http.StatusOK || mediaType(response) != "text/event-stream":
		return nil, nil, refusal
	}
	stream := newEvents(w.body(response))
	endpoint, err := w.endpoint(stream)
	return endpoint, stream, err
}

// endpoint reads the address for messages, which must be of the same server:
// everything that is sent goes there.
func (w *httpWire) endpoint(stream *events) (*url.URL, error) {
	for {
		ev, err := stream.next()
		if err != nil {
			return nil, w.networkFault(err)
		}
		if ev.name != "endpoint" {
			continue
		}
		to, err := w.address.Parse(string(bytes.TrimSpace(ev.data)))
		switch {
		case err != nil:
			return nil, failuref(Protocol, err, "%s names an address for messages that cannot be read", w.display())
		case !sameOrigin(w.address, to):
			return nil, failuref(Protocol, nil, "%s wants its messages sent to another origin (%s); not done, for headers are for one server only", w.display(), w.shown(to))
		}
		to.User, to.Fragment, to.RawFragment = nil, "", ""
		return to, nil
	}
}
