package collect

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// readEvents reads a stream to its end.
func readEvents(r io.Reader) (string, error) {
	var b strings.Builder
	for stream := newEvents(r); ; {
		ev, err := stream.next()
		if err != nil {
			return b.String(), err
		}
		fmt.Fprintf(&b, "%s|%s|%s|%s\n", ev.name, ev.id, ev.data, ev.retry)
	}
}

func TestEvents(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ in, want string }{
		{"data: a\n\n", "||a|0s\n"},
		{"data:a\ndata: b\ndata\n\n", "||a\nb\n|0s\n"},
		{"\ufeffevent: x\nid: 7\nretry: 20\ndata: a\n\n", "x|7|a|20ms\n"},
		{"data: a\r\rdata: b\r\n\r\n", "||a|0s\n||b|0s\n"},
		{": comment\nevent: x\n\ndata: a\n\n", "||a|0s\n"},
		{"retry: -1\nretry: x\nother: y\ndata: a\n\n", "||a|0s\n"},
		{"data: not finished\n", ""},
		{"data:\n\n", "|||0s\n"},
	} {
		for _, r := range []io.Reader{strings.NewReader(tt.in), iotest.OneByteReader(strings.NewReader(tt.in))} {
			if got, err := readEvents(r); got != tt.want || !errors.Is(err, io.EOF) {
				t.Errorf("%q: %q, %v; want %q", tt.in, got, err, tt.want)
			}
		}
	}
}

// However a stream is cut into pieces, it says the same.
func FuzzEvents(f *testing.F) {
	f.Add([]byte("id: 1\r\ndata: a\rdata:b\n\r\n\n\ufeff: x\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		whole, _ := readEvents(bytes.NewReader(raw))
		pieces, err := readEvents(iotest.OneByteReader(bytes.NewReader(raw)))
		if whole != pieces || !errors.Is(err, io.EOF) {
			t.Fatalf("%q: %q at once, %q in pieces, %v", raw, whole, pieces, err)
		}
	})
}
