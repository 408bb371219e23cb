package rules

import "github.com/mcp-lint/mcp-lint/linter/snapshot"

// schema notes the sites of a schema and goes into those below. direct: only
// properties have led here; condition: it is asked of the arguments (not, if)
// and describes none.
func (w *surfaceWalk) schema(n *snapshot.Node, direct, condition bool) {
	if n.Type() != snapshot.Object || len(w.way) > snapshot.MaxDepth {
		return // what is deeper is a fault of its own
	}
	described := !w.output && !condition
	for _, m := range n.Members() {
		if w.repeats && n.Get(m.Name) != m.Value {
			continue
		}
		switch m.Name {
		case "type":
			if !described {
				break
			}
			if m.Value.Len() > 0 {
				w.add(typeListSite, n, m.Name, m.Value, direct)
			}
			if typeAllows(m.Value, "array") && n.Get("items").Type() != snapshot.Object {
				w.array(n, direct)
			}
		case "format":
			if described && m.Value.IsText() {
				w.add(formatSite, n, m.Name, m.Value, direct)
			}
		case "enum":
			w.add(valueSite, n, m.Name, m.Value, direct)
			if described && m.Value.Len() > 0 {
				w.enum(n, m, direct)
			}
		case "default", "const", "examples":
			w.add(valueSite, n, m.Name, m.Value, direct)
		case "$ref":
			if m.Value.IsText() {
				w.add(refSite, n, m.Name, m.Value, direct)
			}
		case "x-mcp-header":
			if !w.output {
				w.add(headerSite, n, m.Name, m.Value, direct && !condition)
			}
		case "exclusiveMinimum", "exclusiveMaximum":
			if m.Value.Type() == snapshot.Bool && !w.output {
				w.add(oldBoundSite, n, m.Name, m.Value, direct)
			}
		case "nullable", "example", "discriminator", "xml", "externalDocs":
			w.add(openAPISite, n, m.Name, m.Value, direct)
		default:
			w.below(n, m, direct, condition)
		}
	}
}

func (w *surfaceWalk) enum(n *snapshot.Node, m snapshot.Member, direct bool) {
	w.add(enumSite, n, m.Name, m.Value, direct)
	for i, member := range m.Value.Elements() {
		if member.IsText() && member.Text() == "" {
			w.push(m.Name, -1)
			w.push("", int32(i))
			w.add(emptyMemberSite, n, "", member, direct)
			w.pop()
			w.pop()
			return
		}
	}
}

// array notes a list that no schema of its items describes. A boolean in that
// place is another matter.
func (w *surfaceWalk) array(n *snapshot.Node, direct bool) {
	switch items := n.Get("items"); items.Type() {
	case snapshot.Missing:
		w.add(arraySite, n, "", nil, direct)
	case snapshot.Array:
		w.add(arraySite, n, "items", items, direct)
	}
}

// below goes on with the value of a keyword that holds schemas.
func (w *surfaceWalk) below(n *snapshot.Node, m snapshot.Member, direct, condition bool) {
	switch m.Name {
	case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies":
		w.push(m.Name, -1)
		for _, named := range m.Value.Members() {
			if w.repeats && m.Value.Get(named.Name) != named.Value {
				continue
			}
			w.push(named.Name, -1)
			w.position(named.Value, direct && m.Name == "properties", condition)
			w.pop()
		}
		w.pop()
	case "anyOf", "oneOf", "allOf", "prefixItems":
		if m.Name != "allOf" && m.Name != "prefixItems" && !w.output && !condition && allowsNothing(m.Value) {
			w.add(nullUnionSite, n, m.Name, m.Value, direct)
		}
		w.list(m, condition)
	case "items":
		if m.Value.Type() == snapshot.Array {
			w.list(m, condition)
			return
		}
		w.push(m.Name, -1)
		w.position(m.Value, false, condition)
		w.pop()
	case "not", "if", "then", "else", "contains", "propertyNames", "contentSchema",
		"additionalProperties", "unevaluatedProperties", "additionalItems", "unevaluatedItems":
		// A boolean is how these are usually written, and clients know it.
		w.push(m.Name, -1)
		w.schema(m.Value, false, condition || m.Name == "not" || m.Name == "if" || m.Name == "propertyNames")
		w.pop()
	}
}

func (w *surfaceWalk) list(m snapshot.Member, condition bool) {
	w.push(m.Name, -1)
	for i, element := range m.Value.Elements() {
		w.push("", int32(i))
		w.position(element, false, condition)
		w.pop()
	}
	w.pop()
}

// position is a place where clients expect an object.
func (w *surfaceWalk) position(n *snapshot.Node, direct, condition bool) {
	if n.Type() == snapshot.Bool && !w.output && !condition {
		w.add(booleanSite, n, "", n, direct)
	}
	w.schema(n, direct, condition)
}

// typeAllows reports whether a type keyword allows a type.
func typeAllows(t *snapshot.Node, name string) bool {
	if t.Text() == name {
		return true
	}
	for _, e := range t.Elements() {
		if e.Text() == name {
			return true
		}
	}
	return false
}

// allowsNothing: one of the alternatives is null and nothing else.
func allowsNothing(list *snapshot.Node) bool {
	for _, branch := range list.Elements() {
		if branch.Get("type").Text() == "null" {
			return true
		}
	}
	return false
}
