package linter

import "unicode/utf8"

// measure is what one look at the source text of an entity tells.
type measure struct {
	// chars is the number of characters of the compact JSON: no white space
	// between tokens, \u escapes counted as the character that they stand for.
	chars int
	// plain tells that there is nothing but ASCII, no \u escape, and nothing
	// that erases (DEL, \b).
	plain bool
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

// measureJSON reads JSON that has been parsed before.
func measureJSON(raw []byte) measure {
	m := measure{plain: true}
	chars := len(raw)
	inText := false
	for i := 0; i < len(raw); i++ {
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

// isLowSurrogate looks at the hex digits of an escape.
func isLowSurrogate(digits []byte) bool {
	return digits[0]|0x20 == 'd' && digits[1]|0x20 >= 'c' && digits[1]|0x20 <= 'f'
}
