package lockfile

import (
	"bytes"
	"crypto/sha256"
	"net/url"
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// meaning knows what the parts of one schema mean: two schemas with one sum
// accept the same values and carry the same annotations apart from texts. It
// proves little on purpose; schemas with different sums may mean the same:
//
//   - a schema of several types is the union of one schema for each of them,
//     which has those keywords only that say something about that type
//   - a list of values (enum, const, null, boolean) is the union of its values,
//     those left out that its type forbids
//   - anyOf is the union of its members, and so is oneOf where no value can
//     match two of them; allOf with one member is that member
//   - a local $ref is what it refers to
//   - true, {} and absence are one, and so are empty lists and maps, limits
//     that limit nothing, and false and {"not": {}}
//
// Sums are built from sums, so a schema costs its size even where every $ref
// is used many times.
type meaning struct {
	root *snapshot.Node
	memo map[*snapshot.Node]meaningSum
	// targets holds what references refer to, as far as [proof.refine] knows it.
	targets map[*snapshot.Node][]alternative
}

type meaningSum [sha256.Size]byte

func newMeaning(root *snapshot.Node) *meaning {
	return &meaning{root: root, memo: map[*snapshot.Node]meaningSum{}, targets: map[*snapshot.Node][]alternative{}}
}

// of returns the sum of a schema; a nil one allows everything.
func (m *meaning) of(n *snapshot.Node) meaningSum {
	if n != nil {
		if s, ok := m.memo[n]; ok {
			return s
		}
	}
	s := m.sum(n)
	if n != nil {
		m.memo[n] = s
	}
	return s
}

func (m *meaning) sum(n *snapshot.Node) meaningSum {
	core := union(m.alternatives(n))
	notes := annotations(n)
	if len(notes) == 0 {
		return core
	}
	return sumOf(append(notes, "schema", string(core[:]))...)
}

// values returns the sum of what a schema accepts, whatever else it says.
func (m *meaning) values(n *snapshot.Node) meaningSum { return union(m.alternatives(n)) }

// alternative is a schema of which a union is made.
type alternative struct {
	sum   meaningSum
	types typeBits // the types that it can accept at most
	value bool     // it accepts one value only
}

// maxAlternatives bounds the members of a union; larger ones are one member of
// the unions that they are part of.
const maxAlternatives = 256

// alternatives returns the union that a schema is, annotations left aside.
func (m *meaning) alternatives(n *snapshot.Node) []alternative {
	switch {
	case anything(n):
		return everything()
	case nothing(n):
		return nil
	case n.Type() != snapshot.Object:
		return opaque(sumOf("value", dataOf(n)))
	}
	switch only := onlyKeyword(n); only {
	case "":
		return everything()
	case "$ref":
		if target, ok := m.targets[m.resolve(n.Get("$ref"))]; ok {
			return target
		}
	case "anyOf", "oneOf", "allOf":
		branches := n.Get(only).Elements()
		if len(branches) == 0 || only == "allOf" && len(branches) > 1 {
			break
		}
		parts := make([][]alternative, len(branches))
		for i, b := range branches {
			parts[i] = m.branch(b)
		}
		if only == "oneOf" && !disjoint(parts) {
			break
		}
		return tidy(slices.Concat(parts...))
	}
	if parts, ok := m.byType(n); ok {
		return tidy(parts)
	}
	return opaque(m.keywords(n))
}

// branch returns the alternatives of a member of a union; its annotations hold
// it together.
func (m *meaning) branch(n *snapshot.Node) []alternative {
	parts := m.alternatives(n)
	if len(annotations(n)) == 0 {
		return parts
	}
	var types typeBits
	for _, p := range parts {
		types |= p.types
	}
	return []alternative{{sum: m.of(n), types: types}}
}

func everything() []alternative { return opaque(sumOf("true")) }

// opaque is a schema of which nothing is known but its sum.
func opaque(sum meaningSum) []alternative {
	return []alternative{{sum: sum, types: anyType}}
}

// tidy sorts a union and drops what is in it twice; beside a member that
// accepts everything all others are.
func tidy(parts []alternative) []alternative {
	slices.SortFunc(parts, func(a, b alternative) int { return bytes.Compare(a.sum[:], b.sum[:]) })
	parts = slices.CompactFunc(parts, func(a, b alternative) bool { return a.sum == b.sum })
	whole := sumOf("true")
	if slices.ContainsFunc(parts, func(a alternative) bool { return a.sum == whole }) {
		return everything()
	}
	if len(parts) > maxAlternatives {
		return opaque(union(parts))
	}
	return parts
}

// union returns the sum of tidy alternatives: of one, its own.
func union(parts []alternative) meaningSum {
	if len(parts) == 1 {
		return parts[0].sum
	}
	h := []string{"union"}
	for _, p := range parts {
		h = append(h, string(p.sum[:]))
	}
	return sumOf(h...)
}

// disjoint reports whether no value can be accepted by two of the unions.
func disjoint(unions [][]alternative) bool {
	var types, single typeBits // of all, and of alternatives that are one value
	values := map[meaningSum]bool{}
	for _, parts := range unions {
		var own, ownSingle typeBits
		for _, p := range parts {
			if !p.value {
				own |= p.types
				continue
			}
			ownSingle |= p.types
			if values[p.sum] {
				return false
			}
		}
		if own&(types|single) != 0 || ownSingle&types != 0 {
			return false
		}
		for _, p := range parts {
			values[p.sum] = values[p.sum] || p.value
		}
		types, single = types|own, single|ownSingle
	}
	return true
}

// sumOf hashes parts so that different lists of parts have different sums.
func sumOf(parts ...string) meaningSum {
	h := sha256.New()
	var length [8]byte
	for _, p := range parts {
		for i := range length {
			length[i] = byte(len(p) >> (8 * i))
		}
		h.Write(length[:])
		h.Write([]byte(p))
	}
	return meaningSum(h.Sum(nil))
}

// onlyKeyword returns the one keyword of a schema that says something about
// values, "" for none and "several" for more.
func onlyKeyword(n *snapshot.Node) string {
	only := ""
	for _, m := range n.Members() {
		if silent(m.Name) || only == m.Name {
			continue
		}
		if only != "" {
			return "several"
		}
		only = m.Name
	}
	return only
}

// silent tells keywords that say nothing about values: annotations, and
// definitions, which count where they are referred to.
func silent(keyword string) bool {
	switch classOf(keyword) {
	case textKeyword, plainKeyword, definitionsKeyword:
		return true
	}
	return false
}

// nothing reports whether a schema plainly refuses every value.
func nothing(n *snapshot.Node) bool {
	return isSchema(n, false) || n.Type() == snapshot.Object && onlyKeyword(n) == "not" && anything(n.Get("not"))
}

// resolve returns what a local reference refers to, nil when that is not plain.
func (m *meaning) resolve(ref *snapshot.Node) *snapshot.Node {
	path, local := localPointer(ref)
	if !local {
		return nil
	}
	return m.root.At(path)
}

// localPointer returns the JSON pointer that a $ref holds.
func localPointer(ref *snapshot.Node) (string, bool) {
	path, local := strings.CutPrefix(ref.Text(), "#")
	if !local || path != "" && path[0] != '/' {
		return "", false
	}
	path, err := url.PathUnescape(path)
	return path, err == nil
}
