package audit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

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
	// becomes the server's own name in a new lock.
	Key string
	// Check compares and writes nothing.
	Check bool
	// Accept writes although there are changes of severity error.
	Accept bool
	Config *config.Config
}

// LockOutcome is what a lock run found and did.
type LockOutcome struct {
	Report report.Report
	// Written tells whether the lock file was written; it is not when nothing
	// changed, when Check was asked for, and when Refused is above 0.
	Written bool
	// Refused counts the error-level changes that stopped the writing.
	Refused int
	// Key is the server's key in the lock.
	Key string
	// Empty is true when the server has no tools at all.
	Empty bool
}

// errKeep leaves the lock as it is.
var errKeep = errors.New("the lock stays as it is")

// LockServer collects a server and compares it with the lock, or writes it.
func (e *Engine) LockServer(ctx context.Context, r LockRequest, dir string, s launch.Server) (*LockOutcome, error) {
	t, err := openTree(dir)
	if err != nil {
		return nil, err
	}
	defer t.close()
	collected, failure := e.collect(ctx, checkout{tree: t, dir: dir}, s)
	if failure != nil {
		return nil, errors.New(failure.Message)
	}
	e.warn(cmp.Or(s.Key, collected.Snapshot.Name, unnamed), collected.Oddities)
	return e.lock(r, s, collected.Snapshot)
}

// LockSaved compares a saved snapshot with the lock, or writes it there.
func (e *Engine) LockSaved(r LockRequest, d Document) (*LockOutcome, error) {
	snap, err := parse(d)
	if err != nil {
		return nil, err
	}
	return e.lock(r, launch.Server{From: d.Name}, snap)
}

func (e *Engine) lock(r LockRequest, s launch.Server, snap *snapshot.Snapshot) (*LockOutcome, error) {
	if deep := linter.TooDeep(snap); deep != nil {
		return nil, errors.New(tooDeep(snap, deep))
	}
	live := lockfile.Live(snap, launchOf(s))
	if !r.Check {
		// Not everything that can be compared can be locked.
		var err error
		if live, err = lockfile.Capture(snap, launchOf(s)); err != nil {
			if snap.File != "" {
				err = fmt.Errorf("%s: %w", snap.File, err)
			}
			return nil, err
		}
	}
	o := &LockOutcome{Empty: len(snap.Tools) == 0}
	compare := func(f *lockfile.File) error {
		key, err := lockKey(f, r, snap)
		if err != nil {
			return err
		}
		o.Key = key
		locked := f.Server(key)
		var changes []lockfile.Change
		if locked != nil || r.Check {
			changes = lockfile.Compare(locked, live, lockfile.Options{LockIgnore: r.Config.LockIgnore})
		}
		o.Report = e.lockReport(s, key, snap, changes, r.Config)
		if r.Check {
			return errKeep
		}
		for _, c := range changes {
			if c.Severity == severity.Error {
				o.Refused++
			}
		}
		if o.Refused > 0 && !r.Accept {
			return errKeep
		}
		o.Refused, o.Written = 0, true
		live.KeepInstructions(locked)
		f.Set(key, live)
		return nil
	}
	var err error
	if r.Check {
		err = checkLock(r.Path, compare)
	} else {
		err = lockfile.Update(r.Path, compare)
	}
	if err != nil && !errors.Is(err, errKeep) {
		return nil, lockError(r.Path, err)
	}
	return o, nil
}

// lockError names the lock where the system names the temporary file beside it.
func lockError(path string, err error) error {
	var file *fs.PathError
	if errors.As(err, &file) && file.Path != path {
		return fmt.Errorf("writing the lock file %s: %w", path, file.Err)
	}
	return err
}

// checkLock hands the lock to compare without any write or lock on disk.
func checkLock(path string, compare func(*lockfile.File) error) error {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: there is no lock to check against; write one with mcp-lint lock", path)
	}
	if err != nil {
		return err
	}
	f, err := lockfile.Read(path, data)
	if err != nil {
		return err
	}
	return compare(f)
}

// lockKey is the key under which the server is looked up and written.
func lockKey(f *lockfile.File, r LockRequest, snap *snapshot.Snapshot) (string, error) {
	if !r.Check {
		switch {
		case r.Key != "":
			return r.Key, nil
		case len(f.Keys()) == 0:
			return cmp.Or(snap.Name, unnamed), nil
		}
	}
	key, err := f.Match(r.Key)
	if err != nil {
		return "", fmt.Errorf("%w (--name)", err)
	}
	return key, nil
}

func (e *Engine) lockReport(s launch.Server, key string, snap *snapshot.Snapshot, changes []lockfile.Change, c *config.Config) report.Report {
	s.Key = key
	r := checked{Server: s, report: emptyServer(s)}
	r.report.Server.Name, r.report.Server.Version = snap.Name, snap.Version
	r.report.Server.ProtocolVersion = snap.ProtocolVersion
	r.report.Counts = countsOf(snap)
	r.report.Lock = &report.Lock{InstructionsKnown: snap.InstructionsKnown, Changes: nonNil(changes)}
	return e.newReport([]checked{r}, Limits(c))
}
