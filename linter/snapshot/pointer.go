package snapshot

import (
	"strconv"
	"strings"
)

// AppendPointer returns the JSON pointer (RFC 6901) of the member or element
// token below base, with ~ and / escaped.
func AppendPointer(base, token string) string {
	return base + "/" + escapeToken(token)
}

// AppendIndex returns the JSON pointer of element i below base.
func AppendIndex(base string, i int) string {
	return base + "/" + strconv.Itoa(i)
}

// CutToken takes the first token off a JSON pointer: "/a~1b/c" is a/b and "/c".
func CutToken(pointer string) (token, rest string) {
	token, rest, deeper := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	if deeper {
		rest = "/" + rest
	}
	return unescapeToken(token), rest
}

func unescapeToken(token string) string {
	return strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
}

func escapeToken(token string) string {
	if !strings.ContainsAny(token, "~/") {
		return token
	}
	return strings.ReplaceAll(strings.ReplaceAll(token, "~", "~0"), "/", "~1")
}

// Resolve returns the node at a JSON pointer inside e, nil when there is none
// or the pointer is malformed. The empty pointer is the whole definition. Of
// members with equal names it takes the last one.
func (s *Snapshot) Resolve(e *Entity, pointer string) *Node {
	if e == nil {
		return nil
	}
	return e.Node.At(pointer)
}

// At returns the node at a JSON pointer below n, nil when there is none.
func (n *Node) At(pointer string) *Node {
	for n != nil && pointer != "" {
		if pointer[0] != '/' {
			return nil
		}
		token, rest := pointer[1:], ""
		if i := strings.IndexByte(token, '/'); i >= 0 {
			token, rest = token[:i], token[i:]
		}
		n, pointer = n.child(token), rest
	}
	return n
}

func (n *Node) child(token string) *Node {
	if n.typ == Array {
		i, err := strconv.Atoi(token)
		// Only the plain spelling: no sign, no leading zero.
		if err != nil || i < 0 || i >= n.Len() || strconv.Itoa(i) != token {
			return nil
		}
		return n.Elements()[i]
	}
	if strings.IndexByte(token, '~') >= 0 {
		token = unescapeToken(token)
	}
	return n.Get(token)
}

// Walk calls visit for n and everything below it, depth first in document
// order, members with equal names included. Where visit returns false, what
// lies below that node is skipped. pointer gives the node's JSON pointer
// relative to n; it is built on demand and only valid during the call.
func (n *Node) Walk(visit func(pointer func() string, n *Node) bool) {
	if n == nil {
		return
	}
	w := walker{visit: visit}
	w.pointer = w.current
	w.walk(n)
}

type walker struct {
	path    []step
	visit   func(pointer func() string, n *Node) bool
	pointer func() string
}

// step is a member's name or, when name is nil, an index.
type step struct {
	name  *string
	index int
}

func (w *walker) walk(n *Node) {
	if !w.visit(w.pointer, n) {
		return
	}
	depth := len(w.path)
	members := n.Members()
	for i := range members {
		w.path = append(w.path[:depth], step{name: &members[i].Name})
		w.walk(members[i].Value)
	}
	for i, element := range n.Elements() {
		w.path = append(w.path[:depth], step{index: i})
		w.walk(element)
	}
	w.path = w.path[:depth]
}

func (w *walker) current() string { return joinPath(w.path) }

func joinPath(path []step) string {
	var b strings.Builder
	for _, s := range path {
		b.WriteByte('/')
		if s.name != nil {
			b.WriteString(escapeToken(*s.name))
		} else {
			b.WriteString(strconv.Itoa(s.index))
		}
	}
	return b.String()
}
