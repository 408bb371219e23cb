package linter

import (
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// Param is a parameter of a tool: a property of its input schema, or of a
// schema inside it.
type Param struct {
	Name string
	// Schema is its value: an object, true, or (under [Agents]) anything but
	// false.
	Schema *snapshot.Node
	// Top is true for an argument of the tool, false for a property of one.
	Top bool

	in     *place // the properties that have it
	object int    // what they are properties of, see deepWalk
}

// Params returns the parameters that the preset's rules look at.
//
// [SnapshotPreset] has the second seed's walk: properties whose value is an
// object, and those of their properties and object-form items, nine levels
// deep. [Agents] has the properties of the input schema itself. [Recommended]
// has those of all schemas a model reads as parameters, each once: below
// items, prefixItems, additionalProperties, anyOf and the like, and in
// definitions.
func (e *Entity) Params() []Param {
	if !e.hasParams {
		e.params, e.hasParams = e.walkParams(), true
	}
	return e.params
}

func (e *Entity) walkParams() []Param {
	input := e.Get("inputSchema")
	if input.Type() != snapshot.Object {
		return nil
	}
	at := (*place)(nil).member("inputSchema")
	switch e.run.linter.preset {
	case SnapshotPreset:
		w := shallowWalk{entity: e}
		w.schema(input, at, 0)
		return w.params
	case Agents:
		return e.ownParams(input, at)
	default:
		return e.run.deep.walk(e, input, at)
	}
}

func (e *Entity) ownParams(input *snapshot.Node, at *place) []Param {
	properties := input.Get("properties")
	if properties.Type() != snapshot.Object {
		return nil
	}
	in := at.member("properties")
	var params []Param
	for _, m := range e.Members(properties) {
		// A parameter whose schema is false cannot be given.
		if v, isBool := m.Value.Bool(); !isBool || v {
			params = append(params, Param{Name: m.Name, Schema: m.Value, Top: true, in: in})
		}
	}
	return params
}

// Pointer is the JSON pointer of the parameter inside its tool.
func (p *Param) Pointer() string {
	var buf [128]byte
	return string(appendMember(p.in.appendPointer(buf[:0]), p.Name))
}

// Described reports whether it has a description that says something. A title
// is none.
func (p *Param) Described() bool { return !IsBlank(p.Schema.Get("description").Text()) }

// Label names the parameter for people: its name after those of the parameters
// and definitions around it, joined by dots; [] stands for the items of a
// list.
func (p *Param) Label() string {
	var b strings.Builder
	tokens := p.in.tokens()
	for i := 1; i < len(tokens); i++ {
		switch tokens[i] {
		case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas":
			if i+1 < len(tokens) {
				i++
				b.WriteString(tokens[i] + ".")
			}
		case "items", "prefixItems":
			label := strings.TrimSuffix(b.String(), ".")
			b.Reset()
			b.WriteString(label + "[].")
		}
	}
	return b.String() + p.Name
}

// shallowWalk is the second seed's walk (snapshot-lint, section 2).
type shallowWalk struct {
	entity *Entity
	params []Param
}

// maxShallowDepth is the depth of the last schema whose properties count; the
// input schema itself has depth 0.
const maxShallowDepth = 8

func (w *shallowWalk) schema(n *snapshot.Node, at *place, depth int) {
	if n.Type() != snapshot.Object || depth > maxShallowDepth {
		return
	}
	if properties := n.Get("properties"); properties.Type() == snapshot.Object {
		in := at.member("properties")
		for _, m := range w.entity.Members(properties) {
			if m.Value.Type() != snapshot.Object {
				continue
			}
			w.params = append(w.params, Param{Name: m.Name, Schema: m.Value, Top: depth == 0, in: in})
			if m.Value.Depth() > 1 {
				w.schema(m.Value, in.member(m.Name), depth+1)
			}
		}
	}
	if items := n.Get("items"); items.Type() == snapshot.Object {
		w.schema(items, at.member("items"), depth+1)
	}
}

// Group is equal for parameters that stand under the same properties.
type Group struct{ in *place }

// Group says with which parameters this one stands together.
func (p *Param) Group() Group { return Group{p.in} }
