package lockfile

import (
	"strconv"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// textKey compares what is below a keyword that a model reads: every string at
// any depth is a text, everything else is structure.
func (w *schemaWalk) textKey(old, new *snapshot.Node) {
	if same(old, new) {
		return
	}
	w.strings(old, new)
	if isContainer(old) && isContainer(new) && w.refersTo(w.proof.new.root) {
		w.widened(old, new, "something refers to `%s` of %s, which %s", excerpt(w.path[len(w.path)-1]), w.subject(), changed(old, new))
		return
	}
	if !sameResidue(old, new) {
		w.narrowed(old, new, "`%s` of %s %s", excerpt(w.path[len(w.path)-1]), w.subject(), changed(old, new))
	}
}

// isContainer tells values that can hold a schema.
func isContainer(n *snapshot.Node) bool {
	return n.Type() == snapshot.Object || n.Type() == snapshot.Array
}

// strings reports every string below that is not the same on both sides.
func (w *schemaWalk) strings(old, new *snapshot.Node) {
	if old.IsText() || new.IsText() {
		if !same(old, new) {
			w.textDiffers(textOnly(old), textOnly(new))
		}
		// A container that became a text, or the reverse, has lost or gained
		// what it holds.
		old, new = withoutText(old), withoutText(new)
	}
	if len(w.path) >= 2*snapshot.MaxDepth {
		if !same(old, new) {
			w.widened(old, new, "%s holds texts nested deeper than %d levels that were not compared", w.subject(), snapshot.MaxDepth)
		}
		return
	}
	olds, news := old.Elements(), new.Elements()
	for i := range max(len(olds), len(news)) {
		var o, n *snapshot.Node
		if i < len(olds) {
			o = olds[i]
		}
		if i < len(news) {
			n = news[i]
		}
		w.in(strconv.Itoa(i), func() { w.strings(o, n) })
	}
	for _, name := range memberNames(old, new) {
		w.in(name, func() { w.strings(old.Get(name), new.Get(name)) })
	}
}

func textOnly(n *snapshot.Node) *snapshot.Node {
	if n.IsText() {
		return n
	}
	return nil
}

func withoutText(n *snapshot.Node) *snapshot.Node {
	if n.IsText() {
		return nil
	}
	return n
}

// newTexts reports every text of a schema, or of a list of them, that has no
// counterpart.
func (w *schemaWalk) newTexts(n *snapshot.Node) {
	for i, e := range n.Elements() {
		w.in(strconv.Itoa(i), func() { w.newTexts(e) })
	}
	w.texts(nil, n)
}

// texts compares the texts of two schemas whose structure has been reported.
func (w *schemaWalk) texts(old, new *snapshot.Node) {
	defer w.hold(old, new)()
	defer func(outer *opaqueResult) { w.opaque = outer }(w.opaque)
	w.opaque = &opaqueResult{textsOnly: true}
	if w.tooDeep(old, new) {
		return
	}
	for _, name := range memberNames(old, new) {
		w.in(name, func() { w.keyword(name, old, new, nil) })
	}
}
