package rules

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/rules/internal/prose"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// mixedScript finds names that look like another: a letter of one script in a
// word of another, or a word that only looks Latin among Latin ones. Names that
// are wholly Cyrillic, Greek or Chinese are no fault.
var mixedScript = linter.Rule{
	ID:    "naming/mixed-script",
	Title: "Name with letters of two scripts in one word",
	Why: "A Cyrillic а in a Latin name makes two names that nobody can tell apart: a tool can pass for another one, " +
		"and a model that spells the name as it reads it calls nothing.",
	Severity: linter.Severities{Recommended: severity.Warning},
	Bad:      `{"tools":[],"prompts":[{"name":"pаy_berth_fee","description":"Asks for what is needed to pay the fee of a berth."}]}`,
	Good:     `{"tools":[],"prompts":[{"name":"оплата_причала","description":"Asks for what is needed to pay the fee of a berth."}]}`,

	SecuritySeverity: 5.0,
	Since:            firstVersion,
	References:       []string{"https://www.unicode.org/reports/tr39/#Mixed_Script_Detection"},
	CheckTool:        checkScripts,
	Check:            onOthers(checkScripts),
}

func checkScripts(p *linter.Pass, e *linter.Entity) {
	if e.PlainText() {
		return
	}
	texts := e.Texts()
	for i := range texts {
		text := &texts[i]
		if len(text.Value) > longestName || isASCII(text.Value) {
			continue
		}
		strange := strangeLetters(text.Value)
		if len(strange) == 0 {
			continue
		}
		pointer := text.Pointer()
		if !text.Key && !isName(pointer) {
			continue
		}
		p.Report(e, pointer, linter.Finding{
			Message: fmt.Sprintf("the name %s mixes scripts; %s only look Latin", quote(text.Value), codePoints(strange, mostPoints)),
			Fix:     fmt.Sprintf("Spell it with letters of one script, like %s.", quote(prose.Plain(text.Value))),
			Subject: text.Value,
		})
	}
}

// isName: what calls something by name, not what describes it.
func isName(pointer string) bool {
	return pointer == "/name" || pointer == "/serverInfo/name" ||
		strings.HasPrefix(pointer, "/arguments/") && strings.HasSuffix(pointer, "/name")
}

// strangeLetters returns the letters that pass for Latin ones: of a word that
// has Latin letters as well, or of a whole word of such letters beside Latin
// words.
func strangeLetters(name string) []rune {
	var strange []rune
	latinWord := false
	words := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '\u200d' })
	for _, word := range words {
		latinWord = latinWord || isLatinWord(word)
	}
	for _, word := range words {
		if isSymbolPair(word) {
			continue
		}
		latin, others, lookalikes := 0, 0, []rune(nil)
		for _, r := range word {
			switch {
			case unicode.Is(unicode.Latin, r):
				latin++
			case prose.LooksLatin(r):
				lookalikes = append(lookalikes, r)
			case unicode.IsLetter(r):
				others++
			}
		}
		if len(lookalikes) > 0 && (latin > 0 || others == 0 && latinWord && len(lookalikes) > 1) {
			strange = append(strange, lookalikes...)
		}
	}
	return strange
}

func isLatinWord(word string) bool {
	for _, r := range word {
		if !unicode.Is(unicode.Latin, r) {
			return false
		}
	}
	return len(word) > 1
}

// isSymbolPair: the names of quantities, σx and μs, in which one Greek letter
// stands before or after a Latin one.
func isSymbolPair(word string) bool {
	runes := []rune(word)
	return len(runes) <= 3 && (unicode.Is(unicode.Greek, runes[0]) || unicode.Is(unicode.Greek, runes[len(runes)-1]))
}
