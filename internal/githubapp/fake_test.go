package githubapp_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcp-lint/mcp-lint/internal/githubapp"
)

// clock is a clock that nobody has to wait for: sleeping moves it.
type clock struct {
	mu    sync.Mutex
	t     time.Time
	slept []time.Duration
}

func newClock() *clock { return &clock{t: time.Now()} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.t
}

func (c *clock) sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = c.t.Add(d)
	c.slept = append(c.slept, d)
	return ctx.Err()
}

func (c *clock) total() (d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.slept {
		d += s
	}
	return d
}

const secret = "ghs_4242_eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjF9.c2VjcmV0"

// fake answers what the real stand-in never would. It mints tokens by itself.
type fake struct {
	app   *githubapp.App
	clock *clock
	url   string

	mu    sync.Mutex
	mints int
	seen  []string
}

func newFake(t *testing.T, answer http.HandlerFunc) *fake {
	t.Helper()
	f := &fake{clock: newClock()}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.mu.Lock()
		f.seen = append(f.seen, r.Method+" "+r.URL.Path)
		f.mu.Unlock()
		if strings.HasSuffix(r.URL.Path, "/access_tokens") {
			f.mu.Lock()
			f.mints++
			f.mu.Unlock()
			w.WriteHeader(http.StatusCreated)
			fmt.Fprintf(w, `{"token":%q,"expires_at":%q}`, secret, time.Now().Add(time.Hour).Format(time.RFC3339))
			return
		}
		answer(w, r)
	}))
	t.Cleanup(srv.Close)
	f.url = srv.URL
	endpoints, err := githubapp.NewEndpoints(srv.URL)
	if err != nil {
		t.Fatal(err)
	}
	f.app, err = githubapp.New(githubapp.Config{
		ID: 4242, Key: testKey(), Endpoints: endpoints, Version: "1.2.3", Now: f.clock.now, Sleep: f.clock.sleep,
	})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// count is the number of requests that were answered, mints left out.
func (f *fake) count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.seen) - f.mints
}
