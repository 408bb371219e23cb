package rules

import (
	"fmt"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/rules/internal/prose"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// hiddenUnicode finds characters that a model reads and a reviewer does not
// see. Each text gives at most one finding.
//
// Preset snapshot has the second seed's set, one severity, and its choice of
// texts; only the joiner inside an emoji sequence, which caps the score of a
// harmless server there, is let through. The other presets tell kinds of
// characters apart and let through what a script or an emoji needs (D26).
var hiddenUnicode = linter.Rule{
	ID:    "injection/hidden-unicode",
	Codes: []string{"S8"},
	Title: "Invisible characters in a text that a model reads",
	Why:   "TAG letters, bidi controls and the like carry orders past every reviewer; zero-width characters split words so that filters miss them.",
	Severity: linter.Severities{
		Recommended: severity.Error, Snapshot: severity.Error, Agents: severity.Error,
	},
	Bad: `{"name":"water_level","description":"Returns the newest water level of the harbour basin, in centimetres above the local chart datum.` +
		`\udb40\udc63\udb40\udc61\udb40\udc6c\udb40\udc6c","inputSchema":{"type":"object","properties":{}}}`,
	Good:             `{"name":"water_level","description":"Returns the newest water level of the harbour basin 🏴󠁧󠁢󠁥󠁮󠁧󠁿, in centimetres above the local chart datum ⚓️.","inputSchema":{"type":"object","properties":{}}}`,
	SecuritySeverity: 8.0,
	Since:            firstVersion,
	References: []string{
		"https://www.unicode.org/reports/tr36/",
		"https://embracethered.com/blog/posts/2024/hiding-and-finding-text-with-unicode-tags/",
	},
	CheckTool: checkHidden,
	Check:     onOthers(checkHidden),
}

func checkHidden(p *linter.Pass, e *linter.Entity) {
	if e.PlainText() {
		return // most are: nothing to look for
	}
	report := func(text *linter.Text, f linter.Finding) {
		if text.Key {
			f.Message = "the name " + f.Message
		} else {
			f.Message = "the text " + f.Message
		}
		p.Report(e, text.Pointer(), f)
	}
	if p.Preset() != linter.SnapshotPreset {
		for _, j := range judge(p, e) {
			if j.hasHidden {
				f := j.hidden
				f.More = j.more
				report(j.text, f)
			}
		}
		return
	}
	texts := e.Texts()
	for i := range texts {
		if isASCII(texts[i].Value) {
			continue
		}
		if f, ok := describeHidden(p.Preset(), seedHidden(texts[i].Value), nil); ok {
			report(&texts[i], f)
		}
	}
}

func isASCII(text string) bool {
	for i := range len(text) {
		// Control characters count as hidden, TAB, LF and the like do not.
		if c := text[i]; c >= 0x7F || c < ' ' && (c < '\t' || c > '\r') {
			return false
		}
	}
	return true
}

// describeHidden says what a text hides; ok is false when the preset has
// nothing against it.
func describeHidden(preset linter.Preset, hidden []hiddenRune, known prose.Names) (f linter.Finding, ok bool) {
	if len(hidden) == 0 {
		return f, false
	}
	var runes []rune
	kinds := map[string]bool{}
	var names []string
	for _, h := range hidden {
		level := h.level(preset)
		if level == severity.Off {
			continue
		}
		f.Severity = max(f.Severity, level)
		runes = append(runes, h.r)
		if name := h.class.String(); !kinds[name] {
			kinds[name] = true
			names = append(names, name)
		}
	}
	if len(runes) == 0 {
		return f, false
	}
	payload := decodeHidden(runes)
	shown := mostPoints
	if payload != "" && preset == linter.Recommended {
		shown = fewPoints // what they spell says more
	}
	f.Message = fmt.Sprintf("has %s that nobody sees: %s (%s)",
		plural(len(runes), "character"), codePoints(runes, shown), strings.Join(names, ", "))
	if payload != "" {
		f.Message += decodedMark + quote(payload)
		reading, _ := prose.Judge(payload, known)
		if order, ok := reading.Worst(); ok {
			f.Message += ", which " + order.Intent.String()
			f.Severity = severity.Error
		}
	}
	f.Subject = codePoints(runes, mostPoints) + " " + payload
	f.Fix = "Remove them; what a model is told must be there for people to read."
	return f, true
}

// decodedMark introduces what invisible characters spell.
const decodedMark = "; decoded: "

// How many code points a message lists, at most, and beside a decoded text.
const (
	mostPoints = 40
	fewPoints  = 3
)

// codePoints lists different code points in order of first occurrence.
func codePoints(runes []rune, most int) string {
	seen := map[rune]bool{}
	var list []string
	for _, r := range runes {
		if !seen[r] {
			seen[r] = true
			list = append(list, fmt.Sprintf("U+%04X", r))
		}
	}
	if more := len(list) - most; more > 0 {
		list = append(list[:most], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(list, ", ")
}

// decodeHidden reads what is spelled in TAG letters (ASCII, shifted) or in
// variation selectors (one for each byte), "" when neither makes a text.
func decodeHidden(runes []rune) string {
	var tags, selectors strings.Builder
	for _, r := range runes {
		switch {
		case r >= 0xE0020 && r <= 0xE007E:
			tags.WriteByte(byte(r - 0xE0000))
		case r >= 0xFE00 && r <= 0xFE0F:
			selectors.WriteByte(byte(r - 0xFE00))
		case r >= 0xE0100 && r <= 0xE01EF:
			selectors.WriteByte(byte(r - 0xE0100 + 16))
		}
	}
	if tags.Len() > 0 {
		return tags.String()
	}
	for _, c := range []byte(selectors.String()) {
		if c < ' ' || c > '~' {
			return ""
		}
	}
	return selectors.String()
}
