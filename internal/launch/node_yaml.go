package launch

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/mcp-lint/mcp-lint/internal/jsonc"
)

// maxYAMLNodes bounds what a file of YAML says once its aliases are followed: a
// short one may say billions of values. maxYAMLEntries bounds lines and commas:
// the parser needs time that grows with the square of a map's keys.
const (
	maxYAMLNodes   = 20_000
	maxYAMLEntries = 4_000
)

// parseYAML reads the first document of a YAML file. Anchors and merged maps are
// followed; what an alias says is at the place of its anchor.
func parseYAML(file string, data []byte) (*node, error) {
	src := bytes.TrimPrefix(data, []byte("\ufeff"))
	y := yamlFile{places: jsonc.NewPlaces(file, src), src: src, skipped: len(data) - len(src), anchors: make(map[string]ast.Node)}
	if len(src) > maxOther {
		return nil, y.errorAt(0, "the file has %d bytes; a configuration has at most %d", len(src), maxOther)
	}
	if !utf8.Valid(src) {
		return nil, y.errorAt(0, "invalid UTF-8: expected YAML in UTF-8")
	}
	// The scanner counts some CRLF as two lines; lines and columns are the same
	// without CR.
	text := bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n"))
	if at := bytes.IndexByte(text, '\r'); at >= 0 {
		return nil, y.errorAt(0, "expected lines that end with LF or CRLF, found one that ends with CR")
	}
	if n := bytes.Count(text, []byte("\n")) + bytes.Count(text, []byte(",")); n > maxYAMLEntries {
		return nil, y.errorAt(0, "the file has %d lines and commas; a configuration has at most %d", n, maxYAMLEntries)
	}
	if at := yamlDeeperThan(text, maxNesting); at >= 0 {
		return nil, y.errorAt(at, "nested deeper than %d levels", maxNesting)
	}
	y.starts = []int{0}
	for i, c := range src {
		if c == '\n' {
			y.starts = append(y.starts, i+1)
		}
	}
	parsed, err := parser.ParseBytes(text, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		at := 0
		if syntax := yaml.Error(nil); errors.As(err, &syntax) && syntax.GetToken() != nil {
			at = y.offset(syntax.GetToken().Position)
		}
		// The parser's own words quote the file.
		return nil, y.errorAt(at, "not YAML that can be read")
	}
	var body ast.Node
	if len(parsed.Docs) > 0 {
		body = parsed.Docs[0].Body
	}
	root := y.value(body, "", 0, 0)
	return root, y.err
}

type yamlFile struct {
	places  *jsonc.Places
	src     []byte
	skipped int
	starts  []int // offset of every line
	anchors map[string]ast.Node
	nodes   int
	err     error // the first thing that cannot be followed
}

func (y *yamlFile) errorAt(offset int, format string, args ...any) error {
	return &jsonc.Error{Location: y.places.At(offset), Message: fmt.Sprintf(format, args...)}
}

// offset converts a position, whose column counts characters.
func (y *yamlFile) offset(p *token.Position) int {
	if p == nil || p.Line < 1 || p.Line > len(y.starts) {
		return 0
	}
	at := y.starts[p.Line-1]
	for range p.Column - 1 {
		_, size := utf8.DecodeRune(y.src[at:])
		at += size
	}
	return at
}

// value takes a value with all that is in it; near is the offset of what it
// belongs to.
func (y *yamlFile) value(v ast.Node, path string, near, depth int) *node {
	n := &node{places: y.places, path: path, at: near}
	if y.nodes++; y.nodes > maxYAMLNodes || depth > maxNesting {
		y.fail(near, "its aliases say more than %d values, or nest deeper than %d levels", maxYAMLNodes, maxNesting)
		return n
	}
	switch v := v.(type) {
	case *ast.AnchorNode:
		y.anchors[v.Name.GetToken().Value] = v.Value
		return y.value(v.Value, path, near, depth+1)
	case *ast.AliasNode:
		anchored, ok := y.anchors[v.Value.GetToken().Value]
		if !ok {
			y.fail(y.offset(v.GetToken().Position), "this alias has no anchor before it")
			return n
		}
		return y.value(anchored, path, near, depth+1)
	case *ast.TagNode:
		n = y.value(v.Value, path, near, depth+1)
		if v.GetToken().Value == "!!str" && (n.kind == aNumber || n.kind == aBoolean) {
			n.kind = aText
		}
	case *ast.MappingNode:
		n.kind = anObject
		if len(v.Values) > 0 {
			n.at = y.offset(v.Values[0].Key.GetToken().Position)
		}
		for _, entry := range v.Values {
			if y.err != nil {
				break
			}
			y.entry(n, entry, depth)
		}
	case *ast.MappingValueNode:
		n.kind, n.at = anObject, y.offset(v.Key.GetToken().Position)
		y.entry(n, v, depth)
	case *ast.SequenceNode:
		n.kind = anArray
		n.at = y.offset(v.GetToken().Position)
		for i, element := range v.Values {
			n.elements = append(n.elements, y.value(element, fmt.Sprintf("%s[%d]", path, i), n.at, depth+1))
		}
	case *ast.StringNode:
		y.scalar(n, aText, v.Value, v.GetToken())
	case *ast.LiteralNode:
		n.kind, n.text, n.at = aText, v.Value.Value, y.offset(v.GetToken().Position)
	case *ast.BoolNode:
		y.scalar(n, aBoolean, v.GetToken().Value, v.GetToken())
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		y.scalar(n, aNumber, v.GetToken().Value, v.GetToken())
	}
	return n
}

func (y *yamlFile) fail(at int, format string, args ...any) {
	if y.err == nil {
		y.err = y.errorAt(at, format, args...)
	}
}

// entry adds one pair of a map. What << merges stands before it in rank, so it
// goes to the front.
func (y *yamlFile) entry(n *node, v *ast.MappingValueNode, depth int) {
	if v.Key.IsMergeKey() {
		merged := y.value(v.Value, n.path, n.at, depth+1)
		maps := []*node{merged}
		if merged.kind == anArray {
			maps = merged.elements
		}
		for _, m := range maps {
			for _, inherited := range m.members {
				if n.get(inherited.name) == nil {
					n.members = append([]member{inherited}, n.members...)
				}
			}
		}
		return
	}
	key := y.value(keyOf(v.Key), n.path, n.at, depth+1)
	value := y.value(v.Value, joinPath(n.path, key.text), key.at, depth+1)
	for i, m := range n.members { // what the map says itself beats what it merges
		if m.name == key.text && m.value.path != value.path {
			n.members = append(n.members[:i:i], n.members[i+1:]...)
			break
		}
	}
	n.members = append(n.members, member{name: key.text, at: key.at, places: y.places, value: value})
}

// keyOf is the value of a key, which "? key" wraps.
func keyOf(key ast.MapKeyNode) ast.Node {
	if explicit, ok := key.(*ast.MappingKeyNode); ok {
		return explicit.Value
	}
	return key
}

// scalar fills in a value of one token. Where the file spells it in one piece,
// it gets the bytes: the source is looked at, for the token has no end.
func (y *yamlFile) scalar(n *node, k kind, text string, t *token.Token) {
	n.kind, n.text, n.at = k, text, y.offset(t.Position)
	rest := y.src[n.at:]
	if newline := bytes.IndexByte(rest, '\n'); newline >= 0 {
		rest = rest[:newline]
	}
	length, style := 0, Unspelled
	switch t.Type {
	case token.SingleQuoteType:
		length, style = quotedEnd(rest, '\''), YAMLSingle
	case token.DoubleQuoteType:
		length, style = quotedEnd(rest, '"'), YAMLDouble
	default:
		if text != "" && bytes.HasPrefix(rest, []byte(text)) {
			length, style = len(text), YAMLPlain
		}
	}
	if length > 0 {
		n.start, n.end, n.style = y.skipped+n.at, y.skipped+n.at+length, style
	}
}

// quotedEnd is the length of the quoted text that a line starts with, 0 when it
// does not end there.
func quotedEnd(line []byte, quote byte) int {
	if len(line) == 0 || line[0] != quote {
		return 0
	}
	for i := 1; i < len(line); i++ {
		switch {
		case line[i] == '\\' && quote == '"':
			i++
		case line[i] == quote && quote == '\'' && i+1 < len(line) && line[i+1] == quote:
			i++
		case line[i] == quote:
			return i + 1
		}
	}
	return 0
}

// yamlDeeperThan returns the offset at which a line nests deeper than a limit,
// or -1. The parser recurses for every bracket and every dash, so the deepest
// that brackets could be is counted, whatever stands in quotes, and so are the
// dashes and question marks that one line opens.
func yamlDeeperThan(src []byte, limit int) int {
	open := 0
	for i, c := range src {
		if c == '[' || c == '{' {
			if open++; open > limit*50 {
				return i
			}
		}
	}
	indents := 0
	for at := 0; at < len(src); {
		end := bytes.IndexByte(src[at:], '\n')
		if end < 0 {
			end = len(src) - at
		}
		line := src[at : at+end]
		opens := 0
		for opens < len(line) && bytes.IndexByte([]byte(" -?:\t"), line[opens]) >= 0 {
			opens++
		}
		indents = max(indents, opens)
		if indents > limit*4 {
			return at
		}
		at += end + 1
	}
	return -1
}
