package report

import (
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
	"github.com/mcp-lint/mcp-lint/lockfile"
)

// What a terminal shows of one change, in lines.
const (
	maxTextLines = 40 // of a text
	maxGoneLines = 8  // of a text that is gone with what it was about
	maxRawLines  = 12 // of the raw diff of what words do not explain
)

func plainName(name string) string { return oneLine(shorten(name, maxCode)) }

// explained reports whether the words say all that the raw diff would: where a
// value was too long to be quoted, or no rule has words for a change, they don't.
func (g *changeGroup) explained() bool {
	switch toolKind(g.Kind) {
	case lockfile.KindDefinitionChanged, lockfile.KindMetaChanged:
		return false
	}
	return !strings.Contains(g.What, "…`") && !strings.Contains(g.What, "not compared")
}

// diff writes one server's changes: of each the severity, the change, where, and
// what in words; then its texts word by word, and the raw diff of a schema.
func (t *textWriter) diff(d *serverDiff) {
	for _, g := range d.Groups {
		t.head(g.Severity, oneLine(strings.Join(g.Kinds(), ", ")), g.where(plainName))
		t.wrapped(6, "", namedText(oneLine(g.said())), "")
		most := maxTextLines
		if g.after == "" {
			most = maxGoneLines
		}
		t.parts(6, g.Text, most)
		for _, inner := range g.Inner {
			t.wrapped(8, "", namedText(oneLine(inner.said()+inner.only(g, plainName))), "")
			t.parts(8, inner.Text, maxTextLines)
		}
		if !g.explained() {
			t.parts(6, g.Raw, maxRawLines)
		}
	}
	if d.More > 0 {
		t.WriteString("    " + counted(d.More, "more change is", "more changes are") + " not listed here.\n")
	}
	t.WriteString("\n")
}

// parts writes a comparison in lines. Words that are gone or new are underlined,
// or between [-…-] and {+…+} where there are no colours.
func (t *textWriter) parts(indent int, parts []lockfile.Part, most int) {
	lines := diffLines(parts)
	for i, l := range lines {
		if i == most {
			t.WriteString(strings.Repeat(" ", indent) + "… " + counted(len(lines)-i, "more line", "more lines") + ", in the other formats\n")
			return
		}
		color := ""
		switch l.Sign {
		case '-':
			color = red
		case '+':
			color = green
		case '…':
			t.wrapped(indent, "", l.signed(), "")
			continue
		}
		if !t.Color {
			t.wrapped(indent, string(l.Sign)+" ", l.signed()[min(2, len(l.signed())):], "")
			continue
		}
		var spans []styled
		for _, s := range l.Spans {
			style := color
			if s.Marked {
				style = color + ";" + underline
			}
			spans = append(spans, styled{namedText(snapshot.Visible(s.Text)), style})
		}
		t.wrappedSpans(indent, string(l.Sign)+" ", spans)
	}
}

// styled is text in one style.
type styled struct{ text, style string }

// wrappedSpans is wrapped for text of several styles.
func (t *textWriter) wrappedSpans(indent int, lead string, spans []styled) {
	var whole strings.Builder
	for _, s := range spans {
		whole.WriteString(s.text)
	}
	at := 0 // in the first of the spans that are left
	for _, line := range breaks(whole.String(), max(t.Width-indent-len(lead), 20)) {
		t.WriteString(strings.Repeat(" ", indent) + lead)
		for left := len(line); left > 0; {
			n := min(left, len(spans[0].text)-at)
			t.WriteString(t.style(spans[0].style, spans[0].text[at:at+n]))
			if left, at = left-n, at+n; at == len(spans[0].text) {
				spans, at = spans[1:], 0
			}
		}
		t.WriteString("\n")
		lead = strings.Repeat(" ", len(lead))
	}
}
