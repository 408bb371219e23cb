package lockfile

import (
	"slices"
	"strconv"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// maxMoved bounds the places that are looked at to prove that texts only moved
// and no word is new; beyond it nothing is proved. References can name one large definition
// thousands of times.
const maxMoved = 100_000

// rewritten reports whether two schemas of different shape mean the same, and
// then reports that, their texts and their definitions.
func (w *schemaWalk) rewritten(old, new *snapshot.Node, sc *scope) bool {
	if w.moved > maxMoved || !reshaped(old, new) || !w.proof.equal(old, new) || !w.sameWording(old, new) {
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
		case k == "$ref" && !sameData(o, n):
			return true
		case k != "enum" && k != "type" && o.Len() != n.Len():
			return true
		}
	}
	return false
}

// placedText is a text of a schema and its place.
type placedText struct {
	textMeaning
	path []string
	at   int // path[:at] leads to the schema that has it
	node *snapshot.Node
}

// textMeaning is what a text says, and of what.
type textMeaning struct {
	text string
	// value is the pointer of the value that the text is about, with the keyword
	// that holds it and the place below that.
	value string
	// only tells which values of that place it is about, where these are not all:
	// those of one alternative, or those under a condition.
	only string
}

// movedTexts compares the texts of two schemas of one meaning: a text that is
// said about the same value in another place is no change.
func (w *schemaWalk) movedTexts(before, after []placedText) {
	known := func(texts []placedText) map[textMeaning]bool {
		set := make(map[textMeaning]bool, len(texts))
		for _, t := range texts {
			set[t.textMeaning] = true
		}
		return set
	}
	olds, news := known(before), known(after)
	for _, t := range after {
		if !olds[t.textMeaning] {
			w.placed(t, func() { w.textDiffers(nil, t.node) })
		}
	}
	for _, t := range before {
		if !news[t.textMeaning] {
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
	c.schema(n, slices.Clone(path), "", "")
	return c.found, c.seen
}

type textCollector struct {
	*meaning
	open  map[*snapshot.Node]bool // targets of references on the way here
	seen  int
	found []placedText
}

// enough reports whether no more is to be looked at.
func (c *textCollector) enough(value string) bool {
	c.seen++
	if len(value) > maxPointer {
		c.seen = maxMoved + 1 // names as long as that are not worth it
	}
	return c.seen > maxMoved
}

// schema collects the texts below a schema; value and only are those of
// [textMeaning].
func (c *textCollector) schema(n *snapshot.Node, path []string, value, only string) {
	if c.enough(value) {
		return
	}
	for i, e := range n.Elements() { // a list of schemas by position
		c.schema(e, append(path, strconv.Itoa(i)), value+"/"+strconv.Itoa(i), only)
	}
	for _, m := range sortedMembers(n) {
		below, inner := append(path, m.Name), snapshot.AppendPointer(value, m.Name)
		switch classOf(m.Name) {
		case textKeyword:
			c.strings(m.Value, below, len(path), inner, only)
		case exactKeyword:
			if target := c.resolve(m.Value); m.Name == "$ref" && target != nil && !c.open[target] {
				c.open[target] = true
				c.schema(target, append([]string{path[0]}, tokens(m.Value.Text())...), value, only)
				delete(c.open, target)
			}
		case unionKeyword:
			c.alternatives(m.Value.Elements(), below, value, only)
		case allOfKeyword:
			for i, e := range m.Value.Elements() {
				c.schema(e, append(below, strconv.Itoa(i)), value, c.among(m.Value.Len(), e, only))
			}
		case inPlaceKeyword:
			c.schema(m.Value, below, value, only+"/"+m.Name)
		case schemaKeyword, opaqueKeyword, tupleKeyword:
			c.schema(m.Value, below, inner, only)
		case propertiesKeyword, patternsKeyword, dependentKeyword:
			for _, e := range sortedMembers(m.Value) {
				c.schema(e.Value, append(below, e.Name), snapshot.AppendPointer(inner, e.Name), only)
			}
		}
	}
}

// alternatives collects the texts of the members of a union. What is said of the
// one beside null is said of the whole: nobody says anything of null.
func (c *textCollector) alternatives(members []*snapshot.Node, path []string, value, only string) {
	null := oneValue("null", nullType).sum
	others := 0
	for _, e := range members {
		if c.of(e) != null {
			others++
		}
	}
	for i, e := range members {
		n := others
		if c.of(e) == null {
			n = len(members)
		}
		c.schema(e, append(path, strconv.Itoa(i)), value, c.among(n, e, only))
	}
}

// among is [textMeaning].only of what is below one of n members of a list: told
// apart by what the member accepts, or whatever is around it for a single one.
func (c *textCollector) among(n int, member *snapshot.Node, only string) string {
	if n < 2 {
		return only
	}
	sum := c.of(member)
	return string(sum[:])
}

// strings collects the texts at and below the value of a text keyword, each with
// its place there.
func (c *textCollector) strings(n *snapshot.Node, path []string, at int, value, only string) {
	if c.enough(value) {
		return
	}
	if n.IsText() {
		c.found = append(c.found, placedText{textMeaning{foldLines(n.Text()), value, only}, slices.Clone(path), at, n})
	}
	for i, e := range n.Elements() {
		c.strings(e, append(path, strconv.Itoa(i)), at, value+"["+strconv.Itoa(i)+"]", only)
	}
	for _, m := range sortedMembers(n) {
		c.strings(m.Value, append(path, m.Name), at, snapshot.AppendPointer(value, m.Name), only)
	}
}
