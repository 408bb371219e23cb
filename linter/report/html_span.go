package report

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// span is a piece of text of one look. The page's template escapes it.
type span struct {
	Class string // "", hiddenText or markedText
	ID    string // "" unless something links here
	Text  string
}

// The looks of a span, as the style sheet has them.
const (
	hiddenText = "hidden" // characters that nobody would see, spelled out
	markedText = "at"     // the line of a finding
)

// spansOf is foreign text for one line of the page: what it hides is spelled
// out and stands in spans of its own.
func spansOf(s string) []span {
	var out []span
	visiblePieces(s, func(piece string, hidden bool) {
		sp := span{Text: piece}
		if hidden {
			sp.Class = hiddenText
		}
		out = append(out, sp)
	})
	return out
}

// visiblePieces splits text into what shows itself and what hides; the latter
// comes as [oneLine] spells it. Line feeds, carriage returns and tabs hide
// nothing: they come spelled out among the former.
func visiblePieces(s string, emit func(piece string, hidden bool)) {
	v := snapshot.Visible(s)
	if v == s {
		if s != "" {
			emit(s, false)
		}
		return
	}
	// Both texts are read side by side: [snapshot.Visible] keeps a character or
	// puts a backslash in its place, and never for a backslash.
	shown, hides := 0, -1 // where the pending piece begins: in v, in s
	i, j := 0, 0
	reveal := func() {
		if hides >= 0 {
			emit(oneLine(s[hides:i]), true)
			hides, shown = -1, j
		}
	}
	for i < len(s) {
		_, size := utf8.DecodeRuneInString(s[i:])
		if j+size <= len(v) && s[i:i+size] == v[j:j+size] {
			reveal()
			i, j = i+size, j+size
			continue
		}
		from, to := spelled(v[j:])
		if s[i] == '\n' || s[i] == '\r' || s[i] == '\t' {
			reveal()
		} else if hides < 0 {
			if shown < j {
				emit(v[shown:j], false)
			}
			hides = i
		}
		i, j = i+from, j+to
	}
	reveal()
	if shown < j {
		emit(v[shown:j], false)
	}
}

// spelled measures one escape of [snapshot.Visible] at the start of v: the
// bytes that it stands for, and its own.
func spelled(v string) (source, length int) {
	if !strings.HasPrefix(v, `\u{`) {
		if strings.HasPrefix(v, `\x{`) {
			return 1, len(`\x{FF}`)
		}
		return 1, len(`\n`)
	}
	end := strings.IndexByte(v, '}')
	code, err := strconv.ParseUint(v[len(`\u{`):end], 16, 32)
	if err != nil {
		return 1, end + 1
	}
	if size := utf8.RuneLen(rune(code)); size > 0 {
		return size, end + 1
	}
	return 3, end + 1 // a lone surrogate
}
