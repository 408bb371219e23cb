package report

import (
	"regexp"
	"strconv"
	"strings"
)

// spelledRun is a run of characters as [snapshot.Visible] spells them.
var spelledRun = regexp.MustCompile(`(?:\\u\{[0-9A-F]+\})+`)

// spelledPieces splits visible text into what shows itself and what hides; the
// latter comes with its name, or what it says: [U+202E right-to-left override].
func spelledPieces(visible string, emit func(piece string, hidden bool)) {
	if !strings.Contains(visible, `\u{`) {
		if visible != "" {
			emit(visible, false)
		}
		return
	}
	at := 0
	for _, run := range spelledRun.FindAllStringIndex(visible, -1) {
		if at < run[0] {
			emit(visible[at:run[0]], false)
		}
		emit(namedRun(visible[run[0]:run[1]]), true)
		at = run[1]
	}
	if at < len(visible) {
		emit(visible[at:], false)
	}
}

// namedText is visible text with the names of what hides in it.
func namedText(visible string) string {
	var b strings.Builder
	spelledPieces(visible, func(piece string, _ bool) { b.WriteString(piece) })
	return b.String()
}

// namedRun names the characters of a run: TAG letters together by what they
// say, all others one by one.
func namedRun(run string) string {
	run = oneLine(run)
	return spelledOne.ReplaceAllStringFunc(run, func(c string) string {
		code := c[len(`\u{`) : len(c)-1]
		n, err := strconv.ParseUint(code, 16, 32)
		if err != nil || hiddenName(rune(n)) == "" {
			return c
		}
		return "[U+" + strings.Repeat("0", max(0, 4-len(code))) + code + " " + hiddenName(rune(n)) + "]"
	})
}

var spelledOne = regexp.MustCompile(`\\u\{[0-9A-F]+\}`)

// hiddenName is the Unicode name of a character that hides text or changes its
// order, "" for others (Unicode 16, UnicodeData.txt).
func hiddenName(r rune) string {
	switch r {
	case 0x00AD:
		return "soft hyphen"
	case 0x061C:
		return "Arabic letter mark"
	case 0x180E:
		return "Mongolian vowel separator"
	case 0x200B:
		return "zero width space"
	case 0x200C:
		return "zero width non-joiner"
	case 0x200D:
		return "zero width joiner"
	case 0x200E:
		return "left-to-right mark"
	case 0x200F:
		return "right-to-left mark"
	case 0x2028:
		return "line separator"
	case 0x2029:
		return "paragraph separator"
	case 0x202A:
		return "left-to-right embedding"
	case 0x202B:
		return "right-to-left embedding"
	case 0x202C:
		return "pop directional formatting"
	case 0x202D:
		return "left-to-right override"
	case 0x202E:
		return "right-to-left override"
	case 0x2060:
		return "word joiner"
	case 0x2066:
		return "left-to-right isolate"
	case 0x2067:
		return "right-to-left isolate"
	case 0x2068:
		return "first strong isolate"
	case 0x2069:
		return "pop directional isolate"
	case 0xFEFF:
		return "zero width no-break space"
	case 0x1B:
		return "escape"
	}
	return ""
}
