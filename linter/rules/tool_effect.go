package rules

import (
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
)

// effect is what a tool does to the world.
type effect uint8

const (
	effectUnknown effect = iota
	effectReads
	effectChanges
	effectDestroys // changes that take something away
)

// verb is what a word means as the verb of a name or description.
type verb struct {
	effect effect
	// noun marks words that are nouns as often: post, run, report. In a name they
	// count only with a description that agrees.
	noun bool
	// files marks those that write, where a file is what they are about.
	files bool
}

// verbs has the base forms.
var verbs = func() map[string]verb {
	table := map[string]verb{}
	add := func(v verb, words string) {
		for word := range strings.FieldsSeq(words) {
			table[word] = v
		}
	}
	add(verb{effect: effectReads}, "get list read search find fetch describe show retrieve browse inspect lookup")
	add(verb{effect: effectReads, noun: true}, "view count check query return display provide give look compute calculate "+
		"analyze analyse explain tell compare estimate summarize summarise validate verify report discover "+
		"enumerate scan")
	add(verb{effect: effectChanges, files: true}, "create update write edit rename insert add set replace append overwrite modify "+
		"mkdir restore")
	add(verb{effect: effectChanges}, "upload send publish deploy assign unassign enable disable install invite approve upsert "+
		"merge push cancel")
	add(verb{effect: effectChanges, noun: true, files: true}, "put patch save copy move mv touch")
	add(verb{effect: effectChanges, noun: true}, "post fork archive transfer pay charge book order submit commit stop restart "+
		"reset register import schedule close reopen change mute unmute apply attach detach link lock unlock tag mark "+
		"release pause resume trigger revert configure toggle")
	add(verb{effect: effectDestroys, files: true}, "delete remove destroy wipe erase clear")
	add(verb{effect: effectDestroys}, "purge kill terminate uninstall revoke")
	add(verb{effect: effectDestroys, noun: true, files: true}, "truncate rm unlink")
	add(verb{effect: effectDestroys, noun: true}, "drop")
	add(verb{noun: true, files: true}, "download")
	return table
}()

// longestVerb is longer than any verb of the table and its endings.
const longestVerb = 16

// verbOf reads a word as a verb, third person included.
func verbOf(word string) (verb, bool) {
	if len(word) > longestVerb {
		return verb{}, false
	}
	if v, ok := verbs[word]; ok {
		return v, true
	}
	stem, inflected := strings.CutSuffix(word, "s")
	if !inflected {
		return verb{}, false
	}
	if v, ok := verbs[stem]; ok {
		return v, true
	}
	if stem, ok := strings.CutSuffix(stem, "ie"); ok {
		v, ok := verbs[stem+"y"]
		return v, ok
	}
	stem, ok := strings.CutSuffix(stem, "e")
	if !ok {
		return verb{}, false
	}
	v, ok := verbs[stem]
	return v, ok
}

// effectOf tells what a tool does by the verb of its name and the one that its
// description begins with. agreed means that both say so; without that, a verb
// at the start of the name that is no noun stands uncontradicted.
func effectOf(tool *linter.Entity) (e effect, agreed bool) {
	v, sure := nameVerb(tool.Words())
	byName := v.effect
	if byName == effectUnknown {
		return effectUnknown, false
	}
	said := describedEffect(tool.Ref.Name, tool.Description())
	switch {
	case said == byName:
		return byName, true
	case said == effectUnknown:
		if sure {
			return byName, false
		}
		return effectUnknown, false
	case said == effectReads || byName == effectReads:
		return effectUnknown, false // they contradict each other
	}
	return effectChanges, true
}

// nameVerb reads the verb of a name: the first word, or the second, third or
// last one where the first ones name a service. sure means that it can be
// nothing else.
func nameVerb(words []string) (v verb, sure bool) {
	if len(words) == 0 {
		return verb{}, false
	}
	// get_or_create, search_and_replace: whatever comes later counts.
	if joint := slices.IndexFunc(words, func(w string) bool { return w == "or" || w == "and" }); joint > 0 {
		for _, word := range words[joint:] {
			if v, ok := verbOf(word); ok && v.effect > effectReads && !v.noun {
				return v, false
			}
		}
	}
	if v, ok := verbOf(words[0]); ok {
		return v, !v.noun && len(words) > 1
	}
	for _, at := range [...]int{1, 2, len(words) - 1} {
		if at <= 0 || at >= len(words) {
			continue
		}
		if v, ok := verbOf(words[at]); ok {
			return v, false
		}
	}
	return verb{}, false
}

// leadIn reports whether descriptions begin with a word before they come to the
// point.
func leadIn(word string) bool {
	switch word {
	case "this", "the", "a", "an", "tool", "function", "method", "endpoint", "operation", "use", "used", "to", "that",
		"which", "will", "can", "be", "it", "allows", "allow", "you", "lets", "let", "helps", "for", "mcp", "api",
		"permanently", "safely", "quickly", "bulk", "batch", "immediately":
		return true
	}
	return false
}

// mostLeadIns bounds how far into a description the verb is looked for.
const mostLeadIns = 8

// describedEffect reads the verb that a description begins with.
func describedEffect(name, description string) effect {
	rest := description[:min(len(description), 400)]
	for range mostLeadIns {
		var word string
		word, rest = nextWord(rest)
		if word == "" {
			return effectUnknown
		}
		lower := strings.ToLower(word)
		if leadIn(lower) || strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, " |") || strings.Contains(word, "_") {
			continue // the last three are labels and names
		}
		v, isVerb := verbOf(lower)
		if !isVerb && strings.EqualFold(word, name) {
			continue
		}
		switch next, _ := nextWord(rest); strings.ToLower(next) {
		case "operations", "operation", "commands", "command", "tools", "api":
			// "Search operations" searches nothing, but write operations write.
			if lower != "write" && lower != "read" {
				return effectUnknown
			}
		}
		return v.effect
	}
	return effectUnknown
}

// nextWord cuts the next run of ASCII letters, digits, _ and - from a text.
func nextWord(text string) (word, rest string) {
	inWord := func(c byte) bool { return alphanumeric(c) || c == '_' || c == '-' }
	start := 0
	for start < len(text) && !inWord(text[start]) {
		start++
	}
	end := start
	for end < len(text) && inWord(text[end]) {
		end++
	}
	return text[start:end], text[end:]
}
