package lockfile

import (
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// limitWords says what a limiting keyword limits.
func limitWords(keyword string) string {
	switch keyword {
	case "minLength":
		return "the shortest text"
	case "maxLength":
		return "the longest text"
	case "minimum":
		return "the smallest value"
	case "maximum":
		return "the largest value"
	case "exclusiveMinimum":
		return "the bound from below"
	case "exclusiveMaximum":
		return "the bound from above"
	case "minItems", "minContains":
		return "the smallest number of items"
	case "maxItems", "maxContains":
		return "the largest number of items"
	case "minProperties":
		return "the smallest number of properties"
	case "maxProperties":
		return "the largest number of properties"
	case "multipleOf":
		return "the step"
	}
	return keyword
}

// limit compares a keyword that limits by a number.
func (w *schemaWalk) limit(name string, old, new *snapshot.Node) {
	if same(old, new) {
		return
	}
	if name == "uniqueItems" || isBool(old) || isBool(new) { // draft 4 has boolean exclusive bounds
		w.flag(name, old, new)
		return
	}
	what := limitWords(name)
	switch {
	case old == nil && name == "minContains" && isZero(new):
		w.widened(old, new, "%s may now hold no matching item at all (minContains 0); one was needed", w.subject())
	case old == nil:
		w.narrowed(old, new, "%s accepts less: %s is limited to %s (%s)", w.subject(), what, quoted(new), name)
	case new == nil:
		w.widened(old, new, "%s accepts more: %s is no longer limited; it was %s (%s)", w.subject(), what, quoted(old), name)
	case new.Type() != snapshot.Number:
		w.widened(old, new, "%s accepts more: %s is no number and limits nothing; it was %s (%s)", w.subject(), quoted(new), quoted(old), name)
	case old.Type() == snapshot.Number && !tighter(name, parseDecimal(old.Number()), parseDecimal(new.Number())):
		w.widened(old, new, "%s accepts more: %s is %s; it was %s (%s)", w.subject(), what, quoted(new), quoted(old), name)
	default:
		w.narrowed(old, new, "%s accepts less: %s is %s; it was %s (%s)", w.subject(), what, quoted(new), quoted(old), name)
	}
}

// tighter reports whether every value within the new limit is within the old
// one. What cannot be shown is false.
func tighter(name string, old, new decimal) bool {
	if name == "multipleOf" {
		return new.multipleOf(old)
	}
	c, ok := new.compare(old)
	if name[:3] == "min" || name == "exclusiveMinimum" {
		return ok && c >= 0
	}
	return ok && c <= 0
}

// flag compares a limit that is switched on by true.
func (w *schemaWalk) flag(name string, old, new *snapshot.Node) {
	switch was, is := isSchema(old, true), isSchema(new, true); {
	case was && !is:
		w.widened(old, new, "%s accepts more: %s is no longer demanded", w.subject(), name)
	case old.Type() == snapshot.Number && !is:
		w.widened(old, new, "%s accepts more: %s is no longer limited; it was %s (%s)", w.subject(), limitWords(name), quoted(old), name)
	case !was && !is && (old == nil || new == nil):
		w.equivalent(old, new) // false is what absence means
	default:
		w.narrowed(old, new, "%s accepts less: %s %s", w.subject(), name, changed(old, new))
	}
}

// fact compares pattern and format: nobody can show that another one accepts
// less (D7).
func (w *schemaWalk) fact(name string, old, new *snapshot.Node) {
	switch {
	case same(old, new):
	case old == nil:
		w.narrowed(old, new, "%s accepts less: it is limited to the %s %s", w.subject(), name, quoted(new))
	case new == nil && name == "pattern":
		w.widened(old, new, "%s now accepts any text; it was limited to %s", w.subject(), quoted(old))
	case new == nil:
		w.widened(old, new, "%s now accepts any %s; it was limited to %s", w.subject(), name, quoted(old))
	default:
		w.widened(old, new, "%s may accept other texts: its %s is now %s; it was %s", w.subject(), name, quoted(new), quoted(old))
	}
}

// exact compares keywords of which any difference may mean anything.
func (w *schemaWalk) exact(name string, old, new *snapshot.Node) {
	if same(old, new) || name == "dependentRequired" && sameInAnyOrder(old, new) {
		return
	}
	if name == "dependentRequired" {
		w.widened(old, new, "%s: what has to come together changed (dependentRequired %s)", w.subject(), changed(old, new))
		return
	}
	w.widened(old, new, "%s may mean something else: `%s` %s", w.subject(), name, changed(old, new))
}

func isBool(n *snapshot.Node) bool { return n.Type() == snapshot.Bool }

func isZero(n *snapshot.Node) bool {
	return n.Type() == snapshot.Number && parseDecimal(n.Number()) == decimal{}
}
