package snapshot

import (
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Save returns the snapshot as JSON that Parse reads back as an equal one: two
// spaces of indent, a final newline, all members of all entities with equal
// names and the spelling of numbers kept. What cannot be seen is written as
// lower-case \uXXXX escapes, so that the file shows what a model reads.
//
// Where the indent outgrows the text many times over, as only a hostile file
// has it, the rest is written on one line.
func (s *Snapshot) Save() []byte {
	w := saver{
		out:    make([]byte, 0, len(s.Source())*3/2+64),
		indent: len(s.Source())*8 + 1<<16,
	}
	w.out = append(w.out, '{')
	for _, l := range lists() {
		entities := *l.entities(s)
		if entities == nil {
			continue
		}
		w.key(1, l.key)
		nodes := make([]*Node, len(entities))
		for i, e := range entities {
			nodes[i] = e.Node
		}
		w.elements(1, nodes)
	}
	if s.ServerInfo != nil {
		w.key(1, "serverInfo")
		w.value(1, s.ServerInfo)
	}
	if s.ProtocolVersion != "" {
		w.key(1, "protocolVersion")
		w.text(s.ProtocolVersion)
	}
	if s.Capabilities != nil {
		w.key(1, "capabilities")
		w.value(1, s.Capabilities)
	}
	if s.Instructions != nil {
		w.key(1, "instructions")
		w.value(1, s.Instructions)
	} else if s.InstructionsKnown {
		w.key(1, "instructions")
		w.out = append(w.out, "null"...)
	}
	return append(w.out, "\n}\n"...)
}

type saver struct {
	out    []byte
	indent int // bytes of indent that may still be written
}

// separate starts the next member or element of a value at level.
func (w *saver) separate(level int) {
	if last := w.out[len(w.out)-1]; last != '{' && last != '[' {
		w.out = append(w.out, ',')
	}
	w.line(level)
}

func (w *saver) line(level int) {
	if w.indent -= 2 * level; w.indent < 0 {
		return
	}
	w.out = append(w.out, '\n')
	for range level {
		w.out = append(w.out, "  "...)
	}
}

func (w *saver) key(level int, name string) {
	w.separate(level)
	w.text(name)
	w.out = append(w.out, ": "...)
}

func (w *saver) value(level int, n *Node) {
	switch n.Type() {
	case Object:
		w.out = append(w.out, '{')
		for _, m := range n.Members() {
			w.key(level+1, m.Name)
			w.value(level+1, m.Value)
		}
		if n.Len() > 0 {
			w.line(level)
		}
		w.out = append(w.out, '}')
	case Array:
		w.elements(level, n.Elements())
	case String:
		w.text(n.Text())
	default:
		w.out = append(w.out, n.Raw()...)
	}
}

func (w *saver) elements(level int, nodes []*Node) {
	w.out = append(w.out, '[')
	for _, n := range nodes {
		w.separate(level + 1)
		w.value(level+1, n)
	}
	if len(nodes) > 0 {
		w.line(level)
	}
	w.out = append(w.out, ']')
}

// text writes a JSON string literal.
func (w *saver) text(text string) {
	w.out = slices.Grow(w.out, len(text)+2)
	w.out = append(w.out, '"')
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			w.ascii(c)
			i++
			continue
		}
		if unit, ok := loneSurrogate(text[i:]); ok {
			w.escape(unit)
			i += 3
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if invisible(r) {
			w.escape(r)
		} else {
			w.out = append(w.out, text[i:i+size]...)
		}
		i += size
	}
	w.out = append(w.out, '"')
}

func (w *saver) ascii(c byte) {
	switch {
	case c == '"' || c == '\\':
		w.out = append(w.out, '\\', c)
	case c >= ' ' && c != 0x7F:
		w.out = append(w.out, c)
	case c < ' ' && strings.IndexByte("\b\f\n\r\t", c) >= 0:
		w.out = append(w.out, '\\', "btn.fr"[c-'\b'])
	default:
		w.escape(rune(c))
	}
}

// escape writes a code point as one \uXXXX escape or a surrogate pair of them.
func (w *saver) escape(r rune) {
	if r > 0xFFFF {
		high, low := utf16.EncodeRune(r)
		w.escape(high)
		w.escape(low)
		return
	}
	const hex = "0123456789abcdef"
	w.out = append(w.out, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
}
