package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// vagueDescription finds descriptions that are filler, or the tool's name in
// other letters. In preset recommended it stands for [shortDescription] too: one
// fault is one finding, and for three tools or more one on the server.
var vagueDescription = linter.Rule{
	ID:         "description/vague",
	Title:      "Description that says nothing",
	Why:        "A description that repeats the name or could stand on any tool gives a model nothing to choose by.",
	Severity:   linter.Severities{Recommended: severity.Warning, Snapshot: severity.Warning},
	Bad:        `{"options":{"descriptionMinWords":5},"tools":[{"name":"add_tag_to_storage_box","description":"Add tag to storage box.","inputSchema":{"type":"object","properties":{}},"annotations":{"destructiveHint":false}}]}`,
	Good:       `{"name":"add_tag_to_storage_box","description":"Ties a tag with the current date to one box of the store, so that the next round of the caretaker skips it.","inputSchema":{"type":"object","properties":{}},"annotations":{"destructiveHint":false}}`,
	Since:      firstVersion,
	References: []string{toolGuide},
	Check: func(p *linter.Pass) {
		limits := shortLimitsOf(p)
		var faults []toolFault
		for _, tool := range p.Tools() {
			text := linter.Trim(tool.Description())
			if !saysNothing(tool, text) {
				continue
			}
			fault := toolFault{tool: tool, path: "/description", severity: severity.Warning}
			if p.Preset() != linter.Recommended {
				reportVague(p, fault)
				continue
			}
			fault.subject = tool.Ref.Name
			if _, short := limits.measure(text); short {
				fault.waste = wasteShortDescription // S1 is said here
			}
			faults = append(faults, fault)
		}
		reportTogether(p, faults, func(fault toolFault) { reportVague(p, fault) }, func(items []linter.Item) linter.Finding {
			f := linter.Finding{Fix: sayMore}
			subject, one := ownersOf("description", items)
			if f.Message = subject + " say no more than the names"; one {
				f.Message = subject + " says no more than the name"
			}
			if slices.ContainsFunc(items, func(item linter.Item) bool { return item.Waste > 0 }) {
				f.Codes = []string{"S1"}
			}
			return f
		})
	},
}

func reportVague(p *linter.Pass, fault toolFault) {
	f := linter.Finding{
		Message: fmt.Sprintf("the description %s says no more than the name", quote(linter.Trim(fault.tool.Description()))),
		Fix:     sayMore, Subject: fault.subject, Waste: fault.waste,
	}
	if fault.waste > 0 {
		f.Codes = []string{"S1"}
	}
	p.Report(fault.tool, fault.path, f)
}

// saysNothing reports whether a description is there and vague.
func saysNothing(tool *linter.Entity, text string) bool {
	return text != "" && (isFiller(text) || repeatsName(text, tool.Words()))
}

// repeatsName reports whether a description has exactly the words of a name.
func repeatsName(text string, name []string) bool {
	if len(name) == 0 {
		return false
	}
	size := 0
	for _, word := range name {
		size += len(word)
	}
	// Most descriptions have far more letters: do not split them.
	if letters(text, size) != size {
		return false
	}
	return slices.Equal(linter.Words(text), name)
}

// letters counts the ASCII letters and digits, up to one more than most.
func letters(text string, most int) int {
	n := 0
	for i := 0; i < len(text) && n <= most; i++ {
		if c := text[i] | 0x20; c >= 'a' && c <= 'z' || text[i] >= '0' && text[i] <= '9' {
			n++
		}
	}
	return n
}

// longestFiller is more than any filler sentence has.
const longestFiller = 40

// isFiller knows the phrases of the second seed (snapshot-lint, section 3):
// in any case, single spaces, an optional full stop.
func isFiller(text string) bool {
	if len(text) > longestFiller {
		return false
	}
	words := strings.Split(lowerASCII(strings.TrimSuffix(text, ".")), " ")
	return isFillerNoun(words) || isFillerDeed(words) || isPlaceholder(words) || isEmptyPromise(words)
}

// lowerASCII leaves everything but A–Z alone, as the seed does: U+212A is no k.
func lowerASCII(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, text)
}

// isFillerNoun: "a helper function".
func isFillerNoun(words []string) bool {
	if words[0] == "a" || words[0] == "the" {
		words = words[1:]
	}
	if len(words) == 2 && slices.Contains([]string{"function", "tool", "method"}, words[1]) {
		words = words[:1]
	}
	return len(words) == 1 && slices.Contains([]string{
		"helper", "utility", "util", "wrapper", "handler", "function", "tool", "method",
	}, words[0])
}

// isFillerDeed: "manages everything".
func isFillerDeed(words []string) bool {
	if len(words) < 2 || !slices.Contains([]string{"does", "do", "handle", "handles", "processes", "manage", "manages"}, words[0]) {
		return false
	}
	return slices.Contains([]string{"stuff", "things", "it", "the thing", "everything"}, strings.Join(words[1:], " "))
}

// isPlaceholder: "TODO".
func isPlaceholder(words []string) bool {
	return len(words) == 1 && slices.Contains([]string{
		"todo", "tbd", "fixme", "n/a", "none", "placeholder", "description", "test",
	}, words[0])
}

// isEmptyPromise: "this tool does things".
func isEmptyPromise(words []string) bool {
	if len(words) == 5 && words[2] == "that" {
		words = slices.Delete(slices.Clone(words), 2, 3)
	}
	return len(words) == 4 && (words[0] == "this" || words[0] == "a") && words[1] == "tool" &&
		(words[2] == "does" || words[2] == "is") &&
		slices.Contains([]string{"something", "stuff", "things"}, words[3])
}
