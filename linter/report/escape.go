package report

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"
)

// GitHub looks for mentions, issue numbers and addresses in the *rendered*
// text, so neither a backslash nor an entity keeps "@name" from pinging
// someone; only code and a broken spelling do. Therefore names, pointers and
// excerpts go into code ([code], [fence]), and sentences that quote foreign
// words go through [prose], which puts a visible space where a link would
// begin.

// prose makes foreign text harmless Markdown on one line: no markup, HTML,
// links, mentions, issue references, emoji codes or formulas; hidden characters
// are spelled out. It is safe at the start of a line too.
func prose(s string) string { return proseSegment(strings.TrimSpace(oneLine(s))) }

// message is [prose] for messages, which put names between backticks: those
// become code. Wherever a hostile name moves the backticks, every piece is still
// made harmless on its own.
func message(s string) string {
	pieces := strings.Split(strings.TrimSpace(oneLine(s)), "`")
	if len(pieces)%2 == 0 { // one backtick too many: nobody knows which
		return prose(s)
	}
	var b strings.Builder
	for i, piece := range pieces {
		switch {
		case i%2 == 0 && piece == "" && i > 0 && i < len(pieces)-1:
			b.WriteByte(' ') // between two spans, whose backticks would join
		case i%2 == 0:
			b.WriteString(proseSegment(piece))
			// Some readers take a word, a backtick and a name with @ for an address.
			if last, _ := utf8.DecodeLastRuneInString(piece); i < len(pieces)-1 && (unicode.IsLetter(last) || unicode.IsDigit(last)) {
				b.WriteByte(' ')
			}
		case piece == "":
			b.WriteString("\\`\\`")
		default:
			b.WriteString(code(piece))
		}
	}
	return b.String()
}

// proseSegment is prose for a line or a part of one that is visible already.
func proseSegment(s string) string {
	rs := []rune(s)
	var b strings.Builder
	for i, r := range rs {
		rest := rs[i+1:]
		switch {
		case r == '&' || r == '<' || r == '>':
			b.WriteString(html.EscapeString(string(r)))
		case r == '$': // $x$ is a formula
			b.WriteString("&#36;")
		case strings.ContainsRune("\\`*_[]~", r),
			r == '(' && i > 0 && rs[i-1] == ']',
			i == 0 && strings.ContainsRune("-+=#", r),    // list, rule or heading
			(r == '.' || r == ')') && onlyDigits(rs[:i]): // numbered list
			b.WriteRune('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
		if linkBegins(rs[:i], r, rest) {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// linkBegins tells whether r, between before and rest, is where GitHub would
// see a mention, an issue reference, an address or an emoji code.
func linkBegins(before []rune, r rune, rest []rune) bool {
	if len(rest) == 0 {
		return false
	}
	switch r {
	case '@':
		return rest[0] != ' '
	case '#':
		return unicode.IsDigit(rest[0])
	case '-': // GH-12
		return unicode.IsDigit(rest[0]) && endsWith(before, "gh")
	case '.':
		return endsWith(before, "www")
	case ':':
		return rest[0] == '/' || emojiCode(rest)
	}
	return false
}

// emojiCode tells whether text after a colon ends an emoji code: "tada:". Of
// the codes two are numbers; any other number is a line or a column.
func emojiCode(rest []rune) bool {
	for i, r := range rest {
		if r == ':' {
			name := string(rest[:i])
			return i > 0 && (!onlyDigits(rest[:i]) || name == "100" || name == "1234")
		}
		if r >= utf8.RuneSelf || !(unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_+-", r)) {
			return false
		}
	}
	return false
}

func endsWith(rs []rune, suffix string) bool {
	n := len(rs) - len(suffix)
	return n >= 0 && strings.EqualFold(string(rs[n:]), suffix)
}

func onlyDigits(rs []rune) bool {
	for _, r := range rs {
		if r < '0' || r > '9' {
			return false
		}
	}
	return len(rs) > 0
}

// maxCode is where [code] cuts, in characters: names and pointers are shorter.
const maxCode = 300

// code makes foreign text a Markdown code span on one line, exactly as it is
// but for hidden characters, which are spelled out. Backticks inside cannot
// end the span: it opens with one more than their longest run. Very long text
// is cut.
func code(s string) string {
	s = oneLine(shorten(s, maxCode))
	if strings.TrimSpace(s) == "" {
		return "`(empty)`"
	}
	fence := strings.Repeat("`", longestRun(s, '`')+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") || (s[0] == ' ' && s[len(s)-1] == ' ') {
		s = " " + s + " " // CommonMark strips one space at both ends
	}
	return fence + s + fence
}

// fence makes lines a fenced code block that nothing in them can close.
func fence(lang string, lines []string) string {
	longest := 0
	for _, l := range lines {
		longest = max(longest, longestRun(l, '`'))
	}
	f := strings.Repeat("`", max(3, longest+1))
	return f + lang + "\n" + strings.Join(lines, "\n") + "\n" + f + "\n"
}

// row is a table row. Bars are escaped in code too: GitHub splits cells first.
// A backslash before one gets a blank after it, for readers of Markdown differ
// in what two of them are.
func row(cells ...string) string {
	var b strings.Builder
	b.WriteByte('|')
	for _, c := range cells {
		c = strings.ReplaceAll(c, `\|`, `\ |`)
		b.WriteString(" " + strings.ReplaceAll(c, "|", `\|`) + " |")
	}
	b.WriteByte('\n')
	return b.String()
}

// header is the head of a table.
func header(cells ...string) string {
	return row(cells...) + "|" + strings.Repeat(" --- |", len(cells)) + "\n"
}

func longestRun(s string, c byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// cutNote follows Markdown that [Clip] had to cut.
const cutNote = "\n_The rest was cut here: the text was over the size limit._\n"

// Clip cuts Markdown made by this package to at most maxBytes bytes. It cuts
// between lines (inside a line only when the first is already too long, then
// between runes), closes an open code block or details element and says that it
// cut, as far as there is room.
func Clip(markdown string, maxBytes int) string {
	if len(markdown) <= maxBytes {
		return markdown
	}
	kept, open := "", ""
	for end := range lineEnds(markdown) {
		line := strings.TrimSuffix(markdown[len(kept):end], "\n")
		after := openAfter(open, line)
		if end+len(after)+len(cutNote) > maxBytes {
			break
		}
		kept, open = markdown[:end], after
	}
	if kept == "" {
		for maxBytes > 0 && !utf8.RuneStart(markdown[maxBytes]) {
			maxBytes--
		}
		return markdown[:max(maxBytes, 0)]
	}
	return kept + open + cutNote
}

// lineEnds yields the offset after each line.
func lineEnds(s string) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := range len(s) {
			if s[i] == '\n' && !yield(i+1) {
				return
			}
		}
	}
}

// openAfter follows what is open: the text that would close it, "" for nothing.
// Only the shapes that this package writes occur: code blocks at the start of a
// line, details elements around them.
func openAfter(open, line string) string {
	block, details := "", open
	if i := strings.LastIndex(open, "`"); i >= 0 {
		block, details = open[:i+1], open[i+2:]
	}
	switch {
	case block != "" && line == block:
		block = ""
	case block == "" && strings.HasPrefix(line, "```"):
		block = line[:len(line)-len(strings.TrimLeft(line, "`"))]
	case block == "" && strings.HasPrefix(line, "<details>"):
		details = "\n</details>\n"
	case block == "" && line == "</details>":
		details = ""
	}
	if block != "" {
		return block + "\n" + details
	}
	return details
}
