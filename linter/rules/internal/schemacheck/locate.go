package schemacheck

import (
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// found is where a pointer leads.
type found struct {
	node *snapshot.Node
	// missing: there is nothing.
	missing bool
	// isSchema: every step is one that the pass takes too, so the node is
	// checked as a schema.
	isSchema bool
	// shared: the way leads through definitions, which the pass does not count
	// as used.
	shared bool
}

// position is what a value is by its place in a schema.
type position uint8

const (
	aSchema position = iota
	aMap             // of schemas
	aList            // of schemas
	elsewhere
)

func locate(root *snapshot.Node, pointer string, d Dialect) found {
	f := found{node: root}
	at := aSchema
	for _, token := range strings.Split(pointer[1:], "/") {
		if i := strings.IndexByte(token, '~'); i >= 0 {
			token = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
			at = elsewhere // the library is strict about escapes
		}
		list := f.node.Type() == snapshot.Array
		next := f.node.At(snapshot.AppendPointer("", token))
		if next == nil {
			// Spellings of an index are the library's business.
			f.missing = !list
			f.isSchema = false
			return f
		}
		f.node = next
		switch at {
		case aSchema:
			var definitions bool
			at, definitions = below(token, next, d)
			f.shared = f.shared || definitions
		case aMap:
			at = aSchema
		case aList:
			at = aSchema
		}
	}
	f.isSchema = at == aSchema
	return f
}

// below tells what the value of a keyword is.
func below(keyword string, v *snapshot.Node, d Dialect) (at position, definitions bool) {
	switch keyword {
	case "properties", "patternProperties":
		return aMap, false
	case "definitions":
		return aMap, true
	case "anyOf", "oneOf", "allOf":
		return aList, false
	case "items":
		if v.Type() == snapshot.Array {
			return aList, false
		}
		return aSchema, false
	case "not", "additionalProperties", "contains", "propertyNames":
		return aSchema, false
	}
	if d == Draft2020 {
		switch keyword {
		case "$defs":
			return aMap, true
		case "dependentSchemas":
			return aMap, false
		case "prefixItems":
			return aList, false
		case "unevaluatedItems", "unevaluatedProperties":
			return aSchema, false
		}
	}
	return elsewhere, false
}

// pointerOf finds a node again.
func pointerOf(root, node *snapshot.Node) string {
	result := ""
	root.Walk(func(pointer func() string, n *snapshot.Node) bool {
		if n == node {
			result = pointer()
		}
		return n.Start() <= node.Start() && node.End() <= n.End()
	})
	return result
}
