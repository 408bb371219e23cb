package collect

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// transport speaks JSON-RPC with a process, or with what makes a remote server
// look like one, and is its own connection: it sends whole messages and reads
// one a line. Every message passes the recorder.
type transport struct {
	send func(ctx context.Context, message []byte) error
	out  *bufio.Reader
	rec  *recorder
	// noise notes a line that is no message.
	noise func(line []byte)

	write  sync.Mutex // one message at a time
	lines  chan []byte
	failed error // why lines was closed; set before
	closed chan struct{}
	close  sync.Once
}

func newTransport(send func(context.Context, []byte) error, out io.Reader, rec *recorder) *transport {
	t := &transport{
		send:   send,
		out:    bufio.NewReaderSize(out, 64<<10),
		rec:    rec,
		lines:  make(chan []byte),
		closed: make(chan struct{}),
	}
	t.noise = t.onStdout
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
	t.rec.sent(m)
	t.write.Lock()
	defer t.write.Unlock()
	return t.send(ctx, data)
}

// Read implements mcp.Connection. Lines that are no messages are noise: told
// once, and skipped.
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
			if err != nil || m == nil {
				if err != nil {
					return nil, err
				}
				continue
			}
			pass, reply := t.rec.received(m)
			if reply != nil {
				if err := t.Write(ctx, reply); err != nil {
					return nil, err
				}
			}
			if pass != nil {
				return pass, nil
			}
		}
	}
}

// message decodes one line; nil for a line that is none.
func (t *transport) message(line []byte) (jsonrpc.Message, error) {
	line, marked := bytes.CutPrefix(line, []byte("\ufeff"))
	if marked {
		t.rec.odd.stage(StdoutNoise, "byte order mark", "standard output has a byte order mark before a message")
	}
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return nil, nil
	}
	if line[0] != '{' {
		t.noise(line)
		return nil, nil
	}
	m, err := decodeMessage(line)
	if err != nil {
		if bytes.Contains(line, []byte(`"jsonrpc"`)) {
			return nil, fmt.Errorf("a message cannot be decoded: %w", err)
		}
		t.noise(line)
		return nil, nil
	}
	return m, nil
}

// onStdout is the noise of a process.
func (t *transport) onStdout(line []byte) {
	t.rec.odd.stage(StdoutNoise, "", "standard output is not clean: \"%s\"", t.rec.quoted(line))
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
