package linter

import (
	"slices"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// Text is a piece of text that a model may read.
type Text struct {
	Value string
	// Key marks a member's name; all others are values.
	Key bool

	at *place
}

// Pointer is the JSON pointer of the value, or of the member that has the name.
func (t *Text) Pointer() string { return t.at.pointer() }

// Texts returns the texts of an entity that the preset's rules scan, in
// document order.
//
// [SnapshotPreset] has the second seed's choice: instructions; title and
// description of a tool, then description and title of its parameters;
// description of a prompt and of its arguments; name and description of a
// resource or resource template. [Agents] has every text and name in a tool.
// [Recommended] has every text and name in everything, the server's own
// information included.
func (e *Entity) Texts() []Text {
	if !e.hasTexts {
		e.texts, e.hasTexts = e.collectTexts(), true
	}
	return e.texts
}

func (e *Entity) collectTexts() []Text {
	preset := e.run.linter.preset
	if preset == SnapshotPreset {
		return e.chosenTexts()
	}
	c := &e.run.texts
	c.texts = c.texts[:0]
	switch {
	case e.Ref.Kind == snapshot.KindTool:
		c.value(e.Node(), nil)
	case preset == Agents:
	case e.source != nil:
		c.value(e.Node(), nil)
	default:
		s := e.run.snapshot
		root := (*place)(nil)
		c.value(s.Instructions, root.member("instructions"))
		c.value(s.ServerInfo, root.member("serverInfo"))
	}
	if len(c.texts) > maxKept {
		// Too large to have it twice.
		texts := c.texts
		c.texts = nil
		return texts
	}
	return slices.Clone(c.texts)
}

// textCollector serves all entities of a run: its list is used again.
type textCollector struct{ texts []Text }

func (c *textCollector) value(n *snapshot.Node, at *place) {
	switch n.Type() {
	case snapshot.String:
		c.texts = append(c.texts, Text{Value: n.Text(), at: at})
	case snapshot.Object:
		if n.Len() > maxKept {
			c.texts = slices.Grow(c.texts, n.Len()) // once, not step by step
		}
		for _, m := range n.Members() {
			in := at.member(m.Name)
			c.texts = append(c.texts, Text{Value: m.Name, Key: true, at: in})
			c.value(m.Value, in)
		}
	case snapshot.Array:
		for i, element := range n.Elements() {
			c.value(element, at.element(i))
		}
	}
}

// chosenTexts is section 2 of snapshot-lint.
func (e *Entity) chosenTexts() []Text {
	var texts []Text
	root := (*place)(nil)
	add := func(n *snapshot.Node, at *place) {
		if n.IsText() {
			texts = append(texts, Text{Value: n.Text(), at: at})
		}
	}
	member := func(key string) { add(e.Get(key), root.member(key)) }
	switch e.Ref.Kind {
	case snapshot.KindServer:
		add(e.run.snapshot.Instructions, root.member("instructions"))
	case snapshot.KindTool:
		member("title")
		member("description")
		params := e.Params()
		for i := range params {
			p := &params[i]
			at := p.in.member(p.Name)
			add(p.Schema.Get("description"), at.member("description"))
			add(p.Schema.Get("title"), at.member("title"))
		}
	case snapshot.KindPrompt:
		member("description")
		in := root.member("arguments")
		for i, argument := range e.Get("arguments").Elements() {
			add(argument.Get("description"), in.element(i).member("description"))
		}
	default:
		member("name")
		member("description")
	}
	return texts
}
