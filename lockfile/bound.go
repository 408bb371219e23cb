package lockfile

import (
	"math/big"
	"slices"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// bound is the smallest or the largest number that a schema accepts.
type bound struct {
	keyword   string
	node      *snapshot.Node
	value     decimal
	exclusive bool
}

// movedBound compares bounds of numbers that differ in both of their keywords
// (minimum and exclusiveMinimum, or those of the maximum) as the one bound that
// they are together. It reports false where each keyword has its own row.
func (w *schemaWalk) movedBound(name string, oldSchema, newSchema *snapshot.Node) bool {
	inclusive, exclusive := "minimum", "exclusiveMinimum"
	switch name {
	case "minimum", "exclusiveMinimum":
	case "maximum", "exclusiveMaximum":
		inclusive, exclusive = "maximum", "exclusiveMaximum"
	default:
		return false
	}
	for _, keyword := range [...]string{inclusive, exclusive} {
		if same(oldSchema.Get(keyword), newSchema.Get(keyword)) {
			return false
		}
	}
	was, ok := boundOf(oldSchema, inclusive, exclusive)
	is, ok2 := boundOf(newSchema, inclusive, exclusive)
	if !ok || !ok2 || !w.proof.able() {
		return false
	}
	order, ok := was.compare(is)
	if !ok {
		return false
	}
	if name != is.keyword {
		return true // told once
	}
	switch {
	case order == 0:
		w.equivalentKeyword("the bound of "+w.subject(), keywordExcerpt(was.keyword, was.node), keywordExcerpt(is.keyword, is.node))
	case order < 0:
		w.narrowed(was.node, is.node, "%s accepts less: it is limited to %s now, and was to %s", w.subject(), is.words(), was.words())
	default:
		w.widened(was.node, is.node, "%s now accepts %s; it was limited to %s", w.subject(), is.words(), was.words())
	}
	return true
}

func (b bound) words() string {
	return withinLimit(b.keyword, b.node)
}

// boundOf returns the bound of a schema in one direction; false where it has
// none, or one that is not understood.
func boundOf(schema *snapshot.Node, inclusive, exclusive string) (bound, bool) {
	var strictest bound
	for _, keyword := range [...]string{inclusive, exclusive} {
		n := schema.Get(keyword)
		if n == nil {
			continue
		}
		if n.Type() != snapshot.Number {
			return bound{}, false
		}
		b := bound{keyword, n, parseDecimal(n.Number()), keyword == exclusive}
		if b.exclusive && wholeNumbers(schema) {
			b = b.included()
		}
		if strictest.node == nil {
			strictest = b
			continue
		}
		order, ok := strictest.compare(b)
		if !ok {
			return bound{}, false
		}
		if order < 0 {
			strictest = b
		}
	}
	return strictest, strictest.node != nil
}

// compare returns -1 where the other bound lets less through, 1 where it lets
// more through, and false where a number is not understood.
func (b bound) compare(other bound) (int, bool) {
	order, ok := b.value.compare(other.value)
	if b.keyword == "maximum" || b.keyword == "exclusiveMaximum" {
		order = -order
	}
	if order == 0 && b.exclusive != other.exclusive {
		order = -1
		if b.exclusive {
			order = 1
		}
	}
	return order, ok
}

// wholeNumbers reports whether all numbers that a schema accepts are whole.
func wholeNumbers(schema *snapshot.Node) bool {
	types, ok := typeSet(schema.Get("type"))
	return ok && slices.Contains(types, "integer") && !slices.Contains(types, "number")
}

// included returns the same bound of whole numbers with the last one that is
// let through; the bound as it is where that is not plain.
func (b bound) included() bound {
	const digits = 30 // more than any bound that means something
	if b.value.asIs != "" || b.value.point > digits || b.value.point < int64(len(b.value.digits)) {
		return b
	}
	n := new(big.Int)
	if b.value.digits != "" {
		n = scaled(b.value.digits, b.value.point-int64(len(b.value.digits)))
	}
	if b.value.neg {
		n.Neg(n)
	}
	step := int64(1)
	if b.keyword == "exclusiveMaximum" {
		step = -1
	}
	b.value, b.exclusive = parseDecimal(n.Add(n, big.NewInt(step)).String()), false
	return b
}
