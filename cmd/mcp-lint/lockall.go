package main

import (
	"context"
	"strings"

	"github.com/mcp-lint/mcp-lint/internal/audit"
	"github.com/mcp-lint/mcp-lint/internal/sandbox"
)

// lockAll compares or locks every configured server of a folder.
func (a *app) lockAll(ctx context.Context, f *lockFlags, words []string) error {
	dir := "."
	if len(words) > 0 {
		dir = words[0]
	}
	c, err := f.confOf(dir)
	if err != nil {
		return err
	}
	r, err := f.request(c, dir)
	if err != nil {
		return err
	}
	if f.set.Changed("start-timeout") {
		r.StartTimeout = f.start.startTimeout
	}
	if f.set.Changed("request-timeout") {
		r.RequestTimeout = f.start.requestTimeout
	}
	e := a.engine(sandbox.Mode(f.start.sandbox.mode))
	if e.Advisories, err = f.start.advisories.load(); err != nil {
		return err
	}
	o, err := e.LockAll(ctx, r, dir)
	if err != nil {
		return err
	}
	return a.finishLock(o, f, r)
}

// unlock takes entries out of the lock.
func (a *app) unlock(f *lockFlags) error {
	c, err := f.conf.load()
	if err != nil {
		return err
	}
	r, err := f.request(c, ".")
	if err != nil {
		return err
	}
	if err := audit.Unlock(r.Path, f.remove, f.profile); err != nil {
		return err
	}
	return a.say("Removed %s from %s.", strings.Join(f.remove, ", "), r.Path)
}
