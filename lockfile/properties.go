package lockfile

import (
	"fmt"
	"slices"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// properties compares the parameters of an object.
func (w *schemaWalk) properties(oldSchema, newSchema *snapshot.Node, sc *scope) {
	old, new := oldSchema.Get("properties"), newSchema.Get("properties")
	if !w.maps(old, new) {
		return
	}
	demanded := map[string]bool{}
	for _, n := range newSchema.Get("required").Elements() {
		demanded[n.Text()] = n.IsText()
	}
	instead := replaced(old, new)
	for _, name := range memberNames(old, new) {
		o, n := old.Get(name), new.Get(name)
		w.in(name, func() {
			switch {
			case o != nil && n != nil, n != nil && sc.declares(name) && !closed(oldSchema):
				w.schema(o, n, nil)
			case n == nil:
				w.gone(o, instead[name])
			default:
				w.newParameter(n, demanded[name], instead[name])
			}
		})
	}
}

// replaced says of each property that only one side has which one of the other
// side has its schema, word for word; or which one is the only one to have come
// or gone and accepts the same. Nothing is said where that is not certain.
func replaced(old, new *snapshot.Node) map[string]string {
	var gone, added []string
	for _, name := range memberNames(old, new) {
		switch {
		case !new.Has(name):
			gone = append(gone, name)
		case !old.Has(name):
			added = append(added, name)
		}
	}
	if len(gone) == 0 || len(added) == 0 {
		return nil
	}
	schemas := map[string][2][]string{} // the names on both sides
	for side, names := range [...][]string{gone, added} {
		for _, name := range names {
			key := string(Canonical([...]*snapshot.Node{old, new}[side].Get(name)))
			same := schemas[key]
			same[side] = append(same[side], name)
			schemas[key] = same
		}
	}
	words := map[string]string{}
	for _, names := range schemas {
		if len(names[0]) == 1 && len(names[1]) == 1 {
			was, is := names[0][0], names[1][0]
			words[was] = fmt.Sprintf("; `%s` has the same schema and is new", excerpt(clip(is)))
			words[is] = fmt.Sprintf("; but for its name it is `%s`, which is gone", excerpt(clip(was)))
		}
	}
	if len(gone) == 1 && len(added) == 1 && len(words) == 0 && accepts(old.Get(gone[0])) == accepts(new.Get(added[0])) {
		words[gone[0]] = fmt.Sprintf("; the only one new there is `%s`", excerpt(clip(added[0])))
		words[added[0]] = fmt.Sprintf("; the only one gone there is `%s`", excerpt(clip(gone[0])))
	}
	return words
}

// newParameter reports a parameter that the old schema does not have (D2);
// instead is what [replaced] says of it.
func (w *schemaWalk) newParameter(n *snapshot.Node, required bool, instead string) {
	defer w.hold(nil, n)()
	switch {
	case nothing(n):
		w.narrowed(nil, n, "%s is refused now", w.subject())
	case required:
		w.widened(nil, n, "new required parameter %s%s", w.subject(), w.ofKind(n)+instead)
	case n.Has("default"):
		w.widenedAs(Additive, nil, n, "new optional parameter %s%s", w.subject(), w.ofKind(n)+instead)
	default:
		w.widened(nil, n, "new optional parameter %s%s", w.subject(), w.ofKind(n)+instead)
	}
	w.newTexts(n)
}

// newPattern reports names that were refused or had another schema.
func (w *schemaWalk) newPattern(name string, n *snapshot.Node) {
	if nothing(n) {
		defer w.hold(nil, n)()
		w.narrowed(nil, n, "%s is refused now", w.subject())
		return
	}
	w.widened(nil, n, "%s now accepts every name that matches `%s`%s", w.subject(), excerpt(name), limitedTo(n))
	w.newTexts(n)
}

// ofKind says what a new parameter accepts, or what a new part of a result is,
// "" for anything.
func (w *schemaWalk) ofKind(n *snapshot.Node) string {
	switch what := accepts(n); {
	case what == "anything":
		return ""
	case w.output:
		return ", " + what
	default:
		return ", which accepts " + what
	}
}

func (w *schemaWalk) gone(o *snapshot.Node, instead string) {
	defer w.hold(o, nil)()
	w.narrowed(o, nil, "%s is gone%s", w.subject(), instead)
}

// maps prepares the comparison of two maps of schemas: false when there is
// nothing below to compare.
func (w *schemaWalk) maps(old, new *snapshot.Node) bool {
	for _, n := range [...]*snapshot.Node{old, new} {
		if n != nil && n.Type() != snapshot.Object {
			if !same(old, new) {
				w.widened(old, new, "`%s` of %s is no object of schemas and was not compared", w.path[len(w.path)-1], w.subject())
			}
			return false
		}
	}
	if empty(old) && empty(new) && (old == nil) != (new == nil) {
		w.equivalent(old, new)
		return false
	}
	return true
}

// required compares which parameters are demanded. A parameter that is new or
// gone altogether has been reported as that.
func (w *schemaWalk) required(oldSchema, newSchema *snapshot.Node, sc *scope) {
	old, new := oldSchema.Get("required"), newSchema.Get("required")
	if sameData(old, new) {
		return
	}
	if isBool(old) || isBool(new) { // draft 3: a parameter says that it is required
		if isSchema(new, true) {
			w.widened(old, new, "%s is now required", w.subject())
		} else {
			w.narrowed(old, new, "%s: required %s", w.subject(), changed(old, new))
		}
		return
	}
	for _, n := range [...]*snapshot.Node{old, new} {
		if n != nil && n.Type() != snapshot.Array {
			w.narrowed(old, new, "required of %s %s", w.subject(), changed(old, new))
			return
		}
	}
	before, after := oldSchema.Get("properties"), newSchema.Get("properties")
	gained, lost := setDifference(new.Elements(), old.Elements()), setDifference(old.Elements(), new.Elements())
	for _, n := range gained {
		switch name := n.Text(); {
		case after.Has(name) && !sc.declares(name):
		case after.Has(name), sc.declares(name):
			w.widenedAs(Breaking, nil, n, "%s is now required; it was optional", w.parameter(n))
		default:
			w.widened(nil, n, "%s is now required, but not declared; it was not asked for", w.parameter(n))
		}
	}
	for _, n := range lost {
		if name := n.Text(); !before.Has(name) || after.Has(name) {
			w.narrowed(n, nil, "%s is now optional; it was required", w.parameter(n))
		}
	}
	if len(gained)+len(lost) == 0 && len(old.Elements()) != len(new.Elements()) || old.Len()+new.Len() == 0 {
		w.equivalent(old, new)
	}
}

// parameter names a property of the current schema.
func (w *schemaWalk) parameter(name *snapshot.Node) string {
	if !name.IsText() {
		return quoted(name)
	}
	return subject(append(slices.Clone(w.path[:w.at]), "properties", name.Text()))
}

// patterns compares schemas by patterns of names. A new one limits names that
// were free, unless further names were refused.
func (w *schemaWalk) patterns(oldSchema, newSchema *snapshot.Node) {
	old, new := oldSchema.Get("patternProperties"), newSchema.Get("patternProperties")
	if !w.maps(old, new) {
		return
	}
	for _, name := range memberNames(old, new) {
		o, n := old.Get(name), new.Get(name)
		w.in(name, func() {
			switch {
			case o != nil && n != nil:
				w.schema(o, n, nil)
			case n == nil && closed(newSchema):
				w.gone(o, "")
			case n == nil:
				w.schema(o, nil, nil)
			case closed(oldSchema):
				w.newPattern(name, n)
			case anything(n): // it limits nothing, and is read
				w.narrowed(nil, n, "names that match `%s` are described now, by what accepts anything", excerpt(name))
			default:
				w.schema(nil, n, nil)
			}
		})
	}
}

// closed reports whether a schema limits the names that it does not list.
func closed(schema *snapshot.Node) bool {
	for _, k := range [...]string{"additionalProperties", "unevaluatedProperties"} {
		if !anything(schema.Get(k)) {
			return true
		}
	}
	return false
}
