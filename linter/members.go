package linter

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// Members returns the members of an object of this entity as JSON.parse keeps
// them in ECMAScript: integer-like names first, in ascending order, then the
// others in document order; of equal names the last value counts, at the place
// of the first.
func (e *Entity) Members(object *snapshot.Node) []snapshot.Member {
	members := object.Members()
	if e.repeats {
		members = dropRepeated(members)
	}
	if !slices.ContainsFunc(members, func(m snapshot.Member) bool { return isIndex(m.Name) }) {
		return members
	}
	members = slices.Clone(members)
	slices.SortStableFunc(members, func(a, b snapshot.Member) int {
		return cmp.Compare(indexOf(a.Name), indexOf(b.Name))
	})
	return members
}

func dropRepeated(members []snapshot.Member) []snapshot.Member {
	at := make(map[string]int, len(members))
	kept := make([]snapshot.Member, 0, len(members))
	for _, m := range members {
		if i, ok := at[m.Name]; ok {
			kept[i] = m
			continue
		}
		at[m.Name] = len(kept)
		kept = append(kept, m)
	}
	return kept
}

// isIndex reports whether ECMAScript orders a property of that name by number:
// a canonical array index (below 2^32 - 1).
func isIndex(name string) bool { return indexOf(name) < math.MaxUint32 }

func indexOf(name string) uint64 {
	const none = math.MaxUint32
	if name == "" || len(name) > 10 || name[0] < '0' || name[0] > '9' || name[0] == '0' && len(name) > 1 {
		return none
	}
	n, err := strconv.ParseUint(name, 10, 64)
	if err != nil || n >= none {
		return none
	}
	return n
}
