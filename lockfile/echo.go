package lockfile

import (
	"slices"
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

// echoes reports whether a text is none at all, or the title of a schema with
// no word that its name does not have. Generators make such titles: pydantic
// writes "Repo Path" for repo_path, and addArguments for the tool git_add.
func (w *schemaWalk) echoes(title *snapshot.Node) bool {
	if title == nil {
		return true
	}
	if len(w.path) != w.at+1 || w.path[w.at] != "title" {
		return false
	}
	words, ok := wordsOf(title.Text())
	if !ok || len(words) == 0 {
		return false
	}
	if w.at == 1 {
		name, ok := wordsOf(w.ref.Name)
		return ok && namesWhole(words, name)
	}
	name, ok := wordsOf(lastName(w.path[:w.at]))
	return ok && strings.Join(words, "") == strings.Join(name, "")
}

// namesWhole reports whether a title has words of a tool's name only, in their
// order, and at most one word for the kind of schema behind them.
func namesWhole(title, name []string) bool {
	switch title[len(title)-1] {
	case "args", "arguments", "input", "model", "output", "parameters", "params", "request", "response", "result", "schema":
		title = title[:len(title)-1]
	}
	if len(title) == 0 {
		return false
	}
	for _, word := range title {
		i := slices.Index(name, word)
		if i < 0 {
			return false
		}
		name = name[i+1:]
	}
	return true
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

// wordsOf splits a name or a title into words of small letters, where signs or
// capitals begin them; false for anything but ASCII letters, digits, spaces and
// the signs of names.
func wordsOf(s string) (words []string, ok bool) {
	var word []byte
	end := func() {
		if len(word) > 0 {
			words = append(words, string(word))
			word = nil
		}
	}
	small := false
	for i := range len(s) {
		switch c := s[i]; {
		case 'A' <= c && c <= 'Z':
			if small {
				end()
			}
			word = append(word, c-'A'+'a')
			small = false
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
			word = append(word, c)
			small = true
		case c == ' ', c == '_', c == '-', c == '.', c == '/':
			end()
			small = false
		default:
			return nil, false
		}
	}
	end()
	return words, true
}
