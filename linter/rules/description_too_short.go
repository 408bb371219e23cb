package rules

import (
	"fmt"
	"unicode"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// wasteShortDescription is what a model wastes on a tool that is hardly
// explained (agents-lint, section 8).
const wasteShortDescription = 500

// shortDescription finds descriptions that say little. The seeds measure
// differently, one in characters and one in words; preset recommended takes
// either as one finding.
var shortDescription = linter.Rule{
	ID:         "description/too-short",
	Codes:      []string{"S1"},
	Title:      "Description too short to choose by",
	Why:        "A few words do not tell when to use the tool rather than its neighbour, or what comes back.",
	Severity:   linter.Severities{Recommended: severity.Warning, Snapshot: severity.Warning, Agents: severity.Warning},
	Bad:        `{"name":"water_level","description":"Level in cm","inputSchema":{"type":"object","properties":{}}}`,
	Good:       `{"name":"water_level","description":"Returns the newest water level of the harbour basin, in centimetres above the local chart datum.","inputSchema":{"type":"object","properties":{}}}`,
	Options:    []string{"descriptionMinLength", "descriptionMinWords"},
	Since:      firstVersion,
	References: []string{toolGuide},
	CheckTool: func(p *linter.Pass, tool *linter.Entity) {
		minLength, minWords := p.Option("descriptionMinLength", 20), p.Option("descriptionMinWords", 15)
		text := linter.Trim(tool.Description())
		if text == "" {
			return // another rule's business
		}
		var message string
		if p.Preset() != linter.SnapshotPreset {
			if words := wordCount(text, minWords); float64(words) < minWords {
				message = fmt.Sprintf("the description has %s; expected at least %v", plural(words, "word"), minWords)
			}
		}
		if p.Preset() != linter.Agents {
			if length := lengthUpTo(text, minLength); float64(length) < minLength {
				message = fmt.Sprintf("the description has %s; expected at least %v", plural(length, "character"), minLength)
			}
		}
		if message != "" {
			p.Report(tool, "/description", linter.Finding{
				Message: message,
				Fix:     "Say what it does, when to use it, what it returns and what it does not do.",
				Waste:   wasteShortDescription,
			})
		}
	},
}

// lengthUpTo is the length of a text, or any number from enough on: most
// texts have far more.
func lengthUpTo(text string, enough float64) int {
	if bytesEach := 3; float64(len(text)/bytesEach) >= enough {
		return len(text) / bytesEach // no UTF-16 code unit takes more bytes
	}
	return linter.Length(text)
}

// wordCount counts the runs between white space, until there are enough. Two
// letters of a script that is written without spaces count as one word (D21).
func wordCount(text string, enough float64) int {
	words, spaceless, others, inRun := 0, 0, false, false
	end := func() {
		words += (spaceless + 1) / 2
		if inRun && (others || spaceless == 0) {
			words++
		}
		spaceless, others, inRun = 0, false, false
	}
	for _, r := range text {
		switch {
		case unicode.IsSpace(r) || r == '\ufeff':
			if end(); float64(words) >= enough {
				return words
			}
			continue
		case r > unicode.MaxLatin1 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
			spaceless++
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			others = true
		}
		inRun = true
	}
	end()
	return words
}
