package lockfile

import (
	"fmt"

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
	} else {
		change.Raw = c.lines(old, new)
	}
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

func composition(s string) string {
	switch {
	case norm.NFC.IsNormalString(s):
		return "NFC"
	case norm.NFD.IsNormalString(s):
		return "NFD"
	}
	return "a mixture"
}
