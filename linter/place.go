package linter

import (
	"strconv"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// place is a value inside an entity. It is cheap to extend, and only what gets
// a finding is written out as a pointer. nil is the entity itself.
type place struct {
	parent *place
	name   string
	index  int32 // of an array's element; -1 for a member
}

func (p *place) member(name string) *place { return &place{p, name, -1} }

func (p *place) element(i int) *place { return &place{p, "", int32(i)} }

func (p *place) token() string {
	if p.index >= 0 {
		return strconv.Itoa(int(p.index))
	}
	return p.name
}

// tokens returns the unescaped tokens of the pointer.
func (p *place) tokens() []string {
	n := 0
	for at := p; at != nil; at = at.parent {
		n++
	}
	tokens := make([]string, n)
	for at := p; at != nil; at = at.parent {
		n--
		tokens[n] = at.token()
	}
	return tokens
}

// pointer is the JSON pointer of the place.
func (p *place) pointer() string {
	var buf [128]byte
	return string(p.appendPointer(buf[:0]))
}

func (p *place) appendPointer(buf []byte) []byte {
	if p == nil {
		return buf
	}
	buf = p.parent.appendPointer(buf)
	if p.index >= 0 {
		return strconv.AppendInt(append(buf, '/'), int64(p.index), 10)
	}
	return appendMember(buf, p.name)
}

func appendMember(buf []byte, name string) []byte {
	if strings.ContainsAny(name, "~/") {
		return append(buf, snapshot.AppendPointer("", name)...)
	}
	return append(append(buf, '/'), name...)
}
