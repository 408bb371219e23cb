package schemacheck

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// Instances judges values by the schemas of one document: a default by the
// schema that it stands in, the structured content of a result by an output
// schema. It follows local references only, runs no pattern, checks no format
// and does a bounded amount of work however the schema refers to itself, so
// there is a third answer, that nobody can tell. Whoever asks gets a refusal
// only where it is certain.
type Instances struct {
	// Defaulted forgives an absent property that has a default: whoever reads
	// the value fills it in.
	Defaulted bool

	root    *snapshot.Node
	dialect Dialect
	budget  int
	refusal *Refusal
}

// NewInstances prepares to judge by a document, or by schemas inside it. What
// all questions together may cost is in proportion to its size.
func NewInstances(document *snapshot.Node, d Dialect) *Instances {
	return &Instances{root: document, dialect: d, budget: 1000 + len(document.Raw())}
}

// Refusal says why a schema refuses a value.
type Refusal struct {
	// Pointer is the JSON pointer, inside the value, of what is refused.
	Pointer string
	// Reason completes "the value is wrong: ", with everything unprintable of
	// the document escaped.
	Reason string
}

// Check judges a value by a schema of the document. It returns nil when the
// value fits and when that cannot be told.
func (c *Instances) Check(value, schema *snapshot.Node) *Refusal {
	c.refusal = nil
	if c.judge(value, schema, 0, true) != refused {
		return nil
	}
	return c.refusal
}

type verdict uint8

// In the order of strength for conditions that must all hold.
const (
	fits verdict = iota
	unclear
	refused
)

func (v verdict) and(w verdict) verdict { return max(v, w) }

// maxInstanceDepth bounds schemas that refer to themselves without descending
// into the value.
const maxInstanceDepth = 100

func (c *Instances) spend(n int) bool {
	c.budget -= n
	return c.budget >= 0
}

// refuse notes the first reason, if somebody wants it.
func (c *Instances) refuse(explain bool, reason func() string) verdict {
	if explain && c.refusal == nil {
		c.refusal = &Refusal{Reason: reason()}
	}
	return refused
}

func (c *Instances) judge(value, schema *snapshot.Node, depth int, explain bool) verdict {
	if depth > maxInstanceDepth || !c.spend(1+schema.Len()) {
		return unclear
	}
	if anything, isBool := schema.Bool(); isBool {
		if anything {
			return fits
		}
		return c.refuse(explain, func() string { return "no value is allowed here" })
	}
	if schema.Type() != snapshot.Object {
		return unclear
	}
	if ref := schema.Get("$ref"); ref != nil {
		v := unclear
		if target := c.target(ref.Text()); target != nil {
			v = c.judge(value, target, depth+1, explain)
		}
		if c.dialect == Draft7 || c.dialect == Draft6 || c.dialect == Draft4 {
			return v // its siblings do not count
		}
		return v.and(c.keywords(value, schema, depth, explain))
	}
	return c.keywords(value, schema, depth, explain)
}

// target finds what a plain local reference leads to.
func (c *Instances) target(ref string) *snapshot.Node {
	if ref == "#" {
		return c.root
	}
	if !strings.HasPrefix(ref, "#/") || strings.ContainsRune(ref, '%') {
		return nil
	}
	return c.root.At(ref[1:])
}

// keywords judges by everything but $ref. It stops at the first refusal.
func (c *Instances) keywords(value, schema *snapshot.Node, depth int, explain bool) verdict {
	result := fits
	for _, m := range schema.Members() {
		if schema.Get(m.Name) != m.Value {
			continue // of equal names the last one counts
		}
		result = result.and(c.keyword(value, schema, m, depth, explain))
		if result == refused {
			return refused
		}
	}
	return result
}

func (c *Instances) keyword(value, schema *snapshot.Node, m snapshot.Member, depth int, explain bool) verdict {
	switch m.Name {
	case "type":
		return c.typed(value, schema, m.Value, explain)
	case "enum":
		return c.among(value, m.Value.Elements(), explain)
	case "const":
		return c.same(value, m.Value).orRefuse(c, explain, func() string { return "expected " + brief(m.Value) + ", found " + brief(value) })
	case "allOf":
		result := fits
		for _, branch := range m.Value.Elements() {
			result = result.and(c.judge(value, branch, depth+1, explain))
		}
		return result
	case "anyOf", "oneOf":
		return c.union(value, m, depth, explain)
	case "not":
		switch c.judge(value, m.Value, depth+1, false) {
		case fits:
			return c.refuse(explain, func() string { return brief(value) + " is what the schema excludes" })
		case unclear:
			return unclear
		}
		return fits
	case "if", "$dynamicRef", "$recursiveRef", "unevaluatedItems", "unevaluatedProperties":
		return unclear
	}
	switch value.Type() {
	case snapshot.Number:
		return c.number(value, schema, m, explain)
	case snapshot.String:
		return c.text(value, m, explain)
	case snapshot.Array:
		return c.array(value, schema, m, depth, explain)
	case snapshot.Object:
		return c.object(value, schema, m, depth, explain)
	}
	return fits
}

func (v verdict) orRefuse(c *Instances, explain bool, reason func() string) verdict {
	if v == refused {
		return c.refuse(explain, reason)
	}
	return v
}

func (c *Instances) typed(value, schema, t *snapshot.Node, explain bool) verdict {
	switch null, _ := schema.Get("nullable").Bool(); {
	case !c.spend(t.Len()), null && value.Type() == snapshot.Null: // OpenAPI's word, which some validators follow
		return unclear
	case Typed(value, t):
		return fits
	}
	return c.refuse(explain, func() string { return "expected " + typeList(t) + ", found " + brief(value) })
}

// Typed reports whether a value is of a type that a type keyword names. One
// that names no type allows all.
func Typed(value, keyword *snapshot.Node) bool {
	allowed := typeBit(keyword.Text())
	for _, e := range keyword.Elements() {
		allowed |= typeBit(e.Text())
	}
	var actual uint8
	switch value.Type() {
	case snapshot.Null:
		actual = typeBit("null")
	case snapshot.Bool:
		actual = typeBit("boolean")
	case snapshot.Number:
		actual = typeBit("number")
		if isInteger(value.Number()) {
			actual |= typeBit("integer")
		}
	case snapshot.String:
		actual = typeBit("string")
	case snapshot.Array:
		actual = typeBit("array")
	case snapshot.Object:
		actual = typeBit("object")
	}
	return allowed == 0 || allowed&actual != 0
}

// typeList names the types of a type keyword, and nothing else that is in it.
func typeList(t *snapshot.Node) string {
	if t.IsText() {
		return t.Text() // one of the seven: others allow everything
	}
	var names []string
	for _, e := range t.Elements() {
		if typeBit(e.Text()) != 0 && len(names) < 7 {
			names = append(names, e.Text())
		}
	}
	return strings.Join(names, " or ")
}

func (c *Instances) among(value *snapshot.Node, members []*snapshot.Node, explain bool) verdict {
	result := refused
	for _, member := range members {
		switch c.same(value, member) {
		case fits:
			return fits
		case unclear:
			result = unclear
		}
	}
	return result.orRefuse(c, explain, func() string { return brief(value) + " is not among the values of enum" })
}

func (c *Instances) union(value *snapshot.Node, m snapshot.Member, depth int, explain bool) verdict {
	matches, doubts := 0, 0
	branches := m.Value.Elements()
	for _, branch := range branches {
		switch c.judge(value, branch, depth+1, false) {
		case fits:
			matches++
		case unclear:
			doubts++
		}
	}
	switch {
	case matches > 1 && m.Name == "oneOf":
		return c.refuse(explain, func() string { return brief(value) + " fits more than one alternative of oneOf" })
	case matches > 0 && (m.Name == "anyOf" || doubts == 0):
		return fits
	case doubts > 0 || len(branches) == 0:
		return unclear
	}
	return c.refuse(explain, func() string { return brief(value) + " fits no alternative of " + m.Name })
}

// same compares by JSON Schema's equality: numbers by value, objects without
// order.
func (c *Instances) same(a, b *snapshot.Node) verdict {
	if !c.spend(1) {
		return unclear
	}
	if a.Type() != b.Type() || a.Len() != b.Len() {
		return refused
	}
	equal := true
	switch a.Type() {
	case snapshot.Bool:
		x, _ := a.Bool()
		y, _ := b.Bool()
		equal = x == y
	case snapshot.String:
		x, y := a.Text(), b.Text()
		if len(x) == len(y) && !c.spend(len(x)/64) {
			return unclear
		}
		equal = x == y
	case snapshot.Number:
		return sameNumber(a.Number(), b.Number())
	case snapshot.Array:
		result := fits
		for i, element := range a.Elements() {
			result = result.and(c.same(element, b.Elements()[i]))
		}
		return result
	case snapshot.Object:
		result := fits
		for _, m := range a.Members() {
			result = result.and(c.same(m.Value, b.Get(m.Name)))
		}
		return result
	}
	if equal {
		return fits
	}
	return refused
}

func sameNumber(a, b string) verdict {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	switch {
	case a == b:
		return fits
	case errX != nil || errY != nil:
		return unclear // beyond what a float holds
	case x != y:
		return refused
	case math.Abs(x) < 1<<53:
		return fits
	}
	return unclear
}

// bound compares a number with a limit.
func bound(value, limit *snapshot.Node, ok func(cmp int) bool) verdict {
	x, errX := strconv.ParseFloat(value.Number(), 64)
	y, errY := strconv.ParseFloat(limit.Number(), 64)
	cmp := 0
	switch {
	case errX != nil || errY != nil:
		return unclear
	case x < y:
		cmp = -1
	case x > y:
		cmp = 1
	case math.Abs(x) >= 1<<53:
		return unclear
	}
	if ok(cmp) {
		return fits
	}
	return refused
}

func (c *Instances) number(value, schema *snapshot.Node, m snapshot.Member, explain bool) verdict {
	v := fits
	switch m.Name {
	case "minimum":
		exclusive, _ := schema.Get("exclusiveMinimum").Bool() // draft-04
		v = bound(value, m.Value, func(cmp int) bool { return cmp > 0 || cmp == 0 && !exclusive })
	case "maximum":
		exclusive, _ := schema.Get("exclusiveMaximum").Bool()
		v = bound(value, m.Value, func(cmp int) bool { return cmp < 0 || cmp == 0 && !exclusive })
	case "exclusiveMinimum":
		if m.Value.Type() == snapshot.Number {
			v = bound(value, m.Value, func(cmp int) bool { return cmp > 0 })
		}
	case "exclusiveMaximum":
		if m.Value.Type() == snapshot.Number {
			v = bound(value, m.Value, func(cmp int) bool { return cmp < 0 })
		}
	case "multipleOf":
		return unclear
	}
	return v.orRefuse(c, explain, func() string { return brief(value) + " is outside of " + m.Name + " " + brief(m.Value) })
}

// size judges a number of parts.
func (c *Instances) size(n int, what string, m snapshot.Member, explain bool) verdict {
	limit, err := strconv.Atoi(m.Value.Number())
	if err != nil {
		return unclear
	}
	if strings.HasPrefix(m.Name, "min") && n >= limit || strings.HasPrefix(m.Name, "max") && n <= limit {
		return fits
	}
	return c.refuse(explain, func() string {
		return "it has " + strconv.Itoa(n) + " " + what + ", which is outside of " + m.Name + " " + brief(m.Value)
	})
}

func (c *Instances) text(value *snapshot.Node, m snapshot.Member, explain bool) verdict {
	switch m.Name {
	case "minLength", "maxLength":
		text := value.Text()
		if !c.spend(len(text)/64) || !utf8.ValidString(text) {
			return unclear
		}
		return c.size(utf8.RuneCountInString(text), "characters", m, explain)
	case "pattern":
		return unclear
	}
	return fits
}

// brief shows a value in a reason.
func brief(n *snapshot.Node) string {
	switch n.Type() {
	case snapshot.String:
		return quote(n.Text())
	case snapshot.Bool:
		return string(n.Raw())
	case snapshot.Null:
		return "null"
	}
	return shown(n)
}
