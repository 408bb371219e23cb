package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"github.com/mcp-lint/mcp-lint/internal/githubapp"
	"github.com/mcp-lint/mcp-lint/internal/queue"
	"github.com/mcp-lint/mcp-lint/internal/sandbox"
	"github.com/mcp-lint/mcp-lint/internal/store"
	"github.com/mcp-lint/mcp-lint/internal/version"
	"github.com/mcp-lint/mcp-lint/internal/worker"
	"github.com/mcp-lint/mcp-lint/webhook"
)

// How long the parts of a shutdown may take.
const (
	requestGrace = 10 * time.Second // GitHub gives up on an answer after as long
	jobGrace     = queue.DefaultSoftStop
	cancelGrace  = 10 * time.Second // from cancelling a job to its sandbox being gone
)

// keepDeliveries is how long delivery ids are remembered: far longer than
// GitHub redelivers, which is three days.
const keepDeliveries = 30 * 24 * time.Hour

// serve runs the bot until ctx ends, then shuts it down in order: no new
// requests, running requests answered, running jobs finished or cancelled with
// their sandboxes, database closed. It returns nil after an orderly shutdown.
func serve(ctx context.Context, o serveOptions) error {
	secrets, key, err := o.secrets()
	if err != nil {
		return err
	}
	// The audits run under the same user; they must not read our memory.
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("protect the process: %w", err)
	}
	endpoints, err := githubapp.NewEndpoints(o.GitHubURL)
	if err != nil {
		return err
	}
	app, err := githubapp.New(githubapp.Config{ID: o.AppID, Key: key, Endpoints: endpoints, Version: version.Version()})
	if err != nil {
		return err
	}
	self, err := app.Self(ctx)
	if err != nil {
		return err
	}
	box, err := sandbox.New(o.Sandbox, sandbox.Options{})
	if err != nil {
		return err
	}
	for _, missing := range box.Missing() {
		o.Log.Warn("sandbox limit missing", "missing", missing)
	}
	unlock, err := lockFile(o.Database + ".lock")
	if err != nil {
		return err
	}
	defer unlock()
	db, err := store.Open(ctx, o.Database, nil)
	if err != nil {
		return err
	}
	defer db.Close()
	runner := &worker.Runner{Dir: o.WorkDir, PassEnv: append(worker.RunnerPassEnv(), o.RunnerEnv...), Log: o.Log}
	// The worker does the queue's jobs, and puts new ones into it.
	var w *worker.Worker
	jobs, err := queue.New(ctx, db.DB(), queue.Options{
		Workers: o.Workers, SoftStop: jobGrace, Log: o.Log,
		Work:  func(ctx context.Context, r queue.Review, a queue.Attempt) error { return w.Work(ctx, r, a) },
		Serve: func(ctx context.Context, r queue.Request, a queue.Attempt) error { return w.Serve(ctx, r, a) },
	})
	if err != nil {
		return err
	}
	w, err = worker.New(worker.Options{
		Store: db, App: app, Queue: jobs, Self: self, Run: runner.Run,
		Dir: o.WorkDir, Cache: o.Cache, Sandbox: o.Sandbox, Forks: o.Forks,
		AllowedOwners: o.AllowedOwners, AllowHosts: o.AllowHosts, Log: o.Log,
	})
	if err != nil {
		return err
	}
	hooks, err := webhook.New(webhook.Options{Secrets: secrets, Store: db, Queue: jobs, Log: o.Log})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", o.Listen)
	if err != nil {
		return err
	}
	var ready atomic.Bool
	server := &http.Server{
		Handler:           newMux(hooks, metricsHandler(jobs, hooks.Metrics(), w.Metrics()), db, &ready),
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      30 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(o.Log.Handler(), slog.LevelWarn),
	}
	if err := jobs.Start(ctx); err != nil {
		listener.Close()
		return err
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	go prune(ctx, db, o.Log)
	ready.Store(true)
	o.Log.Info("ready", "listen", listener.Addr().String(), "app", self.Slug, "version", version.Version())
	if o.Ready != nil {
		o.Ready(listener.Addr().String())
	}
	select {
	case <-ctx.Done():
		err = nil
	case err = <-served:
	}
	ready.Store(false)
	return errors.Join(err, shutdown(server, jobs, o.Log))
}

// shutdown ends the parts in order. Jobs that were cancelled are put back and
// run at the next start.
func shutdown(server *http.Server, jobs *queue.Queue, log *slog.Logger) error {
	log.Info("stopping")
	ctx, cancel := context.WithTimeout(context.Background(), requestGrace)
	defer cancel()
	err := server.Shutdown(ctx)
	jobCtx, cancelJobs := context.WithTimeout(context.Background(), jobGrace+cancelGrace)
	defer cancelJobs()
	return errors.Join(err, jobs.Stop(jobCtx))
}

// keepOffers is how long a lock can be accepted that a check run offers.
const keepOffers = 90 * 24 * time.Hour

// prune forgets old deliveries and offers, at start and every day.
func prune(ctx context.Context, db *store.Store, log *slog.Logger) {
	tick := time.NewTicker(24 * time.Hour)
	defer tick.Stop()
	for {
		n, err := db.PruneDeliveries(ctx, time.Now().Add(-keepDeliveries))
		if err != nil && ctx.Err() == nil {
			log.Error("old deliveries not removed", "error", err)
		} else if n > 0 {
			log.Info("old deliveries removed", "deliveries", n)
		}
		if _, err := db.PruneOffers(ctx, time.Now().Add(-keepOffers)); err != nil && ctx.Err() == nil {
			log.Error("old offers not removed", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// lockFile makes this process the only one on the database: a second one would
// take the first one's running jobs for its own.
func lockFile(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("database lock: %w", err)
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, unix.EWOULDBLOCK) {
			return nil, fmt.Errorf("database lock %s: another bot serves this database", path)
		}
		return nil, fmt.Errorf("database lock %s: %w", path, err)
	}
	return func() { f.Close() }, nil
}
