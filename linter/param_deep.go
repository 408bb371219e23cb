package linter

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// deepWalk finds the parameters in every schema that a model reads as part of
// the input schema. Definitions and the targets of references come after the
// rest, once each, wherever and however often they are used. One walk serves
// all tools of a run: its lists and maps are used again.
type deepWalk struct {
	entity *Entity
	params []Param
	// Targets of references come before definitions: only through a reference
	// can a definition hold arguments of the tool itself.
	targets, definitions []pendingSchema
	// seen has the schemas that can be reached in two ways.
	seen map[*snapshot.Node]bool
	root *snapshot.Node
	base *place

	// objects counts the objects that the schemas describe; byName finds their
	// parameters once several schemas describe one object.
	objects int
	named   bool // byName is filled
	byName  map[objectMember]int
}

// objectMember is a parameter by the object that has it. allOf, anyOf and the
// like describe the same object as the schema that they stand in.
type objectMember struct {
	object int
	name   string
}

type pendingSchema struct {
	node *snapshot.Node
	at   *place
	view view
}

// view is how a schema is reached.
type view struct {
	object int  // the object that it describes
	top    bool // that is the arguments of the tool
	branch bool // another schema describes the same object
	shared bool // it can be reached in more than one way
}

// maxKept is the size above which maps are not used again: clearing one costs
// what its largest use did, for every tool that follows.
const maxKept = 1024

func (w *deepWalk) walk(e *Entity, root *snapshot.Node, at *place) []Param {
	w.entity, w.root, w.base = e, root, at
	w.params, w.targets, w.definitions = w.params[:0], w.targets[:0], w.definitions[:0]
	w.objects, w.named = 0, false
	if len(w.seen)+len(w.byName) > maxKept {
		w.seen, w.byName = nil, nil
	}
	clear(w.seen)
	clear(w.byName)
	w.schema(root, at, view{top: true})
	for target, definition := 0, 0; target < len(w.targets) || definition < len(w.definitions); {
		var next pendingSchema
		if target < len(w.targets) {
			next = w.targets[target]
			target++
		} else {
			next = w.definitions[definition]
			definition++
		}
		w.schema(next.node, next.at, next.view)
	}
	if len(w.params) > maxKept {
		// Too large to have it twice.
		params := w.params
		w.params = nil
		return params
	}
	return slices.Clone(w.params)
}

// another is the view of a schema for an object of its own.
func (w *deepWalk) another(v view) view {
	w.objects++
	return view{object: w.objects, shared: v.shared}
}

func (w *deepWalk) schema(n *snapshot.Node, at *place, v view) {
	if n.Type() != snapshot.Object {
		return
	}
	if v.shared {
		if w.seen[n] {
			return
		}
		if w.seen == nil {
			w.seen = map[*snapshot.Node]bool{}
		}
		w.seen[n] = true
	}
	same := v
	same.branch = true
	var definitions []snapshot.Member
	for _, m := range n.Members() {
		if w.entity.repeats && n.Get(m.Name) != m.Value {
			continue
		}
		switch m.Name {
		case "properties":
			w.properties(m.Value, at.member(m.Name), v)
		case "allOf", "anyOf", "oneOf":
			w.list(m, at, func() view { return same })
		case "then", "else":
			// if and not are conditions: they explain nothing.
			w.schema(m.Value, at.member(m.Name), same)
		case "dependentSchemas":
			w.each(m, at, func() view { return same })
		case "items", "prefixItems":
			w.schema(m.Value, at.member(m.Name), w.another(v))
			w.list(m, at, func() view { return w.another(v) })
		case "additionalProperties", "additionalItems", "unevaluatedProperties", "unevaluatedItems":
			w.schema(m.Value, at.member(m.Name), w.another(v))
		case "patternProperties":
			w.each(m, at, func() view { return w.another(v) })
		case "$ref":
			w.reference(m.Value.Text(), same)
		case "$defs", "definitions":
			definitions = append(definitions, m)
		}
	}
	for _, group := range definitions {
		in := at.member(group.Name)
		for _, m := range group.Value.Members() {
			w.definitions = append(w.definitions, pendingSchema{m.Value, in.member(m.Name), w.another(view{shared: true})})
		}
	}
}

func (w *deepWalk) properties(n *snapshot.Node, in *place, v view) {
	members := w.entity.Members(n)
	if len(members) > maxKept {
		w.params = slices.Grow(w.params, len(members)) // once, not step by step
	}
	for _, m := range members {
		anything, isBool := m.Value.Bool()
		if m.Value.Type() != snapshot.Object && !(isBool && anything) {
			continue
		}
		w.add(Param{Name: m.Name, Schema: m.Value, Top: v.top, in: in}, v)
		if leadsOn(m.Value) {
			w.schema(m.Value, in.member(m.Name), w.another(v))
		}
	}
}

// add notes a parameter. One that a branch mentions again is the same one: the
// place that describes it counts.
func (w *deepWalk) add(p Param, v view) {
	p.object = v.object
	if v.branch && !w.named {
		w.named = true
		if w.byName == nil {
			w.byName = map[objectMember]int{}
		}
		for i := range w.params {
			w.byName[objectMember{w.params[i].object, w.params[i].Name}] = i
		}
	}
	if w.named {
		key := objectMember{v.object, p.Name}
		if i, ok := w.byName[key]; ok {
			if before := &w.params[i]; !before.Described() && p.Described() {
				*before = p
			}
			return
		}
		w.byName[key] = len(w.params)
	}
	w.params = append(w.params, p)
}

// leadsOn reports whether a schema can have others in it or refer to one.
// Most parameters have none, and cost no more than this question.
func leadsOn(n *snapshot.Node) bool { return n.Depth() > 1 || n.Has("$ref") }

func (w *deepWalk) list(m snapshot.Member, at *place, next func() view) {
	var in *place
	for i, element := range m.Value.Elements() {
		if !leadsOn(element) {
			continue
		}
		if in == nil {
			in = at.member(m.Name)
		}
		w.schema(element, in.element(i), next())
	}
}

func (w *deepWalk) each(m snapshot.Member, at *place, next func() view) {
	in := at.member(m.Name)
	for _, member := range m.Value.Members() {
		w.schema(member.Value, in.member(member.Name), next())
	}
}

// reference queues the target of a local reference. A target that is reached
// through properties and the like anyway is left to that.
func (w *deepWalk) reference(ref string, v view) {
	pointer, ok := strings.CutPrefix(ref, "#/")
	if !ok {
		return
	}
	if decoded, err := url.PathUnescape(pointer); err == nil {
		pointer = decoded
	}
	tokens := strings.Split(pointer, "/")
	if ordinaryWay(tokens) {
		return
	}
	node, at := w.root, w.base
	for _, token := range tokens {
		token = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		if node.Type() == snapshot.Array {
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= node.Len() {
				return
			}
			node, at = node.Elements()[i], at.element(i)
			continue
		}
		if node = node.Get(token); node == nil {
			return
		}
		at = at.member(token)
	}
	v.shared = true
	w.targets = append(w.targets, pendingSchema{node, at, v})
}

// ordinaryWay reports whether the walk gets to a pointer of these tokens
// without following references.
func ordinaryWay(tokens []string) bool {
	named := false // the token is a name that the schema chose
	for _, token := range tokens {
		if named {
			named = false
			continue
		}
		switch token {
		case "properties", "patternProperties", "dependentSchemas":
			named = true
		case "items", "prefixItems", "allOf", "anyOf", "oneOf", "then", "else",
			"additionalProperties", "additionalItems", "unevaluatedProperties", "unevaluatedItems":
		default:
			if _, err := strconv.Atoi(token); err != nil {
				return false
			}
		}
	}
	return true
}
