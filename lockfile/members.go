package lockfile

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

const (
	// maxMembers is how many parameters or members of a result a message names.
	maxMembers = 8
	// maxKind is the length of what one of them accepts, in code points.
	maxKind = 60
)

// memberWords lists what an object of that schema may have: "`path` (a string,
// required), `mode` (`fast`, `slow`)", what must be there first. It is "" for a
// schema that names nothing.
func memberWords(schema *snapshot.Node, must string) string {
	properties := schema.Get("properties")
	if properties.Type() != snapshot.Object {
		return ""
	}
	required := map[string]bool{}
	for _, n := range schema.Get("required").Elements() {
		required[n.Text()] = n.IsText()
	}
	names := memberNames(nil, properties)
	slices.SortStableFunc(names, func(a, b string) int {
		switch {
		case required[a] == required[b]:
			return 0
		case required[a]:
			return -1
		}
		return 1
	})
	var words []string
	for _, name := range names[:min(maxMembers, len(names))] {
		var facts []string
		if kind := kindWords(properties.Get(name)); kind != "" {
			facts = append(facts, kind)
		}
		if required[name] {
			facts = append(facts, must)
		}
		text := "`" + window(name, 0, maxValue) + "`"
		if facts != nil {
			text += " (" + strings.Join(facts, ", ") + ")"
		}
		words = append(words, text)
	}
	text := strings.Join(words, ", ")
	if more := len(names) - len(words); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// kindWords says in a few words what a schema accepts, "" where it says nothing
// and where there is no short word for it.
func kindWords(n *snapshot.Node) string {
	if types, ok := typeSet(n.Get("type")); ok && !n.Has("enum") && !n.Has("const") {
		if text := typeNames(types, nil); utf8.RuneCountInString(text) <= maxKind {
			return text
		}
		return ""
	}
	if values, ok := allowedValues(n); ok && utf8.RuneCountInString(valueNames(values)) > maxKind {
		return fmt.Sprintf("one of %d values", len(values))
	}
	if text := accepts(n); text != "anything" && utf8.RuneCountInString(text) <= maxKind {
		return text
	}
	return ""
}

// takes says what a definition that is new asks for, and how dangerous it says
// that it is: "; it takes `path` (a string, required); it says that it may
// destroy things (destructiveHint)".
func (k *kind) takes(definition *snapshot.Node) string {
	switch k.kind {
	case snapshot.KindPrompt:
		return argumentWords(definition.Get("arguments"))
	case snapshot.KindTool:
		return toolWords(definition)
	}
	return ""
}

func toolWords(definition *snapshot.Node) string {
	text := ""
	switch members := memberWords(definition.Get("inputSchema"), "required"); {
	case members != "":
		text = "; it takes " + members
	case definition.Has("inputSchema"):
		text = "; its schema names no parameters"
	}
	var claims, denials []string
	for _, h := range hints() {
		annotations := definition.Get("annotations")
		switch {
		case !annotations.Has(h.name):
		case h.value(annotations) == h.safe:
			claims = append(claims, fmt.Sprintf("%s (%s)", h.claim, h.name))
		default:
			denials = append(denials, fmt.Sprintf("%s (%s)", h.denial, h.name))
		}
	}
	if claims != nil {
		text += "; it claims " + strings.Join(claims, ", ")
	}
	if denials != nil {
		text += "; it says " + strings.Join(denials, ", ")
	}
	return text
}

// argumentWords lists the arguments of a prompt.
func argumentWords(arguments *snapshot.Node) string {
	var words []string
	all := arguments.Elements()
	for _, a := range all[:min(maxMembers, len(all))] {
		word := "`" + window(a.Get("name").Text(), 0, maxValue) + "`"
		if truthy(a.Get("required")) {
			word += " (required)"
		}
		words = append(words, word)
	}
	if words == nil {
		return ""
	}
	text := "; it takes " + strings.Join(words, ", ")
	if more := len(all) - len(words); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
