package sandbox

import (
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// cappedReader reads the command's standard output up to a limit. It never
// reads ahead, so that a flood waits in the pipe and not in our memory.
type cappedReader struct {
	f     *os.File
	limit int64
	over  func() // called once, when the limit is passed
	n     atomic.Int64
	full  atomic.Bool
	ended atomic.Bool
}

// Read implements io.Reader. For one reader at a time.
func (r *cappedReader) Read(p []byte) (int, error) {
	if r.full.Load() {
		return 0, ErrOutput
	}
	if len(p) == 0 {
		return 0, nil
	}
	room := r.limit - r.n.Load()
	if int64(len(p)) > room+1 {
		p = p[:room+1] // one byte more shows that there is more
	}
	n, err := readEnding(r.f, p, &r.ended)
	if int64(n) > room {
		r.n.Store(r.limit)
		r.full.Store(true)
		r.f.Close()
		r.over()
		return int(room), ErrOutput
	}
	r.n.Add(int64(n))
	if err != nil {
		r.f.Close()
	}
	return n, err
}

func (r *cappedReader) count() int64 { return r.n.Load() }

// finish says that the run is over: what is in the pipe can still be read, and
// silence is now the end.
func (r *cappedReader) finish() {
	r.ended.Store(true)
	endRead(r.f)
}

// readEnding reads f and takes a pipe that is silent after the end, or closed
// by endRead, for its end.
func readEnding(f *os.File, p []byte, ended *atomic.Bool) (int, error) {
	for {
		if ended.Load() {
			f.SetReadDeadline(time.Now().Add(settle)) // an error means: endRead closes f
		}
		wasEnded := ended.Load()
		n, err := f.Read(p)
		switch {
		case n > 0:
			return n, nil
		case errors.Is(err, os.ErrDeadlineExceeded) && !wasEnded:
			continue // the end came while we waited: look once more
		case err != nil:
			return 0, io.EOF
		}
	}
}

// endRead wakes a reader of f. Where pipes have no deadlines (Windows), f is
// closed after a while instead.
func endRead(f *os.File) {
	if f.SetReadDeadline(time.Now()) != nil {
		time.AfterFunc(2*settle, func() { f.Close() })
	}
}

// tail drains standard error and keeps its last bytes.
type tail struct {
	f       *os.File
	keep    int
	ended   atomic.Bool
	drained chan struct{}

	mu  sync.Mutex
	buf []byte
	n   int64
}

// newTail makes a tail; drain must be started once the command runs.
func newTail(f *os.File, keep int64) *tail {
	return &tail{f: f, keep: int(keep), drained: make(chan struct{})}
}

func (t *tail) drain() {
	defer close(t.drained)
	defer t.f.Close()
	chunk := make([]byte, 32<<10)
	for {
		n, err := readEnding(t.f, chunk, &t.ended)
		t.mu.Lock()
		t.n += int64(n)
		t.buf = append(t.buf, chunk[:n]...)
		if len(t.buf) > 2*t.keep { // trim rarely: each byte moves once at most
			t.buf = append(t.buf[:0], t.buf[len(t.buf)-t.keep:]...)
		}
		t.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// finish waits for the rest, but not for a process that keeps writing.
func (t *tail) finish() {
	t.ended.Store(true)
	endRead(t.f)
	select {
	case <-t.drained:
	case <-time.After(10 * settle):
		t.f.Close()
		<-t.drained
	}
}

func (t *tail) count() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.n
}

func (t *tail) last(n int) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if n < 0 || n > t.keep {
		n = t.keep
	}
	return string(t.buf[max(0, len(t.buf)-n):])
}
