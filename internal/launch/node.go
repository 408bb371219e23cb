package launch

import (
	"fmt"
	"path"
	"strings"

	"github.com/mcp-lint/mcp-lint/internal/jsonc"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// node is one value of a configuration file, whatever that is written in. A nil
// node is an absent one, and so is null where it stands for "not set".
type node struct {
	places *jsonc.Places
	path   string // servers.files.args[0]
	kind   kind
	// text is what a text says, and a number or boolean as it is written.
	text string
	// members are in the order of the file; a name may stand there twice.
	members  []member
	elements []*node

	at         int // offset behind the byte order mark, for the place
	start, end int // bytes of the literal in the file; equal: no single literal
	style      Style
}

// member is one name with its value.
type member struct {
	name   string
	at     int // offset of the name, like node.at
	places *jsonc.Places
	value  *node
}

type kind int

const (
	aNull kind = iota
	aText
	aNumber
	aBoolean
	anArray
	anObject
)

func (k kind) String() string {
	return [...]string{"null", "a text", "a number", "a boolean", "an array", "an object"}[k]
}

// parseFile reads a configuration file in the language that its name says.
func parseFile(file string, data []byte) (*node, error) {
	switch strings.ToLower(path.Ext(file)) {
	case ".yaml", ".yml":
		return parseYAML(file, data)
	case ".toml":
		return parseTOML(file, data)
	}
	return parseJSON(file, data)
}

// word is a text with its place.
func (n *node) word() Word {
	return Word{Text: n.text, Location: n.location(), Start: n.start, End: n.end, Style: n.style}
}

func (n *node) location() snapshot.Location { return n.places.At(n.at) }

func (m member) location() snapshot.Location { return m.places.At(m.at) }

// errorf is an error at the value. Values stay out of it: they may be secrets.
func (n *node) errorf(format string, args ...any) error {
	return &jsonc.Error{Location: n.location(), Path: n.path, Message: fmt.Sprintf(format, args...)}
}

// errorf is an error at the name.
func (m member) errorf(format string, args ...any) error {
	return &jsonc.Error{Location: m.location(), Path: m.value.path, Message: fmt.Sprintf(format, args...)}
}

// is reports whether the value exists and has a kind.
func (n *node) is(k kind) bool { return n != nil && n.kind == k }

// get returns a member of an object, the last one of its name: that is what
// clients get. It is nil when the value is no object, or has null there.
func (n *node) get(name string) *node {
	if !n.is(anObject) {
		return nil
	}
	for i := len(n.members) - 1; i >= 0; i-- {
		if m := n.members[i]; m.name == name {
			return m.value.orNil()
		}
	}
	return nil
}

// orNil is nil for null, which stands for "not set".
func (n *node) orNil() *node {
	if n.is(aNull) {
		return nil
	}
	return n
}

// expect is an error when the value is of another kind.
func (n *node) expect(k kind) error {
	if n.kind != k {
		return n.errorf("expected %s, found %s", k, n.kind)
	}
	return nil
}

func (n *node) asText() (string, error) { return n.text, n.expect(aText) }

func (n *node) asArray() ([]*node, error) { return n.elements, n.expect(anArray) }

func (n *node) asObject() ([]member, error) { return n.members, n.expect(anObject) }

// asTexts returns an array of texts.
func (n *node) asTexts() ([]string, error) {
	if err := n.expect(anArray); err != nil {
		return nil, err
	}
	texts := make([]string, 0, len(n.elements))
	for _, e := range n.elements {
		if err := e.expect(aText); err != nil {
			return nil, err
		}
		texts = append(texts, e.text)
	}
	return texts, nil
}

func joinPath(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
