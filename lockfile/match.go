package lockfile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// Match returns the key of the server that a run means: the one with that key,
// or the only one when key is empty. The error says which keys there are.
func (f *File) Match(key string) (string, error) {
	keys := f.Keys()
	switch {
	case key != "" && f.servers[key] != nil:
		return key, nil
	case len(keys) == 0:
		return "", fmt.Errorf("%s holds no server; lock one first", f.title())
	case key != "":
		return "", fmt.Errorf("%s has no server %s; it has %s", f.title(), named(key), listed(keys))
	case len(keys) == 1:
		return keys[0], nil
	}
	return "", fmt.Errorf("%s holds %d servers; name one of %s", f.title(), len(keys), listed(keys))
}

func (f *File) title() string {
	if f.name == "" {
		return "the lock file"
	}
	return shown(f.name)
}

func listed(keys []string) string {
	const most = 10
	var b strings.Builder
	for i, key := range keys {
		if i == most {
			fmt.Fprintf(&b, " and %d more", len(keys)-most)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(named(key))
	}
	return b.String()
}

// ProfileKey returns the key of a server that was collected under a profile:
// KEY@PROFILE, and KEY without one.
func ProfileKey(key, profile string) string {
	if profile == "" {
		return key
	}
	return key + "@" + profile
}

// Profiles returns the profiles, "" for none, under which the lock holds a
// server, sorted.
func (f *File) Profiles(key string) []string {
	var profiles []string
	for k, s := range f.servers {
		if k == ProfileKey(key, s.Profile) {
			profiles = append(profiles, s.Profile)
		}
	}
	slices.Sort(profiles)
	return profiles
}

// ProfileMismatch returns the one change of a check under a profile that the
// lock lacks while it holds the server under others, and whether that is so.
func (f *File) ProfileMismatch(key, profile string) (Change, bool) {
	profiles := f.Profiles(key)
	if len(profiles) == 0 || slices.Contains(profiles, profile) {
		return Change{}, false
	}
	return Change{
		Kind: KindProfileMismatch, Class: Risk, Severity: severity.Warning,
		Entity: snapshot.Ref{Kind: snapshot.KindServer, Name: key},
		Message: fmt.Sprintf("the lock holds this server under %s, not under %s: nothing was compared",
			profileNames(profiles), profileNames([]string{profile})),
	}, true
}

func profileNames(profiles []string) string {
	names := make([]string, len(profiles))
	for i, p := range profiles {
		names[i] = "no profile"
		if p != "" {
			names[i] = "profile " + named(p)
		}
	}
	return strings.Join(names, ", ")
}
