package report

import (
	"strings"
	"unicode/utf8"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// What of a definition is shown. Larger ones are cut to the places that
// findings are about, and the page says so.
const (
	maxDefinition = 24 << 10 // bytes of source that are shown in full
	maxExcerptOf  = 96 << 10 // bytes of what is shown of larger ones
	maxString     = 3000     // characters of one text
	maxKey        = 200      // characters of one name or number
	maxInline     = 72       // bytes of source that stay on one line
	maxNesting    = 64       // levels, as in a snapshot without a finding
	maxMarks      = 200      // marked places of one definition
	unfoldedLines = 32       // lines that are shown without being asked for
	maxPointer    = 4096     // bytes of a pointer that is followed
)

// definition is an entity's JSON for the page: an excerpt with the marked
// places, the whole text, or both.
type definition struct {
	Excerpt []span // nil when the whole is short
	Whole   []span // nil when it is too large
	Lines   int    // of the whole
	Size    int    // of the source, in bytes
}

// Folded tells whether the whole is shown only when asked for.
func (d *definition) Folded() bool { return d.Lines > unfoldedLines }

// Cut tells whether the whole is not shown at all.
func (d *definition) Cut() bool { return d.Whole == nil }

// marks are the places of a definition that findings are about.
type marks struct {
	ids map[*snapshot.Node]string
	way map[*snapshot.Node]bool // what a marked place lies in
}

// mark notes the value at a pointer, or the nearest one above, and returns the
// name that links to it: "" for the whole definition.
func (m *marks) mark(root *snapshot.Node, pointer, id string) string {
	if len(m.ids) >= maxMarks || len(pointer) > maxPointer {
		return ""
	}
	for ; pointer != ""; pointer = pointer[:max(strings.LastIndexByte(pointer, '/'), 0)] {
		n := root.At(pointer)
		if n == nil {
			continue
		}
		if known, ok := m.ids[n]; ok {
			return known
		}
		m.ids[n] = id
		for above := pointer; above != ""; {
			above = above[:max(strings.LastIndexByte(above, '/'), 0)]
			m.way[root.At(above)] = true
		}
		return id
	}
	return ""
}

// newDefinition renders a definition with its marked places.
func newDefinition(n *snapshot.Node, m *marks) *definition {
	d := &definition{Size: len(n.Raw())}
	linked := m
	if d.Size <= maxDefinition {
		whole := printer{marks: m}
		whole.value(n, 0)
		d.Lines = whole.lines + 1
		if !d.Folded() || len(m.ids) == 0 {
			d.Whole = whole.end()
			return d
		}
		// The excerpt has the links; no name may be there twice.
		linked = &marks{ids: make(map[*snapshot.Node]string, len(m.ids)), way: m.way}
		for marked := range m.ids {
			linked.ids[marked] = ""
		}
		whole = printer{marks: linked}
		whole.value(n, 0)
		d.Whole = whole.end()
	}
	excerpt := printer{marks: m, excerpt: true}
	excerpt.value(n, 0)
	d.Excerpt = excerpt.end()
	return d
}

// newInstructions renders the server's instructions as its definition.
func newInstructions(n *snapshot.Node, id string) *definition {
	p := printer{marks: &marks{}}
	if id != "" {
		p.open(id)
	}
	p.text(`"instructions": `)
	p.value(n, 0)
	return &definition{Whole: p.end(), Lines: p.lines + 1, Size: len(n.Raw())}
}

// printer writes JSON for reading: indented, hidden characters spelled out,
// the lines of findings marked.
type printer struct {
	*marks
	excerpt bool // only what leads to marked places
	spans   []span
	buf     strings.Builder
	class   string // of what is being written
	id      string
	lines   int
	written int
}

func (p *printer) text(s string) {
	p.buf.WriteString(s)
	p.written += len(s)
}

// flush ends the span that is being written.
func (p *printer) flush() {
	if p.buf.Len() > 0 {
		p.spans = append(p.spans, span{Class: p.class, ID: p.id, Text: p.buf.String()})
		p.buf.Reset()
		p.id = ""
	}
}

// open begins a marked line.
func (p *printer) open(id string) {
	p.flush()
	p.class, p.id = markedText, id
}

func (p *printer) end() []span {
	p.flush()
	return p.spans
}

// line ends a line, and with it its mark.
func (p *printer) line(indent int) {
	p.flush()
	p.class, p.id = "", ""
	p.lines++
	p.text("\n" + strings.Repeat("  ", indent))
}

// hidden writes what a text hides.
func (p *printer) hidden(s string) {
	p.flush()
	p.spans = append(p.spans, span{Class: hiddenText, Text: s})
	p.written += len(s)
}

func (p *printer) value(n *snapshot.Node, indent int) {
	switch n.Type() {
	case snapshot.Object, snapshot.Array:
		p.container(n, indent)
	case snapshot.String:
		p.quoted(n.Text(), maxString, indent+1)
	default:
		p.text(shorten(string(n.Raw()), maxKey))
	}
}

func (p *printer) container(n *snapshot.Node, indent int) {
	opening, closing := "{", "}"
	if n.Type() == snapshot.Array {
		opening, closing = "[", "]"
	}
	p.text(opening)
	switch {
	case n.Len() == 0:
	case indent >= maxNesting:
		p.text(" … nested deeper … ")
	case len(n.Raw()) <= maxInline && !p.way[n]:
		p.members(n, func(i int) {
			if i > 0 {
				p.text(", ")
			}
		}, indent)
	default:
		left := 0
		for i := range n.Len() {
			if child := childAt(n, i); p.skips(child) {
				left++
				continue
			} else if id, marked := p.ids[child]; marked {
				p.line(indent + 1)
				p.open(id)
			} else {
				p.line(indent + 1)
			}
			p.member(n, i, indent+1)
			if i < n.Len()-1 {
				p.text(",")
			}
		}
		if left > 0 {
			p.line(indent + 1)
			p.text("… " + counted(left, "more", "more"))
		}
		p.line(indent)
	}
	p.text(closing)
}

// skips tells whether a value is left out.
func (p *printer) skips(n *snapshot.Node) bool {
	if p.written > maxExcerptOf {
		return true
	}
	_, marked := p.ids[n]
	return p.excerpt && !marked && !p.way[n]
}

// members writes what fits one line.
func (p *printer) members(n *snapshot.Node, between func(i int), indent int) {
	for i := range n.Len() {
		between(i)
		p.member(n, i, indent)
	}
}

func (p *printer) member(n *snapshot.Node, i, indent int) {
	if members := n.Members(); members != nil {
		p.quoted(members[i].Name, maxKey, indent+1)
		p.text(": ")
	}
	p.value(childAt(n, i), indent)
}

func childAt(n *snapshot.Node, i int) *snapshot.Node {
	if members := n.Members(); members != nil {
		return members[i].Value
	}
	return n.Elements()[i]
}

// quoted writes a text as JSON would, but for what it hides; after a line end
// it goes on in a new line.
func (p *printer) quoted(s string, most, indent int) {
	more := ""
	if utf8.RuneCountInString(s) > most {
		kept := shorten(s, most)
		s, more = kept[:strings.LastIndex(kept, "… (")], kept[strings.LastIndex(kept, "… ("):]
	}
	p.text(`"`)
	for i, line := range strings.Split(jsonEscapes.Replace(s), "\n") {
		if i > 0 {
			p.lines++
			p.text("\\n\n" + strings.Repeat("  ", indent))
		}
		visiblePieces(line, func(piece string, hidden bool) {
			if hidden {
				p.hidden(piece)
			} else {
				p.text(piece)
			}
		})
	}
	p.text(`"` + more)
}

var jsonEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)
