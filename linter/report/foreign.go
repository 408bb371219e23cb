package report

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// tagRun is a run of TAG characters as [snapshot.Visible] spells them. They
// repeat ASCII in an invisible block (Unicode 16, chapter 23.9).
var tagRun = regexp.MustCompile(`(?:\\u\{E00[2-7][0-9A-F]\})+`)

// oneLine returns text of a server or a pull request for a place that holds
// plain text on one line: hidden and control characters and line ends are
// spelled out. What TAG characters say is decoded as well, for nobody reads it
// from code points: [U+E0049… 'IGNORE']. Doing it twice changes nothing.
func oneLine(s string) string {
	s = snapshot.Visible(s)
	if !strings.Contains(s, `\u{E00`) {
		return s
	}
	return tagRun.ReplaceAllStringFunc(s, func(run string) string {
		const width = len(`\u{E0041}`)
		var said []byte
		for at := 0; at < len(run); at += width {
			c, err := strconv.ParseUint(run[at+len(`\u{E00`):at+width-1], 16, 8)
			if err != nil || c == 0x7F { // the cancel tag says nothing
				return run
			}
			said = append(said, byte(c))
		}
		more := ""
		if len(said) > 1 {
			more = "…"
		}
		return "[U+" + run[len(`\u{`):width-1] + more + " '" + string(said) + "']"
	})
}

// textLines is oneLine for text that may keep its lines.
func textLines(s string) []string {
	lines := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	for i, l := range lines {
		lines[i] = oneLine(l)
	}
	return lines
}

// shorten cuts text after n runes and says how many it left out.
func shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	seen := 0
	for i := range s {
		if seen == n {
			return s[:i] + "… (" + counted(utf8.RuneCountInString(s[i:]), "more character", "more characters") + ")"
		}
		seen++
	}
	return s
}

// entityText names an entity in plain text: tool read_file, server.
func entityText(ref snapshot.Ref) string {
	switch {
	case ref.Kind == snapshot.KindServer:
		return "server"
	case ref.Name == "":
		return string(ref.Kind) + " (no name)"
	}
	return string(ref.Kind) + " " + oneLine(shorten(ref.Name, maxCode))
}

// placeText is file:line:column as far as known, "" when nothing is.
func placeText(l snapshot.Location) string {
	switch {
	case l.File == "":
		return ""
	case l.Line == 0:
		return oneLine(l.File)
	case l.Column == 0:
		return oneLine(l.File) + ":" + itoa(l.Line)
	}
	return oneLine(l.File) + ":" + itoa(l.Line) + ":" + itoa(l.Column)
}
