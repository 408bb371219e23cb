package snapshot

import (
	"errors"
	"fmt"
	"strings"
)

// Parse reads a bare array of tools, a tools/list result, a JSON-RPC response
// with such a result, or a saved snapshot. file is the name used in messages
// and locations; it may be empty. Parse keeps a copy of data.
//
// Every error is a [*ParseError]. Duplicate keys, lone surrogates and deep
// nesting are no errors but [Problem]s; a nesting over 10,000 is an error.
func Parse(file string, data []byte) (*Snapshot, error) {
	s, err := parse(data)
	if err != nil {
		var place *ParseError
		if errors.As(err, &place) {
			place.File = file
		}
		return nil, err
	}
	s.File = file
	return s, nil
}

func parse(data []byte) (*Snapshot, error) {
	doc := newDocument(data)
	if err := doc.checkEncoding(); err != nil {
		return nil, err
	}
	root, err := (&builder{doc: doc, limit: maxValues}).build()
	if err != nil {
		return nil, err
	}
	s := &Snapshot{doc: doc}
	switch root.Type() {
	case Array:
		if err = s.checkRoom(root, maxEntities); err == nil {
			err = s.readTools(root)
		}
	case Object:
		err = s.readObject(root)
	default:
		err = doc.errorAt(root.Start(), "expected an object or an array of tools; found "+root.Type().String())
	}
	if err != nil {
		return nil, err
	}
	s.Problems = s.findProblems(root)
	return s, nil
}

// list is one of the four lists of a document.
type list struct {
	key      string
	kind     Kind
	identity string // the member that names an entity
	entities func(*Snapshot) *[]*Entity
}

// lists are in the order in which a fault of one is reported before a fault of
// the next, and in which they are saved.
func lists() [4]list {
	return [4]list{
		{"tools", KindTool, "name", func(s *Snapshot) *[]*Entity { return &s.Tools }},
		{"resources", KindResource, "uri", func(s *Snapshot) *[]*Entity { return &s.Resources }},
		{"resourceTemplates", KindResourceTemplate, "uriTemplate", func(s *Snapshot) *[]*Entity { return &s.ResourceTemplates }},
		{"prompts", KindPrompt, "name", func(s *Snapshot) *[]*Entity { return &s.Prompts }},
	}
}

// unwrap returns the result of a JSON-RPC response, any other object itself.
func unwrap(root *Node) *Node {
	if result := root.Get("result"); root.Has("jsonrpc") && result.Type() == Object {
		return result
	}
	return root
}

func (s *Snapshot) readObject(root *Node) error {
	root = unwrap(root)
	found := false
	for _, l := range lists() {
		found = found || root.Has(l.key)
	}
	if !found {
		return s.doc.errorAt(root.Start(), noLists(root))
	}
	for _, l := range lists() {
		if n := root.Get(l.key); n != nil && n.Type() != Array {
			return s.doc.errorAt(n.Start(), fmt.Sprintf("%q must be an array; found %s", l.key, n.Type()))
		}
	}
	room := maxEntities
	for _, l := range lists() {
		n := root.Get(l.key)
		if n == nil {
			continue
		}
		if err := s.checkRoom(n, room); err != nil {
			return err
		}
		room -= n.Len()
		if l.kind == KindTool {
			if err := s.readTools(n); err != nil {
				return err
			}
			continue
		}
		*l.entities(s) = readEntities(n, l.kind, l.identity)
	}
	s.readServer(root)
	return nil
}

// checkRoom refuses a list with more entities than there is room for.
func (s *Snapshot) checkRoom(list *Node, room int) error {
	if list.Len() <= room {
		return nil
	}
	return s.doc.errorAt(list.Elements()[room].Start(),
		fmt.Sprintf("more than %d tools, prompts and resources; expected a smaller snapshot", maxEntities))
}

// noLists says what a document without any list holds instead.
func noLists(root *Node) string {
	const expected = `no tools, prompts or resources were found; expected an array "tools", "prompts", "resources" or "resourceTemplates"`
	switch {
	case root.Has("jsonrpc") && root.Has("error"):
		return "a JSON-RPC error response: " + expected
	case root.Has("result") && !root.Has("jsonrpc"):
		return `an object with "result" but without "jsonrpc": ` + expected
	}
	var keys []string
	for _, m := range root.Members() {
		if len(keys) == 5 {
			keys = append(keys, "…")
			break
		}
		keys = append(keys, `"`+excerpt(m.Name)+`"`)
	}
	if keys == nil {
		return "an empty object: " + expected
	}
	return expected + "; the keys are " + strings.Join(keys, ", ")
}

func (s *Snapshot) readServer(root *Node) {
	for _, key := range [...]string{"serverInfo", "server"} {
		if n := root.Get(key); n.Type() == Object {
			s.ServerInfo = n
			s.Name, s.Version = n.Get("name").Text(), n.Get("version").Text()
			break
		}
	}
	s.ProtocolVersion = root.Get("protocolVersion").Text()
	if n := root.Get("capabilities"); n.Type() == Object {
		s.Capabilities = n
	}
	switch n := root.Get("instructions"); n.Type() {
	case String:
		s.Instructions, s.InstructionsKnown = n, true
	case Null:
		s.InstructionsKnown = true
	}
}

func (s *Snapshot) readTools(array *Node) error {
	for i, n := range array.Elements() {
		if n.Type() != Object {
			return s.doc.errorAt(n.Start(), fmt.Sprintf("tools[%d] must be an object; found %s", i, n.Type()))
		}
		if name := n.Get("name"); !name.IsText() {
			at := n
			if name != nil {
				at = name
			}
			return s.doc.errorAt(at.Start(), fmt.Sprintf(`tools[%d] must have a text "name"; found %s`, i, name.Type()))
		}
	}
	s.Tools = readEntities(array, KindTool, "name")
	return nil
}

func readEntities(array *Node, kind Kind, identity string) []*Entity {
	nodes := array.Elements()
	block := make([]Entity, len(nodes))
	entities := make([]*Entity, len(nodes))
	for i, n := range nodes {
		block[i] = Entity{Kind: kind, Name: n.Get(identity).Text(), Index: i, Node: n, Depth: n.Depth()}
		entities[i] = &block[i]
	}
	return entities
}
