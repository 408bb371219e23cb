package lockfile

import (
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// definitions compares maps of named schemas. A model reads their names (D15).
// What a definition says counts where it is referred to, so one that is gone or
// renamed changes nothing by itself.
func (w *schemaWalk) definitions(old, new *snapshot.Node) {
	if !w.maps(old, new) {
		return
	}
	defer func(at int) { w.at = at }(w.at)
	at := w.at
	renamed := w.renamed(old, new)
	for _, name := range memberNames(old, new) {
		o, n := old.Get(name), new.Get(name)
		w.in(name, func() {
			w.at = at
			switch {
			case o != nil && n != nil:
				w.schema(o, n, nil)
			case n == nil && renamed[name] != "": // reported with its new name
			case n == nil && w.refersTo(w.proof.old.root) && !w.refersTo(w.proof.new.root):
				w.at = len(w.path)
				w.equivalentAs(o, nil, "%s is gone, and nothing refers to it any more")
			case n == nil:
				w.gone(o, "")
			default:
				w.newName(name)
				if was := renamed[name]; was != "" {
					w.at = len(w.path)
					w.equivalentAs(old.Get(was), n, "%s is the definition `"+excerpt(was)+"` under another name and means the same")
					w.texts(old.Get(was), n)
					return
				}
				w.narrowed(nil, n, "new definition `%s`", excerpt(name))
				w.movedInto(n)
			}
		})
	}
}

// movedInto reports the texts of a new definition but those that the old schema
// has somewhere: they were taken out of the places that refer to it now, and
// there they are compared.
func (w *schemaWalk) movedInto(n *snapshot.Node) {
	if w.said == nil {
		w.said = map[string]bool{}
		w.proof.old.root.Walk(func(_ func() string, n *snapshot.Node) bool {
			if n.IsText() {
				w.said[foldLines(n.Text())] = true
			}
			return true
		})
	}
	outer := w.known
	w.known = w.said
	w.newTexts(n)
	w.known = outer
}

// renamed pairs the definitions that only one side has by what they mean; the
// result leads from the name on either side to that on the other.
func (w *schemaWalk) renamed(old, new *snapshot.Node) map[string]string {
	var gone, added []string
	for _, name := range memberNames(old, new) {
		switch {
		case !new.Has(name):
			gone = append(gone, name)
		case !old.Has(name):
			added = append(added, name)
		}
	}
	if len(gone) == 0 || len(added) == 0 || !w.proof.able() {
		return nil
	}
	names := map[string]string{}
	bySum := map[meaningSum][]string{}
	for _, name := range gone {
		sum := w.proof.old.of(old.Get(name))
		bySum[sum] = append(bySum[sum], name)
	}
	for _, name := range added {
		sum := w.proof.new.of(new.Get(name))
		if was := bySum[sum]; len(was) > 0 && w.sameWording(old.Get(was[0]), new.Get(name)) {
			names[name], names[was[0]] = was[0], name
			bySum[sum] = was[1:]
		}
	}
	return names
}

// refersTo reports whether a schema has a reference to the current path, or
// into it.
func (w *schemaWalk) refersTo(root *snapshot.Node) bool {
	if w.refs == nil {
		w.refs = map[*snapshot.Node]map[string]bool{}
	}
	refs := w.refs[root]
	if refs == nil {
		refs = references(root)
		w.refs[root] = refs
	}
	return refs[""] || refs[exactPointer(w.path[1:])]
}

// references returns the pointers of all local references and of what is
// around their targets; "" stands for a reference that was not understood.
func references(root *snapshot.Node) map[string]bool {
	refs := map[string]bool{}
	root.Walk(func(_ func() string, n *snapshot.Node) bool {
		for _, m := range n.Members() {
			switch {
			case m.Name == "$ref" && m.Value.IsText():
				path, ok := localPointer(m.Value)
				if !ok {
					refs[""] = true
				}
				for path != "" && !refs[path] {
					refs[path] = true
					path = path[:strings.LastIndexByte(path, '/')]
				}
			case m.Name == "$dynamicRef":
				refs[""] = true
			}
		}
		return true
	})
	return refs
}

// exactPointer is [pointer] without its bound.
func exactPointer(tokens []string) string {
	var b strings.Builder
	for _, t := range tokens {
		b.WriteString(snapshot.AppendPointer("", t))
	}
	return b.String()
}
