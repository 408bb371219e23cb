package schemacheck

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// checker is the pass of our own over one schema.
type checker struct {
	root    *snapshot.Node
	dialect Dialect
	repeats bool
	// doubt names what only the library can judge, "" when there is nothing.
	doubt string
	// definitions wait until it is known which of them are used; targets are
	// the used ones and other places that references lead to.
	definitions, targets []target
	// seen holds the definitions that have been walked as used.
	seen map[*snapshot.Node]bool
	// laxRefs is above 0 where a reference that leads nowhere need not be wrong:
	// below an $id, which moves the root, and in siblings of $ref in draft-07,
	// which that dialect ignores and Ajv does not.
	laxRefs int
}

// target is a schema that waits to be walked. Its place is only worked out for
// a fault: by pointer, or as the member of that name of in.
type target struct {
	node    *snapshot.Node
	pointer string
	in      *snapshot.Node
	name    string
}

func (c *checker) place(t target, f *Fault) *Fault {
	if t.in != nil {
		t.pointer = snapshot.AppendPointer(pointerOf(c.root, t.in), t.name)
	}
	f.Pointer = t.pointer + f.Pointer
	return f
}

// usage tells how a schema is reached.
type usage uint8

const (
	// used: from the root by keywords that apply schemas.
	used usage = iota
	// shared: by a reference, so possibly in several ways.
	shared
	// unused: a definition that nothing refers to. Only its form counts.
	unused
)

func (c *checker) run() *Fault {
	if f := c.schema(c.root, used); f != nil {
		return f
	}
	for i := 0; i < len(c.targets); i++ {
		if f := c.schema(c.targets[i].node, shared); f != nil {
			return c.place(c.targets[i], f)
		}
	}
	for i := 0; i < len(c.definitions); i++ {
		d := c.definitions[i]
		if c.seen[d.node] {
			continue
		}
		if f := c.schema(d.node, unused); f != nil {
			return c.place(d, f)
		}
	}
	return nil
}

func faultf(format string, args ...any) *Fault {
	return &Fault{Reason: fmt.Sprintf(format, args...)}
}

// quote shows a text of the schema in a message.
func quote(text string) string {
	const most = 60
	if len(text) > most {
		cut := most
		for cut > most-4 && text[cut]&0xC0 == 0x80 {
			cut--
		}
		text = text[:cut] + "…"
	}
	return `"` + snapshot.Visible(text) + `"`
}

func expected(what string, n *snapshot.Node) *Fault {
	return faultf("expected %s, found %s", what, n.Type())
}

func (c *checker) suspect(what string) *Fault {
	if c.doubt == "" {
		c.doubt = what
	}
	return nil
}

func (c *checker) schema(n *snapshot.Node, use usage) *Fault {
	switch n.Type() {
	case snapshot.Bool:
		return nil
	case snapshot.Object:
	default:
		return expected("a schema (an object, true or false)", n)
	}
	if use == shared {
		if c.seen[n] {
			return nil
		}
		if c.seen == nil {
			c.seen = map[*snapshot.Node]bool{}
		}
		c.seen[n] = true
	}
	lax := n != c.root && n.Has("$id") || c.dialect != Draft2020 && n.Len() > 1 && n.Has("$ref")
	if lax {
		c.laxRefs++
	}
	for _, m := range n.Members() {
		if c.repeats && n.Get(m.Name) != m.Value {
			continue
		}
		if f := c.keyword(n, m.Name, m.Value, use); f != nil {
			return f.under(m.Name)
		}
	}
	if lax {
		c.laxRefs--
	}
	return nil
}

// keyword checks one member of a schema object. Unknown ones are fine.
func (c *checker) keyword(in *snapshot.Node, name string, v *snapshot.Node, use usage) *Fault {
	switch name {
	case "type":
		return checkType(v)
	case "title", "description", "$comment", "format", "contentEncoding", "contentMediaType":
		return checkText(v)
	case "properties":
		return c.named(v, use, false)
	case "required":
		return checkNames(v)
	case "enum":
		if v.Type() != snapshot.Array {
			return expected("an array", v)
		}
		if v.Len() == 0 && use != unused {
			return faultf("expected at least one value, found an empty array")
		}
		return nil
	case "items":
		if c.dialect != Draft2020 && v.Type() == snapshot.Array {
			return c.list(v, use)
		}
		return c.schema(v, use)
	case "anyOf", "oneOf", "allOf":
		return c.list(v, use)
	case "not", "additionalProperties", "contains", "propertyNames":
		return c.schema(v, use)
	case "if", "then", "else":
		return c.condition(in, name, v, use)
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
		if v.Type() != snapshot.Number {
			return expected("a number", v)
		}
		return nil
	case "multipleOf":
		if v.Type() != snapshot.Number || !isPositive(v.Number()) {
			return faultf("expected a number above 0, found %s", shown(v))
		}
		return nil
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties":
		return checkSize(v)
	case "pattern":
		if !v.IsText() {
			return expected("a text", v)
		}
		return checkPattern(v.Text(), use)
	case "patternProperties":
		return c.named(v, use, true)
	case "uniqueItems", "readOnly", "writeOnly":
		return checkBool(v)
	case "examples":
		if v.Type() != snapshot.Array {
			return expected("an array", v)
		}
		return nil
	case "definitions":
		return c.define(v)
	case "dependencies":
		return c.dependencies(v, use)
	case "$ref":
		if !v.IsText() {
			return expected("a text", v)
		}
		return c.reference(v.Text(), use)
	case "nullable":
		return checkNullable(in, v, use)
	case "id":
		if use != unused {
			return faultf("the keyword id of draft-04 is not supported; expected $id")
		}
		return nil
	case "$id":
		if in == c.root && isPlainURL(v.Text()) {
			return nil // changes nothing for references into the same schema
		}
		return c.suspect(name)
	case "$schema":
		// Below the root it means nothing without an $id beside it.
		if !v.IsText() && in != c.root {
			return expected("a text", v)
		}
		return nil
	}
	if c.dialect == Draft2020 {
		return c.keyword2020(name, v, use)
	}
	if name == "additionalItems" {
		if in.Get("items").Type() != snapshot.Array {
			use = unused
		}
		return c.schema(v, use)
	}
	return nil
}

// keyword2020 checks the keywords that draft-07 does not have.
func (c *checker) keyword2020(name string, v *snapshot.Node, use usage) *Fault {
	switch name {
	case "$defs":
		return c.define(v)
	case "prefixItems":
		return c.list(v, use)
	case "unevaluatedItems", "unevaluatedProperties":
		return c.schema(v, use)
	case "dependentSchemas":
		return c.named(v, use, false)
	case "dependentRequired":
		if v.Type() != snapshot.Object {
			return expected("an object", v)
		}
		for _, m := range v.Members() {
			if f := checkNames(m.Value); f != nil {
				return f.under(m.Name)
			}
		}
	case "contentSchema":
		return c.schema(v, unused)
	case "minContains", "maxContains":
		return checkSize(v)
	case "deprecated":
		return checkBool(v)
	case "$anchor", "$dynamicAnchor", "$dynamicRef", "$recursiveAnchor", "$recursiveRef", "$vocabulary",
		"additionalItems": // unknown to this dialect, but the library looks for identifiers in it
		return c.suspect(name)
	}
	return nil
}

// condition: then and else mean nothing without if.
func (c *checker) condition(in *snapshot.Node, name string, v *snapshot.Node, use usage) *Fault {
	condition := in.Get("if")
	if condition == nil {
		use = unused
	}
	if condition.Type() == snapshot.Bool {
		c.suspect("if with a boolean")
	}
	return c.schema(v, use)
}

func (c *checker) list(v *snapshot.Node, use usage) *Fault {
	if v.Type() != snapshot.Array {
		return expected("an array of schemas", v)
	}
	if v.Len() == 0 {
		return faultf("expected at least one schema, found an empty array")
	}
	for i, element := range v.Elements() {
		if f := c.schema(element, use); f != nil {
			return f.under(strconv.Itoa(i))
		}
	}
	return nil
}

// named checks an object of schemas; its names may have to be patterns.
func (c *checker) named(v *snapshot.Node, use usage, patterns bool) *Fault {
	if v.Type() != snapshot.Object {
		return expected("an object of schemas", v)
	}
	for _, m := range v.Members() {
		if c.repeats && v.Get(m.Name) != m.Value {
			continue
		}
		if patterns {
			if f := checkPattern(m.Name, use); f != nil {
				return f.under(m.Name)
			}
		}
		if f := c.schema(m.Value, use); f != nil {
			return f.under(m.Name)
		}
	}
	return nil
}

func (c *checker) define(v *snapshot.Node) *Fault {
	if v.Type() != snapshot.Object {
		return expected("an object of schemas", v)
	}
	for _, m := range v.Members() {
		if c.repeats && v.Get(m.Name) != m.Value {
			continue
		}
		c.definitions = append(c.definitions, target{node: m.Value, in: v, name: m.Name})
	}
	return nil
}

func (c *checker) dependencies(v *snapshot.Node, use usage) *Fault {
	if v.Type() != snapshot.Object {
		return expected("an object", v)
	}
	for _, m := range v.Members() {
		if c.repeats && v.Get(m.Name) != m.Value {
			continue
		}
		var f *Fault
		if m.Value.Type() == snapshot.Array {
			f = checkNames(m.Value)
		} else {
			f = c.schema(m.Value, use)
		}
		if f != nil {
			return f.under(m.Name)
		}
	}
	return nil
}

// reference checks a $ref. Only a plain pointer into the same schema is clear.
func (c *checker) reference(ref string, use usage) *Fault {
	if use == unused || ref == "#" {
		return nil
	}
	if !strings.HasPrefix(ref, "#/") || strings.ContainsFunc(ref, func(r rune) bool {
		return r == '%' || r == '\\' || r < ' ' || r == 0x7F || r == 0xFFFD
	}) {
		return c.suspect("$ref")
	}
	found := locate(c.root, ref[1:], c.dialect)
	switch {
	case found.missing && c.laxRefs == 0 && c.doubt == "":
		return faultf("%s refers to nothing in this schema", quote(ref))
	case found.missing || !found.isSchema:
		return c.suspect("$ref")
	case found.shared:
		c.targets = append(c.targets, target{node: found.node, pointer: ref[1:]})
	}
	return nil
}

// isPlainURL recognises an absolute URL in which nothing needs a parser.
func isPlainURL(text string) bool {
	rest, ok := strings.CutPrefix(text, "https://")
	if !ok {
		rest, ok = strings.CutPrefix(text, "http://")
	}
	return ok && rest != "" && rest[0] != '/' && !strings.ContainsFunc(rest, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-", r))
	})
}
