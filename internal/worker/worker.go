// Package worker does the bot's jobs. The main one: fetch a pull request's trees, have
// them audited by a child process, and publish the result. A job may be killed
// at any point and run again: what GitHub already shows is stored after each
// step, and the next attempt adds only what is missing.
//
// The other is what people ask for ([Worker.Serve]): a check once more, the
// servers of a fork, the commit of a lock. Who may is asked of GitHub each time.
package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/mcp-lint/mcp-lint/internal/audit"
	"github.com/mcp-lint/mcp-lint/internal/githubapp"
	"github.com/mcp-lint/mcp-lint/internal/queue"
	"github.com/mcp-lint/mcp-lint/internal/sandbox"
	"github.com/mcp-lint/mcp-lint/internal/store"
	"github.com/mcp-lint/mcp-lint/linter/report"
)

// Forks says what happens to pull requests whose head is in another repository.
type Forks string

// The settings for forks.
const (
	// ForksStatic reads their files and starts none of their servers.
	ForksStatic Forks = "static"
	// ForksSandbox treats them like any other pull request.
	ForksSandbox Forks = "sandbox"
)

// DefaultAuditTimeout is how long the audit of one pull request may take. It
// leaves a job (queue.DefaultJobTimeout) time to fetch and to publish.
const DefaultAuditTimeout = 12 * time.Minute

// Options configure a [Worker]. Store, App, Queue, Self, Run and Dir are required.
type Options struct {
	Store *store.Store
	App   *githubapp.App
	// Queue takes the jobs of commands that are allowed.
	Queue *queue.Queue
	// Self is the App's own identity, asked of GitHub at start.
	Self githubapp.Identity
	// Run audits a request; in production [Runner.Run].
	Run func(context.Context, audit.Request) (*report.Review, error)
	// Dir holds the temporary trees. It belongs to this process alone: New
	// removes what a killed process left there.
	Dir string
	// Cache is the folder of fetched packages, "" for the user's.
	Cache   string
	Sandbox sandbox.Mode // "" means require
	Forks   Forks        // "" means static
	// AllowedOwners are the logins whose repositories are served; none means
	// the App's owner only.
	AllowedOwners []string
	// AllowHosts are the hosts of remote servers that may be asked, where the
	// trusted configuration names the server too; none means that none is.
	AllowHosts   []string
	AuditTimeout time.Duration // 0 means DefaultAuditTimeout
	Now          func() time.Time
	Log          *slog.Logger
}

// Worker does jobs. It is safe for concurrent use.
type Worker struct {
	o       Options
	pulls   *locks // one job a pull request at a time
	heads   *locks // one publisher a commit at a time
	metrics *Metrics
}

// New checks the options, fills in defaults and removes the temporary folders
// of a killed process.
func New(o Options) (*Worker, error) {
	switch {
	case o.Store == nil || o.App == nil || o.Queue == nil || o.Run == nil || o.Dir == "":
		return nil, errors.New("worker: Store, App, Queue, Run and Dir are required")
	case o.Forks != "" && o.Forks != ForksStatic && o.Forks != ForksSandbox:
		return nil, fmt.Errorf("worker: forks: %q: expected %q or %q", o.Forks, ForksStatic, ForksSandbox)
	}
	if o.Forks == "" {
		o.Forks = ForksStatic
	}
	if o.Sandbox == "" {
		o.Sandbox = sandbox.Require
	}
	if len(o.AllowedOwners) == 0 {
		o.AllowedOwners = []string{o.Self.Owner}
	}
	if o.AuditTimeout == 0 {
		o.AuditTimeout = DefaultAuditTimeout
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if err := cleanDir(o.Dir); err != nil {
		return nil, fmt.Errorf("worker: %w", err)
	}
	return &Worker{o: o, pulls: newLocks(), heads: newLocks(), metrics: newMetrics()}, nil
}

// Metrics are the worker's counters.
func (w *Worker) Metrics() *Metrics { return w.metrics }

// Work does one job; it is what queue.Options.Work wants.
func (w *Worker) Work(ctx context.Context, q queue.Review, a queue.Attempt) error {
	log := w.o.Log.With("delivery", q.Delivery, "installation", q.Installation,
		"repo", q.Owner+"/"+q.Repo, "pr", q.PR, "sha", q.HeadSHA)
	// A newer job for the pull request cancels this one, and starts to publish
	// only when this one has let go.
	unlock, err := w.pulls.lock(ctx, strconv.FormatInt(q.RepositoryID, 10)+"#"+strconv.Itoa(q.PR))
	if err != nil {
		return fmt.Errorf("wait for an older job: %w", err)
	}
	defer unlock()
	pull, err := w.o.Store.Pull(ctx, q.RepositoryID, q.PR)
	if err != nil {
		return err
	}
	if pull == nil {
		log.Error("job of an unknown pull request dropped")
		return nil
	}
	run, err := w.o.Store.Run(ctx, q.RepositoryID, q.PR, q.Generation)
	if err != nil {
		return err
	}
	if run != nil {
		log = log.With("run", run.ID)
	}
	if !w.allowed(pull.Owner) {
		log.Info("no action: the owner is not allowed", "owner", pull.Owner)
		if run != nil {
			_, err = w.o.Store.Finish(ctx, run.ID, "", "")
		}
		return err
	}
	j := &job{w: w, pull: pull, run: run, attempt: a, log: log}
	j.write, _ = w.o.App.Installation(pull.Installation, githubapp.WriteScope(pull.RepositoryID))
	return j.do(ctx)
}

func (w *Worker) allowed(owner string) bool {
	for _, a := range w.o.AllowedOwners {
		if strings.EqualFold(a, owner) {
			return true
		}
	}
	return false
}

// tempPrefix marks our folders in Options.Dir.
const tempPrefix = "run-"

// cleanDir makes the folder and removes what a killed process left in it.
func cleanDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("work folder: %w", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("work folder: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("work folder: %w", err)
	}
	defer root.Close()
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), tempPrefix) {
			if err := root.RemoveAll(e.Name()); err != nil {
				return fmt.Errorf("work folder: %w", err)
			}
		}
	}
	return nil
}
