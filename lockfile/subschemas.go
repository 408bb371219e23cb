package lockfile

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// inner compares a keyword that holds one sub-schema for inner values; items
// may also hold a list of them (draft 7 and before).
func (w *schemaWalk) inner(name string, oldSchema, newSchema *snapshot.Node) {
	old, new := oldSchema.Get(name), newSchema.Get(name)
	oldList, newList := old.Type() == snapshot.Array, new.Type() == snapshot.Array
	switch {
	case name == "contains" && old == nil:
		w.narrowed(old, new, "%s accepts less: one of its items has to be %s now", w.subject(), accepts(new))
		w.newTexts(new)
	case name == "contains" && new == nil:
		w.widened(old, new, "%s now accepts lists without any matching item too; one had to be %s", w.subject(), accepts(old))
	case oldList && newList, oldList && new == nil, newList && old == nil:
		w.tuple(oldSchema, newSchema, name, "additionalItems")
	case oldList || newList:
		w.widened(old, new, "the items of %s are described in another way: %s; it was %s", w.subject(), quoted(new), quoted(old))
		w.newTexts(new)
	default:
		w.schema(old, new, nil)
	}
}

// tuple compares schemas by position. Positions that one side lacks are under
// the schema for the rest.
func (w *schemaWalk) tuple(oldSchema, newSchema *snapshot.Node, name, rest string) {
	old, new := oldSchema.Get(name), newSchema.Get(name)
	olds, news := old.Elements(), new.Elements()
	reported := len(w.changes) + w.structures
	for i := range max(len(olds), len(news)) {
		o, n := restOf(oldSchema, rest), restOf(newSchema, rest)
		if i < len(olds) {
			o = olds[i]
		}
		if i < len(news) {
			n = news[i]
		}
		w.in(strconv.Itoa(i), func() { w.schema(o, n, nil) })
	}
	switch {
	case len(w.changes)+w.structures > reported, len(olds) == len(news) && old != nil && new != nil:
	case old == nil || new == nil || w.proof.marked():
		// In drafts before 2020-12 the rest is limited only beside a list.
		w.widened(old, new, "the items of %s are described in another way: `%s` %s", w.subject(), name, changed(old, new))
	default:
		w.equivalent(old, new)
	}
}

// restOf is the schema of items without a position, nil for none.
func restOf(schema *snapshot.Node, name string) *snapshot.Node {
	if n := schema.Get(name); n.Type() != snapshot.Array {
		return n
	}
	return nil
}

// branches compares anyOf, oneOf (union) and allOf as sets. Branches that mean
// the same are set aside, the rest is paired in order.
func (w *schemaWalk) branches(old, new, newSchema *snapshot.Node, sc *scope, union bool) {
	if same(old, new) {
		return
	}
	keyword := w.path[len(w.path)-1]
	for _, n := range [...]*snapshot.Node{old, new} {
		if n != nil && n.Type() != snapshot.Array {
			w.widened(old, new, "`%s` of %s is no list of schemas and was not compared", keyword, w.subject())
			return
		}
	}
	switch {
	case union && new == nil:
		w.widened(old, new, "%s now accepts %s; it was limited to the alternatives of `%s`: %s", w.subject(), anyOther(newSchema), keyword, alternativeNames(old, ", "))
		return
	case union && old == nil:
		w.newUnion(keyword, new, sc)
		return
	}
	olds, news := w.unmatched(old, new)
	paired := min(len(olds), len(news))
	for i, n := range news[:paired] {
		w.in(strconv.Itoa(n.index), func() { w.schema(olds[i].node, n.node, sc) })
	}
	for _, n := range news[paired:] {
		w.in(strconv.Itoa(n.index), func() {
			if !union {
				w.schema(nil, n.node, sc) // one more condition
				return
			}
			w.widened(nil, n.node, "%s now accepts %s too: one more alternative in `%s`", w.subject(), accepts(n.node), keyword)
			w.newTexts(n.node)
		})
	}
	for _, o := range olds[paired:] {
		w.in(strconv.Itoa(o.index), func() {
			if union {
				w.narrowed(o.node, nil, "%s accepts less: %s is no longer among the alternatives of `%s`", w.subject(), accepts(o.node), keyword)
			} else {
				w.widened(o.node, nil, "%s no longer has to fit %s as well: one condition fewer in `%s`", w.subject(), quoted(o.node), keyword)
			}
		})
	}
}

// newUnion reports what the alternatives demand where there were none.
func (w *schemaWalk) newUnion(keyword string, new *snapshot.Node, sc *scope) {
	before, reported := w.structures, len(w.changes)
	for i, n := range new.Elements() {
		w.in(strconv.Itoa(i), func() { w.schema(nil, n, sc) })
	}
	switch free := slices.ContainsFunc(new.Elements(), anything); {
	case w.structures > before:
	case free && (keyword == "anyOf" || new.Len() == 1):
		if len(w.changes) == reported {
			w.equivalent(nil, new)
		}
	default:
		w.narrowed(nil, new, "%s accepts less: it is limited to the alternatives of `%s` now: %s", w.subject(), keyword, alternativeNames(new, ", "))
	}
}

// alternativeNames says what the members of a union accept.
func alternativeNames(list *snapshot.Node, separator string) string {
	const most = 5
	var names []string
	for _, n := range list.Elements()[:min(most, list.Len())] {
		names = append(names, accepts(n))
	}
	text := strings.Join(names, separator)
	if list.Len() > most {
		text += ", and more"
	}
	return text
}

// branch is a sub-schema and its place in the list.
type branch struct {
	node  *snapshot.Node
	index int
}

// unmatched returns the branches of both sides that have no equal on the other
// side; of those that mean the same but are written differently, both, as a
// pair at the front.
func (w *schemaWalk) unmatched(old, new *snapshot.Node) (olds, news []branch) {
	if old.Len() == 0 {
		for i, n := range new.Elements() {
			news = append(news, branch{n, i})
		}
		return nil, news
	}
	equal := map[string][]branch{}
	for i, o := range old.Elements() {
		key := string(Canonical(o))
		equal[key] = append(equal[key], branch{o, i})
	}
	var rest []branch
	for i, n := range new.Elements() {
		key := string(Canonical(n))
		if len(equal[key]) > 0 {
			equal[key] = equal[key][1:]
			continue
		}
		rest = append(rest, branch{n, i})
	}
	left := map[int]bool{}
	for _, branches := range equal {
		for _, b := range branches {
			left[b.index] = true
		}
	}
	provable := w.proof.able()
	like := map[meaningSum][]branch{}
	for i, o := range old.Elements() {
		if left[i] && provable {
			sum := w.proof.old.of(o)
			like[sum] = append(like[sum], branch{o, i})
		}
	}
	var others []branch
	for _, n := range rest {
		var sum meaningSum
		if len(like) > 0 {
			sum = w.proof.new.of(n.node)
		}
		if len(like[sum]) == 0 {
			others = append(others, n)
			continue
		}
		olds, news = append(olds, like[sum][0]), append(news, n)
		delete(left, like[sum][0].index)
		like[sum] = like[sum][1:]
	}
	for i, o := range old.Elements() {
		if left[i] {
			olds = append(olds, branch{o, i})
		}
	}
	return olds, append(news, others...)
}

// dependents compares conditions that hold when a property is there: schemas,
// or in dependencies also lists of names.
func (w *schemaWalk) dependents(keyword string, old, new *snapshot.Node, sc *scope) {
	if !w.maps(old, new) {
		return
	}
	for _, name := range memberNames(old, new) {
		o, n := old.Get(name), new.Get(name)
		w.in(name, func() {
			if o.Type() == snapshot.Array || n.Type() == snapshot.Array {
				if !sameInAnyOrder(o, n) {
					w.companions(name, o, n)
				}
				w.newTexts(n)
				return
			}
			if o == nil && keyword == "dependentSchemas" {
				w.newName(name)
			}
			w.schema(o, n, sc)
		})
	}
}
