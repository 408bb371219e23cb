package rules

import "strings"

// style is a way to join the words of a name. The zero value is none: single
// words, capitals, several separators.
type style string

// The styles by their usual names.
const (
	snake  style = "snake_case"
	kebab  style = "kebab-case"
	dotted style = "dot.case"
	camel  style = "camelCase"
	pascal style = "PascalCase"
)

// styleOf reads a name as both seeds do (snapshot-lint, section 3).
func styleOf(name string) style {
	switch {
	case joined(name, '_'):
		return snake
	case joined(name, '-'):
		return kebab
	case joined(name, '.'):
		return dotted
	}
	lead, humps, shortest, ok := humpsOf(name)
	switch {
	case !ok:
	case lead > 0 && humps >= 1 && name[0] >= 'a':
		return camel
	case lead == 0 && humps >= 2 && shortest >= 2:
		return pascal
	}
	return ""
}

// joined reports whether a name is at least two groups of small letters and
// digits with one separator between each.
func joined(name string, separator byte) bool {
	if strings.IndexByte(name, separator) < 0 {
		return false
	}
	group := 0 // characters of the current group
	for i := range len(name) {
		switch c := name[i]; {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			group++
		case c == separator && group > 0:
			group = 0
		default:
			return false
		}
	}
	return group > 0
}

// humpsOf counts the humps of a name, each a capital with the small letters
// and digits after it, and what leads to the first. ok is false when there is
// anything else in it.
func humpsOf(name string) (lead, humps, shortest int, ok bool) {
	shortest = len(name)
	start := 0 // of the current hump
	for i := range len(name) {
		switch c := name[i]; {
		case c >= 'A' && c <= 'Z':
			if humps == 0 {
				lead = i
			} else {
				shortest = min(shortest, i-start)
			}
			humps++
			start = i
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
		default:
			return 0, 0, 0, false
		}
	}
	return lead, humps, min(shortest, len(name)-start), true
}
