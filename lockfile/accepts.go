package lockfile

import (
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// What a schema accepts, in the words of the messages: "a string or null",
// "`a`, `b`", "what `#/$defs/D` describes".

func accepts(n *snapshot.Node) string {
	switch {
	case anything(n):
		return "anything"
	case nothing(n):
		return "nothing"
	case n.Type() != snapshot.Object:
		return quoted(n)
	}
	if values, ok := allowedValues(n); ok {
		return valueNames(values)
	}
	if keyword := soleUnion(n); keyword != "" && !slices.ContainsFunc(n.Get(keyword).Elements(), func(m *snapshot.Node) bool { return soleUnion(m) != "" }) {
		return alternativeNames(n.Get(keyword), " or ") // not of unions in unions: these are as long as the sender likes
	}
	types, ok := typeSet(n.Get("type"))
	switch {
	case ok && len(types) > 0 && limitedFurther(n):
		return typeNames(types, nil) + " limited by " + quoted(n)
	case ok && len(types) > 0:
		return typeNames(types, nil)
	case n.Get("$ref").IsText():
		return "what " + quoted(n.Get("$ref")) + " describes"
	case onlyKeyword(n) == "":
		return "anything"
	}
	return "what the schema " + quoted(n) + " describes"
}

// limitedFurther reports whether more than its type limits a simple value.
func limitedFurther(n *snapshot.Node) bool {
	return !slices.ContainsFunc(n.Members(), func(m snapshot.Member) bool {
		bits, ok := appliesTo(m.Name)
		return ok && bits&(arrayType|objectType) != 0
	}) && onlyKeyword(n) != "type"
}

// anyOther says what is accepted where a list of values or a pattern is gone:
// "any string", or "any value" where the type is open.
func anyOther(schema *snapshot.Node) string {
	types, ok := typeSet(schema.Get("type"))
	if !ok || len(types) == 0 || slices.ContainsFunc(types, func(t string) bool { return typeBit(t) == 0 }) {
		return "any value"
	}
	names := make([]string, len(types))
	for i, t := range types {
		if names[i] = "any " + t; t == "null" {
			names[i] = t
		}
	}
	return strings.Join(names, " or ")
}

// typeNames turns types into words; n is the keyword's value where it is no
// list of types.
func typeNames(types []string, n *snapshot.Node) string {
	if types == nil {
		return quoted(n)
	}
	names := make([]string, len(types))
	for i, t := range types {
		switch t {
		case "null":
			names[i] = t
		case "boolean", "number", "string":
			names[i] = "a " + t
		case "array", "integer", "object":
			names[i] = "an " + t
		default:
			names[i] = "`" + t + "`"
		}
	}
	if len(names) == 0 {
		return "nothing"
	}
	return excerpt(strings.Join(names, " or "))
}

// valueNames lists values for a sentence.
func valueNames(values []*snapshot.Node) string {
	const most = 5
	var names []string
	for _, v := range values[:min(most, len(values))] {
		names = append(names, literalUnlessPlain(v))
	}
	text := strings.Join(names, ", ")
	if len(values) > most {
		text += " and more"
	}
	if text == "" {
		return "nothing"
	}
	return text
}

// literalUnlessPlain quotes a value, a text with its own quotes where it could
// be mistaken for a value of another type or for nothing.
func literalUnlessPlain(n *snapshot.Node) string {
	if n.IsText() {
		switch s := n.Text(); {
		case s == "", s == "true", s == "false", s == "null", strings.TrimSpace(s) != s, s[0] == '-' || '0' <= s[0] && s[0] <= '9', s[0] == '{' || s[0] == '[':
			return literal(n)
		}
	}
	return quoted(n)
}
