package lockfile

import (
	"strings"
	"unicode"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

const (
	// maxExcerpt is the length of an excerpt in code points, before hidden
	// characters are spelled out.
	maxExcerpt = 300
	// maxValue is the length of a JSON value inside a message.
	maxValue = 80
	// maxGone is the length of what a text has lost inside a message.
	maxGone = 120
	// maxStretch is the longest difference, in bytes, that is looked at word by
	// word; of a longer one the start is shown.
	maxStretch = 256 << 10
	// largeValue is the length, in bytes, from which on only the start of a value
	// is looked at.
	largeValue = 8 << 10
	// lead is how much of the known text is shown before a new stretch.
	lead = 40
)

// shown makes a short foreign text safe to print.
func shown(s string) string { return snapshot.Visible(s) }

// excerpt shows the start of a foreign text.
func excerpt(s string) string { return window(s, 0, maxExcerpt) }

// named shows a foreign name in quotes.
func named(s string) string { return `"` + excerpt(s) + `"` }

// window shows length code points of s from byte offset from on, with … where
// something is cut off.
func window(s string, from, length int) string {
	to := from
	for range length {
		if to >= len(s) {
			break
		}
		_, size := decodeRune(s[to:])
		to += size
	}
	text := snapshot.Visible(s[from:to])
	if from > 0 {
		text = "…" + text
	}
	if to < len(s) {
		text += "…"
	}
	return text
}

// valueExcerpt shows a value: a text as it is, anything else as canonical JSON,
// an absent one as nothing.
func valueExcerpt(n *snapshot.Node) string {
	if n.IsText() {
		return excerpt(n.Text())
	}
	return excerpt(valueText(n))
}

// quoted shows a value inside a sentence.
func quoted(n *snapshot.Node) string {
	if n.IsText() {
		return "`" + window(n.Text(), 0, maxValue) + "`"
	}
	return "`" + window(valueText(n), 0, maxValue) + "`"
}

// literal shows a value inside a sentence where a text could be mistaken for
// another type.
func literal(n *snapshot.Node) string {
	if n.IsText() {
		return "`\"" + window(n.Text(), 0, maxValue) + "\"`"
	}
	return quoted(n)
}

// valueText is the canonical form of a value, of a large one only the start: its
// excerpt shows no more.
func valueText(n *snapshot.Node) string {
	if len(n.Raw()) > largeValue {
		return string(n.Raw()[:largeValue])
	}
	return dataOf(n)
}

// stretch shows the part of text around its largest stretch that other does not
// have. Where every part occurs in other too (something was moved or taken
// out), it shows the place of the first difference.
func stretch(other, text string) string {
	from, to := differing(text, other)
	otherFrom, otherTo := differing(other, text)
	if to-from > maxStretch || otherTo-otherFrom > maxStretch {
		return window(text, boundary(text, max(from-lead, 0)), maxExcerpt)
	}
	words := splitWords(text[from:to])
	first, last := largestNew(splitWords(other[otherFrom:otherTo]), words)
	at := from
	if first < last {
		at += words[first].start
	}
	return window(text, boundary(text, max(at-lead, 0)), maxExcerpt)
}

// differing returns the part a[from:to] that is left when the words that a and
// b begin and end with are taken off.
func differing(a, b string) (from, to int) {
	for from < len(a) && from < len(b) && a[from] == b[from] {
		from++
	}
	n := 0
	for n < len(a)-from && n < len(b)-from && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	to = len(a) - n
	for from > 0 && a[from-1] != ' ' {
		from--
	}
	for to < len(a) && a[to] != ' ' {
		to++
	}
	return from, to
}

// word is a run of letters, digits and marks, or one character of a script
// without spaces, or one other sign; its text and offset.
type word struct {
	text  string
	start int
}

func splitWords(s string) []word {
	var words []word
	start := -1
	end := func(i int) {
		if start >= 0 {
			words = append(words, word{s[start:i], start})
			start = -1
		}
	}
	for i := 0; i < len(s); {
		r, size := decodeRune(s[i:])
		switch {
		case unicode.IsSpace(r):
			end(i)
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar),
			!unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r):
			end(i)
			words = append(words, word{s[i : i+size], i})
		case start < 0:
			start = i
		}
		i += size
	}
	end(len(s))
	return words
}

// largestNew returns the longest run words[from:to] that no sequence of three
// words of old covers. Sequences instead of an edit script keep it linear.
func largestNew(old, words []word) (from, to int) {
	n := min(3, len(old), len(words))
	if n == 0 {
		return 0, len(words)
	}
	known := make(map[string]bool, len(old))
	for i := 0; i+n <= len(old); i++ {
		known[join(old[i:i+n])] = true
	}
	covered := 0 // words before this index are covered
	size := 0
	run := 0
	flush := func(end int) {
		if run < end {
			if length := words[end-1].start + len(words[end-1].text) - words[run].start; length > size {
				from, to, size = run, end, length
			}
		}
	}
	for i := range words {
		if i+n <= len(words) && known[join(words[i:i+n])] {
			if i >= covered {
				flush(i)
			}
			covered = i + n
			run = covered
		}
	}
	flush(len(words))
	return from, to
}

func join(words []word) string {
	var b strings.Builder
	for _, w := range words {
		b.WriteString(w.text)
		b.WriteByte(0)
	}
	return b.String()
}

// boundary moves an offset to the start of a word, or at least of a character.
func boundary(s string, at int) int {
	if at == 0 {
		return 0
	}
	for i := at; i < len(s) && i < at+lead; i++ {
		if s[i-1] == ' ' || s[i-1] == '\n' {
			return i
		}
	}
	for at < len(s) && s[at]&0xc0 == 0x80 {
		at++
	}
	return at
}
