package lockfile

import (
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// textDiffers reports a text that differs, or notes that it is a title in which
// there is nothing to read on either side.
func (w *schemaWalk) textDiffers(old, new *snapshot.Node) {
	if !w.echoes(old) || !w.echoes(new) {
		w.textChanged(old, new)
		return
	}
	if w.opaque == nil || !w.opaque.textsOnly {
		w.echoed = true
	}
}

// reportEchoes reports all titles that textDiffers noted as one change, in the
// same words for every tool: a new version of a generator brings one for each
// parameter of a server.
func (w *schemaWalk) reportEchoes() {
	if !w.echoed {
		return
	}
	w.report(KindSchemaEquivalent, Additive, severity.Info, Change{
		Path:    pointer(w.path),
		Message: w.sentence("titles that only repeat names were added, removed or changed"),
	})
}

// echoes reports whether a text is none at all, or the title of a schema that
// only spells its name. Generators make such titles: pydantic writes "Repo Path"
// for repo_path, and addArguments for the tool git_add.
func (w *schemaWalk) echoes(title *snapshot.Node) bool {
	if title == nil {
		return true
	}
	if len(w.path) != w.at+1 || w.path[w.at] != "title" {
		return false
	}
	if w.at == 1 {
		return w.namesTool(title.Text())
	}
	return spells(title.Text(), lastName(w.path[:w.at]))
}

// RepeatsName reports whether a title tells no more than the name of what it is
// the title of, in the same letters: "Read File" for read_file.
func RepeatsName(title, name string) bool { return spells(title, name) }

// namesTool reports whether a title spells the name of the tool, with or without
// the word before it that all tools of the server have, and at most one word for
// the kind of schema behind it.
func (w *schemaWalk) namesTool(title string) bool {
	name := w.ref.Name
	for _, kind := range [...]string{
		"", "Args", "Arguments", "Input", "Model", "Output", "Parameters", "Params", "Request", "Response", "Result", "Schema",
	} {
		said, ok := strings.CutSuffix(title, kind)
		if kind != "" {
			said = strings.TrimSuffix(said, " ")
		}
		if ok && (spells(said, name) || spells(said, strings.TrimPrefix(name, w.service))) {
			return true
		}
	}
	return false
}

// spells reports whether a title has the letters and digits of a name, in any
// capitals, with or without its signs: a single space may stand for a sign, or
// before a capital that begins a word. A title that parts the name anywhere else
// reads as other words ("Now Here" on nowhere), and signs of its own say more
// ("../Path"). Only ASCII is spelled: other letters may look like its own.
func spells(title, name string) bool {
	at := 0 // in the name
	for i := range len(title) {
		c := title[i]
		for isAlphanumeric(c) && at < len(name) && isSign(name[at]) {
			at++
		}
		switch {
		case c == ' ' && i > 0 && isAlphanumeric(title[i-1]) && i+1 < len(title) && beginsWord(name, at):
			if isSign(name[at]) {
				at++
			}
		case at < len(name) && lower(c) == lower(name[at]) && (isAlphanumeric(c) || isSign(c)):
			at++
		default:
			return false
		}
	}
	return title != "" && strings.TrimLeft(name[at:], "_-./") == ""
}

// beginsWord reports whether a sign or the first capital of a word is at a place
// of a name, and not at its beginning.
func beginsWord(name string, at int) bool {
	if at == 0 || at >= len(name) {
		return false
	}
	if isSign(name[at]) {
		return true
	}
	next := at+1 < len(name) && isSmall(name[at+1])
	return isCapital(name[at]) && (!isCapital(name[at-1]) || next)
}

// serviceOf returns the first word of names with the sign behind it where at
// least two names are given and all begin with it, else "".
func serviceOf(tools []*entry) string {
	if len(tools) < 2 {
		return ""
	}
	first := tools[0].name
	end := strings.IndexAny(first, "_-./") + 1
	if end < 2 {
		return ""
	}
	for _, t := range tools {
		if !strings.HasPrefix(t.name, first[:end]) {
			return ""
		}
	}
	return first[:end]
}

func isSign(c byte) bool    { return c == '_' || c == '-' || c == '.' || c == '/' }
func isCapital(c byte) bool { return 'A' <= c && c <= 'Z' }
func isSmall(c byte) bool   { return 'a' <= c && c <= 'z' }

func isAlphanumeric(c byte) bool { return isCapital(c) || isSmall(c) || '0' <= c && c <= '9' }

func lower(c byte) byte {
	if isCapital(c) {
		return c - 'A' + 'a'
	}
	return c
}

// lastName returns the name under which the object or the definitions around it
// hold the schema at a path, "" for one without a name.
func lastName(path []string) string {
	name := ""
	for i := 1; i < len(path); i++ {
		name = ""
		switch path[i] {
		case "properties", "$defs", "definitions":
			if i++; i < len(path) {
				name = path[i]
			}
		case "anyOf", "oneOf", "allOf", "prefixItems", "patternProperties", "dependentSchemas", "dependencies":
			i++
		}
	}
	return name
}
