package lockfile

import (
	"crypto/sha256"
	"slices"
	"strings"
)

// origin is the removed definition that an added one was before.
type origin struct {
	*entry
	// respelled is set where the names differ in signs and capitals only
	// (web-search, web_search), and the definitions perhaps in more; otherwise
	// they differ in the name only.
	respelled bool
}

// origins finds renamings (D48) among what only one side has.
func (k *kind) origins(added, removed []*entry) map[*entry]origin {
	if len(added) == 0 || len(removed) == 0 {
		return nil
	}
	found := map[*entry]origin{}
	gone := map[[sha256.Size]byte][]*entry{}
	for _, e := range removed {
		sum := k.anonymous(e)
		gone[sum] = append(gone[sum], e)
	}
	taken := map[*entry]bool{}
	for _, e := range added {
		sum := k.anonymous(e)
		if was := gone[sum]; len(was) > 0 {
			gone[sum] = was[1:]
			found[e], taken[was[0]] = origin{entry: was[0]}, true
		}
	}
	if k.identity != "name" {
		return found // of a URI every sign counts
	}
	rest := slices.DeleteFunc(slices.Clone(removed), func(e *entry) bool { return taken[e] })
	before, after := byLetters(rest), byLetters(added)
	for letters, now := range after {
		if was := before[letters]; len(was) == 1 && len(now) == 1 && found[now[0]].entry == nil {
			found[now[0]] = origin{entry: was[0], respelled: true}
		}
	}
	return found
}

// anonymous is the hash of a definition without its name.
func (k *kind) anonymous(e *entry) [sha256.Size]byte {
	return sha256.Sum256(k.canonical(nil, e.node, k.identity))
}

// byLetters groups entries by the letters and digits of their names; those
// whose names have others than ASCII ones, or none at all, are left out.
func byLetters(entries []*entry) map[string][]*entry {
	groups := make(map[string][]*entry, len(entries))
	for _, e := range entries {
		if letters, ok := lettersOf(e.name); ok && letters != "" {
			groups[letters] = append(groups[letters], e)
		}
	}
	return groups
}

// lettersOf returns a name in small letters and without its signs; false for one
// with anything but ASCII letters, digits, spaces and the signs of names.
func lettersOf(name string) (string, bool) {
	var b strings.Builder
	for i := range len(name) {
		switch c := name[i]; {
		case isAlphanumeric(c):
			b.WriteByte(lower(c))
		case c != ' ' && !isSign(c):
			return "", false
		}
	}
	return b.String(), true
}
