package lockfile

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// decodeRune is utf8.DecodeRuneInString that also reads the three-byte form of
// a lone surrogate (WTF-8), the way [snapshot.Node.Text] keeps it.
func decodeRune(s string) (rune, int) {
	if len(s) >= 3 && s[0] == 0xed && s[1]&0xe0 == 0xa0 && s[2]&0xc0 == 0x80 {
		return 0xd000 | rune(s[1]&0x3f)<<6 | rune(s[2]&0x3f), 3
	}
	return utf8.DecodeRuneInString(s)
}

func isSurrogate(r rune) bool { return utf16.IsSurrogate(r) }

func surrogates(r rune) (hi, lo rune) { return utf16.EncodeRune(r) }

// compareUTF16 orders texts by their UTF-16 code units, the order that RFC 8785
// (section 3.2.3) asks of member names. It differs from the order of bytes and
// code points only where characters from U+10000 on meet U+E000 to U+FFFF.
func compareUTF16(a, b string) int {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	if i == len(a) || i == len(b) || a[i] < 0xed && b[i] < 0xed {
		return strings.Compare(a[i:], b[i:])
	}
	// A byte from 0xed on starts a character, so both texts are at a boundary.
	return compareUnits(units(a[i:]), units(b[i:]))
}

// units returns the first code units of a text: enough to tell a lone
// surrogate from a pair that begins with it.
func units(s string) []rune {
	var us []rune
	for len(s) > 0 && len(us) < 2 {
		r, n := decodeRune(s)
		if r >= 0x10000 {
			hi, lo := surrogates(r)
			us = append(us, hi, lo)
		} else {
			us = append(us, r)
		}
		s = s[n:]
	}
	return us
}

func compareUnits(a, b []rune) int {
	for i := 0; i < len(a) && i < len(b); i++ {
		if a[i] != b[i] {
			return cmpInt(int64(a[i]), int64(b[i]))
		}
	}
	return cmpInt(len(a), len(b))
}

// foldLines turns CRLF into LF: what a model reads does not depend on the
// system that a server was checked out on. Several CR before an LF go at once,
// so that folding twice is folding once.
func foldLines(s string) string {
	if !strings.Contains(s, "\r\n") {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for {
		i := strings.Index(s, "\r\n")
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(strings.TrimRight(s[:i], "\r"))
		s = s[i+1:]
	}
}
