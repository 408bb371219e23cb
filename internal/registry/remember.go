package registry

import (
	"context"
	"sync"
)

// Remember asks another resolver for each package once, so that one run gives
// one package one version, in however many files it stands. It may be used
// concurrently.
func Remember(r Resolver) Resolver {
	return &memory{asks: r, known: make(map[Package]func(context.Context) (Exact, error))}
}

type memory struct {
	asks  Resolver
	mu    sync.Mutex
	known map[Package]func(context.Context) (Exact, error)
}

func (m *memory) Resolve(ctx context.Context, p Package) (Exact, error) {
	m.mu.Lock()
	answer, ok := m.known[p]
	if !ok {
		answer = m.once(p)
		m.known[p] = answer
	}
	m.mu.Unlock()
	return answer(ctx)
}

// once is the answer about one package, which the first who wants it asks for.
func (m *memory) once(p Package) func(context.Context) (Exact, error) {
	var (
		once    sync.Once
		version Exact
		err     error
	)
	return func(ctx context.Context) (Exact, error) {
		once.Do(func() { version, err = m.asks.Resolve(ctx, p) })
		return version, err
	}
}
