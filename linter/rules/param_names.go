package rules

import (
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// longestLastWord is longer than any word that a rule looks for.
const longestLastWord = 16

// lastWord returns the last word of a name in lower case, as [linter.Words] has
// it but without making the others; "" when it is too long to be looked for.
// rest is what stands before it.
func lastWord(name string, buf *[longestLastWord]byte) (word []byte, rest string) {
	end := len(name)
	for end > 0 && !alphanumeric(name[end-1]) {
		end--
	}
	start := end
	for start > 0 && alphanumeric(name[start-1]) {
		start--
		if start > 0 && upper(name[start]) && alphanumeric(name[start-1]) && !upper(name[start-1]) {
			break
		}
	}
	if end-start > len(buf) {
		return nil, name[:start]
	}
	n := 0
	for _, c := range []byte(name[start:end]) {
		if upper(c) {
			c += 'a' - 'A'
		}
		buf[n] = c
		n++
	}
	return buf[:n], name[:start]
}

func upper(c byte) bool { return c >= 'A' && c <= 'Z' }

func alphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || upper(c) || c >= 'a' && c <= 'z'
}

// deepestUnion bounds how far into a parameter's schema one looks for a text.
const deepestUnion = 4

// takesAnyText reports whether a parameter, or an element of the list that it
// is, can be a text that neither enum nor const nor a telling pattern limits.
func takesAnyText(schema *snapshot.Node, limits func(pattern string) bool) bool {
	return anyText(schema, limits, 0)
}

func anyText(schema *snapshot.Node, limits func(string) bool, depth int) bool {
	if anything, isBool := schema.Bool(); isBool {
		return anything
	}
	if depth > deepestUnion || schema.Type() != snapshot.Object {
		return false
	}
	if schema.Get("enum").Type() == snapshot.Array || schema.Has("const") {
		return false
	}
	if pattern := schema.Get("pattern"); pattern.IsText() && limits(pattern.Text()) {
		return false
	}
	switch t := schema.Get("type"); t.Type() {
	case snapshot.String:
		return textOrList(t.Text(), schema, limits, depth)
	case snapshot.Array:
		for _, each := range t.Elements() {
			if textOrList(each.Text(), schema, limits, depth) {
				return true
			}
		}
		return false
	}
	unions := false
	for _, key := range [...]string{"anyOf", "oneOf", "allOf"} {
		for _, branch := range schema.Get(key).Elements() {
			unions = true
			if anyText(branch, limits, depth+1) {
				return true
			}
		}
	}
	return !unions && !schema.Has("$ref") && !schema.Has("properties") && !schema.Has("items")
}

func textOrList(name string, schema *snapshot.Node, limits func(string) bool, depth int) bool {
	return name == "string" || name == "array" && schema.Has("items") && anyText(schema.Get("items"), limits, depth+1)
}

// telling reports whether a pattern excludes anything worth excluding: .* and
// its like do not.
func telling(pattern string) bool {
	pattern = strings.TrimSuffix(strings.TrimPrefix(pattern, "^"), "$")
	if inner, ok := strings.CutPrefix(pattern, "("); ok {
		pattern = strings.TrimSuffix(inner, ")")
	}
	for _, anything := range [...]string{".", `\S`, `[\s\S]`, `[\S\s]`, `[^\0]`, `[^\x00]`, `[^\n]`, `[^\r\n]`} {
		if rest, ok := strings.CutPrefix(pattern, anything); ok {
			return !onlyQuantifier(rest)
		}
	}
	return pattern != ""
}

func onlyQuantifier(text string) bool {
	switch text {
	case "", "*", "+", "*?", "+?":
		return true
	}
	return strings.HasPrefix(text, "{") && strings.IndexByte(text, '}') == len(text)-1
}

// tellingURL is [telling] for addresses: a pattern that names no host lets all
// through.
func tellingURL(pattern string) bool {
	pattern = strings.TrimPrefix(pattern, "^")
	for _, scheme := range [...]string{"https?", "https", "http", "(https?)", "(http|https)", "(?:https?)", "(?:http|https)"} {
		rest, ok := strings.CutPrefix(pattern, scheme)
		if !ok {
			continue
		}
		rest = strings.TrimPrefix(rest, ":")
		rest = strings.NewReplacer(`\/`, "/").Replace(rest)
		return telling(strings.TrimPrefix(rest, "//"))
	}
	return telling(pattern)
}
