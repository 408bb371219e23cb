package lockfile

import (
	"fmt"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// limitWords says what a limiting keyword lets through, with %s for its value,
// and what it keeps out.
func limitWords(keyword string) (within, beyond string) {
	switch keyword {
	case "minLength":
		return "strings of at least %s characters", "shorter strings"
	case "maxLength":
		return "strings of at most %s characters", "longer strings"
	case "minimum":
		return "numbers from %s on", "smaller numbers"
	case "maximum":
		return "numbers up to %s", "larger numbers"
	case "exclusiveMinimum":
		return "numbers above %s", "smaller numbers"
	case "exclusiveMaximum":
		return "numbers below %s", "larger numbers"
	case "minItems":
		return "lists of at least %s items", "shorter lists"
	case "maxItems":
		return "lists of at most %s items", "longer lists"
	case "minContains":
		return "lists with at least %s matching items", "lists with fewer matching items"
	case "maxContains":
		return "lists with at most %s matching items", "lists with more matching items"
	case "minProperties":
		return "objects of at least %s members", "smaller objects"
	case "maxProperties":
		return "objects of at most %s members", "larger objects"
	case "multipleOf":
		return "multiples of %s", "other numbers"
	}
	return "lists without equal items", "lists with equal items" // uniqueItems
}

// withinLimit says what a limiting keyword of that value lets through.
func withinLimit(keyword string, value *snapshot.Node) string {
	within, _ := limitWords(keyword)
	text := fmt.Sprintf(within, bare(value))
	if bare(value) == "1" {
		for _, unit := range [...]string{"character", "item", "member"} {
			if one, ok := strings.CutSuffix(text, "1 "+unit+"s"); ok {
				return one + "1 " + unit
			}
		}
		text = strings.Replace(text, "1 matching items", "1 matching item", 1)
	}
	return text
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
	_, beyond := limitWords(name)
	was, is := withinLimit(name, old), withinLimit(name, new)
	switch {
	case old == nil && name == "minContains" && isZero(new):
		w.widened(old, new, "%s now accepts lists without any matching item too (minContains 0); one was needed", w.subject())
	case (old == nil || new == nil) && limitsNothing(name, old) && limitsNothing(name, new):
		w.equivalent(old, new)
	case old == nil:
		w.narrowed(old, new, "%s accepts less: it is limited to %s now (%s)", w.subject(), is, name)
	case new == nil:
		w.widened(old, new, "%s now accepts %s too; it was limited to %s (%s)", w.subject(), beyond, was, name)
	case new.Type() != snapshot.Number:
		w.widened(old, new, "%s now accepts %s too, because %s is no number and limits nothing; it was limited to %s (%s)", w.subject(), beyond, quoted(new), was, name)
	case old.Type() == snapshot.Number && !tighter(name, parseDecimal(old.Number()), parseDecimal(new.Number())):
		w.widened(old, new, "%s now accepts %s; it was limited to %s (%s)", w.subject(), is, was, name)
	default:
		w.narrowed(old, new, "%s accepts less: it is limited to %s now, and was to %s (%s)", w.subject(), is, was, name)
	}
}

// limitsNothing tells limits that say the same as their absence.
func limitsNothing(name string, v *snapshot.Node) bool {
	if v == nil {
		return true
	}
	switch name {
	case "minLength", "minItems", "minProperties":
		return isZero(v)
	case "minContains":
		return v.Type() == snapshot.Number && parseDecimal(v.Number()) == parseDecimal("1")
	case "uniqueItems":
		return isSchema(v, false)
	}
	return false
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
	within, beyond := limitWords(name)
	if old.Type() == snapshot.Number {
		within = fmt.Sprintf(within, bare(old))
	} else if name != "uniqueItems" {
		within = fmt.Sprintf(within, "the bound")
	}
	switch was, is := isSchema(old, true), isSchema(new, true); {
	case was && !is, old.Type() == snapshot.Number && !is:
		w.widened(old, new, "%s now accepts %s too; it was limited to %s (%s)", w.subject(), beyond, within, name)
	case !was && !is && (old == nil || new == nil):
		w.equivalent(old, new) // false is what absence means
	case is && name == "uniqueItems":
		w.narrowed(old, new, "%s accepts less: it is limited to %s now (%s)", w.subject(), within, name)
	default:
		w.narrowed(old, new, "%s accepts less: %s %s", w.subject(), name, changed(old, new))
	}
}

// bare shows a number as it is and anything else in quotes.
func bare(n *snapshot.Node) string {
	if n.Type() == snapshot.Number {
		return window(valueText(n), 0, maxValue)
	}
	return quoted(n)
}

func isBool(n *snapshot.Node) bool { return n.Type() == snapshot.Bool }

func isZero(n *snapshot.Node) bool {
	return n.Type() == snapshot.Number && parseDecimal(n.Number()) == decimal{}
}
