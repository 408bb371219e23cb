package rules

import (
	"strings"
	"unicode"

	"github.com/mcp-lint/mcp-lint/linter"
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
