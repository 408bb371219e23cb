package lockfile

import (
	"bytes"
	"slices"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// typeSet returns the types of a type keyword, sorted, and false when it is
// neither a text nor a list of texts.
func typeSet(n *snapshot.Node) ([]string, bool) {
	if n.IsText() {
		return []string{n.Text()}, true
	}
	if n.Type() != snapshot.Array {
		return nil, false
	}
	var types []string
	for _, e := range n.Elements() {
		if !e.IsText() {
			return nil, false
		}
		types = append(types, e.Text())
	}
	slices.Sort(types)
	return slices.Compact(types), true
}

// types compares the type keyword as a set in which number includes integer.
func (w *schemaWalk) types(old, new *snapshot.Node) {
	if same(old, new) {
		return
	}
	before, wasOK := typeSet(old)
	after, isOK := typeSet(new)
	switch {
	case old == nil:
		w.narrowed(old, new, "%s accepts less: it is limited to %s now", w.subject(), typeNames(after, new))
		return
	case new == nil:
		w.widened(old, new, "%s now accepts values of any type; it accepted %s", w.subject(), typeNames(before, old))
		return
	case !isOK:
		w.widened(old, new, "%s now accepts values of any type, because %s is no type; it accepted %s", w.subject(), quoted(new), typeNames(before, old))
		return
	case !wasOK:
		w.narrowed(old, new, "%s accepts less: it is limited to %s now; its type was %s", w.subject(), typeNames(after, new), quoted(old))
		return
	}
	gained, lost := missingTypes(after, before), missingTypes(before, after)
	switch {
	case len(gained) > 0 && len(lost) == len(before):
		w.widenedAs(Breaking, old, new, "%s now accepts %s; it accepted %s", w.subject(), typeNames(after, new), typeNames(before, old))
	case len(gained) > 0:
		w.widened(old, new, "%s now accepts %s; it accepted %s", w.subject(), typeNames(after, new), typeNames(before, old))
	case len(lost) > 0:
		w.narrowed(old, new, "%s accepts less: it accepts %s now, and accepted %s", w.subject(), typeNames(after, new), typeNames(before, old))
	case old.Type() != new.Type() || !slices.Equal(before, after):
		w.equivalent(old, new)
	}
}

// missingTypes returns the types of a that b does not accept.
func missingTypes(a, b []string) []string {
	var missing []string
	for _, t := range a {
		if !slices.Contains(b, t) && !(t == "integer" && slices.Contains(b, "number")) {
			missing = append(missing, t)
		}
	}
	return missing
}

// values compares what enum and const allow together. It is called once for
// each of the two that exists, and answers on the first, which is const.
func (w *schemaWalk) values(name string, oldSchema, newSchema *snapshot.Node) {
	if name == "enum" && (oldSchema.Has("const") || newSchema.Has("const")) {
		return
	}
	old, new := oldSchema.Get(name), newSchema.Get(name)
	if old == nil || new == nil { // one is const, the other may be enum
		old, new = limitingValues(oldSchema), limitingValues(newSchema)
	}
	before, limited := allowedValues(oldSchema)
	after, limits := allowedValues(newSchema)
	gained, lost := setDifference(after, before), setDifference(before, after)
	switch {
	case !limited && !limits:
		if !same(old, new) {
			w.widened(old, new, "%s now accepts %s: %s is no list of values", w.subject(), anyOther(newSchema), quoted(new))
		}
	case !limited:
		w.narrowed(old, new, "%s accepts less: it is limited to %s", w.subject(), valueNames(after))
	case !limits, len(after) == 0 && len(before) > 0:
		w.widened(old, new, "%s now accepts %s; it was limited to %s", w.subject(), anyOther(newSchema), valueNames(before))
	case len(gained) > 0 && len(lost) == len(before):
		w.widened(old, new, "%s now accepts %s; it was limited to %s", w.subject(), valueNames(gained), valueNames(before))
	case len(gained) > 0:
		w.widened(old, new, "%s now accepts %s too; it was limited to %s", w.subject(), valueNames(gained), valueNames(before))
	}
	if limited && limits && len(lost) > 0 && len(after) > 0 && (name == "enum" || len(gained) == 0) {
		w.narrowed(old, new, "%s accepts less: %s is no longer an allowed value", w.subject(), valueNames(lost))
	}
	if limited && limits && len(gained)+len(lost) == 0 {
		w.listedOtherwise(old, new, oldSchema, newSchema)
	}
}

// listedOtherwise reports values that are the same ones and listed in another
// way than another order.
func (w *schemaWalk) listedOtherwise(old, new, oldSchema, newSchema *snapshot.Node) {
	switch {
	case sameData(oldSchema.Get("const"), newSchema.Get("const")) && sameInAnyOrder(oldSchema.Get("enum"), newSchema.Get("enum")):
	case knownDialect(w.proof.old.root) && knownDialect(w.proof.new.root):
		w.equivalent(old, new)
	default: // before draft 6 const was no keyword
		w.widened(old, new, "%s may accept other values: %s lists them now, and %s did", w.subject(), quoted(new), quoted(old))
	}
}

// limitingValues is the keyword that lists values, const before enum.
func limitingValues(schema *snapshot.Node) *snapshot.Node {
	if c := schema.Get("const"); c != nil {
		return c
	}
	return schema.Get("enum")
}

// setDifference returns the values of a that b does not have.
func setDifference(a, b []*snapshot.Node) []*snapshot.Node {
	have := make(map[string]bool, len(b))
	for _, n := range b {
		have[dataOf(n)] = true
	}
	var out []*snapshot.Node
	for _, n := range a {
		if !have[dataOf(n)] {
			out = append(out, n)
		}
	}
	return out
}

// sameInAnyOrder compares data whose arrays are sets.
func sameInAnyOrder(a, b *snapshot.Node) bool {
	w := canonicalWriter{anyOrder: true, data: true}
	return a.Type() == b.Type() && bytes.Equal(w.value(nil, a), w.value(nil, b))
}
