package lockfile

import (
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

const (
	// maxLine bounds one line of a value, in bytes.
	maxLine = 600
	// aroundLines is how many lines that are the same stay beside a difference.
	aroundLines = 3
	// maxLineDiff is the longest value, in bytes, that is compared by lines.
	maxLineDiff = 256 << 10
	// maxIndent is how many levels of a value have lines of their own.
	maxIndent = 24
)

// lineDiff compares two values line by line, in canonical form and indented.
// Either may be nil, for none. The answer is nil where there is no difference,
// or the values are too large.
func lineDiff(old, new *snapshot.Node) []Part {
	if len(old.Raw()) > maxLineDiff || len(new.Raw()) > maxLineDiff || same(old, new) {
		return nil
	}
	a, b := indented(old), indented(new)
	var p parts
	from := 0
	for _, e := range edits(a, b) {
		p.sameLines(a[from:e.Start], from > 0, e.Start < len(a) || e.End > e.Start || e.ReplEnd > e.ReplStart)
		for _, l := range a[e.Start:e.End] {
			p.add(Removed, shownLine(l))
		}
		for _, l := range b[e.ReplStart:e.ReplEnd] {
			p.add(Added, shownLine(l))
		}
		from = e.End
	}
	return p.boundedLines()
}

// sameLines adds lines that both sides have, those far from a difference left
// out. before and after tell whether there is a difference on that side.
func (p *parts) sameLines(lines []string, before, after bool) {
	head, tail := 0, len(lines)
	if before || len(*p) > 0 {
		head = min(aroundLines, len(lines))
	}
	if after {
		tail = max(len(lines)-aroundLines, head)
	}
	for i, l := range lines {
		switch {
		case i < head || i >= tail:
			p.add(Same, shownLine(l))
		case i == head:
			p.add(Skipped, "")
		}
	}
}

// indented is the canonical form of a value in lines, nil for none. What nests
// deeper than maxIndent stays on one line: a schema of nothing but brackets must
// not grow with the square of its depth.
func indented(n *snapshot.Node) []string {
	if n == nil {
		return nil
	}
	var lines []string
	var line strings.Builder
	depth, inText, escaped := 0, false, false
	end := func(indent int) {
		lines = append(lines, line.String())
		line.Reset()
		line.WriteString(strings.Repeat("  ", indent))
	}
	canonical := Canonical(n)
	for i, c := range canonical {
		switch {
		case inText:
			inText, escaped = escaped || c != '"', !escaped && c == '\\'
			line.WriteByte(c)
		case c == '"':
			inText = true
			line.WriteByte(c)
		case c == '{' || c == '[':
			depth++
			line.WriteByte(c)
			if next := canonical[i+1]; depth <= maxIndent && next != '}' && next != ']' {
				end(depth)
			}
		case c == '}' || c == ']':
			if last := canonical[i-1]; depth <= maxIndent && last != '{' && last != '[' {
				end(depth - 1)
			}
			depth--
			line.WriteByte(c)
		case c == ',' && depth <= maxIndent:
			line.WriteByte(c)
			end(depth)
		case c == ':':
			line.WriteString(": ")
		default:
			line.WriteByte(c)
		}
	}
	return append(lines, line.String())
}

// shownLine is a line with its end, safe to show.
func shownLine(l string) string {
	if len(l) > maxLine {
		l = cut(l, maxLine) + "…"
	}
	return snapshot.Visible(l) + "\n"
}

// boundedLines cuts after maxParts bytes, between lines.
func (p parts) boundedLines() []Part {
	room := maxParts
	for i := range p {
		if len(p[i].Text) <= room {
			room -= len(p[i].Text)
			continue
		}
		total, kept := 0, p[i].Text[:room]
		for _, part := range p[i:] {
			total += strings.Count(part.Text, "\n")
		}
		p[i].Text = kept[:strings.LastIndexByte(kept, '\n')+1]
		total -= strings.Count(p[i].Text, "\n")
		if p = p[:i+1]; p[i].Text == "" {
			p = p[:i]
		}
		p.add(Skipped, more(total, "line"))
		break
	}
	return p
}
