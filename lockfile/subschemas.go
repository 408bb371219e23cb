package lockfile

import (
	"strconv"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// items compares a keyword that holds one sub-schema for inner values; items
// may also hold a list of them (draft 7 and before).
func (w *schemaWalk) items(old, new *snapshot.Node) {
	oldList, newList := old.Type() == snapshot.Array, new.Type() == snapshot.Array
	switch {
	case oldList && newList, oldList && new == nil, newList && old == nil:
		w.tuple(old, new)
	case oldList || newList:
		w.widened(old, new, "the items of %s are described in another way", w.subject())
		w.newTexts(new)
	default:
		w.schema(old, new, nil)
	}
}

// tuple compares schemas by position. Positions that one side lacks are free.
func (w *schemaWalk) tuple(old, new *snapshot.Node) {
	olds, news := old.Elements(), new.Elements()
	for i := range max(len(olds), len(news)) {
		var o, n *snapshot.Node
		if i < len(olds) {
			o = olds[i]
		}
		if i < len(news) {
			n = news[i]
		}
		w.in(strconv.Itoa(i), func() { w.schema(o, n, nil) })
	}
	if len(olds)+len(news) == 0 && !same(old, new) {
		w.narrowed(old, new, "the items of %s are described in another way", w.subject())
	}
}

// branches compares anyOf, oneOf (union) and allOf as sets. Branches that mean
// the same are set aside, the rest is paired in order.
func (w *schemaWalk) branches(old, new *snapshot.Node, sc *scope, union bool) {
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
	if union && old != nil && new == nil {
		w.widened(old, new, "%s accepts more: it is no longer limited to the alternatives of `%s`", w.subject(), keyword)
		return
	}
	olds, news := w.unmatched(old, new)
	paired := min(len(olds), len(news))
	for i, n := range news[:paired] {
		w.in(strconv.Itoa(n.index), func() { w.schema(olds[i].node, n.node, sc) })
	}
	for _, n := range news[paired:] {
		w.in(strconv.Itoa(n.index), func() {
			if !union || old == nil {
				w.schema(nil, n.node, sc) // one more condition
				return
			}
			w.widened(nil, n.node, "%s accepts more: one more alternative in `%s`, %s", w.subject(), keyword, quoted(n.node))
			w.newTexts(n.node)
		})
	}
	for _, o := range olds[paired:] {
		w.in(strconv.Itoa(o.index), func() {
			if union {
				w.narrowed(o.node, nil, "%s accepts less: one alternative fewer in `%s`, %s", w.subject(), keyword, quoted(o.node))
			} else {
				w.widened(o.node, nil, "%s accepts more: one condition fewer in `%s`, %s", w.subject(), keyword, quoted(o.node))
			}
		})
	}
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
	like := map[meaningSum][]branch{}
	for i, o := range old.Elements() {
		if left[i] {
			sum := w.old.of(o)
			like[sum] = append(like[sum], branch{o, i})
		}
	}
	var others []branch
	for _, n := range rest {
		sum := w.new.of(n.node)
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

// definitions compares maps of named schemas. A model reads their names (D15).
func (w *schemaWalk) definitions(old, new *snapshot.Node) {
	if !w.maps(old, new) {
		return
	}
	for _, name := range memberNames(old, new) {
		o, n := old.Get(name), new.Get(name)
		w.in(name, func() {
			switch {
			case o != nil && n != nil:
				w.schema(o, n, nil)
			case n == nil:
				w.gone(o)
			default:
				w.newName(name)
				w.narrowed(nil, n, "new definition `%s`", excerpt(name))
				w.newTexts(n)
			}
		})
	}
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
					w.widened(o, n, "%s: what has to come with `%s` %s", w.subject(), excerpt(name), changed(o, n))
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
