package lockfile

import (
	"slices"
	"strconv"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// maxMoved bounds the places that are looked at to prove that texts only moved;
// beyond it nothing is proved. References can name one large definition
// thousands of times.
const maxMoved = 100_000

// rewritten reports whether two schemas of different shape mean the same, and
// then reports that, their texts and their definitions.
func (w *schemaWalk) rewritten(old, new *snapshot.Node, sc *scope) bool {
	if w.moved > maxMoved || !reshaped(old, new) || !w.proof.equal(old, new) {
		return false
	}
	before, seen := w.proof.old.texts(old, w.path)
	after, seen2 := w.proof.new.texts(new, w.path)
	if w.moved += seen + seen2; w.moved > maxMoved {
		return false
	}
	w.equivalent(old, new)
	w.movedTexts(before, after)
	for _, name := range [...]string{"$defs", "definitions"} {
		if old.Has(name) || new.Has(name) {
			w.in(name, func() { w.keyword(name, old, new, sc) })
		}
	}
	return true
}

// reshaped reports whether two schemas use other keywords for what could be the
// same: only then is it worth a proof, everything else has a row.
func reshaped(old, new *snapshot.Node) bool {
	if old == nil || new == nil {
		return false
	}
	for _, k := range [...]string{"$ref", "allOf", "anyOf", "const", "enum", "oneOf", "type"} {
		o, n := old.Get(k), new.Get(k)
		switch {
		case (o == nil) != (n == nil), o.Type() != n.Type():
			return true
		case k == "$ref" && !same(o, n):
			return true
		case k != "enum" && k != "type" && o.Len() != n.Len():
			return true
		}
	}
	return false
}

// placedText is a text of a schema and its place.
type placedText struct {
	text  string
	value string // the pointer of the value that it is about, and its keyword
	path  []string
	at    int // path[:at] leads to the schema that has it
	node  *snapshot.Node
}

// movedTexts compares the texts of two schemas of one meaning: a text that is
// said about the same value in another place is no change.
func (w *schemaWalk) movedTexts(before, after []placedText) {
	known := func(texts []placedText) map[[2]string]bool {
		set := make(map[[2]string]bool, len(texts))
		for _, t := range texts {
			set[[2]string{t.value, t.text}] = true
		}
		return set
	}
	olds, news := known(before), known(after)
	for _, t := range after {
		if !olds[[2]string{t.value, t.text}] {
			w.placed(t, func() { w.textDiffers(nil, t.node) })
		}
	}
	for _, t := range before {
		if !news[[2]string{t.value, t.text}] {
			w.placed(t, func() { w.textDiffers(t.node, nil) })
		}
	}
}

// placed calls report as if the walk were at the text.
func (w *schemaWalk) placed(t placedText, report func()) {
	path, at := w.path, w.at
	w.path, w.at = t.path, t.at
	report()
	w.path, w.at = path, at
}

// texts returns all texts of a schema at a path, and of what it refers to, with
// the number of places that it looked at; over maxMoved the texts are not all.
// Definitions count where they are referred to.
func (m *meaning) texts(n *snapshot.Node, path []string) (found []placedText, seen int) {
	c := textCollector{meaning: m, open: map[*snapshot.Node]bool{}}
	c.schema(n, slices.Clone(path), "")
	return c.found, c.seen
}

type textCollector struct {
	*meaning
	open  map[*snapshot.Node]bool // targets of references on the way here
	seen  int
	found []placedText
}

// schema collects the texts below a schema that describes a value.
func (c *textCollector) schema(n *snapshot.Node, path []string, value string) {
	if c.seen++; c.seen > maxMoved {
		return
	}
	if len(value) > maxPointer {
		c.seen = maxMoved + 1 // names as long as that are not worth it
		return
	}
	for i, e := range n.Elements() { // a list of schemas by position
		c.schema(e, append(path, strconv.Itoa(i)), value+"/"+strconv.Itoa(i))
	}
	for _, m := range sortedMembers(n) {
		below, inner := append(path, m.Name), value+"/"+m.Name
		switch classOf(m.Name) {
		case textKeyword:
			c.strings(m.Value, below, len(path), inner)
		case exactKeyword:
			if target := c.resolve(m.Value); m.Name == "$ref" && target != nil && !c.open[target] {
				c.open[target] = true
				c.schema(target, append([]string{path[0]}, tokens(m.Value.Text())...), value)
				delete(c.open, target)
			}
		case unionKeyword, allOfKeyword:
			for i, e := range m.Value.Elements() {
				c.schema(e, append(below, strconv.Itoa(i)), value)
			}
		case inPlaceKeyword:
			c.schema(m.Value, below, value)
		case schemaKeyword, opaqueKeyword, tupleKeyword:
			c.schema(m.Value, below, inner)
		case propertiesKeyword, patternsKeyword, dependentKeyword:
			for _, e := range sortedMembers(m.Value) {
				c.schema(e.Value, append(below, e.Name), inner+snapshot.AppendPointer("", e.Name))
			}
		}
	}
}

func (c *textCollector) strings(n *snapshot.Node, path []string, at int, value string) {
	if c.seen++; c.seen > maxMoved {
		return
	}
	if n.IsText() {
		c.found = append(c.found, placedText{foldLines(n.Text()), value, slices.Clone(path), at, n})
	}
	for i, e := range n.Elements() {
		c.strings(e, append(path, strconv.Itoa(i)), at, value)
	}
	for _, m := range sortedMembers(n) {
		c.strings(m.Value, append(path, m.Name), at, value)
	}
}
