package prose

import (
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// isOrder reports whether the verb at i tells the reader to do it: it begins a
// clause, or a word of command stands before it. "Detects attempts to ignore
// …" only speaks about it.
func (s *sentence) isOrder(i int) bool {
	if s.words[i].name {
		return false
	}
	if i == 0 || s.words[i].pause {
		return true
	}
	before := &s.words[i-1]
	switch before.text {
	case "and", "then", "please", "now", "just", "simply", "also", "instead", "immediately", "first", "but", "so", "therefore",
		"kindly", "else", "silently", "quietly", "secretly", "completely", "you", "assistant", "system", "important", "note", "i", "ok", "or":
		return true
	case "to":
		// "you need to ignore", but "an option to ignore".
		if i < 2 {
			return false
		}
		switch s.words[i-2].text {
		case "need", "have", "remember", "required", "going", "sure", "supposed", "instructed", "ordered", "told", "careful", "obliged", "want":
			return !s.any(0, i, guard)
		}
		return false
	}
	return before.is(orderWord) && !before.is(negation)
}

// any reports whether one of the words from i to before j has a class.
func (s *sentence) any(i, j int, c class) bool { return s.find(i, j, c) >= 0 }

// find returns the first word of a class that is no example, -1 without one.
func (s *sentence) find(i, j int, c class) int {
	for i = max(0, i); i < min(j, len(s.words)); i++ {
		if s.words[i].is(c) && !s.words[i].example {
			return i
		}
	}
	return -1
}

// at returns the text of a word, "" outside of the sentence.
func (s *sentence) at(i int) string {
	if i < 0 || i >= len(s.words) {
		return ""
	}
	return s.words[i].text
}

// negated reports whether a negation stands closely before the verb at i, in
// its clause.
func (s *sentence) negated(i int) bool { return s.negation(i) >= 0 }

// negation returns the place of that negation, -1 without one.
func (s *sentence) negation(i int) int {
	for j := i - 1; j >= max(0, i-4); j-- {
		w := &s.words[j]
		if w.is(negation) || w.text == "no" && (s.at(j+1) == "need" || s.at(j+1) == "reason") {
			return j
		}
		if w.text == "and" || w.text == "but" || w.text == "then" || w.text == "without" || s.words[j+1].pause && j+1 < i {
			break
		}
	}
	return -1
}

// forbidden reports whether the reader is told not to do what the verb at i
// says. "The log does not mention it" tells no one anything.
func (s *sentence) forbidden(i int) bool {
	n := s.negation(i)
	if n < 0 {
		return false
	}
	start := n // of the words that forbid
	switch s.words[n].text {
	case "not":
		switch s.at(n - 1) {
		case "best", "important", "sure", "careful", "advised", "required", "instructed", "told", "crucial", "essential":
			return s.at(n+1) == "to"
		case "do", "must", "should", "may", "shall", "need", "can", "will":
			start = n - 1
		case "to", "better", "please", "and", "but", "is", "are":
			return s.at(n-1) != "is" && s.at(n-1) != "are"
		default:
			return n == 0
		}
	case "no":
		return true
	case "doesn't", "won't", "can't", "cannot", "neither", "nor":
		return false
	}
	if start == 0 || s.words[start].pause {
		return true
	}
	before := &s.words[start-1]
	switch before.text {
	case "and", "but", "so", "then", "please", "you", "also", "just", "always", "or", "assistant", "model", "agent", "ai", "llm",
		"therefore", "instead", "simply", "important", "to", "however", "still", "must", "should", "shall", "that", "they", "possible":
		return before.text != "that" && before.text != "they"
	}
	return before.is(orderWord)
}

// matchDrop: "ignore all previous instructions" and what means the same.
func matchDrop(s *sentence) (Match, bool) {
	for i := range s.words {
		w := &s.words[i]
		if w.example {
			continue
		}
		end, level := 0, severity.Off
		switch {
		case w.is(dropVerb):
			end, level = s.dropped(i)
		case w.text == "attention" && s.at(i-1) == "no" && s.at(i+1) == "to":
			end, level = s.dropped(i + 1)
			i -= 2
		case w.text == "aside" && (s.at(i-1) == "set" || s.at(i-1) == "put" || s.at(i-1) == "leave"):
			end, level = s.dropped(i)
			i--
		case w.text == "overrides" && s.contains(i+1, i+3, "your"):
			// Of a text: "what follows overrides your system prompt".
			if end, level := s.dropped(i); level != severity.Off && !s.any(0, i, guard) && !s.depends(i) {
				return Match{Intent: DropInstructions, Level: severity.Warning, Excerpt: s.excerpt(i-3, end)}, true
			}
		case w.text == "follow" || w.text == "following" || w.text == "obey" || w.text == "obeying":
			if i > 0 && s.words[i-1].is(negation) || s.contains(i-4, i, "longer") {
				if end, level := s.dropped(i); level != severity.Off && !s.any(0, i, guard) {
					return Match{Intent: DropInstructions, Level: level, Excerpt: s.excerpt(i-5, end)}, true
				}
			}
		case w.is(rulesNoun):
			if s.any(i-3, i, prior) && (s.contains(i-4, i, "all") || s.contains(i-4, i, "your")) && s.revoked(i+1, i+5) && !s.any(0, i, guard) && !s.depends(i) {
				return Match{Intent: DropInstructions, Level: severity.Warning, Excerpt: s.excerpt(i-3, i+4)}, true
			}
			if s.wereGiven(i) && s.revoked(i+3, i+16) && !s.any(0, len(s.words), guard) && !s.depends(i) {
				return Match{Intent: DropInstructions, Level: severity.Warning, Excerpt: s.excerpt(i-3, i+16)}, true
			}
		case w.text == "new" && (s.at(i+1) == "instructions" || s.at(i+1) == "task" || s.at(i+1) == "objective" || s.at(i+1) == "goal") &&
			i+2 < len(s.words) && s.words[i+2].pause && strings.HasPrefix(s.text[s.words[i+1].end:], ":"):
			if i == 0 || s.at(i-1) == "your" {
				end, level = min(i+8, len(s.words)-1), severity.Warning
			}
		}
		if level == severity.Off {
			continue
		}
		i = max(i, 0)
		if w.is(dropVerb) && s.negated(i) {
			continue
		}
		if !s.isOrder(i) {
			if s.any(0, i, guard) || !s.any(0, i, subject) || s.at(i-1) == "to" || s.at(i-1) == "that" || s.at(i-1) == "which" {
				continue
			}
			level = severity.Warning
		}
		return Match{Intent: DropInstructions, Level: level, Excerpt: s.excerpt(i-1, max(end, i+4))}, true
	}
	return Match{}, false
}

// revoked: "… are void", "… no longer apply".
func (s *sentence) revoked(i, end int) bool {
	for j := i; j < min(end, len(s.words)); j++ {
		switch s.at(j) {
		case "void", "cancelled", "canceled", "revoked", "obsolete", "invalid", "superseded", "suspended":
			switch s.at(j - 1) {
			case "are", "is", "now", "considered", "hereby", "as":
				return true
			}
			return false
		case "longer":
			switch s.at(j + 1) {
			case "apply", "applies", "valid", "binding", "in", "count", "counts", "matter", "hold":
				return s.at(j-1) == "no"
			}
			return end-i < 5
		}
	}
	return false
}

// wereGiven: "the guidance you received at the start", "all instructions issued
// earlier": what the reader was told, not what a user keeps under that name.
func (s *sentence) wereGiven(i int) bool {
	kept := strings.HasPrefix(s.at(i), "rule") || strings.HasPrefix(s.at(i), "restriction")
	switch s.at(i + 1) {
	case "you":
		switch s.at(i + 2) {
		case "were", "was", "follow", "followed", "obeyed":
			return true
		case "received", "got":
			return !kept
		}
		return s.at(i+2) == "have" && (s.at(i+3) == "been" || s.at(i+3) == "received" && !kept)
	case "issued", "given", "received", "provided":
		if kept || i > 0 && !s.words[i-1].is(anyWord) && s.at(i-1) != "the" && s.at(i-1) != "your" {
			return false // "delivery instructions given earlier"
		}
		switch s.at(i + 2) {
		case "earlier", "before", "previously", "so", "above", "until":
			return true
		}
		return s.at(i+2) == "to" && s.at(i+3) == "you"
	}
	return false
}

// depends reports whether a condition follows: "… are void if admin is true"
// tells how something works.
func (s *sentence) depends(i int) bool {
	for _, word := range [...]string{"if", "when", "once", "after", "unless"} {
		if s.contains(i, len(s.words), word) {
			return true
		}
	}
	return false
}

// dropped looks for what the verb at i wants dropped: the last word of it.
func (s *sentence) dropped(i int) (end int, level severity.Level) {
	const reach = 9
	earlier, yours, system := false, false, false
	for j := i + 1; j < min(i+reach, len(s.words)); j++ {
		w := &s.words[j]
		switch {
		case w.example, w.text == "if", w.text == "when":
			return 0, severity.Off
		case w.is(rulesNoun):
			after := s.isEarlier(j + 1)
			switch {
			case after, earlier, system && yours:
				return j, severity.Error
			case yours && s.words[i].text != "override":
				return j, severity.Error
			case system && w.text == "prompt" && s.words[i].text != "override":
				return j, severity.Error
			}
			if w.text != "prompt" && w.text != "instruct" {
				return 0, severity.Off
			}
		case w.is(weakNoun):
			if (earlier || s.isEarlier(j+1)) && yours {
				return j, severity.Warning
			}
		case w.text == "everything" || w.text == "anything" || w.text == "all" && s.isEarlier(j+1):
			if s.isEarlier(j + 1) {
				return j + 1, severity.Error
			}
		case w.text == "what" && s.at(j+1) == "you" || w.text == "you" && s.at(j+1) == "were" && s.at(j+2) == "told":
			if s.any(j, j+6, tellVerb) || s.any(j, j+6, prior) {
				return j + 3, severity.Error
			}
		case w.text == "your":
			yours = true
		case w.text == "system" || w.text == "developer" || w.text == "safety":
			system = true
		case w.is(prior) && w.text != "all" && w.text != "any" && w.text != "every" && w.text != "existing" && w.text != "original" && w.text != "other":
			earlier = true
		case w.is(prior):
			if w.text == "all" || w.text == "any" || w.text == "original" || w.text == "every" {
				// "ignore all instructions" is as bad; "all rules" may be a firewall's.
				if n := s.find(j+1, j+4, rulesNoun); s.words[i].is(dropVerb) && n >= 0 && !strings.HasPrefix(s.at(n), "rule") && n == j+1 {
					return n, severity.Warning
				}
			}
		}
	}
	return 0, severity.Off
}

// isEarlier: "… above", "… you were given", "… given so far".
func (s *sentence) isEarlier(i int) bool {
	for j := i; j < min(i+5, len(s.words)); j++ {
		switch s.at(j) {
		case "above", "before", "previously", "earlier", "far", "until":
			return s.at(j) != "before" || j == i || s.words[j-1].text == "told" || s.words[j-1].text == "given" || s.words[j-1].text == "came"
		case "you":
			switch s.at(j + 1) {
			case "were", "have", "had", "got", "received", "know", "learned", "was":
				return true
			}
			return false
		case "given", "told", "said", "written", "that", "so", "which", "came", "stated", "from", "the", "received":
			continue
		}
		return false
	}
	return false
}

// templateTokens are what chat templates separate turns with.
var templateTokens = []string{"[inst]", "[/inst]", "<|im_start|>", "<|im_end|>", "<|system|>", "<|assistant|>"}

// matchRole: turns of a chat inside a text, and new roles for the reader.
func matchRole(s *sentence) (Match, bool) {
	whole := s.excerpt(0, min(len(s.words)-1, 14))
	if s.words[0].example {
		return Match{}, false
	}
	// The tokens are no words; look at what stands around the first one.
	from := s.words[0].start
	before := s.lower[max(0, from-16):from]
	after := s.lower[from:min(len(s.lower), s.words[len(s.words)-1].end+16)]
	for _, token := range templateTokens {
		if strings.Contains(before+after, token) && !strings.ContainsAny(before, "`\"") && s.class&(guard|technical) == 0 {
			return Match{Intent: PlayRole, Level: severity.Warning, Excerpt: whole}, true
		}
	}
	// A turn: the role, a colon, and an order.
	if t := s.at(0); (t == "system" || t == "assistant") && len(s.words) > 3 && strings.HasPrefix(s.text[s.words[0].end:], ":") {
		for j := 1; j < min(len(s.words), 12); j++ {
			w := &s.words[j]
			if s.isOrder(j) && (w.is(callVerb|sendVerb|dropVerb|readVerb) || w.text == "you" || s.at(j) == "respond" || s.at(j) == "answer") {
				return Match{Intent: PlayRole, Level: severity.Warning, Excerpt: whole}, true
			}
		}
	}
	for i := range s.words {
		if s.words[i].example || s.at(i) != "you" || s.at(i+1) != "are" {
			continue
		}
		for j := i + 2; j < min(i+9, len(s.words)); j++ {
			switch s.at(j) {
			case "unrestricted", "dan", "jailbroken", "uncensored", "unfiltered", "omnipotent":
				return Match{Intent: PlayRole, Level: severity.Error, Excerpt: s.excerpt(i, j+4)}, true
			case "developer", "debug", "god", "admin", "maintenance", "root":
				if s.at(i+2) == "now" && s.at(j+1) == "mode" {
					return Match{Intent: PlayRole, Level: severity.Warning, Excerpt: s.excerpt(i, j+4)}, true
				}
			case "longer":
				if s.any(j, j+6, rulesNoun|weakNoun) || s.at(j+1) == "bound" || s.at(j+1) == "restricted" {
					return Match{Intent: PlayRole, Level: severity.Error, Excerpt: s.excerpt(i, j+5)}, true
				}
			}
		}
	}
	return Match{}, false
}

// matchLeak: "print your system prompt".
func matchLeak(s *sentence) (Match, bool) {
	for i := range s.words {
		w := &s.words[i]
		if w.example || !w.is(showVerb|mentionVerb|sendVerb) || !s.isOrder(i) || s.negated(i) {
			continue
		}
		for j := i + 1; j < min(i+9, len(s.words)); j++ {
			if s.at(j) != "your" {
				continue
			}
			n := s.find(j+1, j+5, rulesNoun)
			if n < 0 || s.words[n].text == "rules" {
				break
			}
			level := severity.Warning
			if s.any(j, n, prior) || s.at(n-1) == "hidden" || w.is(sendVerb) && s.any(n, len(s.words), destination) {
				level = severity.Error
			}
			return Match{Intent: LeakPrompt, Level: level, Excerpt: s.excerpt(i, n+6)}, true
		}
	}
	return Match{}, false
}
