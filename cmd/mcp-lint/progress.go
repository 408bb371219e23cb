package main

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// patience is how long work may take before somebody wants to know about it.
const patience = time.Second

// progress shows what is going on once the work has lasted for some time: the
// line that is true then, and every one after it.
type progress struct {
	mu     sync.Mutex
	w      io.Writer
	late   bool
	newest string
}

func newProgress(w io.Writer, after time.Duration) *progress {
	p := &progress{w: w}
	time.AfterFunc(after, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.late = true
		p.show()
	})
	return p
}

// tell takes the next line.
func (p *progress) tell(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.newest = line
	if p.late {
		p.show()
	}
}

func (p *progress) show() {
	if p.newest != "" {
		fmt.Fprintf(p.w, "mcp-lint: %s\n", p.newest)
	}
}
