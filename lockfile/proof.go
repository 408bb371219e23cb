package lockfile

import (
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// proof compares the meaning of parts of two schemas.
type proof struct {
	old, new *meaning
	// asked is set once it is known whether anything can be proved.
	asked, possible bool
	looked, marks   bool // see marked
}

func newProof(old, new *snapshot.Node) *proof {
	return &proof{old: newMeaning(old), new: newMeaning(new)}
}

// equal reports whether a part of the old schema provably means the same as a
// part of the new one.
func (p *proof) equal(old, new *snapshot.Node) bool {
	return p.able() && p.old.of(old) == p.new.of(new)
}

// able reports whether anything can be proved about the two schemas.
func (p *proof) able() bool {
	if !p.asked {
		p.asked = true
		p.possible = plain(p.old.root) && plain(p.new.root) && p.refine()
	}
	return p.possible
}

// marked reports whether one of the schemas looks at what its other parts have
// described (unevaluated*): there even a sub-schema that accepts everything
// says something.
func (p *proof) marked() bool {
	if !p.looked {
		p.looked = true
		for _, root := range [...]*snapshot.Node{p.old.root, p.new.root} {
			root.Walk(func(_ func() string, n *snapshot.Node) bool {
				p.marks = p.marks || n.Has("unevaluatedProperties") || n.Has("unevaluatedItems")
				return !p.marks
			})
		}
	}
	return p.marks
}

// plain reports whether a schema has nothing by which the meaning of a part
// depends on where it is: unevaluated* look at what other parts described, and
// names inside the schema can change what a reference refers to. Of the
// dialects those from draft 6 on agree on all that [meaning] relies on.
func plain(root *snapshot.Node) bool {
	if root.Depth() > snapshot.MaxDepth {
		return false
	}
	if !knownDialect(root) {
		return false
	}
	ok := true
	root.Walk(func(_ func() string, n *snapshot.Node) bool {
		if n.Type() != snapshot.Object {
			return ok
		}
		for _, m := range n.Members() {
			switch m.Name {
			case "unevaluatedProperties", "unevaluatedItems", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor":
				ok = false
			case "$id", "id": // often the name of a parameter
				ok = ok && (n == root || !m.Value.IsText())
			case "$schema":
				ok = ok && (n == root || !m.Value.IsText())
			}
		}
		return ok
	})
	return ok
}

// knownDialect reports whether a schema names no dialect, or one from draft 6 on.
func knownDialect(root *snapshot.Node) bool {
	d := root.Get("$schema")
	if d == nil {
		return true
	}
	uri := d.Text()
	uri = strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(uri, "http://"), "https://"), "#")
	switch uri {
	case "json-schema.org/draft-06/schema", "json-schema.org/draft-07/schema",
		"json-schema.org/draft/2019-09/schema", "json-schema.org/draft/2020-12/schema":
		return true
	}
	return false
}

const (
	// maxRounds bounds how long a chain of references may be.
	maxRounds = 24
	// maxRefined bounds the bytes that are looked at for it, all rounds together.
	maxRefined = 16 << 20
)

// refine finds out what the targets of references mean. After round k the sum
// of a target tells apart what differs within k references; once a round tells
// no more apart than the one before, none ever will, so two targets with one
// sum mean the same even where they refer to themselves. Rounds go on until
// the sums of all targets that are not recursive are final, for these can be
// written out where they are referred to. It reports false when that takes too
// long.
func (p *proof) refine() bool {
	sides := [...]*meaning{p.old, p.new}
	for _, m := range sides {
		m.root.Walk(func(_ func() string, n *snapshot.Node) bool {
			if n.Type() == snapshot.Object {
				if ref := n.Get("$ref"); ref.IsText() {
					if target := m.resolve(ref); target != nil {
						m.targets[target] = opaque(sumOf("unknown"))
					}
				}
			}
			return true
		})
	}
	if len(p.old.targets)+len(p.new.targets) == 0 {
		return true
	}
	size := len(p.old.root.Raw()) + len(p.new.root.Raw())
	final := -1
	for round := 1; round <= maxRounds && round*size <= maxRefined; round++ {
		split := classes{map[meaningSum]meaningSum{}, map[meaningSum]meaningSum{}, true}
		unchanged := 0
		for _, m := range sides {
			next := make(map[*snapshot.Node][]alternative, len(m.targets))
			for target, before := range m.targets {
				next[target] = m.branch(target)
				was, is := union(before), union(next[target])
				if split.note(was, is); was == is {
					unchanged++
				}
			}
			m.targets = next
			clear(m.memo)
		}
		if split.same && unchanged == final {
			return true
		}
		final = unchanged
	}
	return false
}

// classes tells whether two rounds put the same targets together.
type classes struct {
	after, before map[meaningSum]meaningSum
	same          bool
}

func (c *classes) note(before, after meaningSum) {
	a, ok := c.after[before]
	b, ok2 := c.before[after]
	c.same = c.same && ok == ok2 && (!ok || a == after && b == before)
	c.after[before], c.before[after] = after, before
}
