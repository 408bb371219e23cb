package audit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/internal/launch"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
	"github.com/mcp-lint/mcp-lint/lockfile"
)

// lockID is what tells the entries of a lock apart: the server, and the
// profile that it was collected under, "" for none.
type lockID struct{ key, profile string }

// entry is the key in the lock.
func (id lockID) entry() string { return lockfile.ProfileKey(id.key, id.profile) }

// lockIDOf is the entry of a key and a profile. A key that ends with its
// profile is the entry's name already: that is how one configuration, whose
// keys must differ, holds a server under several profiles.
func lockIDOf(key, profile string) lockID {
	if profile != "" {
		if base, ok := strings.CutSuffix(key, "@"+profile); ok && base != "" {
			key = base
		}
	}
	return lockID{key, profile}
}

// LockKey is the key under which the lock holds a configured server.
func LockKey(s launch.Server) string { return lockIDOf(s.Key, s.Profile).entry() }

// lockedIDs are the entries of a lock, in its order. An entry whose key does not
// end with its profile, as no program writes it, has an ID that finds nothing.
func lockedIDs(f *lockfile.File) []lockID {
	var ids []lockID
	for _, key := range f.Keys() {
		ids = append(ids, lockIDOf(key, f.Server(key).Profile))
	}
	return ids
}

// lockedUnder returns what the lock holds under an ID, nil for nothing. The
// error says that the entry is another server's: files@ci may be a server of
// that name, or files under the profile ci.
func lockedUnder(f *lockfile.File, id lockID) (*lockfile.Server, error) {
	s := f.Server(id.entry())
	if s == nil || s.Profile == id.profile {
		return s, nil
	}
	return nil, fmt.Errorf("the lock's entry %q is that of %s, not of %s; expected another key or profile, or that entry removed",
		snapshot.Visible(id.entry()), profileWords(s.Profile), profileWords(id.profile))
}

func profileWords(profile string) string {
	if profile == "" {
		return "a server without a profile"
	}
	return fmt.Sprintf("a server under profile %q", snapshot.Visible(profile))
}

// id is the entry that a run means.
func (r LockRequest) id(f *lockfile.File, snap *snapshot.Snapshot) (lockID, error) {
	if locked := f.Server(r.Key); locked != nil && locked.Profile != "" {
		switch id := lockIDOf(r.Key, locked.Profile); {
		case id.entry() != r.Key: // no program writes that
		case r.Profile != "" && r.Profile != id.profile:
			return id, fmt.Errorf("%q is an entry under profile %q already; expected the server's own key, %q, with another profile (--name)",
				snapshot.Visible(r.Key), id.profile, snapshot.Visible(id.key))
		default:
			return id, nil
		}
	}
	ids := lockedIDs(f)
	id := lockIDOf(r.Key, r.Profile)
	switch {
	case r.Key == "" && len(ids) == 0 && !r.Check:
		return lockIDOf(cmp.Or(snap.Name, unnamed), r.Profile), nil
	case r.Key == "" && len(ids) > 0 && !slices.ContainsFunc(ids, func(id lockID) bool { return id.key != ids[0].key }):
		return lockID{ids[0].key, r.Profile}, nil
	case r.Key != "" && (!r.Check || len(f.Profiles(id.key)) > 0):
		return id, nil
	}
	_, err := f.Match(r.Key)
	if err == nil { // an entry that lockedIDs cannot tell
		_, err = lockedUnder(f, lockID{key: r.Key})
	}
	return id, fmt.Errorf("%w (--name)", err)
}

// differences compares a live server with what the lock holds for it.
func differences(f *lockfile.File, id lockID, live *lockfile.Server, o lockfile.Options) ([]lockfile.Change, error) {
	locked, err := lockedUnder(f, id)
	if err != nil {
		return nil, err
	}
	if locked == nil {
		if mismatch, ok := f.ProfileMismatch(id.key, id.profile); ok {
			return []lockfile.Change{mismatch}, nil
		}
	}
	return lockfile.Compare(locked, live, o), nil
}

// refuseTwins makes entries that the lock could not tell apart unusable, all but
// the first.
func refuseTwins(servers []launch.Server) []launch.Server {
	first := make(map[string]string, len(servers))
	for i := range servers {
		s := &servers[i]
		entry := LockKey(*s)
		if twin, ok := first[entry]; ok && s.Invalid == nil {
			s.Invalid = fmt.Errorf("the lock would hold this server and %q under one key, %q; expected another key or profile",
				snapshot.Visible(twin), snapshot.Visible(entry))
			continue
		}
		first[entry] = s.Key
	}
	return servers
}
