package audit

import (
	"fmt"
	"path"
	"strings"
)

// maxRelock bounds the lock that is computed for a pull request, in bytes. That
// of 50 servers with 3,000 tools has about half of it.
const maxRelock = 8 << 20

// relock computes the head's lock with what its servers say now, the way LockAll
// does. It says why not where something stands against it: whoever accepts the
// changes must get what was shown, whole, and nothing else.
func (rv *auditing) relock(results []checked) {
	lock := &rv.out.Lock
	if !differs(results) {
		return
	}
	if lock.NoRefresh = rv.noRelock(results); lock.NoRefresh != "" {
		return
	}
	// A copy of its own: the one that was compared stays as it was read.
	f, err := readLock(rv.head.tree, lock.Path)
	if err != nil || f == nil {
		lock.NoRefresh = "the lock file cannot be read"
		return
	}
	candidates := make([]candidate, len(results))
	for i := range results {
		candidates[i] = candidate{checked: results[i]}
		if err := candidates[i].capture(false); err != nil {
			lock.NoRefresh = err.Error()
			return
		}
	}
	LockRequest{Accept: true, Config: rv.policy}.judgeAll(f, candidates)
	for i := range candidates {
		if failure := candidates[i].report.Error; failure != nil {
			lock.NoRefresh = failure.Message
			return
		}
	}
	encoded := f.Encode()
	if len(encoded) > maxRelock {
		lock.NoRefresh = fmt.Sprintf("the lock would have %d bytes; at most %d are kept for a pull request", len(encoded), maxRelock)
		return
	}
	lock.Refreshed = string(encoded)
}

// differs tells whether a server says anything that the head's lock does not hold.
func differs(results []checked) bool {
	for _, r := range results {
		if r.report.Lock != nil && len(r.report.Lock.Changes) > 0 {
			return true
		}
	}
	return false
}

// noRelock says what stands against a new lock, "" for nothing.
func (rv *auditing) noRelock(results []checked) string {
	lock := &rv.out.Lock
	switch {
	case lock.Error != nil:
		return "the lock file cannot be read"
	case !rv.head.exists(lock.Path):
		return "the lock file is not on this branch"
	case len(lock.RemovedServers) > 0:
		return "this pull request removes locked servers"
	case rv.own.Lock != rv.policy.Lock:
		return "this pull request moves the lock file"
	case !rv.head.plain(lock.Path):
		return "the lock file, or a folder that it is in, is no plain file or folder"
	}
	for i := range results {
		if results[i].snapshot == nil {
			return "not every server could be checked"
		}
	}
	return ""
}

// plain tells whether name is a regular file below folders, with no link on the
// way to it.
func (t *tree) plain(name string) bool {
	info, err := t.root.Lstat(name)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	for dir := path.Dir(name); dir != "." && !strings.HasPrefix(dir, "/"); dir = path.Dir(dir) {
		if info, err := t.root.Lstat(dir); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}
