package lockfile

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff/lcs"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// Op says what became of a part of a text.
type Op string

// The operations of a [Part].
const (
	Same    Op = "same"
	Removed Op = "removed"
	Added   Op = "added"
	// Skipped stands for text that is not shown: what is the same far from any
	// difference, or the rest of a difference that is too long. Its text says how
	// much of a difference it is ("120 more bytes"), "" for what is the same.
	Skipped Op = "skipped"
)

// Part is a piece of a comparison of two texts: the same and the removed parts
// make the old one, the same and the added parts the new one, as far as nothing
// was skipped. What cannot be seen is spelled out in it by [snapshot.Visible],
// except that line feeds stay.
type Part struct {
	Op   Op     `json:"op"`
	Text string `json:"text"`
}

const (
	// maxParts bounds the text of one comparison, in bytes.
	maxParts = 6000
	// maxPart bounds one removed or added part, in bytes.
	maxPart = 2400
	// around is how much of what is the same stays beside a difference, in bytes.
	around = 80
	// maxWordDiff is the longest stretch, in bytes, that is compared word by word;
	// a longer one is shown as replaced.
	maxWordDiff = 64 << 10
)

// wordDiff compares two texts word by word, nil where they are the same.
//
// The algorithm is that of gopls: after a fixed number of differences it no
// longer looks for the shortest answer, so that hostile texts cost time in
// proportion to their length; and its answer depends on nothing but the texts.
func wordDiff(old, new string) []Part {
	if old == new {
		return nil
	}
	prefix, suffix := common(old, new)
	olds, news := old[prefix:len(old)-suffix], new[prefix:len(new)-suffix]
	var p parts
	start := min(boundary(old, max(prefix-around, 0)), prefix)
	if start > 0 {
		p.add(Skipped, "")
	}
	p.add(Same, visibleText(old[start:prefix]))
	if len(olds) > maxWordDiff || len(news) > maxWordDiff {
		p.replaced(olds, news)
	} else {
		p.passages(visibleText(olds), visibleText(news))
	}
	end := len(cut(old[len(old)-suffix:], around)) + len(old) - suffix
	p.add(Same, visibleText(old[len(old)-suffix:end]))
	if end < len(old) {
		p.add(Skipped, "")
	}
	return p.bounded()
}

// common measures what two texts begin and end with, to the nearest blank.
func common(a, b string) (prefix, suffix int) {
	n := min(len(a), len(b))
	for prefix < n && a[prefix] == b[prefix] {
		prefix++
	}
	for suffix < n-prefix && a[len(a)-1-suffix] == b[len(b)-1-suffix] {
		suffix++
	}
	blank := func(c byte) bool { return c == ' ' || c == '\n' }
	const far = 4 * around // a text without blanks is cut between characters
	low, high := max(prefix-far, 0), max(suffix-far, 0)
	for prefix > low && !blank(a[prefix-1]) {
		prefix--
	}
	for prefix > 0 && prefix < len(a) && !utf8.RuneStart(a[prefix]) {
		prefix--
	}
	for suffix > high && !blank(a[len(a)-suffix]) {
		suffix--
	}
	for suffix > 0 && !utf8.RuneStart(a[len(a)-suffix]) {
		suffix--
	}
	return prefix, suffix
}

// visibleText is [snapshot.Visible] for text that keeps its lines.
func visibleText(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = snapshot.Visible(l)
	}
	return strings.Join(lines, "\n")
}

// cut returns at most n bytes of the start of s, whole characters.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// parts collects a comparison.
type parts []Part

// add appends text; what continues the last part joins it.
func (p *parts) add(op Op, text string) {
	if text == "" && op != Skipped {
		return
	}
	if last := len(*p) - 1; op == Skipped && text != "" && last >= 0 && (*p)[last].Op == Skipped && (*p)[last].Text != "" {
		text = ", " + text
	}
	if last := len(*p) - 1; last >= 0 && (*p)[last].Op == op {
		(*p)[last].Text += text
		return
	}
	*p = append(*p, Part{op, text})
}

// replaced adds the start of two texts that are too long to be compared.
func (p *parts) replaced(old, new string) {
	for _, side := range []Part{{Removed, old}, {Added, new}} {
		start := cut(side.Text, maxPart)
		p.add(side.Op, visibleText(start))
		if left := len(side.Text) - len(start); left > 0 {
			p.add(Skipped, more(left, "byte"))
		}
	}
}

// passages adds the difference of two visible texts. Of long ones the sentences
// that both have are found first: over thousands of words the search for the
// same words gives up, and would show all between the first edit and the last as
// replaced.
func (p *parts) passages(old, new string) {
	const long = 2 << 10
	if len(old) < long && len(new) < long {
		p.words(old, new)
		return
	}
	a, b := sentences(old), sentences(new)
	from := 0
	for _, e := range edits(a, b) {
		p.add(Same, strings.Join(a[from:e.Start], ""))
		p.words(strings.Join(a[e.Start:e.End], ""), strings.Join(b[e.ReplStart:e.ReplEnd], ""))
		from = e.End
	}
}

// sentences splits a text after line ends and after points before a blank.
func sentences(s string) []string {
	var out []string
	for line := range strings.SplitAfterSeq(s, "\n") {
		out = append(out, strings.SplitAfter(line, ". ")...)
	}
	return slices.DeleteFunc(out, func(s string) bool { return s == "" })
}

// words adds the difference of two visible texts.
func (p *parts) words(old, new string) {
	a, b := splitAll(old), splitAll(new)
	for _, e := range joined(edits(a, b), a) {
		p.add(Same, strings.Join(a[e.same:e.Start], ""))
		p.add(Removed, strings.Join(a[e.Start:e.End], ""))
		p.add(Added, strings.Join(b[e.ReplStart:e.ReplEnd], ""))
	}
}

// edit is a difference and the index at which the equal tokens before it begin.
type edit struct {
	lcs.Diff
	same int
}

// edits compares two lists of tokens. The last edit may be empty: it carries
// what is the same at the end.
func edits(a, b []string) []lcs.Diff {
	ids := map[string]rune{}
	numbered := func(tokens []string) []rune {
		out := make([]rune, len(tokens))
		for i, t := range tokens {
			id, known := ids[t]
			if !known {
				id = rune(len(ids))
				ids[t] = id
			}
			out[i] = id
		}
		return out
	}
	found := lcs.DiffRunes(numbered(a), numbered(b))
	return append(found, lcs.Diff{Start: len(a), End: len(a), ReplStart: len(b), ReplEnd: len(b)})
}

// joined joins differences that only a blank or a sign separates: two words
// that were both replaced read better as one change.
func joined(diffs []lcs.Diff, a []string) []edit {
	var out []edit
	from := 0
	for _, d := range diffs {
		if last := len(out) - 1; last >= 0 && replaces(out[last].Diff) && replaces(d) && !tells(a[out[last].End:d.Start]) {
			out[last].End, out[last].ReplEnd = d.End, d.ReplEnd
		} else {
			out = append(out, edit{d, from})
		}
		from = d.End
	}
	return out
}

func replaces(d lcs.Diff) bool { return d.Start < d.End && d.ReplStart < d.ReplEnd }

// tells reports whether tokens hold a word or a line end.
func tells(tokens []string) bool {
	return slices.ContainsFunc(tokens, func(t string) bool {
		r, _ := utf8.DecodeRuneInString(t)
		return t == "\n" || unicode.IsLetter(r) || unicode.IsDigit(r) || len(t) > 3
	})
}

// splitAll splits visible text into words, blanks, signs, line ends, and what
// [snapshot.Visible] spelled out. Joined they are the text again.
func splitAll(s string) []string {
	var out []string
	for s != "" {
		n := tokenLength(s)
		out = append(out, s[:n])
		s = s[n:]
	}
	return out
}

func tokenLength(s string) int {
	if strings.HasPrefix(s, `\u{`) || strings.HasPrefix(s, `\x{`) {
		if end := strings.IndexByte(s[:min(len(s), len(`\u{10FFFF}`))], '}'); end > 0 {
			return end + 1
		}
	}
	word := func(r rune) bool {
		return (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_') && !oneByOne(r)
	}
	first, size := utf8.DecodeRuneInString(s)
	belongs := word
	switch {
	case first == ' ':
		belongs = func(r rune) bool { return r == ' ' }
	case !word(first):
		belongs = unicode.IsMark // a sign and what is drawn over it
	}
	for size < len(s) {
		r, n := utf8.DecodeRuneInString(s[size:])
		if !belongs(r) {
			break
		}
		size += n
	}
	return size
}

// oneByOne tells the letters of scripts that are written without blanks.
func oneByOne(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// bounded leaves out what nobody needs to see: the middle of what is the same,
// and the rest of what is too long. Of many differences each gets its share of
// the room, so that the last one is seen as the first.
func (p parts) bounded() []Part {
	most, beside := p.shares()
	var out parts
	room := maxParts
	for i, part := range p {
		left := 0 // bytes of a difference
		switch {
		case part.Op == Same && i > 0 && i < len(p)-1 && len(part.Text) > 3*beside:
			out.add(Same, cut(part.Text, beside))
			out.add(Skipped, "")
			from := boundary(part.Text, len(part.Text)-beside)
			part.Text = part.Text[from:]
		case part.Op != Same && len(part.Text) > most:
			shown := cut(part.Text, most)
			left = len(part.Text) - len(shown)
			part.Text = shown
		}
		if room -= len(part.Text); room < 0 {
			out.add(Skipped, p[i:].told())
			break
		}
		out.add(part.Op, part.Text)
		if left > 0 {
			out.add(Skipped, more(left, "byte"))
		}
	}
	return out
}

// shares returns how much of each difference is shown and how much of what is
// the same beside it, in bytes.
func (p parts) shares() (most, beside int) {
	size, differences := 0, 0
	for _, part := range p {
		switch part.Op {
		case Same:
			size += min(len(part.Text), 3*around)
		case Removed, Added:
			size += min(len(part.Text), maxPart)
			differences++
		}
	}
	if size <= maxParts {
		return maxPart, around
	}
	const fewest = 40 // of a difference; below it nothing can be read
	share := maxParts / differences
	return max(share*2/3, fewest), max(share/6, fewest/4)
}

// told counts the differences among parts.
func (p parts) told() string {
	differences, size := 0, 0
	for _, part := range p {
		if part.Op == Removed || part.Op == Added {
			differences++
			size += len(part.Text)
		}
	}
	if differences == 0 {
		return ""
	}
	return more(differences, "difference") + fmt.Sprintf(" (%d bytes)", size)
}

// more counts what is left out.
func more(n int, unit string) string {
	if n != 1 {
		unit += "s"
	}
	return fmt.Sprintf("%d more %s", n, unit)
}
