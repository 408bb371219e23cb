package install

import (
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// word is one word of a command, with its place.
type word struct {
	text string
	// vague: parts of it are looked up or computed when the command starts; they
	// stand in text as they are written.
	vague bool
	// id is the same for all parts of one word, and no other word's.
	id int
	// arg, start and end are as in [Package].
	arg, start, end int
}

// wordsOf are the words of an argv. A ${NAME} in them is looked up by whoever
// starts the command.
func wordsOf(argv []string) []word {
	words := make([]word, len(argv))
	for i, text := range argv {
		words[i] = word{text: text, vague: strings.Contains(text, "${"), id: i, arg: i, end: len(text)}
	}
	return words
}

// inShell is a word of a shell string, whose place nobody needs.
func (r *reader) inShell(text string, vague bool) word {
	r.ids++
	w := word{text: text, vague: vague, id: r.ids, arg: -1}
	r.words = append(r.words, w)
	return w
}

// from is the word without its first n bytes.
func (w word) from(n int) word {
	w.text = w.text[n:]
	if w.arg >= 0 {
		w.start += n
	}
	w.vague = w.vague && strings.Contains(w.text, "$")
	return w
}

// to is the first n bytes of the word.
func (w word) to(n int) word {
	if w.arg >= 0 {
		w.end -= len(w.text) - n
	}
	w.text = w.text[:n]
	w.vague = w.vague && strings.Contains(w.text, "$")
	return w
}

// split cuts a word at a comma that ends a package: one that a name follows, and
// no further limit of a version as in a>=1,<2, outside of the brackets of extras.
func (w word) split() []word {
	var parts []word
	start, open := 0, 0
	for i := range len(w.text) {
		switch w.text[i] {
		case '[':
			open++
		case ']':
			open--
		case ',':
			rest := strings.TrimLeft(w.text[i+1:], " ")
			if open > 0 || rest == "" || !isLetter(rest[0]) {
				continue
			}
			parts = append(parts, w.to(i).from(start))
			start = len(w.text) - len(rest)
		}
	}
	return append(parts, w.from(start))
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func texts(words []word) []string {
	t := make([]string, len(words))
	for i, w := range words {
		t[i] = w.text
	}
	return t
}

// longestShown bounds what a message repeats of a command line, in bytes.
const longestShown = 120

// shown is a foreign text as a message repeats it.
func shown(text string) string {
	if len(text) > longestShown {
		text = strings.ToValidUTF8(text[:longestShown], "") + "…"
	}
	return snapshot.Visible(text)
}
