package report

import (
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
	"github.com/mcp-lint/mcp-lint/lockfile"
)

// comparedPart is a part of a comparison for the page: what hides in it is marked.
type comparedPart struct {
	Op    lockfile.Op
	Spans []span
}

// htmlParts are the words of a text, those that are gone and new between the
// others.
func htmlParts(parts []lockfile.Part) []comparedPart {
	out := make([]comparedPart, len(parts))
	for i, p := range parts {
		out[i] = comparedPart{p.Op, spelledSpans(p.Text)}
	}
	return out
}

// htmlLines are the lines of a schema's comparison, with their signs.
func htmlLines(parts []lockfile.Part) []comparedPart {
	var out []comparedPart
	for _, l := range diffLines(parts) {
		op := lockfile.Same
		switch l.Sign {
		case '-':
			op = lockfile.Removed
		case '+':
			op = lockfile.Added
		}
		text := string(l.Sign) + " "
		for _, s := range l.Spans {
			text += s.Text
		}
		out = append(out, comparedPart{op, spelledSpans(text)})
	}
	return out
}

// spelledSpans is text whose hidden characters are spelled out, with those in
// spans of their own.
func spelledSpans(text string) []span {
	var spans []span
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if i < len(lines)-1 {
			l += "\n"
		}
		visible := snapshot.Visible(strings.TrimSuffix(l, "\n")) + l[len(strings.TrimSuffix(l, "\n")):]
		spelledPieces(visible, func(piece string, hidden bool) {
			s := span{Text: piece}
			if hidden {
				s.Class = hiddenText
			}
			spans = append(spans, s)
		})
	}
	return spans
}

// messagePiece is a piece of a sentence, or a name that stands between backticks
// in it.
type messagePiece struct {
	Spans []span
	Code  bool
}

// messageSpans is [message] for the page.
func messageSpans(s string) []messagePiece {
	pieces := strings.Split(s, "`")
	if len(pieces)%2 == 0 { // one backtick too many: nobody knows which
		return []messagePiece{{Spans: spelledSpans(s)}}
	}
	out := make([]messagePiece, len(pieces))
	for i, p := range pieces {
		out[i] = messagePiece{spelledSpans(p), i%2 == 1}
	}
	return out
}
