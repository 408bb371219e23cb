package launch

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/mcp-lint/mcp-lint/internal/jsonc"
)

// maxOther bounds files of YAML and TOML, in bytes, and maxNesting what is nested
// in them. Both are far above any real configuration and keep a hostile one
// cheap: the parsers recurse.
const (
	maxOther   = 256 << 10
	maxNesting = 100
)

// parseTOML reads TOML. The parser knows what is valid; the places come from its
// syntax tree.
func parseTOML(file string, data []byte) (*node, error) {
	src := bytes.TrimPrefix(data, []byte("\ufeff"))
	t := tomlFile{places: jsonc.NewPlaces(file, src), skipped: len(data) - len(src)}
	t.root = &node{places: t.places, kind: anObject}
	if len(src) > maxOther {
		return nil, t.root.errorf("the file has %d bytes; a configuration has at most %d", len(src), maxOther)
	}
	if at := tomlDeeperThan(src, maxNesting); at >= 0 {
		return nil, t.errorAt(at, "nested deeper than %d levels", maxNesting)
	}
	var all map[string]any
	if err := toml.Unmarshal(src, &all); err != nil {
		at := 0
		if decode := new(toml.DecodeError); errors.As(err, &decode) {
			line, column := decode.Position()
			at = lineStart(src, line) + column - 1
		}
		return nil, t.errorAt(at, "not TOML that can be read")
	}
	t.parser.Reset(src)
	into := t.root
	for t.parser.NextExpression() {
		switch e := t.parser.Expression(); e.Kind {
		case unstable.Table:
			into = t.table(t.root, e.Key(), false)
		case unstable.ArrayTable:
			into = t.table(t.root, e.Key(), true)
		case unstable.KeyValue:
			t.keyValue(into, e)
		}
	}
	if err := t.parser.Error(); err != nil {
		return nil, t.errorAt(0, "not TOML that can be read")
	}
	return t.root, nil
}

type tomlFile struct {
	places  *jsonc.Places
	skipped int
	parser  unstable.Parser
	root    *node
}

func (t *tomlFile) errorAt(offset int, format string, args ...any) error {
	return &jsonc.Error{Location: t.places.At(offset), Message: fmt.Sprintf(format, args...)}
}

// table goes to the table of a dotted key and makes what is not there yet. The
// last part of an array's table is a new element.
func (t *tomlFile) table(n *node, key unstable.Iterator, array bool) *node {
	for key.Next() {
		part := key.Node()
		name, at := string(part.Data), int(part.Raw.Offset)
		next := n.get(name)
		last := key.IsLast()
		if next == nil {
			next = &node{places: t.places, path: joinPath(n.path, name), kind: anObject, at: at}
			if last && array {
				next.kind = anArray
			}
			n.members = append(n.members, member{name: name, at: at, places: t.places, value: next})
		}
		if next.kind == anArray {
			if last && array || len(next.elements) == 0 {
				element := &node{places: t.places, path: fmt.Sprintf("%s[%d]", next.path, len(next.elements)), kind: anObject, at: at}
				next.elements = append(next.elements, element)
			}
			next = next.elements[len(next.elements)-1]
		}
		n = next
	}
	return n
}

// keyValue adds a value under its key, which may be dotted.
func (t *tomlFile) keyValue(n *node, e *unstable.Node) {
	key := e.Key()
	for key.Next() {
		part := key.Node()
		name, at := string(part.Data), int(part.Raw.Offset)
		if key.IsLast() {
			value := t.value(e.Value(), joinPath(n.path, name), at)
			n.members = append(n.members, member{name: name, at: at, places: t.places, value: value})
			return
		}
		next := n.get(name)
		if next == nil {
			next = &node{places: t.places, path: joinPath(n.path, name), kind: anObject, at: at}
			n.members = append(n.members, member{name: name, at: at, places: t.places, value: next})
		}
		n = next
	}
}

// value takes a value; near is the offset of something before it, for the kinds
// whose own place the parser does not keep.
func (t *tomlFile) value(v *unstable.Node, path string, near int) *node {
	n := &node{places: t.places, path: path, at: near}
	raw := t.parser.Raw(v.Raw)
	if v.Raw.Length > 0 {
		n.at = int(v.Raw.Offset)
	}
	switch v.Kind {
	case unstable.String:
		n.kind, n.text = aText, string(v.Data)
		n.style = tomlStyle(raw)
		if n.style != Unspelled {
			n.start, n.end = t.skipped+n.at, t.skipped+n.at+len(raw)
		}
	case unstable.Array:
		n.kind = anArray
		for children := v.Children(); children.Next(); {
			element := t.value(children.Node(), fmt.Sprintf("%s[%d]", path, len(n.elements)), n.at)
			n.elements = append(n.elements, element)
		}
	case unstable.InlineTable:
		n.kind = anObject
		for children := v.Children(); children.Next(); {
			t.keyValue(n, children.Node())
		}
	case unstable.Bool:
		n.kind, n.text = aBoolean, string(raw)
	default: // numbers; dates are as good as them, nobody asks for one
		n.kind, n.text = aNumber, string(raw)
	}
	return n
}

// tomlStyle tells how a text is written. One in triple quotes may span lines.
func tomlStyle(raw []byte) Style {
	switch {
	case bytes.HasPrefix(raw, []byte(`"""`)), bytes.HasPrefix(raw, []byte("'''")):
		return Unspelled
	case bytes.HasPrefix(raw, []byte(`"`)):
		return TOMLBasic
	case bytes.HasPrefix(raw, []byte("'")):
		return TOMLLiteral
	}
	return Unspelled
}

// tomlDeeperThan returns the offset at which the nesting of brackets exceeds a
// limit, or -1. Dots nest as well, one level each in a key.
func tomlDeeperThan(src []byte, limit int) int {
	depth, dots := 0, 0
	for i := 0; i < len(src); i++ {
		switch c := src[i]; c {
		case '\n':
			dots = 0
		case '.':
			if dots++; dots > limit*10 {
				return i
			}
		case '#':
			if end := bytes.IndexByte(src[i:], '\n'); end >= 0 {
				i += end - 1
			} else {
				return -1
			}
		case '"', '\'':
			i = skipTOMLText(src, i)
		case '[', '{':
			if depth++; depth > limit {
				return i
			}
		case ']', '}':
			depth--
		}
	}
	return -1
}

// skipTOMLText returns the offset of the last byte of the text that starts at i.
func skipTOMLText(src []byte, i int) int {
	quote := src[i : i+1]
	if three := bytes.Repeat(quote, 3); bytes.HasPrefix(src[i:], three) {
		quote = three
	}
	for j := i + len(quote); j < len(src); j++ {
		switch {
		case src[j] == '\\' && quote[0] == '"':
			j++
		case bytes.HasPrefix(src[j:], quote):
			return j + len(quote) - 1
		case src[j] == '\n' && len(quote) == 1:
			return j // no text ends here; the parser will say so
		}
	}
	return len(src)
}

// lineStart returns the offset of the first byte of a line, which counts from 1.
func lineStart(src []byte, line int) int {
	at := 0
	for range line - 1 {
		next := bytes.IndexByte(src[at:], '\n')
		if next < 0 {
			return len(src)
		}
		at += next + 1
	}
	return at
}
