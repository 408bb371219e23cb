package linter

import (
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// Entity is a tool, prompt, resource or resource template as rules see it, or
// the server itself.
type Entity struct {
	// Ref names it in reports.
	Ref snapshot.Ref

	run     *run
	source  *snapshot.Entity // nil for the server
	repeats bool             // an object in it may have two members of one name

	penalty, waste int // what its findings take from the scores

	words     []string
	params    []Param
	texts     []Text
	sizes     sizes
	hash      string
	hasWords  bool
	hasParams bool
	hasTexts  bool
	hasSizes  bool
	memo      map[any]any // see Memo
}

// Source returns the entity in the snapshot; nil for the server.
func (e *Entity) Source() *snapshot.Entity { return e.source }

// Node is the definition; nil for the server.
func (e *Entity) Node() *snapshot.Node {
	if e.source == nil {
		return nil
	}
	return e.source.Node
}

// Get returns a member of the definition, nil when there is none.
func (e *Entity) Get(key string) *snapshot.Node { return e.Node().Get(key) }

// Description is the text that introduces the entity: its description, the
// instructions of a server. It is empty when absent or no text.
func (e *Entity) Description() string {
	if e.source == nil {
		return e.run.snapshot.Instructions.Text()
	}
	return e.Get("description").Text()
}

// Repeats reports whether an object in the definition may have two members of
// one name, so that its members must be read through [Entity.Members].
func (e *Entity) Repeats() bool { return e.repeats }

// Words returns the words of the name, see [Words].
func (e *Entity) Words() []string {
	if !e.hasWords {
		e.words, e.hasWords = Words(e.Ref.Name), true
	}
	return e.words
}

// PlainText reports whether the definition holds nothing but visible ASCII
// characters and plain escapes, so that no text in it can hide anything.
//
// The server has no definition; of it this is never said.
func (e *Entity) PlainText() bool { return e.source != nil && e.measured().plain }

// Tokens estimates what the definition costs a model's context: the characters
// of its compact JSON divided by 4.
func (e *Entity) Tokens() int { return e.measured().chars / 4 }

func (e *Entity) measured() *sizes {
	if !e.hasSizes {
		e.sizes, e.hasSizes = measureEntity(e.Node()), true
	}
	return &e.sizes
}
