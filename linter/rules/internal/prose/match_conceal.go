package prose

import (
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// matchConceal: telling the model to keep something from the user, as an order
// or as a matter of policy.
//
// Most "do not tell the user …" is no concealment: it keeps identifiers and
// raw data out of sight, or stops a model from promising what is not so. What
// counts is what is not to be told: that something was done, or this.
func matchConceal(s *sentence) (Match, bool) {
	for i := range s.words {
		w := &s.words[i]
		if w.example {
			continue
		}
		level, from, to := severity.Off, i-3, i+12
		switch {
		case w.is(tellVerb|mentionVerb|showVerb) && s.forbidden(i):
			level = s.untold(i)
		case w.is(tellVerb) && s.isOrder(i) && s.claimsSuccess(i):
			level = severity.Warning
		case w.text == "let" && s.forbidden(i):
			level = s.notLetKnow(i)
		case w.text == "between" && (s.at(i+1) == "us" || s.at(i+1) == "you" && s.at(i+2) == "and" && (s.at(i+3) == "me" || s.at(i+3) == "i")):
			if s.any(i-5, i, secretAdj) || s.staysBetween(i) {
				level = severity.Error
			}
		case (w.text == "stay" || w.text == "remain") && s.any(i-2, i, orderWord) && s.any(i+1, i+3, secretAdj):
			if s.any(0, i, pronoun|meta) && s.contains(i, i+5, "from") && s.any(i, i+8, person) && s.objects(0, i)&technical == 0 {
				level = severity.Error
			}
		case w.text == "bring" && s.forbidden(i):
			level = s.notRaised(i)
		case w.text == "without":
			level = s.without(i)
			from = i
		case w.is(telling) && s.forbidden(i):
			level = s.untold(i)
		case w.text == "keep" || w.text == "keeping" || w.text == "leave":
			level = s.keptSecret(i)
		case w.is(hideVerb):
			level = s.hidden(i)
		case w.is(person):
			level = s.keptIgnorant(i)
		case w.text == "secretly", w.text == "covertly", w.text == "silently", w.text == "quietly", w.text == "discreetly", w.text == "surreptitiously":
			level = s.stealthy(i)
		case w.text == "mention" && s.at(i-1) == "no" && s.at(i-2) == "make", w.text == "nothing" && s.at(i-1) == "say" && s.isOrder(i-1):
			if s.any(i, i+8, person|pronoun|event|reply) {
				level = severity.Error
			}
		case w.text == "pretend" || w.text == "act" && s.at(i+1) == "as" && s.at(i+2) == "if":
			if s.isOrder(i) && s.any(i, i+6, negation) || s.isOrder(i) && s.at(i+3) == "nothing" || s.isOrder(i) && s.at(i+2) == "nothing" {
				level = severity.Warning
			}
		}
		if level != severity.Off {
			return Match{Intent: HideFromUser, Level: level, Excerpt: s.excerpt(from, to)}, true
		}
	}
	return Match{}, false
}

// untold judges what the forbidden verb at i must not tell.
func (s *sentence) untold(i int) severity.Level {
	const reach = 20
	verb := &s.words[i]
	end := min(i+reach, len(s.words))
	listener := s.find(i+1, min(i+9, len(s.words)), person)
	if s.at(listener-1) == "other" || s.at(listener-1) == "from" {
		return severity.Off
	}
	// "tell the user to …", "tell the user when …" are about something else.
	if listener >= 0 && (s.at(listener+1) == "to" || s.at(listener+1) == "if" || s.at(listener+1) == "whether" || s.at(listener+1) == "for") &&
		!verb.is(mentionVerb) {
		return severity.Off
	}
	if s.any(i-4, i, guard) || s.at(i-1) == "that" {
		return severity.Off
	}
	what := s.objects(i+1, end)
	inReply := s.any(i+1, end, reply) && (s.contains(i+1, end, "your") || s.contains(i+1, end, "the"))
	switch {
	case verb.is(tellVerb) || verb.is(telling) && !verb.is(showVerb|mentionVerb) && listener >= 0:
		if listener < 0 {
			return severity.Off
		}
		switch {
		case what&truthful != 0:
			return severity.Off
		case what&event != 0:
			return severity.Error
		case what&technical != 0:
			return severity.Off
		case what&(pronoun|meta) != 0, listener+1 >= len(s.words):
			return severity.Error
		}
		switch s.at(listener + 1) {
		case "that", "about", "how", "what", "why", "which", "where":
			if s.contains(listener, end, "before") || s.contains(listener, end, "unless") {
				return severity.Off // not yet
			}
			return severity.Warning
		}
	case verb.is(mentionVerb) || verb.text == "mentioning":
		switch {
		case what&event != 0 && (listener >= 0 || inReply || what&pronoun != 0):
			return severity.Error
		case what&(truthful|technical) != 0:
			return severity.Off
		case what&pronoun != 0 && (listener >= 0 || inReply):
			return severity.Error
		case what&meta != 0 && listener >= 0:
			return severity.Error
		case (what&pronoun != 0 || what&meta != 0 && inReply) && verb.text != "discuss" && s.isOwnObject(i+1):
			return severity.Warning
		case s.at(i+1) == "that" && what&(event|meta) != 0:
			return severity.Warning
		case listener >= 0 && (s.at(listener-1) == "to" || s.at(listener-1) == "the" && s.at(listener-2) == "to"):
			return severity.Warning
		}
	default:
		// Show, report, say: facts, not things.
		if what&(technical|truthful) == 0 && s.isOwnObject(i+1) && listener >= 0 {
			return severity.Error
		}
		if what&event != 0 && what&technical == 0 && s.at(i+1) == "that" {
			return severity.Warning
		}
	}
	return severity.Off
}

// objects collects the classes of what a verb is about, up to the end of the
// clause.
func (s *sentence) objects(i, j int) (what class) {
	for k := i; k < min(j, len(s.words)); k++ {
		w := &s.words[k]
		if k > i && w.pause && k > i+6 {
			break
		}
		c := w.class
		if w.is(pronoun) && !s.standsAlone(k) {
			c &^= pronoun
		}
		what |= c & (technical | truthful | event | pronoun | meta)
	}
	return what
}

// standsAlone: "this" for what was said before, not for the noun after it,
// unless that is one of the dialogue.
func (s *sentence) standsAlone(i int) bool {
	if s.words[i].text == "that" || s.words[i].text == "it" && i+1 < len(s.words) && s.words[i+1].text == "is" {
		return i+1 == len(s.words) || s.at(i+1) == "to" || s.at(i+1) == "in" || s.at(i+1) == "out"
	}
	if i+1 == len(s.words) || s.words[i+1].pause {
		return true
	}
	next := &s.words[i+1]
	if next.is(meta) {
		return true
	}
	switch next.text {
	case "to", "from", "with", "in", "at", "or", "and", "unless", "up", "anywhere", "even", "when", "about", "as", "on", "out":
		return true
	}
	return s.words[i].text == "it" || s.words[i].text == "anything" || s.words[i].text == "those" && next.text == "to"
}

// isOwnObject: the word is a pronoun that stands alone.
func (s *sentence) isOwnObject(i int) bool {
	if s.at(i) == "about" || s.at(i) == "of" {
		i++
	}
	return i < len(s.words) && s.words[i].is(pronoun) && s.standsAlone(i)
}

func (s *sentence) contains(i, j int, text string) bool {
	for k := max(0, i); k < min(j, len(s.words)); k++ {
		if s.words[k].text == text {
			return true
		}
	}
	return false
}

// claimsSuccess: "tell the user that it went well, even if it failed".
func (s *sentence) claimsSuccess(i int) bool {
	listener := s.find(i+1, i+4, person)
	if listener < 0 {
		return false
	}
	for j := listener + 1; j+1 < len(s.words); j++ {
		if s.at(j) != "even" || s.at(j+1) != "if" && s.at(j+1) != "though" && s.at(j+1) != "when" {
			continue
		}
		if !s.contains(j, len(s.words), "failed") && !s.contains(j, len(s.words), "fails") && !s.contains(j, len(s.words), "not") {
			return false
		}
		for k := listener + 1; k < j; k++ {
			switch s.at(k) {
			case "well", "fine", "worked", "succeeded", "success", "successful", "successfully", "ok":
				return !s.any(listener, k, negation)
			}
		}
		return false
	}
	return false
}

// staysBetween: "this stays between us". Ships sail between US and other ports.
func (s *sentence) staysBetween(i int) bool {
	switch s.at(i - 1) {
	case "stays", "stay", "remains", "remain":
		return s.any(i-4, i-1, pronoun|meta) && (s.at(i+1) == "you" || i+2 == len(s.words) || s.words[i+2].pause)
	}
	return false
}

// notLetKnow: "do not let the user know that …".
func (s *sentence) notLetKnow(i int) severity.Level {
	listener := s.find(i+1, i+4, person)
	if listener < 0 || listener+1 >= len(s.words) || !s.words[listener+1].is(knowVerb) {
		return severity.Off
	}
	switch what := s.objects(listener+2, i+20); {
	case what&(truthful|technical) != 0:
		return severity.Off
	case what&(event|pronoun|meta) != 0, listener+2 >= len(s.words):
		return severity.Error
	}
	return severity.Off
}

// notRaised: "no need to bring it up with the user".
func (s *sentence) notRaised(i int) severity.Level {
	if s.contains(i+1, i+5, "up") && s.any(i+1, i+4, pronoun|meta) {
		return severity.Error
	}
	if s.contains(i+1, i+8, "attention") && s.any(i+1, i+8, person) {
		return severity.Error
	}
	return severity.Off
}

// without: "without telling the user", "without mentioning it".
func (s *sentence) without(i int) severity.Level {
	if s.forbids(i) || s.any(0, i, guard) || s.describes() {
		return severity.Off
	}
	end := min(i+7, len(s.words))
	if j := s.find(i+1, i+3, telling); j >= 0 {
		verb := s.words[j].text
		listener := s.find(j+1, end, person)
		switch {
		case verb == "asking" || verb == "notifying" || verb == "alerting":
			// Common for jobs and messages; with data on its way it is not.
			if listener >= 0 && s.any(0, i, modelData|credential) && s.any(0, i, sendVerb) {
				return severity.Warning
			}
		case listener >= 0 || s.isOwnObject(j+1):
			if s.objects(j+1, end)&technical == 0 {
				return severity.Error
			}
		}
		return severity.Off
	}
	if listener := s.find(i+1, i+4, person); listener >= 0 {
		for k := listener + 1; k < min(listener+4, len(s.words)); k++ {
			switch s.at(k) {
			case "knowing", "noticing", "knowledge", "awareness", "seeing", "realizing", "realising":
				return severity.Error
			}
		}
	}
	return severity.Off
}

// forbids reports whether a negation governs what stands at i: "never delete a
// file without asking".
func (s *sentence) forbids(i int) bool {
	for j := i - 1; j >= max(0, i-14); j-- {
		if s.words[j].is(negation) {
			return true
		}
		if s.words[j].pause && j < i-1 {
			break
		}
	}
	return false
}

// describes reports whether the sentence says what the tool does rather than
// what to do: it begins with a verb in the third person.
func (s *sentence) describes() bool {
	first := s.at(0)
	if first == "the" || first == "if" || first == "when" || first == "whether" {
		return false
	}
	n := len(first)
	return n > 4 && first[n-1] == 's' && first[n-2] != 's' && classOf(first) == 0 && !s.words[0].pause && first != "always"
}

// keptSecret: "keep this between us", "keep it secret from the person".
func (s *sentence) keptSecret(i int) severity.Level {
	if s.negated(i) || !s.isOrder(i) {
		return severity.Off
	}
	end := min(i+14, len(s.words))
	for j := i + 1; j < end; j++ {
		switch {
		case s.at(j) == "between" && (s.at(j+1) == "us" || s.at(j+1) == "ourselves" || s.at(j+1) == "you"), s.at(j) == "to" && s.at(j+1) == "yourself":
			return severity.Error
		case (s.at(j) == "silent" || s.at(j) == "quiet" || s.at(j) == "mum") && s.at(j+1) == "about":
			return severity.Error
		case s.words[j].is(secretAdj) || s.at(j) == "away" || s.at(j) == "back":
			from := s.contains(j, j+3, "from") && s.any(j, j+8, person)
			switch what := s.objects(i+1, j); {
			case from && what&technical == 0:
				return severity.Error
			case what&(pronoun|meta) != 0 && what&technical == 0 && j > i+1 && s.at(j-1) != "this" && s.at(i) == "keep":
				return severity.Warning
			}
		case s.at(j) == "out" && s.at(j+1) == "of" && s.any(j+2, j+5, reply|person) || s.at(j) == "from" && s.any(j+1, j+3, person):
			if s.objects(i+1, j)&(pronoun|event) != 0 && s.objects(i+1, j)&technical == 0 && s.isOwnObject(i+1) {
				return severity.Error
			}
		}
	}
	return severity.Off
}

// hidden: "hide this from the user". Things are hidden from users by many
// honest tools; what was said or done is not.
func (s *sentence) hidden(i int) severity.Level {
	if s.negated(i) || !s.isOrder(i) {
		return severity.Off
	}
	for j := i + 1; j < min(i+9, len(s.words)); j++ {
		if s.at(j) == "from" && s.any(j+1, j+5, person|reply) && !s.contains(j+1, j+4, "other") {
			if what := s.objects(i+1, j); (s.isOwnObject(i+1) || what&event != 0 || s.contains(i+1, j, "fact") || s.contains(i+1, j, "step")) && what&technical == 0 {
				return severity.Error
			}
		}
	}
	return severity.Off
}

// keptIgnorant: "the user must not know".
func (s *sentence) keptIgnorant(i int) severity.Level {
	not, need := false, s.contains(0, i, "sure") || s.contains(0, i, "ensure")
	for j := i + 1; j < min(i+11, len(s.words)); j++ {
		w := &s.words[j]
		switch {
		case w.is(negation) || w.text == "no":
			not = true
		case w.text == "need" || w.text == "have" || w.text == "needs" || w.text == "must" || w.text == "should" || w.text == "mustn't" || w.text == "may" || w.text == "needn't":
			need = true
			not = not || w.is(negation)
		case w.text == "be" && not && s.at(j-1) == "to" && (s.at(i+1) == "is" || s.at(i+1) == "are"):
			need = true // "is not to be told"
		case w.text == "be" || w.text == "to" || w.text == "ever" || w.text == "out" || w.text == "made" || w.text == "become" || w.text == "does" || w.text == "do" || w.text == "is" || w.text == "are" ||
			w.text == "you" || w.text == "work" || w.text == "for" || w.text == "who": // "the person you work for"
		case (w.text == "remain" || w.text == "stay") && s.at(j+1) == "unaware":
			if need && !not && s.objects(j+2, j+10)&technical == 0 && (s.at(j+2) == "that" || s.at(j+2) == "of") {
				return severity.Warning
			}
			return severity.Off
		case w.is(knowVerb):
			if !not || !need {
				return severity.Off
			}
			if w.text == "notified" {
				// Programs notify people; what is kept from them is what was done.
				if what := s.objects(j+1, j+8); what&(event|meta|pronoun) != 0 && what&technical == 0 {
					return severity.Warning
				}
				return severity.Off
			}
			next := s.at(j + 1)
			if next == "" || next == "about" || next == "of" || next == "this" || next == "it" || next == "that" || s.words[j+1].pause || w.text == "find" && next == "out" {
				if s.objects(j+1, j+8)&technical != 0 || next == "of" && w.text == "see" {
					return severity.Off
				}
				if (w.text == "see" || w.text == "know") && next == "" && !s.any(i, j, orderWord) {
					return severity.Warning
				}
				return severity.Error
			}
			return severity.Off
		default:
			return severity.Off
		}
	}
	return severity.Off
}

// stealthy: "secretly forward …". That a program does something silently is
// said of many.
func (s *sentence) stealthy(i int) severity.Level {
	for _, j := range [...]int{i + 1, i - 1} {
		if j < 0 || j >= len(s.words) || !s.words[j].is(sendVerb|callVerb|alterVerb) || s.words[j].example {
			continue
		}
		start := min(i, j)
		if !s.isOrder(start) || s.negated(start) || s.describes() {
			return severity.Off
		}
		data := s.any(i, len(s.words), modelData|credential|otherWord) || s.addresses(0, len(s.words))
		switch t := s.words[i].text; {
		case data:
			return severity.Error
		case t == "secretly" || t == "covertly" || t == "surreptitiously":
			return severity.Error
		case s.any(j, len(s.words), person) || start > 0:
			return severity.Warning
		}
	}
	return severity.Off
}
