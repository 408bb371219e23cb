package audit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/mcp-lint/mcp-lint/internal/config"
	"github.com/mcp-lint/mcp-lint/internal/launch"
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
	"github.com/mcp-lint/mcp-lint/lockfile"
)

// LockRequest is one `mcp-lint lock`.
type LockRequest struct {
	// Path is the lock file on disk.
	Path string
	// Key picks the locked server; "" matches the only one of the lock, or
	// becomes the server's own name in a new lock. It may be an entry's key too,
	// which has the profile behind it.
	Key string
	// Profile names the circumstances of this run (a token, a scope, a flag)
	// where the server's lists depend on them; the lock has an entry for each.
	Profile string
	// Check compares and writes nothing.
	Check bool
	// Accept writes although there are changes of severity error.
	Accept bool
	// StartTimeout and RequestTimeout are those of every server for LockAll;
	// zero leaves to each entry its own.
	StartTimeout, RequestTimeout time.Duration
	Config                       *config.Config
}

// LockOutcome is what a lock run found and did.
type LockOutcome struct {
	Report report.Report
	// Servers has one element a server of the report, in its order.
	Servers []LockedServer
}

// LockedServer is what became of one server.
type LockedServer struct {
	// Key is that of the server's entry in the lock.
	Key string
	// New is true when the lock has no such entry yet.
	New bool
	// Profiles are the others that the lock holds the server under, "" for none.
	Profiles []string
	// Written tells that the lock now holds what the server says. It is false in
	// a check, for a server that could not be collected, and when Refused is
	// above 0.
	Written bool
	// Refused counts the error-level changes that stopped the writing.
	Refused int
	// Empty is true when the server has no tools at all.
	Empty bool
}

// candidate is a server on its way into the lock.
type candidate struct {
	checked
	live    *lockfile.Server // nil when the server could not be collected
	changes []lockfile.Change
	outcome LockedServer
}

// LockServer collects a server and compares it with the lock, or writes it.
func (e *Engine) LockServer(ctx context.Context, r LockRequest, dir string, s launch.Server) (*LockOutcome, error) {
	before, err := r.read()
	if err != nil {
		return nil, err
	}
	t, err := openTree(dir)
	if err != nil {
		return nil, err
	}
	defer t.close()
	collected, failure := e.collect(ctx, checkout{tree: t, dir: dir}, s)
	switch {
	case failure == nil:
	case failure.Kind == report.ErrRefused:
		return nil, &RefusedError{failure.Message}
	default:
		return nil, errors.New(failure.Message)
	}
	e.warn(cmp.Or(s.Key, collected.Snapshot.Name, unnamed), oddityLines(collected.Oddities))
	return e.lockOne(r, before, s, collected.Snapshot)
}

// LockSaved compares a saved snapshot with the lock, or writes it there.
func (e *Engine) LockSaved(r LockRequest, d Document) (*LockOutcome, error) {
	before, err := r.read()
	if err != nil {
		return nil, err
	}
	snap, err := parse(d)
	if err != nil {
		return nil, err
	}
	return e.lockOne(r, before, launch.Server{From: d.Name}, snap)
}

func (e *Engine) lockOne(r LockRequest, before *lockfile.File, s launch.Server, snap *snapshot.Snapshot) (*LockOutcome, error) {
	c := candidate{checked: checked{Server: s, snapshot: snap}}
	if err := c.capture(r.Check); err != nil {
		return nil, err
	}
	err := r.lock(before, func(f *lockfile.File) error {
		id, err := r.id(f, snap)
		if err != nil {
			return err
		}
		c.Key = id.entry()
		if err := r.judge(f, id, &c); err != nil {
			return err
		}
		if !c.outcome.Written {
			return errKeep
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return e.lockOutcome(r, []candidate{c}), nil
}

// capture makes of the snapshot what is compared or, unless this is a check,
// locked: not everything that can be compared can be locked.
func (c *candidate) capture(check bool) (err error) {
	snap := c.snapshot
	if deep := linter.TooDeep(snap); deep != nil {
		return errors.New(tooDeep(snap, deep))
	}
	if check {
		c.live = lockfile.Live(snap, launchOf(c.Server))
		return nil
	}
	if c.live, err = lockfile.Capture(snap, launchOf(c.Server)); err != nil && snap.File != "" {
		err = fmt.Errorf("%s: %w", snapshot.Visible(snap.File), err)
	}
	return err
}

// judge compares a server with its entry and, when the request wants that and
// nothing stands against it, puts it into the lock.
func (r LockRequest) judge(f *lockfile.File, id lockID, c *candidate) error {
	locked, err := lockedUnder(f, id)
	if err != nil {
		return err
	}
	c.outcome = LockedServer{Key: id.entry(), New: locked == nil, Empty: len(c.snapshot.Tools) == 0}
	c.outcome.Profiles = slices.DeleteFunc(f.Profiles(id.key), func(p string) bool { return p == id.profile })
	if r.Check || locked != nil {
		c.changes, err = differences(f, id, c.live, lockfile.Options{LockIgnore: r.Config.LockIgnore})
		if err != nil || r.Check {
			return err
		}
	}
	for _, change := range c.changes {
		if change.Severity == severity.Error {
			c.outcome.Refused++
		}
	}
	if c.outcome.Refused > 0 && !r.Accept {
		return nil
	}
	c.outcome.Refused, c.outcome.Written = 0, true
	c.live.Profile = id.profile
	c.live.KeepInstructions(locked)
	f.Set(id.entry(), c.live)
	return nil
}

func (e *Engine) lockOutcome(r LockRequest, candidates []candidate) *LockOutcome {
	o := &LockOutcome{}
	results := make([]checked, 0, len(candidates))
	for i := range candidates {
		c := &candidates[i]
		failure, refusal := c.report.Error, c.report.Findings
		if c.report = emptyServer(c.Server); failure != nil {
			c.report.Error = failure
			c.report.Findings = append(c.report.Findings, refusal...)
		} else {
			snap := c.snapshot
			c.report.Server.Name, c.report.Server.Version = snap.Name, snap.Version
			c.report.Server.ProtocolVersion = snap.ProtocolVersion
			c.report.Counts = countsOf(snap)
			c.report.Lock = &report.Lock{InstructionsKnown: snap.InstructionsKnown, Changes: nonNil(c.changes)}
		}
		results = append(results, c.checked)
		o.Servers = append(o.Servers, c.outcome)
	}
	o.Report = e.newReport(results, Limits(r.Config))
	return o
}
