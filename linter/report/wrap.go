package report

import (
	"strings"

	"golang.org/x/text/width"
)

// wrap breaks one line of text at blanks so that no line is wider than columns;
// a word that is wider is broken inside, before a slash where it has one. Text without a blank comes back as
// one or more full lines; empty text is one empty line.
func wrap(text string, columns int) []string {
	lines := breaks(text, columns)
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return lines
}

// breaks is wrap with the blanks at the ends of the lines: joined they are the
// text.
func breaks(text string, columns int) []string {
	var lines []string
	var line strings.Builder
	used := 0
	flush := func() {
		lines = append(lines, line.String())
		line.Reset()
		used = 0
	}
	for word := range strings.SplitAfterSeq(text, " ") {
		w := cells(strings.TrimSuffix(word, " "))
		if used > 0 && used+w > columns {
			flush()
		}
		if w <= columns {
			line.WriteString(word)
			used += cells(word)
			continue
		}
		for _, piece := range steps(word) {
			if w := cells(strings.TrimSuffix(piece, " ")); used > 0 && used+w > columns && w <= columns {
				flush()
			}
			for _, r := range piece {
				w := cells(string(r))
				if used+w > columns && r != ' ' {
					flush()
				}
				line.WriteRune(r)
				used += w
			}
		}
	}
	flush()
	return lines
}

// steps splits a word before each slash: a pointer or path that is wider than a
// line is broken between its tokens.
func steps(word string) []string {
	var out []string
	for from := 0; from < len(word); {
		next := strings.IndexByte(word[from+1:], '/')
		if next < 0 {
			return append(out, word[from:])
		}
		out = append(out, word[from:from+1+next])
		from += 1 + next
	}
	return out
}

// cells is how many columns a terminal gives a text: two for East Asian wide
// characters (Unicode annex 11).
func cells(s string) int {
	n := 0
	for _, r := range s {
		if r < 0x1100 { // nothing wide comes before Hangul Jamo
			n++
			continue
		}
		switch width.LookupRune(r).Kind() {
		case width.EastAsianWide, width.EastAsianFullwidth:
			n++
		}
		n++
	}
	return n
}

// fit cuts text to a number of columns.
func fit(text string, columns int) string {
	if cells(text) <= columns {
		return text
	}
	used := 0
	for i, r := range text {
		used += cells(string(r))
		if used > columns-1 {
			return text[:i] + "…"
		}
	}
	return text
}
