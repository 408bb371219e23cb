package collect

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// transport speaks newline-delimited JSON-RPC with a process, or with what makes
// a remote server look like one, and is its own connection. Before a message is decoded its line is kept, for the
// typed layer drops what it does not know and refuses what is malformed, which
// is exactly what a linter has to see: the layer gets a repaired copy.
type transport struct {
	send func(ctx context.Context, message []byte) error
	out  *bufio.Reader
	odd  func(format string, args ...any)
	// foreign makes a text of the server fit to be quoted.
	foreign func(string) string

	lines  chan []byte
	failed error // why lines was closed; set before
	closed chan struct{}
	close  sync.Once

	mu      sync.Mutex
	asked   map[string]string // method by request ID, of requests without an answer
	answer  json.RawMessage   // result of the last answered request
	changed bool              // a list_changed notice came since the flag was cleared
	noise   int
}

func newTransport(send func(context.Context, []byte) error, out io.Reader, odd func(string, ...any), foreign func(string) string) *transport {
	t := &transport{
		send:    send,
		out:     bufio.NewReaderSize(out, 64<<10),
		odd:     odd,
		foreign: foreign,
		lines:   make(chan []byte),
		closed:  make(chan struct{}),
		asked:   make(map[string]string),
	}
	go t.readLines()
	return t
}

// Connect implements mcp.Transport.
func (t *transport) Connect(context.Context) (mcp.Connection, error) { return t, nil }

// SessionID implements mcp.Connection; stdio has none.
func (t *transport) SessionID() string { return "" }

// Close implements mcp.Connection. The process is ended by its owner.
func (t *transport) Close() error {
	t.close.Do(func() { close(t.closed) })
	return nil
}

// lines sends each message to a process in a write of its own, for some servers
// lose all but the first of what comes together.
func lines(in io.Writer) func(context.Context, []byte) error {
	return func(_ context.Context, message []byte) error {
		_, err := in.Write(append(message, '\n'))
		return err
	}
}

// Write implements mcp.Connection.
func (t *transport) Write(ctx context.Context, m jsonrpc.Message) error {
	data, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return fmt.Errorf("encode a message: %w", err)
	}
	if request, ok := m.(*jsonrpc.Request); ok && request.IsCall() {
		t.mu.Lock()
		t.asked[idText(request.ID)] = request.Method
		t.mu.Unlock()
	}
	return t.send(ctx, data)
}

// Read implements mcp.Connection. Lines that are no messages are noise: they
// are counted, told once, and skipped.
func (t *transport) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-t.closed:
			return nil, io.EOF
		case line, ok := <-t.lines:
			if !ok {
				return nil, t.failed
			}
			m, err := t.message(line)
			if m != nil || err != nil {
				return m, err
			}
		}
	}
}

// message decodes one line; nil for a line that the typed layer must not see.
func (t *transport) message(line []byte) (jsonrpc.Message, error) {
	line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\ufeff")))
	if len(line) == 0 {
		return nil, nil
	}
	if line[0] != '{' {
		t.makeNoise(line)
		return nil, nil
	}
	m, err := jsonrpc.DecodeMessage(line)
	if err != nil {
		if bytes.Contains(line, []byte(`"jsonrpc"`)) {
			return nil, fmt.Errorf("a message cannot be decoded: %w", err)
		}
		t.makeNoise(line)
		return nil, nil
	}
	switch m := m.(type) {
	case *jsonrpc.Request:
		switch m.Method {
		case "notifications/tools/list_changed", "notifications/prompts/list_changed", "notifications/resources/list_changed":
			t.mu.Lock()
			t.changed = true
			t.mu.Unlock()
			return nil, nil
		}
	case *jsonrpc.Response:
		return t.response(m), nil
	}
	return m, nil
}

// response keeps the raw result of an answer and repairs it for the typed
// layer. An answer to nothing that was asked is dropped.
func (t *transport) response(m *jsonrpc.Response) jsonrpc.Message {
	t.mu.Lock()
	method, known := t.asked[idText(m.ID)]
	delete(t.asked, idText(m.ID))
	if known {
		t.answer = m.Result
	}
	t.mu.Unlock()
	if !known {
		t.odd("answered a request that was never sent, or twice")
		return nil
	}
	if m.Error == nil {
		m.Result = repair(method, m.Result)
	}
	return m
}

func (t *transport) makeNoise(line []byte) {
	t.noise++
	if t.noise == 1 {
		t.odd("standard output is not clean: \"%s\"", t.foreign(start(line)))
	}
}

// result is the raw result of the last request that was answered.
func (t *transport) result() json.RawMessage {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.answer
}

// clearChanged reports whether a list changed since the last call.
func (t *transport) clearChanged() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	was := t.changed
	t.changed = false
	return was
}

// readLines hands on one line at a time, so that nothing is read ahead of what
// is used.
func (t *transport) readLines() {
	defer close(t.lines)
	for {
		line, err := t.readLine()
		if len(line) > 0 {
			select {
			case t.lines <- line:
			case <-t.closed:
				return
			}
		}
		if err != nil {
			t.failed = err
			return
		}
	}
}

var errLineTooLong = errors.New("a message is too long")

func (t *transport) readLine() ([]byte, error) {
	var line []byte
	for {
		part, err := t.out.ReadSlice('\n')
		if len(line)+len(part) > maxLine {
			return nil, fmt.Errorf("%w: over %d MB", errLineTooLong, maxLine>>20)
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

func idText(id jsonrpc.ID) string { return fmt.Sprintf("%T:%v", id.Raw(), id.Raw()) }
