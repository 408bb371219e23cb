package githubapp_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-github/v66/github"

	"github.com/mcp-lint/mcp-lint/internal/githubapp"
)

const installation = 77

func get(ctx context.Context, c *github.Client) error {
	_, _, err := c.Repositories.Get(ctx, "o", "r")
	return err
}

func create(ctx context.Context, c *github.Client) error {
	_, _, err := c.Checks.CreateCheckRun(ctx, "o", "r", github.CreateCheckRunOptions{Name: "n", HeadSHA: "s"})
	return err
}

func TestRequestsSayWhoWeAre(t *testing.T) {
	t.Parallel()
	f := newFake(t, func(w http.ResponseWriter, r *http.Request) {
		if got := r.Header.Get("User-Agent"); got != "mcp-lint/1.2.3" {
			t.Errorf("User-Agent %q", got)
		}
		if got := r.Header.Get("Authorization"); got != "Bearer "+secret {
			t.Errorf("Authorization %q", got)
		}
		w.Write([]byte("{}"))
	})
	client, source := f.app.Installation(installation, githubapp.ReadScope(1))
	if err := get(t.Context(), client); err != nil {
		t.Fatal(err)
	}
	if text, err := source.Reveal(t.Context()); text != secret || err != nil {
		t.Errorf("revealed %q, %v", text, err)
	}
	if s := source.String(); s != "token for contents: read, metadata: read" {
		t.Errorf("printed as %q", s)
	}
}

// tries is how often an idempotent request is sent.
const tries = 3

func TestFailuresAreRepeatedWhereThatIsSafe(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fails int // answers before it works
		call  func(context.Context, *github.Client) error
		seen  int
		ok    bool
	}{
		"read":                 {2, get, 3, true},
		"read, never answered": {9, get, 3, false},
		"create":               {1, create, 1, false},
		"marked write": {2, func(ctx context.Context, c *github.Client) error {
			return create(githubapp.Idempotent(ctx), c)
		}, 3, true},
	} {
		for _, how := range []string{"5xx", "broken connection"} {
			t.Run(name+", "+how, func(t *testing.T) {
				t.Parallel()
				left := c.fails
				f := newFake(t, func(w http.ResponseWriter, r *http.Request) {
					if body := make([]byte, 1); r.Method == http.MethodPost {
						if n, _ := r.Body.Read(body); n != 1 || body[0] != '{' {
							t.Error("the body was not sent again")
						}
					}
					if left--; left < 0 {
						w.Write([]byte("{}"))
					} else if how == "5xx" {
						http.Error(w, "oops", http.StatusBadGateway)
					} else {
						w.Header().Set("Content-Length", "5")
						w.WriteHeader(http.StatusBadGateway)
						panic(http.ErrAbortHandler)
					}
				})
				client, _ := f.app.Installation(installation, githubapp.ReadScope(1))
				err := c.call(t.Context(), client)
				// net/http repeats a read by itself when an idle connection breaks.
				most := c.seen
				if how != "5xx" && c.seen == tries {
					most++
				}
				if n := f.count(); (err == nil) != c.ok || n < c.seen || n > most {
					t.Errorf("%d requests, %v; want %d, ok=%v", f.count(), err, c.seen, c.ok)
				}
			})
		}
	}
}

func TestRateLimitsBecomeRetryLater(t *testing.T) {
	t.Parallel()
	const inTwentyMinutes = "by the test's clock"
	for name, c := range map[string]struct {
		status int
		header map[string]string
		body   string
		after  time.Duration // 0: no RetryLater
	}{
		"retry-after":           {403, map[string]string{"Retry-After": "42"}, `{"message":"no"}`, 42 * time.Second},
		"retry-after with 429":  {429, map[string]string{"Retry-After": "7"}, `{}`, 7 * time.Second},
		"retry-after with 503":  {503, map[string]string{"Retry-After": "9"}, `{}`, 9 * time.Second},
		"429 without more":      {429, nil, `{}`, time.Minute},
		"secondary, by message": {403, nil, `{"message":"You have exceeded a secondary rate limit."}`, time.Minute},
		"secondary, by link":    {403, nil, `{"documentation_url":"https://docs.github.com/x#about-secondary-rate-limits"}`, time.Minute},
		"primary":               {403, map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": inTwentyMinutes}, `{}`, 20 * time.Minute},
		"plain 403":             {403, map[string]string{"X-RateLimit-Remaining": "10"}, `{"message":"Resource not accessible by integration"}`, 0},
		"plain 404":             {404, nil, `{}`, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var reset string
			f := newFake(t, func(w http.ResponseWriter, _ *http.Request) {
				for k, v := range c.header {
					w.Header().Set(k, strings.ReplaceAll(v, inTwentyMinutes, reset))
				}
				w.WriteHeader(c.status)
				w.Write([]byte(c.body))
			})
			reset = strconv.FormatInt(f.clock.now().Add(20*time.Minute).Unix(), 10)
			client, _ := f.app.Installation(installation, githubapp.ReadScope(1))
			err := get(t.Context(), client)
			var later *githubapp.RetryLater
			if !errors.As(err, &later) {
				if c.after > 0 || err == nil {
					t.Fatalf("got %v", err)
				}
				return
			}
			if d := later.After - c.after; c.after == 0 || d < -2*time.Second || d > 2*time.Second {
				t.Fatalf("after %s, want %s", later.After, c.after)
			}
			// Every other client of the installation keeps quiet, too.
			other, _ := f.app.Installation(installation, githubapp.WriteScope(1))
			seen := f.count()
			if err := create(t.Context(), other); !errors.As(err, &later) || f.count() != seen {
				t.Errorf("another job: %v, %d more requests", err, f.count()-seen)
			}
			elsewhere, _ := f.app.Installation(installation+1, githubapp.WriteScope(1))
			if get(t.Context(), elsewhere); f.count() != seen+1 {
				t.Error("another installation was made to wait")
			}
			// … until the time is over.
			f.clock.sleep(t.Context(), c.after+2*time.Second)
			if get(t.Context(), client); f.count() == seen+1 {
				t.Error("still quiet after the time")
			}
		})
	}
}

func TestUsedUpBudgetStopsTheNextRequest(t *testing.T) {
	t.Parallel()
	f := newFake(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-RateLimit-Remaining", "0")
		w.Header().Set("X-RateLimit-Reset", strconv.FormatInt(time.Now().Add(time.Hour).Unix(), 10))
		w.Write([]byte("{}"))
	})
	client, _ := f.app.Installation(installation, githubapp.ReadScope(1))
	if err := get(t.Context(), client); err != nil {
		t.Fatalf("the last request counts: %v", err)
	}
	var later *githubapp.RetryLater
	if err := get(t.Context(), client); !errors.As(err, &later) || later.After < 59*time.Minute || f.count() != 1 {
		t.Errorf("got %v, %d requests", err, f.count())
	}
}

func TestWritesOfAnInstallationKeepThePace(t *testing.T) {
	t.Parallel()
	running, most := 0, 0
	var mu sync.Mutex
	f := newFake(t, func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		running++
		most = max(most, running)
		mu.Unlock()
		time.Sleep(time.Millisecond)
		mu.Lock()
		running--
		mu.Unlock()
		w.WriteHeader(http.StatusCreated)
		w.Write([]byte("{}"))
	})
	ctx := t.Context()
	for i := range 12 {
		// A new client each, as every job has.
		client, _ := f.app.Installation(installation, githubapp.WriteScope(1))
		if err := create(ctx, client); err != nil {
			t.Fatal(err)
		}
		if got := f.clock.total(); i < 8 && got != 0 || i == 8 && got < 900*time.Millisecond {
			t.Errorf("write %d: slept %s", i+1, got)
		}
	}
	if got := f.clock.total(); got < 3900*time.Millisecond || got > 4100*time.Millisecond {
		t.Errorf("12 writes: slept %s, want 4s (a burst of 8, then one a second)", got)
	}
	seen := f.count()
	for range 20 {
		client, _ := f.app.Installation(installation, githubapp.ReadScope(1))
		if err := get(ctx, client); err != nil {
			t.Fatal(err)
		}
	}
	if f.count() != seen+20 || f.clock.total() > 4100*time.Millisecond {
		t.Error("reads were paced")
	}
	var group sync.WaitGroup
	for range 6 {
		group.Go(func() {
			client, _ := f.app.Installation(installation, githubapp.WriteScope(1))
			if err := create(ctx, client); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if most > 1 {
		t.Errorf("%d writes at once, want one after the other", most)
	}
}

// When more wait than fit into the patience of a request, jobs are sent away
// instead of sleeping.
func TestTooManyWaitingWritesComeBackLater(t *testing.T) {
	t.Parallel()
	f := newFake(t, func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("{}")) })
	frozen := f.clock.now()
	app, err := githubapp.New(githubapp.Config{
		ID: 4242, Key: testKey(), Endpoints: f.app.Endpoints(),
		Now:   func() time.Time { return frozen },
		Sleep: func(context.Context, time.Duration) error { return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	client, _ := app.Installation(installation, githubapp.WriteScope(1))
	for i := range 18 {
		if err := create(t.Context(), client); err != nil {
			t.Fatalf("write %d: %v", i+1, err)
		}
	}
	for range 3 { // a refused write takes no place in the line
		var later *githubapp.RetryLater
		if err := create(t.Context(), client); !errors.As(err, &later) || later.After.Round(time.Second) != 11*time.Second {
			t.Errorf("got %v", err)
		}
	}
	if err := get(t.Context(), client); err != nil {
		t.Errorf("reading was made to wait for writes: %v", err)
	}
}

func TestSecretsStayOutOfErrors(t *testing.T) {
	t.Parallel()
	f := newFake(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusTeapot)
		w.Write([]byte(`{"message":"you sent ` + r.Header.Get("Authorization") + `","errors":[{"message":"` + secret + `"}]}`))
	})
	client, _ := f.app.Installation(installation, githubapp.ReadScope(1))
	if err := get(t.Context(), client); err == nil || strings.Contains(err.Error(), "ghs_") || !strings.Contains(err.Error(), "[redacted]") {
		t.Errorf("got %v", err)
	}
	if _, err := f.app.Self(t.Context()); err == nil || strings.Contains(err.Error(), "eyJ") {
		t.Errorf("got %v", err)
	}
}

func TestRedirectsGetNoCredentials(t *testing.T) {
	t.Parallel()
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("asked elsewhere, with %q", r.Header.Get("Authorization"))
	}))
	defer elsewhere.Close()
	f := newFake(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/repos/o/r") { // a renamed repository
			http.Redirect(w, r, "/api/v3/repositories/5", http.StatusMovedPermanently)
			return
		}
		if strings.HasSuffix(r.URL.Path, "/repositories/5") && r.Header.Get("Authorization") == "Bearer "+secret {
			w.Write([]byte(`{"id":5}`))
			return
		}
		http.Redirect(w, r, elsewhere.URL, http.StatusFound)
	})
	client, _ := f.app.Installation(installation, githubapp.ReadScope(1))
	if repo, _, err := client.Repositories.Get(t.Context(), "o", "r"); err != nil || repo.GetID() != 5 {
		t.Errorf("within GitHub: %v, %v", repo, err)
	}
	if _, _, err := client.Repositories.Get(t.Context(), "o", "other"); err == nil || !strings.Contains(err.Error(), "refused to send") {
		t.Errorf("to another host: %v", err)
	}
}

func TestCancelledRequestsEnd(t *testing.T) {
	t.Parallel()
	f := newFake(t, func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "", http.StatusBadGateway) })
	client, _ := f.app.Installation(installation, githubapp.ReadScope(1))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := get(ctx, client); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if f.count() > 0 {
		t.Error("asked all the same")
	}
}
