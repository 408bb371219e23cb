package linter

import "strings"

// Words splits a name into its words: a capital after a lower-case letter or a
// digit starts one, everything outside A–Z a–z 0–9 separates. They are
// lower-cased (HTTPServer stays one word, httpserver).
func Words(name string) []string {
	var words []string
	var word []byte
	end := func() {
		if len(word) > 0 {
			words = append(words, string(word))
			word = word[:0]
		}
	}
	lower := false // the last character was a lower-case letter or a digit
	for i := range len(name) {
		switch c := name[i]; {
		case c >= 'A' && c <= 'Z':
			if lower {
				end()
			}
			word = append(word, c+'a'-'A')
			lower = false
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			word = append(word, c)
			lower = true
		default:
			end()
			lower = false
		}
	}
	end()
	return words
}

// blanks is the white space of ECMAScript, which both seeds trim. Go's
// [strings.TrimSpace] knows neither U+FEFF nor leaves U+0085 alone.
const blanks = "\t\n\v\f\r \u00a0\u1680" +
	"\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a" +
	"\u2028\u2029\u202f\u205f\u3000\ufeff"

// Trim removes the white space of ECMAScript from both ends.
func Trim(text string) string { return strings.Trim(text, blanks) }

// IsBlank reports whether a text has nothing but white space.
func IsBlank(text string) bool { return Trim(text) == "" }

// Length is the number of UTF-16 code units of a text: the length that
// JavaScript reports. Invalid bytes count one each, a lone surrogate one.
func Length(text string) int {
	units := 0
	for i := range len(text) {
		switch c := text[i]; {
		case c < 0x80 || c >= 0xC0 && c < 0xF0:
			units++
		case c >= 0xF0:
			units += 2
		}
	}
	return units
}
