package audit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/mcp-lint/mcp-lint/internal/config"
	"github.com/mcp-lint/mcp-lint/internal/launch"
	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
	"github.com/mcp-lint/mcp-lint/lockfile"
)

// auditing is one run of Review: the trees and what was read from them.
type auditing struct {
	*Engine
	head, base checkout
	tip        *tree          // of the branch to merge into; nil means base
	policy     *config.Config // trusted
	own        *config.Config // the head's; decides which servers there are
	headLock   *lockfile.File // nil when there is none, or none that can be read
	baseLock   *lockfile.File
	out        report.Review
}

// Review judges a checkout. The error says that nothing could be judged at all;
// everything that concerns one server or one file is inside the result.
func (e *Engine) Review(ctx context.Context, r Request) (*report.Review, error) {
	head, err := openTree(r.Head)
	if err != nil {
		return nil, err
	}
	defer head.close()
	rv := &auditing{Engine: e, head: checkout{tree: head, dir: r.Head, static: r.Static, foreign: true}}
	if r.Base != "" {
		base, err := openTree(r.Base)
		if err != nil {
			return nil, err
		}
		defer base.close()
		rv.base = checkout{tree: base, dir: r.Base, static: r.Static, foreign: true}
		rv.head.guarded, rv.head.known = true, slices.Collect(maps.Values(rv.baseServers()))
	}
	if r.Tip != "" {
		if rv.tip, err = openTree(r.Tip); err != nil {
			return nil, err
		}
		defer rv.tip.close()
	}
	policy := head
	if r.Policy != "" {
		if policy, err = openTree(r.Policy); err != nil {
			return nil, err
		}
		defer policy.close()
	}
	if !r.Deadline.IsZero() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, r.Deadline)
		defer cancel()
	}
	return rv.run(ctx, r, policy)
}

func (rv *auditing) run(ctx context.Context, r Request, policy *tree) (*report.Review, error) {
	var (
		faults []fileError
		file   string
		err    error
	)
	if rv.policy, file, err = policy.readConfig(); err != nil {
		// Without the trusted config nothing may be judged: its suppressions
		// and thresholds are what "clean" means.
		if r.Policy != "" {
			file = "the trusted configuration"
		}
		return rv.unreadable(fileError{file, err}), nil
	}
	if rv.own, file, err = rv.head.readConfig(); err != nil {
		return rv.unreadable(fileError{file, err}), nil
	}
	rv.policy.Linter.Today = r.Now
	rv.out.Limits = Limits(rv.policy)
	if r.Policy != "" {
		rv.policy.SuppressAt = nil // the head's file may have other lines
		rv.out.Pending = pending(rv.policy, rv.own)
	}
	l, err := newLinter(rv.policy)
	if err != nil {
		return nil, err
	}

	if !rv.Remote.Any {
		trusted, _ := policy.servers(rv.policy)
		rv.head.grants = &grants{trusted: trusted, hosts: r.AllowHosts}
		rv.base.grants = rv.head.grants
	}
	servers, bad := rv.servers(r.Policy != "")
	faults = append(faults, bad...)
	rv.readLocks(&faults)
	rv.out.Empty = len(servers) == 0 && len(faults) == 0 && file == "" && !rv.baseHasSomething()

	results := rv.checkAll(ctx, rv.head, servers, l)
	judgeSuppressions(results, rv.policy, l, true)
	baseline := rv.compare(ctx, r, results, l)
	rv.compareLock(results)
	if rv.headLock != nil {
		results = append(results, rv.lockedOnly(rv.headLock, rv.out.Lock.Path, servers, len(bad) > 0)...)
	}
	rv.place(results)
	for _, f := range faults {
		results = append(results, f.asServer())
	}
	rv.bound(results)
	if r.Relock {
		rv.relock(results)
	}
	rv.out.Report = rv.newReport(results, rv.out.Limits)
	rv.out.Report.Baseline = boundBaseline(baseline)
	if r.Snapshots {
		for _, c := range results {
			rv.out.Snapshots = append(rv.out.Snapshots, c.snapshot)
		}
	}
	return &rv.out, nil
}

// unreadable is the review of a tree whose configuration cannot be understood:
// no server is known, but what happens to the lock is.
func (rv *auditing) unreadable(f fileError) *report.Review {
	if rv.policy == nil {
		rv.policy = config.Default("")
	}
	rv.out.Limits = Limits(rv.policy)
	faults := []fileError{f}
	rv.readLocks(&faults)
	rv.compareLocks(nil)
	results := make([]checked, 0, len(faults))
	for _, f := range faults {
		results = append(results, f.asServer())
	}
	rv.bound(results)
	rv.out.Report = rv.newReport(results, rv.out.Limits)
	return &rv.out
}

// asServer puts a file's fault where a reader of the report finds it: among
// the servers, as one that could not be checked.
func (f fileError) asServer() checked {
	s := launch.Server{Key: f.file, Location: firstLine(f.file)}
	c := checked{Server: s, report: emptyServer(s)}
	c.report.Server.Transport = "file"
	c.report.Error = &report.Error{Kind: report.ErrInput, Message: f.err.Error()}
	return c
}

// baseHasSomething tells whether the base has a server, a config or a lock.
func (rv *auditing) baseHasSomething() bool {
	if rv.out.Lock.InBase || rv.out.Lock.InHead {
		return true
	}
	if slices.ContainsFunc(config.Names(), rv.base.exists) {
		return true
	}
	servers, bad := rv.base.servers(config.Default(""))
	return len(servers)+len(bad) > 0
}

// readLocks reads the head's and the base's lock at the trusted path.
func (rv *auditing) readLocks(faults *[]fileError) {
	lock := &rv.out.Lock
	lock.Path = rv.policy.Lock
	lock.InHead, lock.InBase = rv.head.exists(lock.Path), rv.base.exists(lock.Path)

	var err error
	if rv.headLock, err = readLock(rv.head.tree, lock.Path); err != nil {
		lock.Error = &report.Error{Kind: report.ErrInput, Message: err.Error()}
		*faults = append(*faults, fileError{lock.Path, err})
	}
	// A base lock that cannot be read accepts nothing and locks nothing: all
	// of the head's lock then counts as newly accepted.
	rv.baseLock, _ = readLock(rv.base.tree, lock.Path)
	rv.readMovedLock(faults)
	if !lock.InHead && !lock.InBase && rv.tip.exists(lock.Path) {
		rv.lockOfTip(faults)
	}
}

// readMovedLock reads the lock where one side's configuration has it and the
// trusted one does not. A lock that is gone from the trusted path still fails
// the review, but what the moved one accepts is told.
func (rv *auditing) readMovedLock(faults *[]fileError) {
	lock := &rv.out.Lock
	if rv.own != nil && rv.own.Lock != lock.Path && rv.head.exists(rv.own.Lock) {
		lock.MovedTo = rv.own.Lock
		if !lock.InHead && lock.Error == nil {
			var err error
			if rv.headLock, err = readLock(rv.head.tree, lock.MovedTo); err != nil {
				lock.Error = &report.Error{Kind: report.ErrInput, Message: err.Error()}
				*faults = append(*faults, fileError{lock.MovedTo, err})
			}
		}
	}
	if rv.base.tree == nil || lock.InBase || !lock.InHead {
		return
	}
	before, _, err := rv.base.readConfig()
	if err != nil || before.Lock == lock.Path || !rv.base.exists(before.Lock) || rv.head.exists(before.Lock) {
		return
	}
	lock.MovedFrom, lock.InBase = before.Lock, true
	rv.baseLock, _ = readLock(rv.base.tree, lock.MovedFrom)
}

// lockOfTip judges a pull request that left its base branch before that had a
// lock: merged, it comes under the branch's lock, so it is held against it.
func (rv *auditing) lockOfTip(faults *[]fileError) {
	lock := &rv.out.Lock
	lock.InHead, lock.InBase = true, true
	f, err := readLock(rv.tip, lock.Path)
	if err != nil {
		err = fmt.Errorf("the base branch's: %w", err)
		lock.Error = &report.Error{Kind: report.ErrInput, Message: err.Error()}
		*faults = append(*faults, fileError{lock.Path, err})
	}
	rv.headLock, rv.baseLock = f, f
}

func readLock(t *tree, path string) (*lockfile.File, error) {
	data, err := t.read(path)
	if errors.Is(err, fs.ErrNotExist) && !t.exists(path) { // else: a link to nothing
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	f, err := lockfile.Read(path, data)
	if err != nil {
		return nil, fmt.Errorf("read the lock: %w", err)
	}
	return f, nil
}

// place gives every finding on a live server a place in the repository, in the
// order of the design: the snapshot file itself, the entity's line in the lock,
// the server's entry, the first line of the config.
func (rv *auditing) place(results []checked) {
	for i := range results {
		r := &results[i]
		for j := range r.report.Findings {
			f := &r.report.Findings[j]
			if f.Location.File == "" {
				f.Location = rv.placeOf(r.Server, f.Entity)
				for k := range f.Items {
					f.Items[k].Location = f.Location
				}
			}
		}
	}
}

func (rv *auditing) placeOf(s launch.Server, entity snapshot.Ref) snapshot.Location {
	if rv.headLock != nil {
		if at := rv.headLock.Location(LockKey(s), entity); at.Line > 0 {
			return at
		}
	}
	if s.Location.Line > 0 {
		return s.Location
	}
	return firstLine(config.Names()[0])
}
