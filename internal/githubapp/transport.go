package githubapp

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	// tries is how often an idempotent request is sent when the connection or
	// the server (5xx) fails.
	tries = 3
	// firstPause doubles with each try.
	firstPause = 500 * time.Millisecond
	// secondaryPause is the wait that GitHub asks for when it names none
	// (docs.github.com: best practices for using the REST API: at least one
	// minute).
	secondaryPause = time.Minute
	// errorBody is how much of a failed answer is kept.
	errorBody = 64 << 10
)

type idempotentKey struct{}

// Idempotent marks the requests made with this context as safe to repeat when
// their answer was lost (an update of a comment's text, say). GET and HEAD
// always are.
func Idempotent(ctx context.Context) context.Context {
	return context.WithValue(ctx, idempotentKey{}, true)
}

func repeatable(r *http.Request) bool {
	if r.Body != nil && r.Body != http.NoBody && r.GetBody == nil {
		return false
	}
	marked, _ := r.Context().Value(idempotentKey{}).(bool)
	return marked || !writes(r) || strings.HasSuffix(r.URL.Path, "/access_tokens")
}

// baseTransport is the last step before the network, for App and installation
// requests alike: no credentials to foreign hosts, repeats, rate limits as
// *RetryLater, and answers without secrets.
type baseTransport struct{ app *App }

func (t baseTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if !t.app.endpoints.serves(r.URL) {
		closeBody(r)
		return nil, fmt.Errorf("refused to send the App's credentials to %s", Redact(r.URL.Host))
	}
	r = r.Clone(r.Context())
	r.Header.Set("User-Agent", t.app.userAgent)
	pause := firstPause
	for try := 1; ; try++ {
		resp, err := t.app.network.RoundTrip(r)
		if err == nil && resp.StatusCode >= 400 {
			err = t.failed(resp)
			if err != nil {
				return nil, err
			}
		}
		broken := err != nil || resp.StatusCode >= 500
		if !broken || try == tries || !repeatable(r) || r.Context().Err() != nil {
			if err != nil {
				err = redactedError{err}
			}
			return resp, err
		}
		if err := t.app.sleep(r.Context(), pause); err != nil {
			return nil, err
		}
		pause *= 2
		if r.GetBody != nil {
			body, err := r.GetBody()
			if err != nil {
				return nil, fmt.Errorf("repeat the request: %w", err)
			}
			r = r.Clone(r.Context())
			r.Body = body
		}
	}
}

// failed replaces a failed answer's body by a redacted copy, and returns an
// error when the answer is a demand to wait.
func (t baseTransport) failed(resp *http.Response) error {
	body, err := io.ReadAll(io.LimitReader(resp.Body, errorBody))
	resp.Body.Close()
	if err != nil {
		body = nil // the status says enough
	}
	body = []byte(Redact(string(body)))
	resp.Body = io.NopCloser(bytes.NewReader(body))
	resp.ContentLength = int64(len(body))
	return rateLimited(resp.StatusCode, resp.Header, body, t.app.now())
}

// rateLimited recognises GitHub's ways to say "not now". go-github knows the
// 403 forms only, and per client; we need them per installation.
func rateLimited(status int, h http.Header, body []byte, now time.Time) error {
	if status != http.StatusForbidden && status != http.StatusTooManyRequests && status != http.StatusServiceUnavailable {
		return nil
	}
	if s, err := strconv.Atoi(h.Get("Retry-After")); err == nil && s >= 0 {
		return &RetryLater{After: time.Duration(s) * time.Second, Reason: "GitHub asked to wait"}
	}
	if status == http.StatusServiceUnavailable {
		return nil
	}
	if reset, ok := exhausted(h, now); ok {
		return &RetryLater{After: reset.Sub(now), Reason: "GitHub's hourly rate limit is used up"}
	}
	secondary := bytes.Contains(body, []byte("secondary rate limit")) || bytes.Contains(body, []byte("secondary-rate-limits")) || bytes.Contains(body, []byte("#abuse-rate-limits"))
	if status == http.StatusTooManyRequests || secondary {
		return &RetryLater{After: secondaryPause, Reason: "GitHub's secondary rate limit was met"}
	}
	return nil
}

// exhausted reports until when no request of the hourly budget is left.
func exhausted(h http.Header, now time.Time) (time.Time, bool) {
	if h.Get("X-RateLimit-Remaining") != "0" {
		return time.Time{}, false
	}
	s, err := strconv.ParseInt(h.Get("X-RateLimit-Reset"), 10, 64)
	if err != nil {
		return time.Time{}, false
	}
	// One second more, because GitHub's clock and ours are not the same.
	reset := time.Unix(s, 0).Add(time.Second)
	return reset, reset.After(now)
}

func closeBody(r *http.Request) {
	if r.Body != nil {
		r.Body.Close()
	}
}
