package lockfile

import (
	"bytes"
	"crypto/sha256"
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// meaning knows what the parts of one schema mean: two schemas with one sum
// accept the same values and carry the same annotations apart from texts. It
// proves little on purpose; schemas with different sums may mean the same:
//
//   - a type list, and anyOf of its members, are one (with what else is said
//     about the only member that is not null)
//   - anyOf, oneOf and allOf with one member are that member
//   - const is an enum with one member
//   - a local $ref is what it refers to
//   - true, {} and absence are one, and so are empty lists and maps
//
// Sums are built from sums, so a schema costs its size even where every $ref
// is used many times.
type meaning struct {
	root *snapshot.Node
	memo map[*snapshot.Node]meaningSum
	open map[*snapshot.Node]bool // targets of references that are being summed
	// inlines is false when names inside the schema can change what a local
	// $ref refers to.
	inlines, scanned bool
}

// maxChain is how many references are followed from one to the next.
const maxChain = 100

// provable is false for a schema so deep that no lock holds it.
func (m *meaning) provable() bool { return m.root.Depth() <= snapshot.MaxDepth }

type meaningSum [sha256.Size]byte

func newMeaning(root *snapshot.Node) *meaning {
	return &meaning{root: root, memo: map[*snapshot.Node]meaningSum{}, open: map[*snapshot.Node]bool{}}
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
	switch {
	case anything(n):
		return sumOf("true")
	case n.Type() != snapshot.Object:
		return sumOf("value", string(Canonical(n)))
	}
	core := union(m.alternatives(n))
	notes := annotations(n)
	if len(notes) == 0 {
		return core
	}
	return sumOf(append(notes, "schema", string(core[:]))...)
}

// alternatives returns the sums of the schemas of which a value has to match
// one, leaving annotations aside.
func (m *meaning) alternatives(n *snapshot.Node) []meaningSum {
	switch only := onlyKeyword(n); only {
	case "":
		return []meaningSum{sumOf("true")}
	case "$ref":
		if target := m.resolve(n.Get("$ref")); target != nil && !m.open[target] && len(m.open) < maxChain {
			m.open[target] = true
			defer delete(m.open, target)
			return []meaningSum{m.of(target)}
		}
	case "anyOf", "oneOf", "allOf":
		branches := n.Get(only).Elements()
		if len(branches) == 1 {
			return []meaningSum{m.of(branches[0])}
		}
		if only == "anyOf" && len(branches) > 1 {
			return m.branchSums(branches)
		}
	}
	if parts := m.splitTypes(n); parts != nil {
		return parts
	}
	return []meaningSum{m.keywords(n, nil, nil)}
}

// branchSums returns the alternatives of the branches of anyOf.
func (m *meaning) branchSums(branches []*snapshot.Node) []meaningSum {
	var sums []meaningSum
	for _, b := range branches {
		if parts := m.splitTypes(b); parts != nil && len(annotations(b)) == 0 {
			sums = append(sums, parts...)
		} else {
			sums = append(sums, m.of(b))
		}
	}
	return sums
}

// splitTypes returns one sum for each type of a type list, nil when the schema
// is not plainly such a union. Keywords beside the list must belong to its only
// type that is not null, and null has no keywords.
func (m *meaning) splitTypes(n *snapshot.Node) []meaningSum {
	types, ok := typeSet(n.Get("type"))
	if !ok || len(types) < 2 {
		return nil
	}
	var sums []meaningSum
	if onlyKeyword(n) == "type" {
		for _, t := range types {
			sums = append(sums, m.keywords(nil, []string{t}, nil))
		}
		return sums
	}
	if len(types) != 2 || !slices.Contains(types, "null") || hasAny(n, "$ref", "$dynamicRef", "anyOf", "oneOf", "allOf", "not", "if", "then", "else", "const") {
		return nil
	}
	enum := n.Get("enum")
	others := slices.DeleteFunc(slices.Clone(enum.Elements()), func(v *snapshot.Node) bool { return v.Type() == snapshot.Null })
	if enum != nil && (len(others) == enum.Len() || len(others) == 0) {
		return nil // null is not allowed, or nothing else
	}
	types = slices.DeleteFunc(types, func(t string) bool { return t == "null" })
	return []meaningSum{m.keywords(n, types, others), m.keywords(nil, []string{"null"}, nil)}
}

func hasAny(n *snapshot.Node, names ...string) bool { return slices.ContainsFunc(names, n.Has) }

// union returns the sum of alternatives: of one, its own.
func union(sums []meaningSum) meaningSum {
	sortSums(sums)
	sums = slices.Compact(sums)
	if len(sums) == 1 {
		return sums[0]
	}
	return sumOf("anyOf", joinSums(sums))
}

func sortSums(sums []meaningSum) {
	slices.SortFunc(sums, func(a, b meaningSum) int { return bytes.Compare(a[:], b[:]) })
}

func joinSums(sums []meaningSum) string {
	var b strings.Builder
	for _, s := range sums {
		b.Write(s[:])
	}
	return b.String()
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
		if isAnnotation(m.Name) || only == m.Name {
			continue
		}
		if only != "" {
			return "several"
		}
		only = m.Name
	}
	return only
}

func isAnnotation(keyword string) bool {
	c := classOf(keyword)
	return c == textKeyword || c == plainKeyword
}

// resolve returns what a local reference refers to, nil when that is not plain.
func (m *meaning) resolve(ref *snapshot.Node) *snapshot.Node {
	path, local := strings.CutPrefix(ref.Text(), "#")
	if !local || strings.Contains(path, "%") || path != "" && path[0] != '/' {
		return nil
	}
	if !m.scanned {
		m.scanned, m.inlines = true, true
		m.root.Walk(func(_ func() string, n *snapshot.Node) bool {
			if n != m.root && hasAny(n, "$id", "id") || hasAny(n, "$dynamicAnchor", "$recursiveAnchor") {
				m.inlines = false
			}
			return m.inlines
		})
	}
	if !m.inlines {
		return nil
	}
	return m.root.At(path)
}
