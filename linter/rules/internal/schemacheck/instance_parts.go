package schemacheck

import (
	"strconv"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// inside judges a part of a value and puts its place before the reason.
func (c *Instances) inside(part, schema *snapshot.Node, token string, depth int, explain bool) verdict {
	noted := c.refusal != nil
	v := c.judge(part, schema, depth+1, explain)
	if explain && !noted && c.refusal != nil {
		c.refusal.Pointer = snapshot.AppendPointer("", token) + c.refusal.Pointer
	}
	return v
}

// array judges a list by a keyword about lists.
func (c *Instances) array(value, schema *snapshot.Node, m snapshot.Member, depth int, explain bool) verdict {
	elements := value.Elements()
	each := func(from int, schema func(int) *snapshot.Node) verdict {
		if !c.spend(len(elements)) {
			return unclear
		}
		result := fits
		for i := from; i < len(elements) && result != refused; i++ {
			if s := schema(i); s != nil {
				result = result.and(c.inside(elements[i], s, strconv.Itoa(i), depth, explain))
			}
		}
		return result
	}
	at := func(list []*snapshot.Node) func(int) *snapshot.Node {
		return func(i int) *snapshot.Node {
			if i < len(list) {
				return list[i]
			}
			return nil
		}
	}
	all := func(int) *snapshot.Node { return m.Value }
	switch m.Name {
	case "minItems", "maxItems":
		return c.size(len(elements), "elements", m, explain)
	case "items":
		switch {
		case m.Value.Type() != snapshot.Array:
			from := 0
			if c.dialect == Draft2020 {
				from = schema.Get("prefixItems").Len()
			}
			return each(from, all)
		case c.dialect != Draft2020:
			return each(0, at(m.Value.Elements()))
		}
		return unclear
	case "prefixItems":
		if c.dialect == Draft2020 {
			return each(0, at(m.Value.Elements()))
		}
	case "additionalItems":
		if items := schema.Get("items"); c.dialect != Draft2020 && items.Type() == snapshot.Array {
			return each(items.Len(), all)
		}
	case "contains", "uniqueItems":
		return unclear
	}
	return fits
}

// object judges an object by a keyword about objects.
func (c *Instances) object(value, schema *snapshot.Node, m snapshot.Member, depth int, explain bool) verdict {
	result := fits
	if !c.spend(value.Len() + m.Value.Len()/8) {
		return unclear
	}
	switch m.Name {
	case "minProperties", "maxProperties":
		return c.size(value.Len(), "members", m, explain)
	case "required":
		for _, name := range m.Value.Elements() {
			if !name.IsText() || value.Has(name.Text()) {
				continue
			}
			if c.Defaulted && schema.Get("properties").Get(name.Text()).Has("default") {
				result = unclear
				continue
			}
			return c.refuse(explain, func() string { return "the required " + quote(name.Text()) + " is missing" })
		}
	case "properties":
		for _, property := range value.Members() {
			if s := m.Value.Get(property.Name); s != nil {
				result = result.and(c.inside(property.Value, s, property.Name, depth, explain))
			}
		}
	case "additionalProperties":
		if schema.Has("patternProperties") {
			return unclear
		}
		declared := schema.Get("properties")
		for _, property := range value.Members() {
			if !declared.Has(property.Name) {
				result = result.and(c.inside(property.Value, m.Value, property.Name, depth, explain))
			}
		}
	case "patternProperties", "propertyNames", "dependentRequired", "dependentSchemas", "dependencies":
		return unclear
	}
	return result
}
