package audit

import (
	"crypto/sha256"

	"github.com/mcp-lint/mcp-lint/internal/launch"
	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
	"github.com/mcp-lint/mcp-lint/lockfile"
)

// compareLock fills what the live servers differ from the head's lock, and what
// the head's lock accepts that the base's does not hold. The two never mix: the
// first is a stale lock, the second is what merging approves.
func (rv *auditing) compareLock(results []checked) {
	if rv.headLock != nil {
		for i := range results {
			rv.compareLive(&results[i])
		}
	}
	rv.compareLocks(results)
}

func (rv *auditing) compareLive(c *checked) {
	if c.snapshot == nil {
		return
	}
	id := lockIDOf(c.Key, c.Profile)
	live := lockfile.Live(c.snapshot, launchOf(c.Server))
	changes, err := differences(rv.headLock, id, live, rv.compareOptions())
	if err != nil {
		c.report.Error = &report.Error{Kind: report.ErrInput, Message: err.Error()}
		return
	}
	c.report.Lock = &report.Lock{InstructionsKnown: c.snapshot.InstructionsKnown, Changes: nonNil(changes)}
	for _, change := range changes {
		rv.out.Lock.Places = append(rv.out.Lock.Places, report.Place{
			Key: c.Key, Entity: change.Entity, Location: rv.headLock.Location(id.entry(), change.Entity),
		})
	}
}

// compareLocks fills Accepted, RemovedServers and RenamedServers.
func (rv *auditing) compareLocks(results []checked) {
	lock := &rv.out.Lock
	if rv.base.tree == nil || lock.Error != nil {
		return
	}
	renamedTo := rv.renamedEntries(results)
	before := map[string]*lockfile.Server{} // by the head's key
	if rv.baseLock != nil {
		for _, key := range rv.baseLock.Keys() {
			switch to := renamedTo[key]; {
			case to != "":
				lock.RenamedServers = append(lock.RenamedServers, report.RenamedServer{From: key, To: to})
				before[to] = rv.baseLock.Server(key)
			case rv.headLock == nil || rv.headLock.Server(key) == nil:
				lock.RemovedServers = append(lock.RemovedServers, key)
			default:
				before[key] = rv.baseLock.Server(key)
			}
		}
	}
	if rv.headLock == nil {
		return
	}
	for _, key := range rv.headLock.Keys() {
		changes := lockfile.Compare(before[key], rv.headLock.Server(key), rv.compareOptions())
		if len(changes) == 0 {
			continue
		}
		accepted := report.LockedChanges{Key: key}
		for _, change := range changes {
			accepted.Changes = append(accepted.Changes, report.Located{
				Change:   change,
				Location: rv.headLock.ChangedAt(key, before[key], change),
			})
		}
		lock.Accepted = append(lock.Accepted, accepted)
	}
}

// renamedEntries pairs, old key to new one, the entries that only one of the
// locks has and that hold the same. A server that is still launched under its
// old key was not renamed: nothing is locked for it any more.
func (rv *auditing) renamedEntries(results []checked) map[string]string {
	if rv.headLock == nil || rv.baseLock == nil {
		return nil
	}
	launched := map[string]bool{}
	for i := range results {
		launched[lockIDOf(results[i].Key, results[i].Profile).entry()] = true
	}
	gone := map[[sha256.Size]byte][]string{}
	for _, key := range rv.baseLock.Keys() {
		if rv.headLock.Server(key) == nil && !launched[key] {
			sum := entrySum(rv.baseLock.Server(key))
			gone[sum] = append(gone[sum], key)
		}
	}
	renamed := map[string]string{}
	for _, key := range rv.headLock.Keys() {
		if len(gone) == 0 || rv.baseLock.Server(key) != nil {
			continue
		}
		sum := entrySum(rv.headLock.Server(key))
		if from := gone[sum]; len(from) > 0 {
			renamed[from[0]], gone[sum] = key, from[1:]
		}
	}
	return renamed
}

// entrySum identifies what is locked, whatever its key.
func entrySum(s *lockfile.Server) [sha256.Size]byte {
	var f lockfile.File
	f.Set("entry", s)
	return sha256.Sum256(f.Encode())
}

func (rv *auditing) compareOptions() lockfile.Options {
	return lockfile.Options{LockIgnore: rv.policy.LockIgnore}
}

// lockedOnly are servers that the lock at path holds and nothing launches: what
// they say now cannot be checked, so they are not clean. An entry of a server
// that is launched under another profile is told and no error: a machine that
// could check every profile would need every token. unread tells that there are
// files with servers in them that cannot be read: nobody is advised to remove
// what may be there.
func (e *Engine) lockedOnly(f *lockfile.File, path string, servers []launch.Server, unread bool) []checked {
	entries, keys := make(map[string]bool, len(servers)), make(map[string]bool, len(servers))
	for _, s := range servers {
		id := lockIDOf(s.Key, s.Profile)
		entries[id.entry()], keys[id.key] = true, true
	}
	var results []checked
	ids := lockedIDs(f)
	for i, key := range f.Keys() {
		switch {
		case entries[key]:
			continue
		case keys[ids[i].key]:
			e.warn(key, []string{"not checked: this profile is locked, but no server is configured with it"})
			continue
		}
		s := launch.Server{Key: key, Location: f.Location(key, snapshot.Ref{Kind: snapshot.KindServer})}
		c := checked{Server: s, report: emptyServer(s)}
		if launch := f.Server(key).Launch; launch.Transport != "" {
			c.report.Server.Transport, c.report.Server.CommandSHA256 = launch.Transport, launch.SHA256
		}
		message := snapshot.Visible(path) + " holds this server, but no configuration "
		if unread {
			message += "that can be read launches it"
		} else {
			message += "launches it; configure it, or remove it with " + unlockCommand(key)
		}
		c.report.Error = &report.Error{Kind: report.ErrInput, Message: message}
		results = append(results, c)
	}
	return results
}

func launchOf(s launch.Server) lockfile.Launch {
	if s.Command == "" && s.URL == "" {
		return lockfile.Launch{}
	}
	return lockfile.Launch{Transport: s.Transport(), SHA256: s.CommandSHA256()}
}

func nonNil(changes []lockfile.Change) []lockfile.Change {
	if changes == nil {
		return []lockfile.Change{}
	}
	return changes
}
