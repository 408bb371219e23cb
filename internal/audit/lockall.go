package audit

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/mcp-lint/mcp-lint/internal/launch"
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/lockfile"
)

// LockAll collects every server that the tree in dir configures, side by side,
// and compares them with the lock, or writes them there: all at once, in one
// step, after the last has answered. What stands against one server (it cannot
// be collected, it cannot be locked, it has changes that are not accepted)
// leaves its entry as it is and keeps no other out. Without any server it is an
// error; Key and Profile of the request do not count.
func (e *Engine) LockAll(ctx context.Context, r LockRequest, dir string) (*LockOutcome, error) {
	t, err := openTree(dir)
	if err != nil {
		return nil, err
	}
	defer t.close()
	before, err := r.read()
	if err != nil {
		return nil, err
	}
	servers, bad := t.servers(r.Config)
	if len(servers) == 0 && len(bad) == 0 && len(before.Keys()) == 0 {
		return nil, errors.New("no server is configured here, and none is locked")
	}
	l, err := newLinter(r.Config)
	if err != nil {
		return nil, err
	}
	for i := range servers {
		s := &servers[i]
		s.StartTimeout = cmp.Or(r.StartTimeout, s.StartTimeout)
		s.RequestTimeout = cmp.Or(r.RequestTimeout, s.RequestTimeout)
	}
	candidates := e.collectAll(ctx, checkout{tree: t, dir: dir}, servers, r.Check)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for i := range candidates {
		candidates[i].tellRefusal(e, l, dir)
	}
	var lock *lockfile.File
	err = r.lock(before, func(f *lockfile.File) error {
		lock = f
		if !r.judgeAll(f, candidates) {
			return errKeep
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, c := range e.lockedOnly(lock, r.Path, servers, len(bad) > 0) {
		candidates = append(candidates, candidate{checked: c, outcome: LockedServer{Key: c.Key}})
	}
	for _, f := range bad {
		candidates = append(candidates, candidate{checked: f.asServer()})
	}
	return e.lockOutcome(r, candidates), nil
}

// judgeAll judges every server that could be collected, and tells whether the
// lock holds now what one of them says.
func (r LockRequest) judgeAll(f *lockfile.File, candidates []candidate) (written bool) {
	for i := range candidates {
		c := &candidates[i]
		if c.live == nil {
			continue
		}
		if err := r.judge(f, lockIDOf(c.Key, c.Profile), c); err != nil {
			c.fail(err)
		}
		written = written || c.outcome.Written
	}
	return written
}

// collectAll collects servers side by side; the result keeps their order.
func (e *Engine) collectAll(ctx context.Context, from checkout, servers []launch.Server, check bool) []candidate {
	candidates := make([]candidate, len(servers))
	e.sideBySide(len(servers), func(i int) { candidates[i] = e.candidate(ctx, from, servers[i], check) })
	return candidates
}

func (e *Engine) candidate(ctx context.Context, from checkout, s launch.Server, check bool) candidate {
	c := candidate{checked: checked{Server: s}, outcome: LockedServer{Key: LockKey(s)}}
	collected, failure := e.collect(ctx, from, s)
	if failure != nil {
		c.report.Error = failure
		return c
	}
	e.warn(s.Key, oddityLines(collected.Oddities))
	c.snapshot = collected.Snapshot
	if err := c.capture(check); err != nil {
		c.fail(err)
	}
	return c
}

// tellRefusal adds the finding to a launch that was refused. Others about how a
// server is started are none of the lock's business.
func (c *candidate) tellRefusal(e *Engine, l *linter.Linter, dir string) {
	if c.report.Error == nil || c.report.Error.Kind != report.ErrRefused {
		return
	}
	c.observe(l, e.explainRefusal(c.Server, dir, c.report.Error, e.judgeLaunch(c.Server)))
	c.report.Findings = slices.DeleteFunc(c.report.Findings, func(f linter.Finding) bool { return f.Rule != knownBad })
}

// fail makes a server one that was not checked.
func (c *candidate) fail(err error) {
	c.live = nil
	c.report.Error = &report.Error{Kind: report.ErrInput, Message: err.Error()}
}
