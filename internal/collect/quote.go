package collect

import (
	"bytes"
	"cmp"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// quoter knows what a server was handed and must not be heard to repeat.
type quoter struct {
	secrets *redactor
	command Command  // the zero value for a server that was not started
	address *url.URL // nil for one that was
}

// foreign makes a text of the server fit for one line of a message: secrets
// masked, hidden characters visible, not too long.
func (q quoter) foreign(text string) string { return q.quoted([]byte(text)) }

// quoted is foreign for what may be as long as a message of the server. Of that
// only the beginning is looked at: far more than is kept, and a secret that the
// cut divides is left out with the rest.
func (q quoter) quoted(raw []byte) string {
	const (
		longest = 300 // runes that are kept
		enough  = 4 << 10
	)
	masks := q.masks()
	rest := q.secrets.longest // bytes that may be a part of a secret
	for value := range masks {
		rest = max(rest, len(value))
	}
	folded, whole := fold(raw, enough+rest)
	text := q.mask(folded, masks)
	if !whole {
		text = strings.ToValidUTF8(text[:max(0, len(text)-rest)], "")
	}
	if runes := []rune(text); len(runes) > longest {
		text = string(runes[:longest]) + "…"
	}
	return snapshot.Visible(text)
}

// fold writes a text on one line, with single blanks, and stops at that many
// bytes; whole tells that there were no more.
func fold(raw []byte, limit int) (folded string, whole bool) {
	var b []byte
	for field := range bytes.FieldsSeq(raw) {
		if len(b) > 0 {
			b = append(b, ' ')
		}
		if b = append(b, field[:min(len(field), limit)]...); len(b) >= limit {
			return string(b[:limit]), false
		}
	}
	return string(b), true
}

// masks are what the server was handed, with what stands in its place in a
// message: the values of its variables, the words of its command line, which may
// hold a token too, and the path of its address. Shorter ones ("1", "true") are
// no secrets and would make nonsense of a text.
func (q quoter) masks() map[string]string {
	masks := make(map[string]string)
	hide := func(value, mask string) {
		for _, form := range []string{value, strings.Join(strings.Fields(value), " ")} {
			if len(form) >= shortestSecret {
				masks[form] = mask
			}
		}
	}
	for i, word := range q.command.Argv {
		if i == 0 && !strings.ContainsAny(word, `/\`) {
			continue // a program's name: node
		}
		hide(word, "[argument]")
		if _, value, ok := strings.Cut(word, "="); ok {
			hide(value, "[argument]")
		}
	}
	if q.address != nil {
		// Some addresses have a key in their path, which is long; a short part
		// of one is a word of many a text.
		const short = 16
		for _, path := range []string{q.address.Path, q.address.EscapedPath()} {
			for _, part := range strings.Split(path, "/") {
				if len(part) >= short {
					hide(part, "[path]")
				}
			}
		}
	}
	for _, value := range q.command.Env {
		hide(value, redacted)
	}
	return masks
}

// mask replaces what the server was handed, should it repeat it.
func (q quoter) mask(text string, masks map[string]string) string {
	if q.address != nil {
		for _, path := range []string{q.address.EscapedPath(), q.address.Path} {
			if len(path) >= shortestSecret {
				// Behind a slash it is the host of another address.
				text = regexp.MustCompile(`(^|[^/])`+regexp.QuoteMeta(path)).ReplaceAllString(text, "${1}[path]")
			}
		}
	}
	// Longest first: one secret may be the beginning of another.
	values := slices.SortedFunc(maps.Keys(masks), func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	for _, value := range values {
		text = strings.ReplaceAll(text, value, masks[value])
	}
	return q.secrets.text(text) // in other forms, and those of a remote server
}
