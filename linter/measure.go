package linter

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// measure is what one look at the source text of an entity tells.
type measure struct {
	// chars is the number of characters of the compact JSON: no white space
	// between tokens, \u escapes counted as the character that they stand for.
	chars int
	// plain tells that there is nothing but ASCII, no \u escape, and nothing
	// that erases (DEL, \b).
	plain bool
}

// sizes are the characters of an entity and of parts of it.
type sizes struct {
	measure
	description, input, output int
}

// measureEntity measures a definition and its parts in one pass: the parts are
// members, and what lies between members is measured by itself.
func measureEntity(n *snapshot.Node) sizes {
	s := sizes{measure: measure{plain: true}}
	raw, base, at := n.Raw(), n.Start(), 0
	add := func(end int) int {
		m := measureJSON(raw[at:end])
		s.chars += m.chars
		s.plain = s.plain && m.plain
		at = end
		return m.chars
	}
	members := n.Members()
	for i := range members {
		value := members[i].Value
		var part *int // of equal names the last one counts
		switch members[i].Name {
		case "description":
			part = &s.description
		case "inputSchema":
			part = &s.input
		case "outputSchema":
			part = &s.output
		default:
			continue
		}
		add(value.Start() - base)
		*part = add(value.End() - base)
	}
	add(len(raw))
	return s
}

// The classes of bytes that measureJSON tells apart.
const (
	ordinary = iota
	space
	quote
	backslash
	continuation
	lead
	erase
)

var byteClass = func() (class [256]uint8) {
	for i := range class {
		switch c := byte(i); {
		case c == ' ' || c == '\n' || c == '\r' || c == '\t':
			class[i] = space
		case c == '"':
			class[i] = quote
		case c == '\\':
			class[i] = backslash
		case c == 0x7F:
			class[i] = erase
		case c >= utf8.RuneSelf && !utf8.RuneStart(c):
			class[i] = continuation
		case c >= utf8.RuneSelf:
			class[i] = lead
		}
	}
	return class
}()

// measureJSON reads JSON that has been parsed before, or a piece of it that
// begins and ends between tokens.
func measureJSON(raw []byte) measure {
	m := measure{plain: true}
	chars := len(raw)
	inText := false
	for i := 0; i < len(raw); i++ {
		if inText {
			if i += ordinaryRun(raw[i:]); i == len(raw) {
				break
			}
		}
		switch byteClass[raw[i]] {
		case space:
			if !inText {
				chars--
			}
		case quote:
			inText = !inText
		case backslash:
			i++
			switch raw[i] {
			case 'u':
				m.plain = false
				chars -= 5
				if isLowSurrogate(raw[i+1:]) {
					chars-- // its other half has been counted
				}
			case 'b':
				m.plain = false
			}
		case continuation:
			chars--
		case lead, erase:
			m.plain = false
		}
	}
	m.chars = chars
	return m
}

// ordinaryRun returns how many bytes at the start of a piece of a text are
// ordinary or blanks. It looks at eight at a time and may stop early, at the
// end of the piece.
func ordinaryRun(text []byte) int {
	const (
		ones  = 0x0101010101010101
		highs = 0x8080808080808080
	)
	for n := 0; ; n += 8 {
		if len(text)-n < 8 {
			return n
		}
		x := binary.LittleEndian.Uint64(text[n:])
		// A byte of these is 0 where x has the character, and the lowest high bit
		// that subtracting 1 raises tells where.
		quotes, slashes, deletes := x^(ones*'"'), x^(ones*'\\'), x^(ones*0x7F)
		special := (x | (quotes-ones)&^quotes | (slashes-ones)&^slashes | (deletes-ones)&^deletes) & highs
		if special != 0 {
			return n + bits.TrailingZeros64(special)/8
		}
	}
}

// isLowSurrogate looks at the hex digits of an escape.
func isLowSurrogate(digits []byte) bool {
	return digits[0]|0x20 == 'd' && digits[1]|0x20 >= 'c' && digits[1]|0x20 <= 'f'
}
