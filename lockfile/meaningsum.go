package lockfile

import (
	"maps"
	"slices"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// keywords returns the sum of all keywords that say something about values.
// types and enum, when not nil, replace those of n.
func (m *meaning) keywords(n *snapshot.Node, types []string, enum []*snapshot.Node) meaningSum {
	sums := map[string]string{}
	if types != nil {
		sums["type"] = sumStrings(types)
	}
	if enum != nil {
		sums["enum"] = sumValues(enum)
	}
	for _, member := range sortedMembers(n) {
		switch name, v := member.Name, member.Value; {
		case isAnnotation(name), name == "type" && types != nil, name == "enum" && enum != nil:
		case name == "const" && !n.Has("enum"):
			sums["enum"] = sumValues([]*snapshot.Node{v})
		default:
			if sum := m.keyword(name, v); sum != "" {
				sums[name] = sum
			}
		}
	}
	if len(sums) == 0 {
		return sumOf("true")
	}
	parts := []string{"keywords"}
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		parts = append(parts, name, sums[name])
	}
	return sumOf(parts...)
}

// keyword returns the sum of a keyword's value, "" when it says nothing.
func (m *meaning) keyword(name string, v *snapshot.Node) string {
	switch classOf(name) {
	case typeKeyword:
		if types, ok := typeSet(v); ok {
			return sumStrings(types)
		}
	case valuesKeyword:
		if name == "enum" && v.Type() == snapshot.Array {
			return sumValues(v.Elements())
		}
	case requiredList:
		if v.Type() == snapshot.Array {
			return sumValues(v.Elements())
		}
	case schemaKeyword, opaqueKeyword, inPlaceKeyword, tupleKeyword:
		if v.Type() == snapshot.Array {
			return m.list(v, false)
		}
		if anything(v) && classOf(name) == schemaKeyword && name != "contains" {
			return ""
		}
		return m.text(v)
	case unionKeyword, allOfKeyword:
		if v.Type() == snapshot.Array {
			return m.list(v, true)
		}
	case propertiesKeyword, patternsKeyword, definitionsKeyword, dependentKeyword:
		if v.Type() == snapshot.Object {
			return m.entries(v)
		}
	}
	s := sumOf("value", string(Canonical(v)))
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
		sortSums(sums)
	}
	s := sumOf("list", joinSums(sums))
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
			parts = append(parts, e.Name, sumValues(e.Value.Elements()))
			continue
		}
		parts = append(parts, e.Name, m.text(e.Value))
	}
	s := sumOf(parts...)
	return string(s[:])
}

// sumValues sums a set of values, "" for the empty set.
func sumValues(values []*snapshot.Node) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = string(Canonical(v))
	}
	return sumStrings(texts)
}

func sumStrings(texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	texts = slices.Clone(texts)
	slices.Sort(texts)
	s := sumOf(slices.Compact(texts)...)
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
