package lockfile

import (
	"bytes"

	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// schema compares the input or output schema of a tool.
//
// The walk goes through both schemas at once, keyword by keyword, and decides
// for each difference whether the new schema accepts or demands more
// (schema_widened), changes a text that a model reads (schema_text_changed) or
// is some other difference of structure (schema_changed). Of an output schema
// only the texts matter to that degree; the rest is output_schema_changed.
func (d *difference) schema(name string, old, new *snapshot.Node) {
	output := name == "outputSchema"
	w := &schemaWalk{
		difference: d, output: output, path: []string{name},
		proof: newProof(old, new), held: sides{old, new},
	}
	switch {
	case output && old == nil:
		w.narrowed(old, new, "the tool now describes its result%s", resultMembers(new))
		w.newTexts(new)
	case output && new == nil:
		w.widened(old, new, "the tool no longer describes its result")
	default:
		w.schema(old, new, nil)
	}
	w.reportEchoes()
}

// resultMembers names what a result has, "" where its schema does not say.
func resultMembers(schema *snapshot.Node) string {
	if members := memberWords(schema, "always there"); members != "" {
		return ": " + members
	}
	return ""
}

// schemaWalk is at one place of both schemas.
type schemaWalk struct {
	*difference
	output bool
	path   []string         // tokens from the definition to the current value
	at     int              // path[:at] leads to the schema that holds the current keyword
	held   sides            // that schema
	raws   map[sides][]Part // its comparison by lines, once it is asked for
	proof  *proof
	// opaque is set below keywords (if, not) where any difference of structure
	// is one change of the whole.
	opaque *opaqueResult
	moved  int // places looked at by movedTexts and sameWording
	// said holds the texts of the old schema once they are asked for; known is
	// said where a text counts only when it is not among them.
	said, known map[string]bool
	refs        map[*snapshot.Node]map[string]bool // by root, see refersTo
	// structures counts the reports of structure, those below opaque included.
	structures int
	// echoed is set by a title that differs and holds nothing to read.
	echoed bool
}

// sides are the same place of both schemas, nil where one has none.
type sides struct{ old, new *snapshot.Node }

// hold makes the current place the schema that the next reports are about, and
// returns what takes that back.
func (w *schemaWalk) hold(old, new *snapshot.Node) (release func()) {
	at, held := w.at, w.held
	w.at, w.held = len(w.path), sides{old, new}
	return func() { w.at, w.held = at, held }
}

// raw compares the held schema by lines.
func (w *schemaWalk) raw() []Part {
	parts, known := w.raws[w.held]
	if !known {
		parts = w.lines(w.held.old, w.held.new)
		if w.raws == nil {
			w.raws = map[sides][]Part{}
		}
		w.raws[w.held] = parts
	}
	return parts
}

// scope is the chain of old schemas that apply to the object which the current
// schema describes: it tells whether a parameter is new or only described in
// one more place.
type scope struct {
	old    *snapshot.Node
	parent *scope
}

func (s *scope) declares(name string) bool {
	for ; s != nil; s = s.parent {
		if s.old.Get("properties").Has(name) {
			return true
		}
	}
	return false
}

// in calls visit one step deeper.
func (w *schemaWalk) in(token string, visit func()) {
	w.path = append(w.path, token)
	visit()
	w.path = w.path[:len(w.path)-1]
}

// schema compares two schemas. A nil one is absent and allows everything. sc is
// the scope of the object that the schema is applied to, nil for a new one.
func (w *schemaWalk) schema(old, new *snapshot.Node, sc *scope) {
	if bytes.Equal(old.Raw(), new.Raw()) && old.Type() == new.Type() {
		return
	}
	around := w.held
	defer w.hold(old, new)()
	if old.Type() != snapshot.Object || new.Type() != snapshot.Object {
		w.held = around // true, false and nothing say more where they stand
	}
	if w.tooDeep(old, new) {
		return
	}
	switch {
	case nothing(old) && nothing(new):
		if !same(old, new) && !same(old.Get("not"), new.Get("not")) {
			w.equivalent(old, new)
		}
		w.texts(old, new)
	case nothing(new):
		w.narrowed(old, new, "%s is no longer accepted at all", w.subject())
		w.newTexts(new)
	case nothing(old):
		w.widened(old, new, "%s is accepted now%s; it was refused before", w.subject(), limitedTo(new))
		w.texts(old, new)
	case new.Type() == snapshot.Object:
		w.keywords(old, new, &scope{old: old, parent: sc})
	case new != nil && !isSchema(new, true):
		if !same(old, new) {
			w.widened(old, new, "%s has no usable schema any more: %s is no schema", w.subject(), quoted(new))
		}
	case anything(old):
		w.free(old, new)
	case old.Type() == snapshot.Object && onlyKeyword(old) == "": // only words are gone
		w.free(old, new)
		for _, name := range memberNames(old, new) {
			w.in(name, func() { w.keyword(name, old, new, sc) })
		}
	default: // new allows everything
		w.widened(old, new, "%s now accepts anything; it accepted %s", w.subject(), accepts(old))
	}
}

// limitedTo is what a schema that is new accepts, "" where it says nothing.
func limitedTo(n *snapshot.Node) string {
	if what := accepts(n); what != "anything" {
		return ", limited to " + what
	}
	return ""
}

// free reports two schemas that both accept everything.
func (w *schemaWalk) free(old, new *snapshot.Node) {
	switch {
	case same(old, new):
	case (old == nil) != (new == nil) && w.proof.marked():
		w.widened(old, new, "%s may accept more: an `unevaluated…` around it depends on what is described here", w.subject())
	default:
		w.equivalent(old, new)
	}
}

// isSchema reports whether n is the schema true or false.
func isSchema(n *snapshot.Node, value bool) bool {
	v, ok := n.Bool()
	return ok && v == value
}

// anything reports whether a schema plainly allows every value.
func anything(n *snapshot.Node) bool {
	return n == nil || isSchema(n, true) || n.Type() == snapshot.Object && n.Len() == 0
}

// keywords compares two schemas of which the new one is an object.
func (w *schemaWalk) keywords(old, new *snapshot.Node, sc *scope) {
	if old != nil && !isSchema(old, true) && old.Type() != snapshot.Object {
		w.narrowed(old, new, "%s has a schema now; %s was none", w.subject(), quoted(old))
	} else if anything(old) && anything(new) {
		w.free(old, new)
		return
	}
	if w.rewritten(old, new, sc) || w.alternated(old, new, sc) {
		return
	}
	for _, name := range memberNames(old, new) {
		w.in(name, func() { w.keyword(name, old, new, sc) })
	}
}

// tooDeep stops the walk where a hostile schema nests deeper than any lock
// allows, and says so.
func (w *schemaWalk) tooDeep(old, new *snapshot.Node) bool {
	if len(w.path) < snapshot.MaxDepth {
		return false
	}
	if !same(old, new) {
		w.widened(old, new, "%s is nested deeper than %d levels and was not compared", w.subject(), snapshot.MaxDepth)
	}
	return true
}

// widened reports that more is accepted or demanded.
func (w *schemaWalk) widened(old, new *snapshot.Node, format string, args ...any) {
	w.structural(KindSchemaWidened, Risk, severity.Error, old, new, format, args...)
}

// narrowed reports any other difference of structure.
func (w *schemaWalk) narrowed(old, new *snapshot.Node, format string, args ...any) {
	w.structural(KindSchemaChanged, Breaking, severity.Warning, old, new, format, args...)
}
