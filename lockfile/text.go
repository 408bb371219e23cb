package lockfile

import (
	"fmt"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// text reports a title or description that differs: what the model reads first.
func (d *difference) text(base, name string, old, new *snapshot.Node) {
	c := Change{Path: pointer([]string{name})}
	c.Before, c.After, c.Message = textChange(name, old, new)
	d.compareTexts(&c, old, new)
	d.report(base, Text, severity.Error, c)
}

// compareTexts fills the comparison of two texts, or of values of which one is
// none.
func (c *comparison) compareTexts(change *Change, old, new *snapshot.Node) {
	if (old == nil || old.IsText()) && (new == nil || new.IsText()) {
		change.Text = c.words(foldLines(old.Text()), foldLines(new.Text()))
		if old != nil && new != nil {
			change.Message += goneWords(change.Text)
		}
	} else {
		change.Raw = c.lines(old, new)
	}
}

// goneWords quotes the longest passage that a text has lost, "" where only a few
// words went: the message of a change quotes what the text says now.
func goneWords(parts []Part) string {
	const few = 20 // bytes
	longest := ""
	for _, p := range parts {
		if text := strings.TrimSpace(p.Text); p.Op == Removed && len(text) > max(len(longest), few) {
			longest = text
		}
	}
	if longest == "" {
		return ""
	}
	return fmt.Sprintf("; gone is “%s”", window(longest, 0, maxGone))
}

// textChange returns the excerpts and the sentence of a text that differs.
// Values that are no text are shown as JSON.
func textChange(what string, old, new *snapshot.Node) (before, after, message string) {
	if !old.IsText() || !new.IsText() {
		before, after = valueExcerpt(old), valueExcerpt(new)
	} else {
		o, n := foldLines(old.Text()), foldLines(new.Text())
		before, after = stretch(n, o), stretch(o, n)
	}
	switch {
	case sameComposed(old, new):
		message = fmt.Sprintf("%s changed in Unicode normalization only: the same letters, composed of other characters (%s is now %s)", what, composition(old.Text()), composition(new.Text()))
	case sameWords(old, new):
		message = fmt.Sprintf("%s changed in white space only; it now reads “%s”", what, after)
	case old == nil:
		message = fmt.Sprintf("%s added: “%s”", what, after)
	case new == nil:
		message = fmt.Sprintf("%s removed; it was “%s”", what, before)
	default:
		message = fmt.Sprintf("%s changed; it now reads “%s”", what, after)
	}
	return before, after, message
}

// sameComposed reports whether two texts differ in nothing but how letters with
// accents are composed, which nobody sees and every program does.
func sameComposed(old, new *snapshot.Node) bool {
	return old.IsText() && new.IsText() && foldLines(old.Text()) != foldLines(new.Text()) &&
		norm.NFC.String(foldLines(old.Text())) == norm.NFC.String(foldLines(new.Text()))
}

// sameWords reports whether two texts differ in white space only. Only that of
// ASCII counts as such: what else looks like a space may be there to hide.
func sameWords(old, new *snapshot.Node) bool {
	if !old.IsText() || !new.IsText() {
		return false
	}
	a, b := old.Text(), new.Text()
	for a != "" || b != "" {
		var word, other string
		word, a = nextWord(a)
		if other, b = nextWord(b); word != other {
			return false
		}
	}
	return true
}

// nextWord splits a text after its first word, which is empty at the end.
func nextWord(s string) (word, rest string) {
	const space = " \t\r\n"
	s = strings.TrimLeft(s, space)
	if i := strings.IndexAny(s, space); i >= 0 {
		return s[:i], s[i:]
	}
	return s, ""
}

func composition(s string) string {
	switch {
	case norm.NFC.IsNormalString(s):
		return "NFC"
	case norm.NFD.IsNormalString(s):
		return "NFD"
	}
	return "a mixture"
}
