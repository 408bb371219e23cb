package snapshot

import (
	"unicode/utf16"
	"unicode/utf8"
)

// unescape decodes the inside of a JSON string literal that the tokenizer has
// accepted. A \u escape that is half of a surrogate pair becomes three bytes
// of WTF-8, and lone is true.
func unescape(literal string) (text string, lone bool) {
	out := make([]byte, 0, len(literal))
	for i := 0; i < len(literal); {
		c := literal[i]
		if c != '\\' {
			out = append(out, c)
			i++
			continue
		}
		c = literal[i+1]
		if c != 'u' {
			out = append(out, plainEscape(c))
			i += 2
			continue
		}
		unit := hex4(literal[i+2:])
		i += 6
		if !utf16.IsSurrogate(unit) {
			out = utf8.AppendRune(out, unit)
			continue
		}
		if i+6 <= len(literal) && literal[i] == '\\' && literal[i+1] == 'u' {
			if r := utf16.DecodeRune(unit, hex4(literal[i+2:])); r != utf8.RuneError {
				out = utf8.AppendRune(out, r)
				i += 6
				continue
			}
		}
		lone = true
		out = append(out, 0xE0|byte(unit>>12), 0x80|byte(unit>>6)&0x3F, 0x80|byte(unit)&0x3F)
	}
	return string(out), lone
}

func plainEscape(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c // quote, backslash, slash
}

// hex4 reads the four hex digits of a \u escape.
func hex4(s string) rune {
	var r rune
	for i := range 4 {
		c := s[i]
		switch {
		case c >= 'a':
			c -= 'a' - 10
		case c >= 'A':
			c -= 'A' - 10
		default:
			c -= '0'
		}
		r = r<<4 | rune(c)
	}
	return r
}

// loneSurrogate returns the surrogate whose three bytes of WTF-8 start s.
func loneSurrogate(s string) (unit rune, ok bool) {
	if len(s) < 3 || s[0] != 0xED || s[1] < 0xA0 || s[1] > 0xBF || s[2]&0xC0 != 0x80 {
		return 0, false
	}
	return 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), true
}
