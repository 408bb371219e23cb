package checks_test

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcp-lint/mcp-lint/checks"
	"github.com/mcp-lint/mcp-lint/internal/githubapp"
	"github.com/mcp-lint/mcp-lint/internal/githubtest"
	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

var key = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
})

// world is the stand-in with one pull request, and the App on it.
type world struct {
	t    *testing.T
	srv  *githubtest.Server
	repo *githubtest.Repository
	pr   *githubtest.PullRequest
	app  *githubapp.App
	sha  string

	mu    sync.Mutex
	clock time.Time
	slept time.Duration
}

func newWorld(t *testing.T, so githubtest.Options, ro githubtest.RepositoryOptions) *world {
	t.Helper()
	so.PrivateKey = key()
	srv, err := githubtest.Start(so)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, srv: srv, clock: time.Now()}
	t.Cleanup(func() {
		if v := srv.Violations(); len(v) > 0 {
			t.Errorf("not as GitHub describes it:\n%s", strings.Join(v, "\n"))
		}
		srv.Close()
	})
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	w.repo, err = srv.CreateRepository("acme", "tools", ro)
	must(err)
	_, err = w.repo.Commit("main", "", "first", map[string][]byte{"a.json": []byte("{}\n")})
	must(err)
	_, err = w.repo.Commit("feature", "main", "second", map[string][]byte{"a.json": []byte("[]\n")})
	must(err)
	w.pr, err = w.repo.OpenPull("Change a", "feature", "main", githubtest.PullOptions{})
	must(err)
	w.sha = w.pr.HeadSHA()
	endpoints, err := githubapp.NewEndpoints(srv.WebURL)
	must(err)
	w.app, err = githubapp.New(githubapp.Config{ID: githubtest.AppID, Key: key(), Endpoints: endpoints, Now: w.now, Sleep: w.sleep})
	must(err)
	return w
}

func (w *world) now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.clock
}

func (w *world) sleep(ctx context.Context, d time.Duration) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.clock, w.slept = w.clock.Add(d), w.slept+d
	return ctx.Err()
}

var errKilled = errors.New("killed")

// disk keeps the state as a database would, and kills the worker at the save
// with the given number (from 0; -1 = never).
type disk struct {
	text   string
	kill   int
	writes int
}

func (d *disk) save(s checks.State) error {
	if d.writes == d.kill {
		return errKilled
	}
	d.writes++
	b, err := json.Marshal(s)
	d.text = string(b)
	return err
}

func (d *disk) state(t *testing.T) (s checks.State) {
	t.Helper()
	if d.text != "" {
		if err := json.Unmarshal([]byte(d.text), &s); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// worker is a new worker with new tokens, which takes over what the disk holds.
func (w *world) worker(d *disk) *checks.Publisher {
	w.t.Helper()
	client, _ := w.app.Installation(w.repo.InstallationID(), githubapp.WriteScope(w.repo.ID))
	sarif, _ := w.app.Installation(w.repo.InstallationID(), githubapp.SARIFScope(w.repo.ID))
	p, err := checks.New(checks.Options{
		Client: client, SARIF: sarif, AppID: githubtest.AppID, BotLogin: w.srv.BotLogin(), Owner: "acme", Repo: "tools",
		DetailsURL: "https://bot.example.com/r/1", State: d.state(w.t), Save: d.save, Sleep: w.sleep, Now: w.now,
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

// publish begins and completes a run.
func (w *world) publish(p *checks.Publisher, run report.CheckRun) error {
	if _, err := p.Begin(w.t.Context(), run.Name, w.sha, "job-1"); err != nil {
		return err
	}
	return p.Complete(w.t.Context(), run)
}

// run returns the only run of that name.
func (w *world) run(name string) githubtest.CheckRun {
	w.t.Helper()
	var found []githubtest.CheckRun
	for _, r := range w.srv.CheckRuns(w.repo, w.sha) {
		if r.Name == name && r.AppID == githubtest.AppID {
			found = append(found, r)
		}
	}
	if len(found) != 1 {
		w.t.Fatalf("%d check runs %q, want 1", len(found), name)
	}
	return found[0]
}

// count is the number of requests with that operation, dropped ones included.
func (w *world) count(operation string) (n int) {
	for _, r := range w.srv.Requests() {
		if r.Operation == operation {
			n++
		}
	}
	return n
}

// verdict is a failure with n different annotations.
func verdict(n int) report.CheckRun {
	run := report.CheckRun{Name: report.LintCheck, Conclusion: report.Failure, Title: fmt.Sprintf("%d findings", n), Summary: "All the words."}
	for i := range n {
		run.Annotations = append(run.Annotations, report.Annotation{
			Location: snapshot.Location{File: "a.json", Line: i + 1, Column: 3}, Severity: severity.Warning,
			Title: "description/missing", Message: fmt.Sprintf("finding %d", i),
		})
	}
	return run
}

// distinct fails when an annotation is there twice.
func distinct(t *testing.T, as []githubtest.Annotation) {
	t.Helper()
	seen := map[string]bool{}
	for _, a := range as {
		if seen[a.Message] {
			t.Errorf("%q is there twice", a.Message)
		}
		seen[a.Message] = true
	}
}
