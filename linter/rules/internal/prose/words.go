package prose

import (
	"strings"
)

// word is one word of a sentence, or something written as one: a path, an
// address, a name.
type word struct {
	text  string // lower-case
	class class
	start int
	end   int
	// pause: punctuation stands before it, other than a full stop.
	pause bool
	// example: it stands in quotes or in code.
	example bool
	// name: it is spelled like an identifier, or stands alone in code.
	name bool
}

func (w *word) is(c class) bool { return w.class&c != 0 }

// sentence is what the matchers look at.
type sentence struct {
	words []word
	text  string // of the whole view, as written
	lower string
	know  Names
	class class // of all words together
	// foreignLeft is how much more of the text is compared with the phrases of
	// other languages, in bytes.
	foreignLeft int
	// followingLeft is how much more of the text is read behind sentences that
	// name a file of credentials, in bytes.
	followingLeft int
	// title: it is a heading or a name rather than prose.
	title bool
}

// excerpt is the part of the sentence around some words.
func (s *sentence) excerpt(from, to int) string {
	from, to = max(0, from), min(to, len(s.words)-1)
	return s.text[s.words[from].start:s.words[to].end]
}

// raw is the whole sentence, in lower case.
func (s *sentence) raw() string {
	return s.lower[s.words[0].start:s.words[len(s.words)-1].end]
}

// longestSentence bounds, in words, what is taken as one.
const longestSentence = 200

// reader takes the sentences of a text apart.
type reader struct {
	sentence sentence
	quotes   *quoted
}

func newReader(text string, know Names) *reader {
	title := len(text) <= longestTitle && !strings.ContainsAny(text, ".\n")
	return &reader{sentence{text: text, lower: lowerASCII(text), know: know, title: title, foreignLeft: mostForeign, followingLeft: mostFollowing}, findQuotes(text)}
}

// sentences calls yield with every sentence of a part of the text, as long as it
// wants more. Parts must come in order.
func (r *reader) sentences(from, to int, yield func(*sentence) (more bool)) {
	s, text := &r.sentence, r.sentence.text
	pause, more := false, true
	end := func() {
		if len(s.words) > 0 && more {
			more = yield(s)
		}
		s.words, s.class = s.words[:0], 0
		pause = false
	}
	for i := from; i < to && more; {
		c := text[i]
		if !isWordByte(c) {
			switch {
			case c == '\n' && breaksSentence(text[i:]), c == '!', c == '?', c == ';':
				end()
			case c == '.' && (i+1 == len(text) || !isWordByte(text[i+1])):
				end()
			case c == ',' || c == ':' || c == '(' || c == ')' || c == '[' || c == ']' || c == '<' || c == '>' || c == '|':
				pause = true
			case c == '-' && i > 0 && text[i-1] == ' ':
				pause = true
			}
			i++
			continue
		}
		start := i
		if strings.HasPrefix(s.lower[i:], "http://") || strings.HasPrefix(s.lower[i:], "https://") {
			for i < to && text[i] > ' ' && !strings.ContainsRune("\"'`<>)", rune(text[i])) {
				i++
			}
		} else {
			for i < to && isWordByte(text[i]) {
				i++
			}
		}
		full := strings.TrimRight(text[start:i], ".-'/,")
		stop := len(full) < i-start && strings.Contains(text[start+len(full):i], ".")
		from := start + len(full) - len(strings.TrimLeft(full, "-'"))
		to := start + len(full)
		if from < to {
			w := word{text: s.lower[from:to], start: from, end: to, pause: pause}
			pause = false
			w.example, w.name = r.quotes.at(from)
			w.name = w.name || isIdentifier(text[from:to])
			s.add(w)
		}
		if stop && !isAbbreviation(s.lower[from:to]) || len(s.words) >= longestSentence {
			end()
		}
	}
	end()
}

// add puts a word on the list, in its parts where a hyphen joins them.
func (s *sentence) add(w word) {
	if !w.name && strings.Contains(w.text, "-") && !strings.ContainsAny(w.text, "@./_~\\") {
		at := w.start
		for part := range strings.SplitSeq(w.text, "-") {
			if part != "" {
				p := w
				p.text, p.start, p.end = part, at, at+len(part)
				p.class = classOf(part)
				s.class |= p.class
				s.words = append(s.words, p)
				w.pause = false
			}
			at += len(part) + 1
		}
		return
	}
	w.class = classOf(w.text)
	s.class |= w.class
	s.words = append(s.words, w)
}

func isWordByte(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c >= 0x80 ||
		c == '_' || c == '\'' || c == '-' || c == '.' || c == '/' || c == '~' || c == '@' || c == '\\' || c == '$'
}

// breaksSentence: a line that ends a paragraph, or before a list or heading. A
// wrapped line does not.
func breaksSentence(rest string) bool {
	rest = strings.TrimLeft(rest[1:], " \t\r")
	return rest == "" || strings.IndexByte("\n-*#|>0123456789", rest[0]) >= 0 || rest[0] >= 'A' && rest[0] <= 'Z'
}

func isAbbreviation(text string) bool {
	switch text {
	case "e.g", "i.e":
		return true
	}
	return false
}

// isIdentifier: snake_case or camelCase.
func isIdentifier(text string) bool {
	if len(text) > 64 || strings.ContainsAny(text, "/@'~\\") {
		return false
	}
	for i := 1; i+1 < len(text); i++ {
		switch c := text[i]; {
		case c == '_' && isWordByte(text[i-1]) && isWordByte(text[i+1]):
			return true
		case c >= 'A' && c <= 'Z' && text[i-1] >= 'a' && text[i-1] <= 'z':
			return true
		}
	}
	return false
}

// span is a part of a text in quotes.
type span struct {
	from, to int
	name     bool // one word
}

type quoted struct {
	spans []span
	next  int
}

// at is asked for ascending offsets.
func (q *quoted) at(offset int) (example, name bool) {
	for q.next < len(q.spans) && q.spans[q.next].to <= offset {
		q.next++
	}
	if q.next < len(q.spans) && q.spans[q.next].from <= offset {
		s := q.spans[q.next]
		return !s.name, s.name
	}
	return false, false
}

// longestExample bounds a quotation, in bytes. What is longer, or nearly all of
// a text, is no example in it.
const longestExample = 600

// findQuotes finds what stands in quotation marks or in code.
func findQuotes(text string) *quoted {
	q := &quoted{}
	total := 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		open := c == '`' || c == '"' || c == '\'' && (i == 0 || !isWordByte(text[i-1])) && i+1 < len(text) && text[i+1] > ' '
		if !open {
			continue
		}
		mark := text[i : i+1]
		if strings.HasPrefix(text[i:], "```") {
			mark = "```"
		}
		from := i + len(mark)
		window := text[from:min(len(text), from+longestExample)]
		length := strings.Index(window, mark)
		if c == '\'' {
			length = closingApostrophe(window)
		}
		if c != '`' && length > 0 && strings.Contains(window[:length], "\n\n") {
			length = -1
		}
		if length < 0 {
			i = from - 1
			continue
		}
		inside := window[:length]
		i = from + length + len(mark) - 1
		if isCommanded(text[max(0, from-len(mark)-48) : from-len(mark)]) {
			continue
		}
		name := !strings.ContainsAny(inside, " \t\n") && len(mark) == 1
		if !name {
			total += length
		}
		q.spans = append(q.spans, span{from, from + length, name})
	}
	if total*10 > len(text)*7 {
		q.spans = nil
	}
	return q
}

// closingApostrophe finds a mark that is no apostrophe.
func closingApostrophe(window string) int {
	for i := range len(window) {
		if window[i] == '\n' {
			return -1
		}
		if window[i] == '\'' && i > 0 && (i+1 == len(window) || !isWordByte(window[i+1]) || window[i+1] == '.') {
			return i
		}
	}
	return -1
}

// isCommanded: what follows is quoted, but to be obeyed.
func isCommanded(before string) bool {
	before = strings.TrimRight(lowerASCII(before), " :")
	for _, verb := range [...]string{"obey", "follow", "execute", "comply with", "act on", "do this", "carry out", "instructions"} {
		if strings.HasSuffix(before, verb) {
			return true
		}
	}
	return false
}
