package lockfile

import (
	"bytes"
	"slices"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// keywords returns the sum of all keywords that say something about values.
func (m *meaning) keywords(n *snapshot.Node) meaningSum {
	return m.some(n, "", func(keyword string) bool { return !silent(keyword) })
}

// ofType returns the sum of what a schema says about values of one type.
func (m *meaning) ofType(n *snapshot.Node, name string) meaningSum {
	return m.some(n, name, func(keyword string) bool {
		bits, ok := appliesTo(keyword)
		return ok && bits&typeBit(name) != 0
	})
}

// some returns the sum of the chosen keywords, for values of one type when it
// is named.
func (m *meaning) some(n *snapshot.Node, typ string, chosen func(keyword string) bool) meaningSum {
	parts := []string{"keywords", typ}
	for _, member := range sortedMembers(n) {
		if !chosen(member.Name) {
			continue
		}
		if sum := m.keyword(member.Name, member.Value); sum != "" {
			parts = append(parts, member.Name, sum)
		}
	}
	if len(parts) == 2 && typ == "" {
		return sumOf("true")
	}
	return sumOf(parts...)
}

// keyword returns the sum of a keyword's value, "" when it says nothing.
func (m *meaning) keyword(name string, v *snapshot.Node) string {
	switch class := classOf(name); class {
	case typeKeyword:
		if types, ok := typeSet(v); ok {
			return sumStrings(types)
		}
	case valuesKeyword:
		if name == "enum" && v.Type() == snapshot.Array {
			return sumValues(v.Elements())
		}
	case limitKeyword:
		if limitsNothing(name, v) {
			return ""
		}
	case requiredList:
		if v.Type() == snapshot.Array {
			if v.Len() == 0 {
				return ""
			}
			return sumValues(v.Elements())
		}
	case exactKeyword:
		if name == "$ref" {
			if target, ok := m.targets[m.resolve(v)]; ok {
				s := union(target)
				return string(s[:])
			}
		}
	case schemaKeyword, opaqueKeyword, inPlaceKeyword, tupleKeyword:
		if v.Type() == snapshot.Array {
			return m.list(v, false)
		}
		if anything(v) && class == schemaKeyword && name != "contains" {
			return ""
		}
		return m.text(v)
	case unionKeyword, allOfKeyword:
		if v.Type() == snapshot.Array {
			return m.list(v, true)
		}
	case propertiesKeyword, patternsKeyword, dependentKeyword:
		if v.Type() == snapshot.Object {
			return m.entries(v)
		}
	}
	s := sumOf("value", dataOf(v))
	return string(s[:])
}

func (m *meaning) text(n *snapshot.Node) string {
	s := m.of(n)
	return string(s[:])
}

// list sums the schemas of an array, as a set when their order says nothing.
func (m *meaning) list(v *snapshot.Node, set bool) string {
	sums := make([]meaningSum, v.Len())
	for i, e := range v.Elements() {
		sums[i] = m.of(e)
	}
	if set {
		slices.SortFunc(sums, func(a, b meaningSum) int { return bytes.Compare(a[:], b[:]) })
	}
	parts := []string{"list"}
	for _, s := range sums {
		parts = append(parts, string(s[:]))
	}
	s := sumOf(parts...)
	return string(s[:])
}

// entries sums a map of schemas.
func (m *meaning) entries(v *snapshot.Node) string {
	if v.Len() == 0 {
		return ""
	}
	parts := []string{"map"}
	for _, e := range sortedMembers(v) {
		if e.Value.Type() == snapshot.Array { // dependencies: a set of names
			parts = append(parts, e.Name, "names", sumValues(e.Value.Elements()))
			continue
		}
		parts = append(parts, e.Name, m.text(e.Value))
	}
	s := sumOf(parts...)
	return string(s[:])
}

// sumValues sums a set of values.
func sumValues(values []*snapshot.Node) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = dataOf(v)
	}
	return sumStrings(texts)
}

func sumStrings(texts []string) string {
	texts = slices.Clone(texts)
	slices.Sort(texts)
	s := sumOf(append([]string{"set"}, slices.Compact(texts)...)...)
	return string(s[:])
}

// annotations returns what a schema says besides limiting values, texts left
// out: the sums decide about structure only.
func annotations(n *snapshot.Node) []string {
	var notes []string
	for _, member := range sortedMembers(n) {
		switch classOf(member.Name) {
		case plainKeyword:
			notes = append(notes, member.Name, string(Canonical(member.Value)))
		case textKeyword:
			if b, ok := appendResidue(nil, member.Value); ok {
				notes = append(notes, member.Name, string(b))
			}
		}
	}
	return notes
}

// appendResidue appends what is left of a value when all strings are taken out,
// and what held nothing else with them; false when nothing is left.
func appendResidue(b []byte, n *snapshot.Node) ([]byte, bool) {
	switch n.Type() {
	case snapshot.Missing, snapshot.String:
		return b, false
	case snapshot.Array:
		start, left := len(b), n.Len() == 0
		b = append(b, '[')
		for _, e := range n.Elements() {
			inner, ok := appendResidue(b, e)
			if left = left || ok; ok {
				b = append(inner, ',')
			}
		}
		if !left {
			return b[:start], false
		}
		return append(b, ']'), true
	case snapshot.Object:
		start, left := len(b), n.Len() == 0
		b = append(b, '{')
		for _, m := range sortedMembers(n) {
			at := len(b)
			inner, ok := appendResidue(append(appendString(b, m.Name, false), ':'), m.Value)
			if left = left || ok; ok {
				b = append(inner, ',')
			} else {
				b = inner[:at]
			}
		}
		if !left {
			return b[:start], false
		}
		return append(b, '}'), true
	}
	return canonicalWriter{}.value(b, n), true
}

// sameResidue reports whether two values differ in strings at most.
func sameResidue(a, b *snapshot.Node) bool {
	x, _ := appendResidue(nil, a)
	y, _ := appendResidue(nil, b)
	return string(x) == string(y)
}
