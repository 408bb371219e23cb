package checks

import (
	"strings"
	"unicode/utf8"
)

// cut shortens Markdown to at most max bytes and ends it with note. It cuts
// between lines and closes what the cut left open (code fences, <details>), so
// that foreign text inside a fence does not become live and the note is seen.
// Invalid UTF-8 is replaced first: JSON would do it later, and make it longer.
func cut(text string, max int, note string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= max {
		return text
	}
	if len(note)+len("\n\n\n") > max {
		return "" // no caller's budget is that small
	}
	for budget := max - len(note) - len("\n\n\n"); budget > 0; {
		kept := wholeLines(text, budget)
		result := kept + closers(kept) + "\n\n" + note + "\n"
		over := len(result) - max
		if over <= 0 {
			return result
		}
		budget = min(budget, len(kept)) - over
	}
	return note + "\n"
}

// wholeLines returns the lines that fit into max bytes. A first line that does
// not fit is cut itself, but never behind a backtick: what was a code span must
// not turn into Markdown.
func wholeLines(text string, max int) string {
	kept := text[:max]
	if i := strings.LastIndexByte(kept, '\n'); i > 0 {
		return kept[:i]
	}
	if i := strings.IndexByte(kept, '`'); i >= 0 {
		kept = kept[:i]
	}
	return wholeRunes(kept)
}

// wholeRunes drops the part of a character at the end.
func wholeRunes(s string) string {
	for len(s) > 0 {
		if r, n := utf8.DecodeLastRuneInString(s); r != utf8.RuneError || n > 1 {
			break
		}
		s = s[:len(s)-1]
	}
	return s
}

// closers returns what closes the blocks that text leaves open.
func closers(text string) string {
	fence, details := "", 0
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		run := fenceOf(line)
		switch {
		case fence == "" && run != "":
			fence = run
		case fence == "" && strings.HasPrefix(line, "<details"):
			// At the start of a line only: inside one it is foreign text in code.
			details++
		case fence == "" && strings.HasPrefix(line, "</details>"):
			details--
		case strings.HasPrefix(run, fence) && run == line:
			fence = ""
		}
	}
	end := ""
	if fence != "" {
		end = "\n" + fence
	}
	for range details {
		end += "\n\n</details>"
	}
	return end
}

// fenceOf returns the run of backticks or tildes that starts a line, when it is
// long enough for a code fence.
func fenceOf(line string) string {
	for _, c := range []string{"`", "~"} {
		run := line[:len(line)-len(strings.TrimLeft(line, c))]
		// With backticks later on the line it is a code span (CommonMark, 4.5).
		if len(run) >= 3 && (c == "~" || !strings.Contains(line[len(run):], c)) {
			return run
		}
	}
	return ""
}

// cutLine shortens plain text to at most max characters and bytes.
func cutLine(s string, maxRunes, maxBytes int) string {
	const more = "…"
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= maxBytes && utf8.RuneCountInString(s) <= maxRunes {
		return s
	}
	n := 0
	for i, r := range s {
		if n++; n >= maxRunes || i+utf8.RuneLen(r)+len(more) > maxBytes {
			return s[:i] + more
		}
	}
	return s
}
