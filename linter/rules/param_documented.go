package rules

import (
	"strings"
	"unicode"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// documentedParams returns the names that a tool's description explains one a
// line, as documentation comments do: "path: where the file is", "- path
// (string) – where it is", "@param path where it is". Servers that are
// written in Python tell their arguments like that, and a model reads it all the
// same. What stands below a heading like Returns is about something else.
func documentedParams(tool *linter.Entity) map[string]bool {
	var names map[string]bool
	about := true
	for line := range strings.Lines(tool.Description()) {
		line = strings.TrimSpace(line)
		if heading, ok := strings.CutSuffix(line, ":"); ok && len(heading) <= longestHeading {
			switch strings.ToLower(strings.Trim(heading, "#* ")) {
			case "args", "arguments", "parameters", "params", "input", "inputs":
				about = true
				continue
			case "returns", "return", "yields", "raises", "response", "output", "outputs", "example", "examples":
				about = false
				continue
			}
		}
		if !about {
			continue
		}
		if name := documentedParam(line); name != "" {
			if names == nil {
				names = map[string]bool{}
			}
			names[name] = true
		}
	}
	return names
}

const longestHeading = 20

// documentedParam returns the name that a line explains, "" for other lines.
func documentedParam(line string) string {
	line = strings.TrimLeft(line, "-*+•> \t")
	tag := false
	for _, start := range [...]string{"@param ", ":param "} {
		if rest, ok := strings.CutPrefix(line, start); ok {
			line, tag = rest, true
		}
	}
	line = strings.TrimLeft(line, "`'*")
	end := strings.IndexFunc(line, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-' && r != '.' && r != '$'
	})
	if end <= 0 {
		return ""
	}
	name, rest := line[:end], strings.TrimLeft(line[end:], "`'*")
	if tag {
		return nameIfSaid(name, strings.TrimLeft(rest, ": "))
	}
	rest = strings.TrimLeft(rest, " ")
	for _, pair := range [...]string{"()", "{}", "[]"} {
		if rest == "" || rest[0] != pair[0] {
			continue
		}
		end := strings.IndexByte(rest, pair[1])
		if end < 0 {
			return ""
		}
		rest = strings.TrimLeft(rest[end+1:], "`'* ")
	}
	for _, mark := range [...]string{":", "- ", "– ", "— "} {
		if said, ok := strings.CutPrefix(rest, mark); ok {
			return nameIfSaid(name, said)
		}
	}
	return ""
}

// nameIfSaid returns the name when what is said about it has words.
func nameIfSaid(name, said string) string {
	if strings.IndexFunc(said, unicode.IsLetter) < 0 {
		return ""
	}
	return name
}

// mostParts bounds the properties that are looked at: many parameters may
// refer to one large definition.
const mostParts = 64

// partsTell reports whether a parameter is an object, or a list of objects, and
// all properties of that are described. What remains to be said of "update" or
// "input" then says nothing more.
func partsTell(root, schema *snapshot.Node) bool {
	schema = referred(root, schema)
	if schema.Get("items").Type() == snapshot.Object {
		schema = referred(root, schema.Get("items"))
	}
	properties := schema.Get("properties")
	if n := properties.Len(); properties.Type() != snapshot.Object || n == 0 || n > mostParts {
		return false
	}
	for _, m := range properties.Members() {
		if linter.IsBlank(m.Value.Get("description").Text()) {
			return false
		}
	}
	return true
}

// referred follows one reference into the same schema.
func referred(root, schema *snapshot.Node) *snapshot.Node {
	if pointer, ok := strings.CutPrefix(schema.Get("$ref").Text(), "#/"); ok {
		return root.At("/" + pointer)
	}
	return schema
}
