package webhook_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/mcp-lint/mcp-lint/internal/queue"
	"github.com/mcp-lint/mcp-lint/internal/store"
	"github.com/mcp-lint/mcp-lint/webhook"
)

const secret = "a secret of the tests"

// bench is a handler on a real database, with a queue that nobody works on.
type bench struct {
	t       testing.TB
	handler *webhook.Handler
	store   *store.Store
	queue   *queue.Queue
	n       int
}

func newBench(t testing.TB, secrets ...string) *bench {
	t.Helper()
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "bot.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	q, err := queue.New(t.Context(), s.DB(), queue.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, store: s, queue: q}
	b.handler = b.newHandler(secrets...)
	return b
}

func (b *bench) newHandler(secrets ...string) *webhook.Handler {
	b.t.Helper()
	if len(secrets) == 0 {
		secrets = []string{secret}
	}
	o := webhook.Options{Store: b.store, Queue: b.queue}
	for _, s := range secrets {
		o.Secrets = append(o.Secrets, []byte(s))
	}
	h, err := webhook.New(o)
	if err != nil {
		b.t.Fatal(err)
	}
	return h
}

func sign(newHash func() hash.Hash, secret, body string) string {
	m := hmac.New(newHash, []byte(secret))
	m.Write([]byte(body))
	return hex.EncodeToString(m.Sum(nil))
}

// request is a genuine delivery; tests spoil it.
func request(id, event, body string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, webhook.Path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-GitHub-Event", event)
	r.Header.Set("X-GitHub-Delivery", id)
	r.Header.Set("X-Hub-Signature-256", "sha256="+sign(sha256.New, secret, body))
	return r
}

func (b *bench) serve(r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	b.handler.ServeHTTP(w, r)
	return w
}

// deliver sends a genuine delivery with a new id and returns its outcome.
func (b *bench) deliver(event, body string) webhook.Outcome {
	b.t.Helper()
	b.n++
	w := b.serve(request(fmt.Sprintf("delivery-%d", b.n), event, body))
	if w.Code != http.StatusAccepted {
		b.t.Fatalf("%s: status %d: %s", event, w.Code, w.Body)
	}
	return webhook.Outcome(strings.TrimSpace(w.Body.String()))
}

// count is the result of a counting query.
func (b *bench) count(query string, args ...any) int {
	b.t.Helper()
	var n int
	if err := b.store.DB().QueryRowContext(b.t.Context(), query, args...).Scan(&n); err != nil {
		b.t.Fatal(err)
	}
	return n
}

// jobs counts the jobs that wait.
func (b *bench) jobs() int {
	return b.count(`SELECT count(*) FROM river_job WHERE state = 'available'`)
}

func octokit(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "octokit", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// edit changes a payload.
func edit(t testing.TB, payload string, change func(event, pr map[string]any)) string {
	t.Helper()
	var event map[string]any
	d := json.NewDecoder(strings.NewReader(payload))
	d.UseNumber()
	if err := d.Decode(&event); err != nil {
		t.Fatal(err)
	}
	pr, _ := event["pull_request"].(map[string]any)
	change(event, pr)
	text, err := json.Marshal(event)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestOnlyGenuineDeliveriesAreTaken(t *testing.T) {
	t.Parallel()
	ping := octokit(t, "ping")
	form := "payload=" + url.QueryEscape(ping)
	for name, c := range map[string]struct {
		spoil  func(*http.Request)
		body   string
		status int
	}{
		"genuine":            {nil, ping, 202},
		"another path":       {func(r *http.Request) { r.URL.Path = "/" }, ping, 404},
		"GET":                {func(r *http.Request) { r.Method = http.MethodGet }, ping, 405},
		"no signature":       {func(r *http.Request) { r.Header.Del("X-Hub-Signature-256") }, ping, 401},
		"SHA-1 header alone": {sha1Only, ping, 401},
		"SHA-1 in the other header": {func(r *http.Request) {
			r.Header.Set("X-Hub-Signature-256", "sha1="+sign(sha1.New, secret, ping))
		}, ping, 401},
		"wrong secret": {func(r *http.Request) {
			r.Header.Set("X-Hub-Signature-256", "sha256="+sign(sha256.New, "guess", ping))
		}, ping, 401},
		"signature not hex":  {func(r *http.Request) { r.Header.Set("X-Hub-Signature-256", "sha256=zz") }, ping, 401},
		"empty signature":    {func(r *http.Request) { r.Header.Set("X-Hub-Signature-256", "sha256=") }, ping, 401},
		"no delivery id":     {func(r *http.Request) { r.Header.Del("X-GitHub-Delivery") }, ping, 400},
		"endless id":         {func(r *http.Request) { r.Header.Set("X-GitHub-Delivery", strings.Repeat("x", 101)) }, ping, 400},
		"no event":           {func(r *http.Request) { r.Header.Del("X-GitHub-Event") }, ping, 400},
		"other content type": {func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, ping, 415},
		"charset":            {func(r *http.Request) { r.Header.Set("Content-Type", "application/json; charset=utf-8") }, ping, 202},
		"form":               {func(r *http.Request) { r.Header.Set("Content-Type", "application/x-www-form-urlencoded") }, form, 202},
		"form without payload": {func(r *http.Request) {
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		}, "x=1", 400},
		"not JSON":      {nil, "nonsense", 400},
		"unknown event": {func(r *http.Request) { r.Header.Set("X-GitHub-Event", "brand_new") }, ping, 202},
		"at the limit":  {nil, padded(webhook.MaxPayload), 202},
		"over it":       {nil, padded(webhook.MaxPayload + 1), 413},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			r := request("one", "ping", c.body)
			if c.spoil != nil {
				c.spoil(r)
			}
			w := b.serve(r)
			if w.Code != c.status {
				t.Fatalf("status %d, want %d: %s", w.Code, c.status, w.Body)
			}
			stored := b.count(`SELECT count(*) FROM deliveries`)
			if want := c.status == http.StatusAccepted; (stored == 1) != want {
				t.Errorf("%d deliveries stored", stored)
			}
		})
	}
}

func sha1Only(r *http.Request) {
	r.Header.Del("X-Hub-Signature-256")
	r.Header.Set("X-Hub-Signature", "sha1="+sign(sha1.New, secret, "{}"))
}

func padded(n int) string {
	const start, end = `{"zen":"`, `"}`
	return start + strings.Repeat("a", n-len(start)-len(end)) + end
}

// The vector that GitHub publishes for testing an implementation
// (https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries#testing-the-webhook-payload-validation).
// Its text is no JSON, so a good signature shows by the complaint about that.
func TestGitHubsSignatureVector(t *testing.T) {
	t.Parallel()
	const (
		vectorSecret = "It's a Secret to Everybody"
		text         = "Hello, World!"
		signature    = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
	)
	for _, c := range []struct {
		name, secret, text, signature string
		status                        int
	}{
		{"as published", vectorSecret, text, signature, 400},
		{"upper case", vectorSecret, text, strings.ToUpper(signature), 400},
		{"another text", vectorSecret, text + "\n", signature, 401},
		{"another secret", secret, text, signature, 401},
		{"last digit changed", vectorSecret, text, signature[:63] + "8", 401},
		{"cut", vectorSecret, text, signature[:62], 401},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, c.secret)
			r := request("one", "ping", c.text)
			r.Header.Set("X-Hub-Signature-256", "sha256="+c.signature)
			if w := b.serve(r); w.Code != c.status {
				t.Errorf("status %d, want %d: %s", w.Code, c.status, w.Body)
			}
		})
	}
}

func TestBothSecretsCountDuringRotation(t *testing.T) {
	t.Parallel()
	b := newBench(t, "new", "old")
	body := octokit(t, "ping")
	for s, want := range map[string]int{"new": 202, "old": 202, "older": 401} {
		r := request("id-"+s, "ping", body)
		r.Header.Set("X-Hub-Signature-256", "sha256="+sign(sha256.New, s, body))
		if w := b.serve(r); w.Code != want {
			t.Errorf("secret %s: status %d, want %d", s, w.Code, want)
		}
	}
}

func TestNoHandlerWithoutSecret(t *testing.T) {
	t.Parallel()
	for _, secrets := range [][][]byte{nil, {nil}, {[]byte(" \n")}, {[]byte("good"), nil}} {
		if _, err := webhook.New(webhook.Options{Secrets: secrets}); err == nil {
			t.Errorf("secrets %q: accepted", secrets)
		}
	}
}

func TestRedeliveryIsNoOp(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	body := octokit(t, "pull_request.opened")
	for i, want := range []string{"accepted", "duplicate", "duplicate"} {
		w := b.serve(request("same", "pull_request", body))
		if w.Code != 202 || strings.TrimSpace(w.Body.String()) != want {
			t.Errorf("delivery %d: %d %s, want 202 %s", i, w.Code, w.Body, want)
		}
	}
	if b.jobs() != 1 || b.count(`SELECT count(*) FROM runs`) != 1 {
		t.Errorf("%d jobs, want 1", b.jobs())
	}
}

// The delivery and its job are one: without the job there is no delivery, and
// GitHub's redelivery gets its chance.
func TestDeliveryAndJobAreOneTransaction(t *testing.T) {
	t.Parallel()
	for _, table := range []string{"river_job", "runs", "pulls"} {
		t.Run(table, func(t *testing.T) {
			b := newBench(t)
			exec := func(statement string) {
				if _, err := b.store.DB().ExecContext(t.Context(), statement); err != nil {
					t.Fatal(err)
				}
			}
			exec(`CREATE TRIGGER fault BEFORE INSERT ON ` + table + ` BEGIN SELECT RAISE(ABORT, 'no space'); END`)
			body := octokit(t, "pull_request.opened")
			if w := b.serve(request("one", "pull_request", body)); w.Code != http.StatusInternalServerError {
				t.Fatalf("status %d, want 500", w.Code)
			}
			for _, table := range []string{"deliveries", "pulls", "runs", "river_job"} {
				if n := b.count(`SELECT count(*) FROM ` + table); n != 0 {
					t.Errorf("%d rows in %s after the failure", n, table)
				}
			}
			exec(`DROP TRIGGER fault`)
			if w := b.serve(request("one", "pull_request", body)); w.Code != 202 || b.jobs() != 1 {
				t.Errorf("redelivery: status %d, %d jobs", w.Code, b.jobs())
			}
		})
	}
}

func TestMetricsHaveBoundedLabels(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.deliver("ping", octokit(t, "ping"))
	for i := range 5 {
		b.deliver(fmt.Sprintf("invented_%d", i), "{}")
	}
	b.serve(httptest.NewRequest(http.MethodPost, webhook.Path, bytes.NewReader(nil)))
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(b.handler.Metrics())
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, m := range families[0].GetMetric() {
		got[m.GetLabel()[0].GetValue()+" "+m.GetLabel()[1].GetValue()] = m.GetCounter().GetValue()
	}
	for key, want := range map[string]float64{"ping noted": 1, "other ignored": 5, "other unauthorized": 1} {
		if got[key] != want {
			t.Errorf("%s = %v, want %v (all: %v)", key, got[key], want, got)
		}
	}
	if len(got) != 3 {
		t.Errorf("label sets %v", got)
	}
}

// outcomeOf is what the database says of the last delivery.
func (b *bench) outcomeOf(ctx context.Context, id string) (outcome string) {
	b.t.Helper()
	if err := b.store.DB().QueryRowContext(ctx, `SELECT outcome FROM deliveries WHERE id = ?`, id).Scan(&outcome); err != nil {
		b.t.Fatal(err)
	}
	return outcome
}
