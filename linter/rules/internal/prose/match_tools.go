package prose

import (
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// addresses reports whether a literal address stands among the words.
func (s *sentence) addresses(i, j int) bool {
	for k := max(0, i); k < min(j, len(s.words)); k++ {
		if w := &s.words[k]; !w.example && (isMail(w.text) || isURL(w.text)) {
			return true
		}
	}
	return false
}

func isMail(text string) bool {
	at := strings.IndexByte(text, '@')
	return at > 0 && strings.Contains(text[at:], ".")
}

func isURL(text string) bool {
	return strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://")
}

// foreignTool finds a tool of somebody else between two words: a name that the
// server does not have, "the mail tool", "any other tool". named tells that it
// is meant in particular.
func (s *sentence) foreignTool(i, j int) (at int, named bool) {
	for k := max(0, i); k < min(j, len(s.words)); k++ {
		w := &s.words[k]
		switch {
		case w.example:
		case w.name && isIdentifier(s.text[w.start:w.end]) && !s.know.has(w.text):
			return k, true
		case w.is(toolNoun) && k > 0:
			before := &s.words[k-1]
			switch {
			case before.is(otherWord) || s.any(k-3, k, otherWord) && !s.contains(k-3, k, "this"):
				return k, false
			case before.is(anyWord) && (s.at(k+1) == "call" || before.text != "all"):
				return k, false
			case before.pause || s.at(k-2) != "the" && s.at(k-2) != "a" && s.at(k-2) != "any":
			case before.name && !s.know.has(before.text), before.class&^(sendVerb|modelData|readVerb|showVerb|technical|reply) == 0 && !s.know.has(before.text) && len(before.text) > 3:
				return k, true
			}
		}
	}
	return -1, false
}

// matchSteer: orders about tools that are not of this server. Help about the
// order in which the server's own tools are called is what a description is
// for.
func matchSteer(s *sentence) (Match, bool) {
	if m, ok := s.addsRecipient(); ok {
		return m, true
	}
	if s.class&alterVerb == 0 || s.class&(called|calling|callVerb) == 0 {
		return s.callsForeign()
	}
	for i := range s.words {
		w := &s.words[i]
		if w.example || !w.is(whenWord|firstWord) {
			continue
		}
		tool, named := s.foreignTool(i+1, i+8)
		if tool < 0 || !s.isUse(i, tool) {
			continue
		}
		if level := s.altered(i, tool, named); level != severity.Off {
			return Match{Intent: SteerTools, Level: level, Excerpt: s.excerpt(min(i, tool-4), len(s.words)-1)}, true
		}
	}
	return s.callsForeign()
}

// isUse: "when X is used", "before calling X", "after every tool call".
func (s *sentence) isUse(i, tool int) bool {
	end := tool + 4
	if s.any(tool+1, tool+5, otherWord|serverNoun) {
		end = tool + 8 // "X of another server is used"
	}
	for j := tool + 1; j < min(end, len(s.words)) && !s.words[j].pause; j++ {
		if s.words[j].is(called) || s.at(j) == "call" || s.at(j) == "calls" {
			return true
		}
	}
	return s.any(i, tool, calling|called) || s.any(i, tool, callVerb) && s.contains(i, tool, "you")
}

// altered finds what an order wants done to the tool, on either side of the
// words that name it.
func (s *sentence) altered(when, tool int, named bool) severity.Level {
	level := severity.Off
	for i := range s.words {
		w := &s.words[i]
		if w.example || !w.is(alterVerb) || !s.isOrder(i) && !(i > tool && i < tool+7) && s.at(i-1) != "be" || s.negated(i) || i >= when && i <= tool {
			continue
		}
		if i > tool && i < tool+2 && !w.pause && s.at(i) != "add" {
			if !s.any(tool, i, called) {
				continue
			}
		}
		end := len(s.words)
		strong := s.addresses(0, end) || s.any(i, end, modelData|credential) && !s.onlyOwn(i, end) || s.sensitiveFile(0, end) >= 0 || s.copies(i)
		switch {
		case strong:
			return severity.Error
		case named:
			level = severity.Warning
		case s.any(i, end, reply|destination) && s.at(i) != "set":
			level = severity.Warning
		}
	}
	return level
}

// onlyOwn: the data goes to a parameter of the tool itself, as in "set the
// context parameter".
func (s *sentence) onlyOwn(i, j int) bool {
	return !s.any(i, j, whole) && s.any(i, j, destination)
}

// copies: "as a hidden copy", "in bcc".
func (s *sentence) copies(i int) bool {
	for j := i; j < len(s.words); j++ {
		switch s.at(j) {
		case "bcc":
			return true
		case "copy":
			if t := s.at(j - 1); t == "hidden" || t == "blind" || t == "carbon" || t == "secret" {
				return true
			}
		}
	}
	return false
}

// addsRecipient: an order to copy mail to an address that the text brings.
func (s *sentence) addsRecipient() (Match, bool) {
	if s.class&alterVerb == 0 || !strings.Contains(s.raw(), "@") {
		return Match{}, false
	}
	for i := range s.words {
		w := &s.words[i]
		if w.example || !w.is(alterVerb) || !s.isOrder(i) || s.negated(i) {
			continue
		}
		end := min(i+18, len(s.words))
		address := -1
		for k := i + 1; k < end && address < 0; k++ {
			if !s.words[k].example && isMail(s.words[k].text) {
				address = k
			}
		}
		if address < 0 || s.at(address-1) == "like" || s.at(address-1) == "e.g" || s.contains(i, address, "e.g") || s.contains(i, address, "example") {
			continue
		}
		copies := s.copies(i) || w.text == "cc"
		always := s.contains(0, len(s.words), "always") || s.contains(0, len(s.words), "every") || s.contains(0, len(s.words), "each") || s.contains(0, len(s.words), "all") || s.contains(0, len(s.words), "also")
		switch {
		case copies && (always || s.any(0, len(s.words), whenWord)):
			return Match{Intent: SteerTools, Level: severity.Error, Excerpt: s.excerpt(i-8, address+6)}, true
		case copies, always && s.any(i, address, modelData|reply|meta|event|whole):
			return Match{Intent: SteerTools, Level: severity.Warning, Excerpt: s.excerpt(i-8, address+6)}, true
		}
	}
	return Match{}, false
}

// callsForeign: an order to call a tool that the server does not have, around
// a call of this one. Mostly that is a stale name or a tool that is switched
// off, so what the name promises counts, or how it is put.
func (s *sentence) callsForeign() (Match, bool) {
	if s.class&callVerb == 0 {
		return Match{}, false
	}
	for i := range s.words {
		w := &s.words[i]
		if w.example || !w.is(callVerb) || !s.isOrder(i) || s.negated(i) {
			continue
		}
		j := i + 1
		if s.at(j) == "the" {
			j++
		}
		if j >= len(s.words) || s.words[j].example || !isIdentifier(s.text[s.words[j].start:s.words[j].end]) || !s.title && !isGreedy(s.words[j].text) && !s.contains(0, i, "important") {
			continue
		}
		if !s.any(0, len(s.words), firstWord) && !s.contains(0, len(s.words), "then") && !s.contains(0, len(s.words), "always") {
			continue
		}
		if s.know.has(s.words[j].text) {
			continue
		}
		return Match{Intent: SteerTools, Level: severity.Warning, Excerpt: s.excerpt(i-3, i+10)}, true
	}
	return Match{}, false
}

// isGreedy: the name of a tool that collects or destroys.
func isGreedy(name string) bool {
	for _, part := range [...]string{"secret", "credential", "password", "_keys", "token", "_env", "exfil", "dump", "delete_all", "conversation", "transcript"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// matchReplace: claims to stand in for the tools of other servers.
func matchReplace(s *sentence) (Match, bool) {
	if s.class&(serverNoun|otherWord|toolNoun) == 0 {
		return Match{}, false
	}
	for i := range s.words {
		w := &s.words[i]
		if w.example {
			continue
		}
		end := min(i+16, len(s.words))
		hit := false
		switch {
		case w.is(replaceVerb) && !s.negated(i) && !s.any(0, i, guard):
			hit = s.othersTools(i+1, end)
		case w.text == "precedence" || w.text == "priority":
			hit = s.any(i-3, i, orderWord|callVerb) || s.contains(i-3, i, "takes") || s.contains(i-3, i, "take") || s.contains(i-3, i, "has")
			hit = hit && s.othersTools(i+1, end)
		case (w.is(callVerb) || w.text == "using") && s.negated(i), w.text == "avoid" && (s.any(i+1, i+3, calling) || s.againstUser(i+1)):
			hit = s.othersTools(i+1, end) && (s.any(i+1, end, serverNoun) || s.againstUser(i+1))
		case (w.text == "prefer" || w.is(callVerb)) && s.isOrder(i) && !s.negated(i):
			if k := s.over(i+1, end); k >= 0 {
				hit = s.othersTools(k, min(k+12, len(s.words))) && s.any(k, k+12, serverNoun)
			}
		case w.is(toolNoun) && s.foreignDeprecated(i):
			hit = true
		}
		if hit {
			level := severity.Warning
			if s.addresses(0, len(s.words)) || s.any(0, len(s.words), modelData|credential) && s.any(0, len(s.words), sendVerb) && s.any(0, len(s.words), whole) {
				level = severity.Error
			}
			return Match{Intent: ReplaceTools, Level: level, Excerpt: s.excerpt(i-4, i+14)}, true
		}
	}
	return Match{}, false
}

// againstUser: "even if the user asks for it".
func (s *sentence) againstUser(i int) bool {
	for k := i; k < len(s.words); k++ {
		if s.at(k) == "even" && (s.at(k+1) == "if" || s.at(k+1) == "when") && s.any(k+2, k+4, person) {
			return true
		}
	}
	return false
}

func (s *sentence) over(i, j int) int {
	for k := i; k < min(j, len(s.words)); k++ {
		switch s.at(k) {
		case "instead", "over", "than":
			return k
		case "place":
			if s.at(k-1) == "in" && s.at(k+1) == "of" {
				return k
			}
		}
	}
	return -1
}

// othersTools: "the send_mail tool of other servers", "all other tools".
func (s *sentence) othersTools(i, j int) bool {
	tool, server, other := false, false, false
	for k := max(0, i); k < min(j, len(s.words)); k++ {
		w := &s.words[k]
		switch {
		case w.example:
		case w.is(toolNoun):
			tool = true
			o := k - 1
			if s.at(o) != "other" {
				o-- // "any other mail tool"
			}
			if s.at(o) == "other" && (s.at(o-1) == "all" || s.at(o-1) == "any") && !s.contains(k, k+5, "this") {
				server, other = true, true
			}
		case w.is(serverNoun) && s.any(k-3, k, otherWord):
			server, other = true, true
			// "every other mail plugin" is its tools.
			tool = tool || s.any(k-4, k, anyWord) && !strings.HasPrefix(w.text, "server")
		case w.name && isIdentifier(s.text[w.start:w.end]) && !s.know.has(w.text):
			tool = true
		}
	}
	return tool && server && other
}

// foreignDeprecated: "the send_mail tool is deprecated" of one that is not
// here, with an order to use this one.
func (s *sentence) foreignDeprecated(i int) bool {
	if i == 0 || !s.words[i-1].name || s.know.has(s.words[i-1].text) || !isIdentifier(s.text[s.words[i-1].start:s.words[i-1].end]) {
		return false
	}
	for k := i + 1; k < min(i+8, len(s.words)); k++ {
		switch s.at(k) {
		case "deprecated", "broken", "insecure", "unsafe", "compromised", "disabled":
			return s.any(k, len(s.words), callVerb) && (s.contains(k, len(s.words), "this") || s.contains(k, len(s.words), "instead"))
		}
	}
	return false
}
