package rules

import (
	"fmt"
	"unicode/utf8"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// instructionsCut is the length from which Claude Code cuts a server's
// instructions, in UTF-16 units.
const instructionsCut = 2048

// instructionsLength finds instructions that a client does not hand on whole.
var instructionsLength = linter.Rule{
	ID:       "compat/instructions-length",
	Title:    "Instructions that a client cuts",
	Why:      "What stands after the cut never reaches the model, and neither the server nor the user is told.",
	Severity: linter.Severities{Recommended: severity.Warning},
	Bad:      `{"tools":[],"instructions":"` + longInstructions + `"}`,
	Good:     `{"tools":[],"instructions":"Levels are in centimetres above chart datum. Ask for the basin when the user does not name one."}`,
	Since:    firstVersion,
	References: []string{
		"https://code.claude.com/docs/en/mcp",
		"https://github.com/anthropics/claude-code/issues/81268",
	},
	Clients: []linter.ClientFact{{
		Client: "claude-code", Name: "Claude Code", Does: "cuts instructions at 2,048 characters",
		Since: "2.1.84", Source: "https://github.com/anthropics/claude-code/issues/81268",
	}},
	Check: func(p *linter.Pass) {
		text := p.Snapshot().Instructions.Text()
		length := linter.Length(text)
		if length <= instructionsCut {
			return
		}
		for _, client := range p.Clients() {
			p.Report(p.Server(), "/instructions", linter.Finding{
				Message: fmt.Sprintf("%s %s; these have %s, and what is lost begins with %s",
					client.Name, client.Does, thousands(length), quote(firstWords(text[unitOffset(text, instructionsCut):]))),
				Fix:     "Put what matters first, and move the rest into tool descriptions or a resource.",
				Subject: client.Client,
			})
		}
	},
}

// longInstructions is the shortest example that is honest: nobody shortens what
// a client cuts.
const longInstructions = thousandCharacters + thousandCharacters + thousandCharacters

const (
	thousandCharacters = hundredCharacters + hundredCharacters + hundredCharacters + hundredCharacters + hundredCharacters +
		hundredCharacters + hundredCharacters + hundredCharacters + hundredCharacters + hundredCharacters
	hundredCharacters = "Basin one lies west of the lock, basin two lies east of it, and levels are above chart datum always. "
)

// unitOffset is the byte at which n UTF-16 units of a text end.
func unitOffset(text string, n int) int {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if n--; r > 0xFFFF {
			n--
		}
		if n < 0 {
			return i
		}
		i += size
	}
	return len(text)
}

// firstWords shortens a text for a message.
func firstWords(text string) string {
	const most = 40
	if len(text) <= most {
		return text
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "…"
}
