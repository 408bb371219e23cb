package launch

import "strings"

// Expand replaces ${NAME} and ${NAME:-default}, the forms that clients' files
// use, by the values that lookup gives. A name without value and default calls
// missing and becomes empty. Anything else, $NAME included, stays as it is.
func Expand(text string, lookup func(string) (string, bool), missing func(name string)) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "${")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		inside, after, closed := strings.Cut(rest, "}")
		name, fallback, hasFallback := strings.Cut(inside, ":-")
		if !closed || !isVariableName(name) {
			b.WriteString("${")
			text = rest
			continue
		}
		value, ok := lookup(name)
		switch {
		case ok && (value != "" || !hasFallback):
			b.WriteString(value)
		case hasFallback:
			b.WriteString(fallback)
		default:
			missing(name)
		}
		text = after
	}
}

func isVariableName(s string) bool {
	for i, r := range s {
		letter := r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}

// IsEnvName reports whether the system can hold a variable of this name; a
// NAME=VALUE where a name is wanted is none.
func IsEnvName(s string) bool { return s != "" && !strings.ContainsAny(s, "=\x00") }
