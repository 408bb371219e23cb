package lockfile

import "github.com/mcp-lint/mcp-lint/linter/snapshot"

// sameWording reports whether all names and strings by which the new schema
// limits values are in the old one as well. What says nothing to a validator, as
// the pattern of a number or the parameters of a text, is read by a model all
// the same. It says false where that takes too long to find out (see maxMoved).
func (w *schemaWalk) sameWording(old, new *snapshot.Node) bool {
	known := map[string]bool{}
	before := wordingWalk{meaning: w.proof.old, looked: &w.moved, open: map[*snapshot.Node]bool{}, each: func(s string) bool {
		known[s] = true
		return true
	}}
	after := wordingWalk{meaning: w.proof.new, looked: &w.moved, open: map[*snapshot.Node]bool{}, each: func(s string) bool {
		return known[s]
	}}
	return before.schema(old) && after.schema(new)
}

// wordingWalk calls each with the names and strings by which a schema, and what
// it refers to, limits values. Its methods return false as soon as each does.
type wordingWalk struct {
	*meaning
	each   func(string) bool
	looked *int                    // places, at most maxMoved
	open   map[*snapshot.Node]bool // targets of references that were looked at
}

func (w *wordingWalk) schema(n *snapshot.Node) bool {
	if *w.looked++; *w.looked > maxMoved {
		return false
	}
	for _, e := range n.Elements() { // a list of schemas
		if !w.schema(e) {
			return false
		}
	}
	for _, m := range n.Members() {
		if !w.keyword(m.Name, m.Value) {
			return false
		}
	}
	return true
}

func (w *wordingWalk) keyword(name string, v *snapshot.Node) bool {
	switch classOf(name) {
	case textKeyword, definitionsKeyword: // these are compared as texts, and where they are referred to
		return true
	case typeKeyword: // of what is no type nothing is proved
		return true
	case exactKeyword:
		target := w.resolve(v)
		if name != "$ref" || target == nil {
			return w.strings(v)
		}
		known := w.open[target]
		w.open[target] = true
		return known || w.schema(target)
	case propertiesKeyword, patternsKeyword, dependentKeyword:
		for _, m := range v.Members() {
			inner := w.schema
			if m.Value.Type() != snapshot.Object {
				inner = w.strings // dependencies: names
			}
			if !w.each(m.Name) || !inner(m.Value) {
				return false
			}
		}
		return true
	case schemaKeyword, inPlaceKeyword, opaqueKeyword, unionKeyword, allOfKeyword, tupleKeyword:
		return w.schema(v)
	}
	return w.strings(v)
}

// strings is for a value all of whose strings and names count.
func (w *wordingWalk) strings(n *snapshot.Node) bool {
	if *w.looked++; *w.looked > maxMoved {
		return false
	}
	if n.IsText() {
		return w.each(n.Text())
	}
	for _, e := range n.Elements() {
		if !w.strings(e) {
			return false
		}
	}
	for _, m := range n.Members() {
		if !w.each(m.Name) || !w.strings(m.Value) {
			return false
		}
	}
	return true
}
