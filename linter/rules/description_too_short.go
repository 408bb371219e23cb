package rules

import (
	"fmt"
	"slices"
	"unicode"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// wasteShortDescription is what a model wastes on a tool that is hardly
// explained (agents-lint, section 8).
const wasteShortDescription = 500

// shortDescription finds descriptions that say little. The seeds measure
// differently, one in characters and one in words, and have a finding a tool.
// Preset recommended takes either as one finding, and says it once a server:
// who writes one description of six words writes them all like that, and a
// column of equal findings hides the others. Between half the words and all of
// them a description may well say enough: that is for information only.
var shortDescription = linter.Rule{
	ID:         "description/too-short",
	Codes:      []string{"S1"},
	Title:      "Description too short to choose by",
	Why:        "A few words do not tell when to use the tool rather than its neighbour, or what comes back. From half of descriptionMinWords on they may: that is information, less is a warning. Three tools or more are one finding on the server.",
	Severity:   linter.Severities{Recommended: severity.Warning, Snapshot: severity.Warning, Agents: severity.Warning},
	Bad:        `{"name":"water_level","description":"Level in cm","inputSchema":{"type":"object","properties":{}}}`,
	Good:       `{"name":"water_level","description":"Returns the newest water level of the harbour basin, in centimetres above the local chart datum.","inputSchema":{"type":"object","properties":{}}}`,
	Options:    []string{"descriptionMinLength", "descriptionMinWords"},
	Since:      firstVersion,
	References: []string{toolGuide},
	Check: func(p *linter.Pass) {
		limits := shortLimitsOf(p)
		var faults []toolFault
		for _, tool := range p.Tools() {
			text := linter.Trim(tool.Description())
			if p.Preset() == linter.Recommended && len(text) > neverShort {
				continue
			}
			s, short := limits.measure(text)
			if !short || p.Preset() == linter.Recommended && saysNothing(tool, text) {
				continue // description/vague says the second
			}
			fault := toolFault{tool: tool, path: "/description", severity: severity.Warning, waste: wasteShortDescription}
			if p.Preset() != linter.Recommended {
				limits.report(p, fault, s)
				continue
			}
			fault.subject = tool.Ref.Name
			if !s.fewCharacters && 2*float64(s.words) >= limits.words {
				fault.severity = severity.Info
			}
			faults = append(faults, fault)
		}
		reportTogether(p, faults, func(fault toolFault) {
			s, _ := limits.measure(linter.Trim(fault.tool.Description()))
			limits.report(p, fault, s)
		}, limits.describe)
	},
}

const sayMore = "Say what it does, when to use it, what it returns and what it does not do."

// neverShort is a length in bytes from which on nobody would call a text short,
// however few its words are; it may be one of megabytes.
const neverShort = 10_000

// shortLimits are the least lengths that a preset wants; 0 for a measure that
// it does not know.
type shortLimits struct{ words, characters float64 }

func shortLimitsOf(p *linter.Pass) shortLimits {
	l := shortLimits{p.Option("descriptionMinWords", 15), p.Option("descriptionMinLength", 20)}
	switch p.Preset() {
	case linter.SnapshotPreset:
		l.words = 0
	case linter.Agents:
		l.characters = 0
	}
	return l
}

// shortness is how long a text is, and what it lacks.
type shortness struct {
	words, characters       int
	fewWords, fewCharacters bool
}

// measure tells whether a text is too short. An empty one is another rule's
// business.
func (l shortLimits) measure(text string) (s shortness, short bool) {
	if text == "" {
		return s, false
	}
	if l.words > 0 {
		s.words = wordCount(text, l.words)
		s.fewWords = float64(s.words) < l.words
	}
	if l.characters > 0 {
		s.characters = lengthUpTo(text, l.characters)
		s.fewCharacters = float64(s.characters) < l.characters
	}
	return s, s.fewWords || s.fewCharacters
}

// report reports the description of one tool.
func (l shortLimits) report(p *linter.Pass, fault toolFault, s shortness) {
	f := linter.Finding{Fix: sayMore, Severity: fault.severity, Subject: fault.subject, Waste: fault.waste}
	if s.fewCharacters {
		f.Message = fmt.Sprintf("the description has %s; expected at least %v", plural(s.characters, "character"), l.characters)
	} else {
		f.Message = fmt.Sprintf("the description has %s; expected at least %v", plural(s.words, "word"), l.words)
	}
	p.Report(fault.tool, fault.path, f)
}

// describe words the finding about the descriptions of several tools.
func (l shortLimits) describe(items []linter.Item) linter.Finding {
	var words, characters []int
	byWords := true
	for _, item := range items {
		s, _ := l.measure(linter.Trim(item.Of.Description()))
		words, characters = append(words, s.words), append(characters, s.characters)
		byWords = byWords && s.fewWords
	}
	counts, unit, least := words, "word", l.words
	if !byWords {
		counts, unit, least = characters, "character", l.characters
	}
	span := plural(slices.Max(counts), unit)
	if fewest := slices.Min(counts); fewest < slices.Max(counts) {
		span = fmt.Sprintf("%d to %s", fewest, span)
	}
	subject, one := ownersOf("description", items)
	verb := "have"
	if one {
		verb = "has"
	}
	return linter.Finding{Message: fmt.Sprintf("%s %s %s; expected at least %v", subject, verb, span, least), Fix: sayMore}
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
