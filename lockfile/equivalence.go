package lockfile

import (
	"slices"
	"strconv"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// maxMoved bounds the texts that are looked at to prove that they only moved;
// beyond it nothing is proved. References can name one large definition
// thousands of times.
const maxMoved = 100_000

// rewritten reports whether two schemas of different shape mean the same, and
// then reports that and their texts.
func (w *schemaWalk) rewritten(old, new *snapshot.Node) bool {
	if w.moved > maxMoved || !reshaped(old, new) || !w.old.provable() || !w.new.provable() || w.old.of(old) != w.new.of(new) {
		return false
	}
	before, ok := w.old.texts(old, w.path)
	after, ok2 := w.new.texts(new, w.path)
	if w.moved += len(before) + len(after); !ok || !ok2 || w.moved > maxMoved {
		return false
	}
	w.equivalent(old, new)
	w.movedTexts(before, after)
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
	text string
	path []string
	at   int // path[:at] leads to the schema that has it
	node *snapshot.Node
}

// movedTexts compares the texts of two schemas of one meaning: a text that only
// moved is no change.
func (w *schemaWalk) movedTexts(before, after []placedText) {
	count := map[string]int{}
	for _, t := range before {
		count[t.text]++
	}
	for _, t := range after {
		if count[t.text]--; count[t.text] < 0 {
			w.placed(t, func() { w.textChanged(nil, t.node) })
		}
	}
	for _, t := range before {
		if count[t.text] > 0 {
			count[t.text]--
			w.placed(t, func() { w.textChanged(t.node, nil) })
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

// texts returns all texts of a schema at a path, and of what it refers to;
// false when there are too many or too long a chain of references.
func (m *meaning) texts(n *snapshot.Node, path []string) ([]placedText, bool) {
	c := textCollector{meaning: m, seen: map[*snapshot.Node]bool{}}
	c.schema(n, slices.Clone(path))
	return c.found, !c.incomplete
}

type textCollector struct {
	*meaning
	seen       map[*snapshot.Node]bool // targets of references
	chain      int                     // references followed on the way here
	found      []placedText
	incomplete bool
}

func (c *textCollector) schema(n *snapshot.Node, path []string) {
	if len(c.found) > maxMoved || c.chain > maxChain {
		c.incomplete = true
		return
	}
	for i, e := range n.Elements() { // a list of schemas
		c.schema(e, append(path, strconv.Itoa(i)))
	}
	for _, m := range sortedMembers(n) {
		below := append(path, m.Name)
		switch classOf(m.Name) {
		case textKeyword:
			c.strings(m.Value, below, len(path))
		case exactKeyword:
			if target := c.target(m); target != nil {
				c.chain++
				c.schema(target, append([]string{path[0]}, tokens(m.Value.Text())...))
				c.chain--
			}
		case schemaKeyword, inPlaceKeyword, opaqueKeyword, unionKeyword, allOfKeyword, tupleKeyword:
			c.schema(m.Value, below)
		case propertiesKeyword, patternsKeyword, definitionsKeyword, dependentKeyword:
			for _, e := range sortedMembers(m.Value) {
				c.schema(e.Value, append(below, e.Name))
			}
		}
	}
}

// target returns what a reference refers to, the first time that it is seen.
func (c *textCollector) target(m snapshot.Member) *snapshot.Node {
	if m.Name != "$ref" {
		return nil
	}
	target := c.resolve(m.Value)
	if c.seen[target] {
		return nil
	}
	c.seen[target] = true
	return target
}

func (c *textCollector) strings(n *snapshot.Node, path []string, at int) {
	if n.IsText() {
		c.found = append(c.found, placedText{foldLines(n.Text()), slices.Clone(path), at, n})
	}
	for i, e := range n.Elements() {
		c.strings(e, append(path, strconv.Itoa(i)), at)
	}
	for _, m := range sortedMembers(n) {
		c.strings(m.Value, append(path, m.Name), at)
	}
}
