package launch

import (
	"path"

	"github.com/mcp-lint/mcp-lint/internal/jsonc"
)

// maxState bounds Claude Code's file of a user, in bytes. It holds the history of
// every project beside the servers, and grows to megabytes.
const maxState = 32 << 20

// parseJSON reads JSON with comments, trailing commas and a byte order mark.
func parseJSON(file string, data []byte) (*node, error) {
	most := jsonc.MaxSize
	if path.Base(slashed(file)) == ".claude.json" {
		most = maxState
	}
	root, err := jsonc.ParseAtMost(file, data, most)
	if err != nil {
		return nil, err
	}
	return fromJSON(root), nil
}

// fromJSON takes a value with all that is in it.
func fromJSON(v jsonc.Value) *node {
	start, end := v.Span()
	n := &node{places: v.Places(), path: v.Path(), at: v.Offset(), start: start, end: end, style: JSON}
	switch literal, isLiteral := v.Literal(); {
	case v.IsText():
		n.kind = aText
		n.text, _ = v.Text()
	case v.IsObject():
		n.kind = anObject
		for _, m := range v.Members() {
			n.members = append(n.members, jsonMember(m))
		}
	case v.IsArray():
		n.kind = anArray
		elements, _ := v.Array()
		for _, e := range elements {
			n.elements = append(n.elements, fromJSON(e))
		}
	case !isLiteral || literal == "null":
		n.kind = aNull
	case literal == "true" || literal == "false":
		n.kind, n.text = aBoolean, literal
	default:
		n.kind, n.text = aNumber, literal
	}
	return n
}

func jsonMember(m jsonc.Member) member {
	return member{name: m.Name, at: m.Offset(), places: m.Value.Places(), value: fromJSON(m.Value)}
}
