package launch

import "strings"

// Expand replaces ${NAME} and ${NAME:-default}, and the forms ${env:NAME} and
// {env:NAME} that some clients have for the same, by the values that lookup
// gives. A name without value and default calls missing and becomes empty, and so
// does what a client asks its user for: ${input:NAME}, ${user_config.NAME}.
// Anything else, $NAME included, stays as it is.
func Expand(text string, lookup func(string) (string, bool), missing func(name string)) string {
	var b strings.Builder
	for {
		at := strings.Index(text, "{")
		if at < 0 {
			b.WriteString(text)
			return b.String()
		}
		before, rest := text[:at], text[at+1:]
		dollar := strings.HasSuffix(before, "$")
		inside, after, closed := strings.Cut(rest, "}")
		name, fallback, hasFallback := strings.Cut(inside, ":-")
		bare := name
		if plain, ok := strings.CutPrefix(name, "env:"); ok {
			bare = plain
		} else if !dollar {
			closed = false
		}
		switch {
		case !closed:
		case isVariableName(bare):
			b.WriteString(strings.TrimSuffix(before, "$"))
			value, ok := lookup(bare)
			switch {
			case ok && (value != "" || !hasFallback):
				b.WriteString(value)
			case hasFallback:
				b.WriteString(fallback)
			default:
				missing(bare)
			}
			text = after
			continue
		case dollar && isAsked(inside):
			b.WriteString(strings.TrimSuffix(before, "$"))
			missing(inside)
			text = after
			continue
		}
		b.WriteString(before + "{")
		text = rest
	}
}

// isAsked tells a value that the client asks its user for.
func isAsked(name string) bool {
	for _, prefix := range []string{"input:", "user_config."} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
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
