package report

import (
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
	"github.com/mcp-lint/mcp-lint/lockfile"
)

// diffLine is a line of a comparison: Sign is '-' for one before, '+' for one
// after, ' ' for both, and '…' where lines are left out.
type diffLine struct {
	Sign  rune
	Spans []diffSpan
}

// diffSpan is a piece of a line; Marked tells the words that are gone or new
// beside others that stay.
type diffSpan struct {
	Text   string
	Marked bool
}

// diffLines puts a comparison in lines. Lines in which something changed come
// twice, before and after; words are marked where a part of a line stays.
func diffLines(parts []lockfile.Part) []diffLine {
	var d lineBuilder
	for _, p := range parts {
		if p.Op == lockfile.Skipped {
			d.skip(p.Text)
			continue
		}
		for i, text := range strings.Split(p.Text, "\n") {
			if i > 0 {
				d.end(p.Op)
			}
			if text != "" {
				d.add(p.Op, text)
			}
		}
	}
	if len(d.before)+len(d.after) > 0 {
		d.end(lockfile.Same)
	}
	d.settle()
	return d.lines
}

// lineBuilder collects the lines before and after until both end together.
type lineBuilder struct {
	lines         []diffLine
	olds, news    []diffLine
	before, after []diffSpan // the lines that are being written
}

// skip says that something is left out and how much of a difference that is:
// within a line, or between two.
func (d *lineBuilder) skip(size string) {
	if len(d.before)+len(d.after) > 0 {
		if size != "" {
			size = "(" + size + ")"
		}
		op := lockfile.Same
		switch {
		case len(d.before) == 0:
			op = lockfile.Added
		case len(d.after) == 0:
			op = lockfile.Removed
		}
		d.add(op, "…"+size)
		return
	}
	d.settle()
	line := diffLine{Sign: '…'}
	if size != "" {
		line.Spans = []diffSpan{{Text: size}}
	}
	d.lines = append(d.lines, line)
}

func (d *lineBuilder) add(op lockfile.Op, text string) {
	span := diffSpan{text, op != lockfile.Same}
	if op != lockfile.Added {
		d.before = append(d.before, span)
	}
	if op != lockfile.Removed {
		d.after = append(d.after, span)
	}
}

// end ends a line of the side that the operation is about.
func (d *lineBuilder) end(op lockfile.Op) {
	switch op {
	case lockfile.Removed:
		d.olds, d.before = append(d.olds, diffLine{'-', d.before}), nil
		return
	case lockfile.Added:
		d.news, d.after = append(d.news, diffLine{'+', d.after}), nil
		return
	}
	if slices.Equal(d.before, d.after) && !slices.ContainsFunc(d.before, func(s diffSpan) bool { return s.Marked }) {
		d.settle()
		d.lines = append(d.lines, diffLine{' ', d.after})
	} else {
		if len(d.before) > 0 {
			d.olds = append(d.olds, diffLine{'-', d.before})
		}
		if len(d.after) > 0 {
			d.news = append(d.news, diffLine{'+', d.after})
		}
		d.settle()
	}
	d.before, d.after = nil, nil
}

// settle writes the lines that have been collected of both sides.
func (d *lineBuilder) settle() {
	d.lines = append(append(d.lines, marked(d.olds)...), marked(d.news)...)
	d.olds, d.news = nil, nil
}

// marked takes the marks off lines that are gone or new as a whole: their sign
// says it.
func marked(lines []diffLine) []diffLine {
	for i, l := range lines {
		if !slices.ContainsFunc(l.Spans, func(s diffSpan) bool { return !s.Marked }) {
			for j := range l.Spans {
				lines[i].Spans[j].Marked = false
			}
		}
	}
	return lines
}

// signed is a line as plain text: its sign, and [-…-] or {+…+} around words that
// are gone or new.
func (l *diffLine) signed() string {
	var b strings.Builder
	b.WriteRune(l.Sign)
	b.WriteByte(' ')
	for _, s := range l.Spans {
		text := namedText(snapshot.Visible(s.Text))
		switch {
		case !s.Marked:
			b.WriteString(text)
		case l.Sign == '-':
			b.WriteString("[-" + text + "-]")
		default:
			b.WriteString("{+" + text + "+}")
		}
	}
	return strings.TrimRight(b.String(), " ")
}
