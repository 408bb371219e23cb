package lockfile

import (
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// maxPointer bounds the pointer of a change: the names in it may be megabytes,
// and one may be part of thousands of pointers.
const maxPointer = 4096

// pointer joins tokens to a JSON pointer (RFC 6901). Where it would be longer
// than maxPointer it is that of the nearest value above.
func pointer(tokens []string) string {
	p := ""
	for _, t := range tokens {
		if len(p)+len(t) > maxPointer {
			break
		}
		p = snapshot.AppendPointer(p, t)
	}
	return p
}

// tokens returns the tokens of a JSON pointer.
func tokens(pointer string) []string {
	var out []string
	for _, t := range strings.Split(pointer, "/")[1:] {
		out = append(out, strings.ReplaceAll(strings.ReplaceAll(t, "~1", "/"), "~0", "~"))
	}
	return out
}

// clip shortens a name that is going to be part of an excerpt.
func clip(name string) string {
	const most = 4 * maxExcerpt // bytes; enough for the excerpt's code points
	if len(name) > most {
		return name[:most]
	}
	return name
}
