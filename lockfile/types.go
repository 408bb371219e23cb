package lockfile

import (
	"bytes"
	"slices"
	"strings"

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
		w.narrowed(old, new, "%s accepts less: its type is limited to %s", w.subject(), typeNames(after, new))
		return
	case new == nil:
		w.widened(old, new, "%s now accepts any type; it was limited to %s", w.subject(), typeNames(before, old))
		return
	case !isOK:
		w.widened(old, new, "%s has no usable type any more: %s; it was %s", w.subject(), quoted(new), typeNames(before, old))
		return
	case !wasOK:
		w.narrowed(old, new, "%s accepts less: its type is now %s; it was %s", w.subject(), typeNames(after, new), quoted(old))
		return
	}
	gained, lost := missingTypes(after, before), missingTypes(before, after)
	switch {
	case len(gained) > 0:
		w.widened(old, new, "%s accepts more: its type is now %s; it was %s", w.subject(), typeNames(after, new), typeNames(before, old))
	case len(lost) > 0:
		w.narrowed(old, new, "%s accepts less: its type is now %s; it was %s", w.subject(), typeNames(after, new), typeNames(before, old))
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

func typeNames(types []string, n *snapshot.Node) string {
	if types == nil {
		return quoted(n)
	}
	return excerpt(strings.Join(types, " or "))
}

// values compares what enum and const allow together. It is called once for
// each of the two that exists, and answers on the first.
func (w *schemaWalk) values(name string, oldSchema, newSchema *snapshot.Node) {
	if name == "enum" && (oldSchema.Has("const") || newSchema.Has("const")) {
		return // const comes first in the order of names
	}
	if name == "const" && (oldSchema.Has("enum") || newSchema.Has("enum")) {
		w.constAndEnum(oldSchema, newSchema)
		return
	}
	old, new := oldSchema.Get(name), newSchema.Get(name)
	switch {
	case same(old, new):
	case name == "const" && old == nil:
		w.narrowed(old, new, "%s accepts less: only %s is allowed", w.subject(), quoted(new))
	case name == "const" && new == nil:
		w.widened(old, new, "%s now accepts any value; only %s was allowed", w.subject(), quoted(old))
	case name == "const":
		w.widened(old, new, "%s accepts another value: only %s is allowed; it was %s", w.subject(), quoted(new), quoted(old))
	default:
		w.enum(old, new, old.Elements(), new.Elements())
	}
}

// constAndEnum compares a schema that has const with one that has enum, or
// where one has both: const is an enum of one.
func (w *schemaWalk) constAndEnum(oldSchema, newSchema *snapshot.Node) {
	allowed := func(schema *snapshot.Node) (*snapshot.Node, []*snapshot.Node) {
		if c := schema.Get("const"); c != nil {
			return c, []*snapshot.Node{c}
		}
		e := schema.Get("enum")
		return e, e.Elements()
	}
	old, before := allowed(oldSchema)
	new, after := allowed(newSchema)
	if oldSchema.Has("const") == newSchema.Has("const") && same(oldSchema.Get("const"), newSchema.Get("const")) {
		old, new = oldSchema.Get("enum"), newSchema.Get("enum")
		before, after = old.Elements(), new.Elements()
	}
	w.enum(old, new, before, after)
}

// enum compares two sets of values. An absent one allows everything, and so
// does one that is no list.
func (w *schemaWalk) enum(old, new *snapshot.Node, before, after []*snapshot.Node) {
	if old == nil {
		w.narrowed(old, new, "%s accepts less: it is limited to %s", w.subject(), valueNames(after))
		return
	}
	if new == nil || len(after) == 0 {
		w.widened(old, new, "%s now accepts any value; it was limited to %s", w.subject(), valueNames(before))
		return
	}
	gained, lost := setDifference(after, before), setDifference(before, after)
	if len(gained) > 0 {
		w.widened(old, new, "%s accepts more: %s is new among the allowed values", w.subject(), valueNames(gained))
	}
	if len(lost) > 0 {
		w.narrowed(old, new, "%s accepts less: %s is no longer an allowed value", w.subject(), valueNames(lost))
	}
	if len(gained)+len(lost) == 0 && len(before) != len(after) {
		w.equivalent(old, new)
	}
}

// setDifference returns the values of a that b does not have.
func setDifference(a, b []*snapshot.Node) []*snapshot.Node {
	have := make(map[string]bool, len(b))
	for _, n := range b {
		have[string(Canonical(n))] = true
	}
	var out []*snapshot.Node
	for _, n := range a {
		if !have[string(Canonical(n))] {
			out = append(out, n)
		}
	}
	return out
}

// valueNames lists values for a sentence.
func valueNames(values []*snapshot.Node) string {
	const most = 5
	var names []string
	for _, v := range values[:min(most, len(values))] {
		names = append(names, quoted(v))
	}
	text := strings.Join(names, ", ")
	if len(values) > most {
		text += " and more"
	}
	if text == "" {
		return "nothing"
	}
	return text
}

// sameInAnyOrder compares values whose arrays are sets.
func sameInAnyOrder(a, b *snapshot.Node) bool {
	w := canonicalWriter{anyOrder: true}
	return a.Type() == b.Type() && bytes.Equal(w.value(nil, a), w.value(nil, b))
}
