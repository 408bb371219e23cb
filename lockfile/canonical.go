package lockfile

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"unicode/utf8"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// Canonical returns the canonical form of a value: RFC 8785 (no white space,
// members sorted by the UTF-16 code units of their names, the shortest
// escapes, UTF-8) with four differences, each because RFC 8785 could not keep
// what a server said or would report what nobody reads:
//
//   - a number keeps its exact decimal value: 10, 10.0 and 1e1 are 10, while
//     9007199254740993 stays (RFC 8785 makes it 9007199254740992). The spelling
//     is RFC 8785's, with all digits. An exponent of more than 17 digits is kept
//     as written.
//   - a lone surrogate stays a \udXXX escape, in lower-case hex (RFC 8785 fails).
//   - CRLF inside a text is LF, and so is an LF after several CR. Names of members
//     and what [isData] tells are left alone.
//   - of members with one name the last counts (RFC 8785 fails); [Capture]
//     refuses them before.
//
// testdata/canonical-vectors.json holds test vectors for other
// implementations. The canonical form of a nil node is empty.
func Canonical(n *snapshot.Node) []byte {
	return canonicalWriter{}.value(nil, n)
}

// Hash returns the SHA-256 of the canonical form in lower-case hex.
func Hash(n *snapshot.Node) string {
	sum := sha256.Sum256(Canonical(n))
	return hex.EncodeToString(sum[:])
}

// canonicalWriter appends canonical forms. Its zero value writes [Canonical].
type canonicalWriter struct {
	// omit names members to leave out of the outermost object.
	omit func(name string) bool
	// inner gives the omit function of the value of one of its members, nil for
	// none.
	inner func(name string) func(string) bool
	// anyOrder sorts the elements of arrays by their canonical form, for the
	// question whether two values differ in more than order.
	anyOrder bool
	// data leaves the ends of lines in strings as they are.
	data bool
}

func (w canonicalWriter) value(b []byte, n *snapshot.Node) []byte {
	switch n.Type() {
	case snapshot.Null:
		return append(b, "null"...)
	case snapshot.Bool:
		if v, _ := n.Bool(); v {
			return append(b, "true"...)
		}
		return append(b, "false"...)
	case snapshot.Number:
		return appendNumber(b, n.Number())
	case snapshot.String:
		if w.data {
			return appendString(b, n.Text(), false)
		}
		return appendString(b, foldLines(n.Text()), false)
	case snapshot.Array:
		return w.array(b, n)
	case snapshot.Object:
		return w.object(b, n)
	}
	return b
}

func (w canonicalWriter) array(b []byte, n *snapshot.Node) []byte {
	inner := canonicalWriter{anyOrder: w.anyOrder, data: w.data}
	var parts [][]byte
	b = append(b, '[')
	for i, e := range n.Elements() {
		if w.anyOrder {
			parts = append(parts, inner.value(nil, e))
			continue
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = inner.value(b, e)
	}
	slices.SortFunc(parts, bytes.Compare)
	b = append(b, bytes.Join(parts, []byte(","))...)
	return append(b, ']')
}

func (w canonicalWriter) object(b []byte, n *snapshot.Node) []byte {
	b = append(b, '{')
	first := true
	for _, m := range sortedMembers(n) {
		if w.omit != nil && w.omit(m.Name) {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = appendString(b, m.Name, false)
		b = append(b, ':')
		below := canonicalWriter{anyOrder: w.anyOrder, data: w.data || isData(m)}
		if w.inner != nil {
			below.omit = w.inner(m.Name)
		}
		b = below.value(b, m.Value)
	}
	return append(b, '}')
}

// sortedMembers returns an object's members in canonical order, of equal names
// only the last.
func sortedMembers(n *snapshot.Node) []snapshot.Member {
	ms := n.Members()
	if slices.IsSortedFunc(ms, func(a, b snapshot.Member) int {
		if c := compareUTF16(a.Name, b.Name); c != 0 {
			return c
		}
		return 1 // equal names: not sorted, so that the last one is picked below
	}) {
		return ms
	}
	ms = slices.Clone(ms)
	slices.SortStableFunc(ms, func(a, b snapshot.Member) int { return compareUTF16(a.Name, b.Name) })
	out := ms[:0]
	for i, m := range ms {
		if i+1 < len(ms) && ms[i+1].Name == m.Name {
			continue
		}
		out = append(out, m)
	}
	return out
}

// isData tells members whose strings programs compare sign by sign, in which CRLF
// is not LF: what a schema allows, demands and refers to, and the names of
// things. A parameter may have such a name as well, and then holds a schema.
func isData(m snapshot.Member) bool {
	switch m.Name {
	case "name", "uri", "uriTemplate":
		return m.Value.IsText()
	case "const", "dependentRequired":
		return true
	case "dependencies": // of names only
		return m.Value.Type() == snapshot.Object && !slices.ContainsFunc(m.Value.Members(), func(m snapshot.Member) bool { return m.Value.Type() != snapshot.Array })
	}
	switch classOf(m.Name) {
	case typeKeyword, valuesKeyword, factKeyword, requiredList, exactKeyword:
		return m.Value.Type() != snapshot.Object
	}
	return false
}

// dataOf is the canonical form of a value below a member that [isData] tells.
func dataOf(n *snapshot.Node) string {
	return string(canonicalWriter{data: true}.value(nil, n))
}

// sameData is same below such a member.
func sameData(a, b *snapshot.Node) bool {
	return a.Type() == b.Type() && (bytes.Equal(a.Raw(), b.Raw()) || dataOf(a) == dataOf(b))
}

// same reports whether two values have one canonical form. An absent value is
// the same as an absent value only.
func same(a, b *snapshot.Node) bool {
	if a.Type() != b.Type() {
		return false
	}
	return bytes.Equal(a.Raw(), b.Raw()) || bytes.Equal(Canonical(a), Canonical(b))
}

const hexDigits = "0123456789abcdef"

// appendString appends a JSON string. The text may hold lone surrogates in
// their three-byte form, as [snapshot.Node.Text] gives them. With ascii,
// everything from U+007F on becomes an escape.
func appendString(b []byte, s string, ascii bool) []byte {
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = decodeRune(s[i:])
		}
		if !escaped(r, size, ascii) {
			i += size
			continue
		}
		b = append(b, s[start:i]...)
		b = appendEscape(b, r)
		i += size
		start = i
	}
	b = append(b, s[start:]...)
	return append(b, '"')
}

func escaped(r rune, size int, ascii bool) bool {
	switch {
	case r < 0x7f:
		return r < ' ' || r == '"' || r == '\\'
	case ascii:
		return true
	}
	return isSurrogate(r) || r == utf8.RuneError && size == 1
}

func appendEscape(b []byte, r rune) []byte {
	switch r {
	case '"', '\\':
		return append(b, '\\', byte(r))
	case '\b':
		return append(b, `\b`...)
	case '\t':
		return append(b, `\t`...)
	case '\n':
		return append(b, `\n`...)
	case '\f':
		return append(b, `\f`...)
	case '\r':
		return append(b, `\r`...)
	}
	if r >= 0x10000 {
		hi, lo := surrogates(r)
		return appendUnit(appendUnit(b, hi), lo)
	}
	return appendUnit(b, r)
}

func appendUnit(b []byte, u rune) []byte {
	return append(b, '\\', 'u', hexDigits[u>>12&15], hexDigits[u>>8&15], hexDigits[u>>4&15], hexDigits[u&15])
}
