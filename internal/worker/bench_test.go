package worker_test

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcp-lint/mcp-lint/internal/audit"
	"github.com/mcp-lint/mcp-lint/internal/githubapp"
	"github.com/mcp-lint/mcp-lint/internal/githubtest"
	"github.com/mcp-lint/mcp-lint/internal/queue"
	"github.com/mcp-lint/mcp-lint/internal/store"
	"github.com/mcp-lint/mcp-lint/internal/worker"
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
	"github.com/mcp-lint/mcp-lint/lockfile"
	"github.com/mcp-lint/mcp-lint/webhook"
)

var testKey = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
})

// bench is the whole bot but for the audit, against a GitHub on loopback.
type bench struct {
	t      *testing.T
	gh     *githubtest.Server
	repo   *githubtest.Repository
	store  *store.Store
	queue  *queue.Queue
	worker *worker.Worker
	dir    string
	net    *network
	// hookURL is where the webhook answers.
	hookURL string
	// options are what the worker was made with.
	options worker.Options

	mu    sync.Mutex
	asked []audit.Request // of run, so far
}

// setup is what a test may change before the bot starts.
type setup struct {
	run     func(context.Context, audit.Request) (*report.Review, error)
	worker  worker.Options
	queue   queue.Options
	idle    bool // nobody works: the test calls Work itself
	options githubtest.RepositoryOptions
}

// newBench starts it, with the repository acme/tools of two commits: main, and
// feature on top.
func newBench(t *testing.T, s setup) *bench {
	t.Helper()
	clock := &clock{}
	gh, err := githubtest.Start(githubtest.Options{PrivateKey: testKey(), SARIFPendingPolls: -1, Now: clock.now})
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, gh: gh, dir: filepath.Join(t.TempDir(), "work"), net: &network{}}
	t.Cleanup(func() {
		for _, v := range gh.Violations() {
			t.Errorf("violation: %s", v)
		}
		gh.Close()
	})
	if b.repo, err = gh.CreateRepository("acme", "tools", s.options); err != nil {
		t.Fatal(err)
	}
	b.commit("main", "", "README.md", "hello\n")
	b.commit("feature", "main", "README.md", "hello, world\n")

	endpoints, err := githubapp.NewEndpoints(gh.WebURL)
	if err != nil {
		t.Fatal(err)
	}
	app, err := githubapp.New(githubapp.Config{ID: githubtest.AppID, Key: testKey(), Endpoints: endpoints, Transport: b.net, Now: clock.now, Sleep: clock.sleep})
	if err != nil {
		t.Fatal(err)
	}
	self, err := app.Self(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if b.store, err = store.Open(t.Context(), filepath.Join(t.TempDir(), "bot.db"), nil); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.store.Close() })
	o := s.worker
	o.Store, o.App, o.Self, o.Dir = b.store, app, self, b.dir
	if o.AllowedOwners == nil {
		o.AllowedOwners = []string{"Acme"} // logins know no case
	}
	if s.run == nil {
		s.run = func(context.Context, audit.Request) (*report.Review, error) { return clean(), nil }
	}
	o.Run = func(ctx context.Context, r audit.Request) (*report.Review, error) {
		b.mu.Lock()
		b.asked = append(b.asked, r)
		b.mu.Unlock()
		return s.run(ctx, r)
	}
	q := s.queue
	q.Work = func(ctx context.Context, r queue.Review, a queue.Attempt) error { return b.worker.Work(ctx, r, a) }
	q.Serve = func(ctx context.Context, r queue.Request, a queue.Attempt) error { return b.worker.Serve(ctx, r, a) }
	if q.Retry == nil {
		q.Retry = func(int) time.Duration { return 0 }
	}
	if b.queue, err = queue.New(t.Context(), b.store.DB(), q); err != nil {
		t.Fatal(err)
	}
	o.Queue = b.queue
	b.options = o
	if b.worker, err = worker.New(o); err != nil {
		t.Fatal(err)
	}
	hooks, err := webhook.New(webhook.Options{Secrets: [][]byte{[]byte(gh.WebhookSecret())}, Store: b.store, Queue: b.queue})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(hooks)
	t.Cleanup(server.Close)
	b.hookURL = server.URL + webhook.Path
	gh.SetWebhookURL(b.hookURL)
	if !s.idle {
		if err := b.queue.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { b.queue.Stop(context.Background()) })
	}
	return b
}

func (b *bench) commit(branch, base, file, text string) string {
	b.t.Helper()
	sha, err := b.repo.Commit(branch, base, "change "+file, map[string][]byte{file: []byte(text)})
	if err != nil {
		b.t.Fatal(err)
	}
	return sha
}

func (b *bench) open(branch string, o githubtest.PullOptions) *githubtest.PullRequest {
	b.t.Helper()
	p, err := b.repo.OpenPull("Change "+branch, branch, "main", o)
	if err != nil {
		b.t.Fatal(err)
	}
	return p
}

func (b *bench) push(branch string) {
	b.t.Helper()
	if err := b.repo.Push(branch); err != nil {
		b.t.Fatal(err)
	}
}

// wait waits until both check runs of a commit are completed.
func (b *bench) wait(sha string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), 30*time.Second)
	defer cancel()
	if _, err := b.gh.WaitForChecks(ctx, b.repo, sha, report.LintCheck, report.LockCheck); err != nil {
		b.t.Fatal(err)
	}
}

// waitFor waits until cond holds.
func (b *bench) waitFor(what string, cond func() bool) {
	b.t.Helper()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if cond() {
			return
		}
	}
	b.t.Fatalf("no %s within 30 s", what)
}

// idle waits until no job waits or runs.
func (b *bench) idle() {
	b.t.Helper()
	b.waitFor("empty queue", func() bool {
		depth, err := b.queue.Depth(b.t.Context())
		if err != nil {
			b.t.Fatal(err)
		}
		return depth["available"]+depth["running"]+depth["retryable"]+depth["scheduled"] == 0
	})
}

// shown is what GitHub shows on a commit: "name: conclusion", or its status
// while there is no conclusion.
func (b *bench) shown(sha string) []string {
	var out []string
	for _, r := range b.gh.CheckRuns(b.repo, sha) {
		what := r.Conclusion
		if what == "" {
			what = r.Status
		}
		out = append(out, r.Name+": "+what)
	}
	slices.Sort(out)
	return out
}

func (b *bench) want(sha string, want ...string) {
	b.t.Helper()
	slices.Sort(want)
	if got := b.shown(sha); !slices.Equal(got, want) {
		b.t.Errorf("check runs on %.7s: %q, want %q", sha, got, want)
	}
}

// pull is what is stored of a pull request.
func (b *bench) pull(number int) *store.Pull {
	b.t.Helper()
	var repository int64
	if err := b.store.DB().QueryRow(`SELECT repository_id FROM pulls WHERE number = ?`, number).Scan(&repository); err != nil {
		b.t.Fatal(err)
	}
	p, err := b.store.Pull(b.t.Context(), repository, number)
	if err != nil || p == nil {
		b.t.Fatal(p, err)
	}
	return p
}

// requests lists the audits so far.
func (b *bench) requests() []audit.Request {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.asked)
}

// writes lists the writing requests in order, ids left out.
func (b *bench) writes() []string {
	var out []string
	for _, r := range b.gh.Requests() {
		if r.Method == http.MethodGet || r.Operation == "git" || strings.HasSuffix(r.Path, "/access_tokens") {
			continue
		}
		parts := strings.Split(strings.TrimPrefix(r.Path, "/repos/acme/tools/"), "/")
		for i, p := range parts {
			if strings.Trim(p, "0123456789") == "" {
				parts[i] = "N"
			}
		}
		out = append(out, r.Method+" "+strings.Join(parts, "/"))
	}
	return out
}

// clock is the time of GitHub and of our pace of writing to it, which nobody has
// to wait for: a sleep takes none, and the clock goes on by it.
type clock struct{ ahead atomic.Int64 }

func (c *clock) now() time.Time { return time.Now().Add(time.Duration(c.ahead.Load())) }

func (c *clock) sleep(ctx context.Context, d time.Duration) error {
	c.ahead.Add(int64(d))
	return ctx.Err()
}

// network is the way to GitHub; a test can cut it.
type network struct {
	mu sync.Mutex
	// before and after are called around every request; an error takes the
	// request's place, or its answer's.
	before, after func(*http.Request) error
}

func (n *network) cut(before, after func(*http.Request) error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.before, n.after = before, after
}

// RoundTrip implements http.RoundTripper.
func (n *network) RoundTrip(r *http.Request) (*http.Response, error) {
	n.mu.Lock()
	before, after := n.before, n.after
	n.mu.Unlock()
	if before != nil {
		if err := before(r); err != nil {
			return nil, err
		}
	}
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil || after == nil {
		return resp, err
	}
	if err := after(r); err != nil {
		resp.Body.Close()
		return nil, err
	}
	return resp, nil
}

func limits() report.Limits {
	return report.Limits{FailOn: severity.Error, LockFailOn: severity.Warning}
}

// clean is the review of one good server whose lock did not change.
func clean() *report.Review {
	return &report.Review{
		Report: report.Report{
			Version: 1, Tool: report.Tool{Name: "mcp-lint", Version: "0.0.0"},
			Servers: []report.Server{{
				Key: "files", Server: report.ServerInfo{Name: "files", Transport: "stdio"},
				Findings: []linter.Finding{}, Probes: []report.Probe{}, Lock: &report.Lock{Changes: []lockfile.Change{}},
			}},
			Summary: report.Summary{Passed: true},
		},
		Limits: limits(), Compared: true,
		Lock: report.LockReview{Path: "mcp-lint.lock", InBase: true, InHead: true},
	}
}

// warned adds a new warning, which fails nothing, to a review (a clean one by
// default).
func warned(reviews ...*report.Review) *report.Review {
	r := append(reviews, clean())[0]
	s := &r.Report.Servers[0]
	s.Findings = append(s.Findings, linter.Finding{
		Rule: "description/too-short", Severity: severity.Warning, New: true, Message: "too short",
		Entity:      snapshot.Ref{Kind: snapshot.KindTool, Name: "write"},
		Location:    snapshot.Location{File: ".mcp.json", Line: 1, Column: 1},
		Fingerprint: strings.Repeat("cd", 32),
	})
	r.Report.Summary.Warnings++
	return r
}

// faulty is clean but for a new error, and a change of the locked tools: lint
// and lock fail and a comment is due.
func faulty() *report.Review {
	r := clean()
	r.Report.Summary = report.Summary{Errors: 1}
	s := &r.Report.Servers[0]
	s.Findings = []linter.Finding{{
		Rule: "description/missing", Severity: severity.Error, New: true, Message: "no description", Fix: "write one",
		Entity:      snapshot.Ref{Kind: snapshot.KindTool, Name: "read"},
		Location:    snapshot.Location{File: ".mcp.json", Line: 1, Column: 1},
		Fingerprint: strings.Repeat("ab", 32),
	}}
	s.Lock.Changes = []lockfile.Change{{
		Kind: "tool_added", Class: lockfile.Risk, Severity: severity.Error,
		Entity: snapshot.Ref{Kind: snapshot.KindTool, Name: "read"}, Message: "tool added",
	}}
	return r
}
