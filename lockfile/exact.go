package lockfile

import "github.com/mcp-lint/mcp-lint/linter/snapshot"

// fact compares pattern and format: nobody can show that another one accepts
// less (D7).
func (w *schemaWalk) fact(name string, old, new *snapshot.Node) {
	within := "strings that match "
	if name == "format" {
		within = "values of the format "
	}
	switch {
	case sameData(old, new):
	case old == nil:
		w.narrowed(old, new, "%s accepts less: it is limited to %s%s now", w.subject(), within, quoted(new))
	case new == nil && name == "pattern":
		w.widened(old, new, "%s now accepts any string; it was limited to %s", w.subject(), quoted(old))
	case new == nil:
		w.widened(old, new, "%s now accepts values of any format; it was limited to the format %s", w.subject(), quoted(old))
	default:
		w.widened(old, new, "%s now accepts %s%s; it was limited to %s%s", w.subject(), within, quoted(new), within, quoted(old))
	}
}

// exact compares keywords of which any difference may mean anything.
func (w *schemaWalk) exact(name string, old, new *snapshot.Node) {
	switch {
	case sameData(old, new) || name == "dependentRequired" && sameInAnyOrder(old, new):
	case name == "dependentRequired":
		w.together(old, new)
	case name == "$ref" || name == "$dynamicRef" || name == "$recursiveRef":
		switch {
		case old == nil:
			w.widened(old, new, "%s now accepts what %s describes (%s); it referred to nothing", w.subject(), quoted(new), name)
		case new == nil:
			w.widened(old, new, "%s no longer accepts only what %s describes (%s)", w.subject(), quoted(old), name)
		default:
			w.widened(old, new, "%s now accepts what %s describes; it accepted what %s describes (%s)", w.subject(), quoted(new), quoted(old), name)
		}
	default:
		w.widened(old, new, "%s may mean something else, and so may what refers to it: `%s` %s", w.subject(), name, changed(old, new))
	}
}

// together compares which parameters have to come with which.
func (w *schemaWalk) together(old, new *snapshot.Node) {
	for _, n := range [...]*snapshot.Node{old, new} {
		if n != nil && n.Type() != snapshot.Object {
			w.widened(old, new, "what has to come together in %s changed: dependentRequired %s", w.subject(), changed(old, new))
			return
		}
	}
	said := false
	for _, name := range memberNames(old, new) {
		o, n := old.Get(name), new.Get(name)
		if o.Len()+n.Len() == 0 || sameInAnyOrder(o, n) {
			continue
		}
		said = true
		w.in(name, func() { w.companions(name, o, n) })
	}
	if !said {
		w.equivalent(old, new)
	}
}

// companions reports a list of parameters that have to come with another one.
func (w *schemaWalk) companions(name string, old, new *snapshot.Node) {
	switch with := "`" + excerpt(name) + "`"; {
	case old.Type() == snapshot.Array && new.Type() == snapshot.Array:
		w.widened(old, new, "whoever gives %s of %s now has to give %s too; it was %s", with, w.subject(), valueNames(new.Elements()), valueNames(old.Elements()))
	case old == nil && new.Type() == snapshot.Array:
		w.widened(old, new, "whoever gives %s of %s now has to give %s too", with, w.subject(), valueNames(new.Elements()))
	case new == nil && old.Type() == snapshot.Array:
		w.widened(old, new, "%s of %s is now accepted alone; it had to come with %s", with, w.subject(), valueNames(old.Elements()))
	default:
		w.widened(old, new, "what has to come with %s of %s %s", with, w.subject(), changed(old, new))
	}
}

// condition compares what applies the other way round (if, not): accepting less
// below may mean accepting more above, so every difference of structure counts.
func (w *schemaWalk) condition(name string, old, new *snapshot.Node) {
	outer := w.opaque
	w.opaque = &opaqueResult{}
	w.schema(old, new, nil)
	changed := w.opaque.changed || old == nil || new == nil
	w.opaque = outer
	switch {
	case !changed:
	case old == nil && name == "not":
		w.widened(old, new, "%s now refuses %s (a new `not`)", w.subject(), accepts(new))
	case old == nil:
		w.widened(old, new, "what %s accepts now depends on the new condition `%s` %s", w.subject(), name, quoted(new))
	case new == nil && name == "not":
		w.widened(old, new, "%s now accepts what it refused: %s", w.subject(), accepts(old))
	case new == nil:
		w.widened(old, new, "the condition `%s` no longer decides what %s accepts; it was %s", name, w.subject(), quoted(old))
	case name == "not":
		w.widened(old, new, "%s now refuses %s; it refused %s", w.subject(), accepts(new), accepts(old))
	default:
		w.widened(old, new, "what %s accepts now depends on the condition `%s` %s; it was %s", w.subject(), name, quoted(new), quoted(old))
	}
}
