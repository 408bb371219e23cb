package worker

import (
	"context"
	"sync"
)

// locks is a set of locks by name. Waiting for one ends with the context.
type locks struct {
	mu   sync.Mutex
	held map[string]*held
}

type held struct {
	slot  chan struct{} // holds one token while locked
	users int           // holder and waiters
}

func newLocks() *locks { return &locks{held: map[string]*held{}} }

// lock takes the named lock and returns its release.
func (l *locks) lock(ctx context.Context, name string) (unlock func(), err error) {
	l.mu.Lock()
	h := l.held[name]
	if h == nil {
		h = &held{slot: make(chan struct{}, 1)}
		l.held[name] = h
	}
	h.users++
	l.mu.Unlock()
	select {
	case h.slot <- struct{}{}:
		return func() { <-h.slot; l.leave(name, h) }, nil
	case <-ctx.Done():
		l.leave(name, h)
		return nil, ctx.Err()
	}
}

func (l *locks) leave(name string, h *held) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if h.users--; h.users == 0 {
		delete(l.held, name)
	}
}
