package prose

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// alike are letters that pass for ASCII ones and are not in Unicode's data,
// which maps them to small capitals or to nothing.
const alike = "вbкkмmнhтtкkпnиuяrзz" + "εeηnτtκkμuωwπn" + "ʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴘpʀrꜱsᴛtᴠvᴡwʏyᴢzøođdħhłlŧt"

// alikes is both lists; the value is always one ASCII letter.
var alikes = sync.OnceValue(func() map[rune]byte {
	table := map[rune]byte{}
	for _, list := range [...]string{lookalikes, alike} {
		runes := []rune(list)
		for i := 0; i+1 < len(runes); i += 2 {
			table[runes[i]] = byte(runes[i+1])
		}
	}
	return table
})

// mostParts is what is kept of a character's decomposition. A few Arabic signs
// stand for whole phrases.
const mostParts = 4

// fold writes a text as someone would read it aloud: compatibility forms as
// plain letters, no marks on letters, letters that look like ASCII ones as
// those, nothing invisible, straight quotes. What it returns is at most a few
// times longer than the text.
//
// Other alphabets come out mangled, but always in the same way, so phrases
// that are folded as well still match.
func fold(text string) string {
	if isASCII(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	var buf [utf8.UTFMax * 18]byte // the longest decomposition has 18 characters
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if n := plainLength(text[i:]); n > 0 {
				b.WriteString(text[i : i+n])
				i += n
				continue
			} else if skip := escapeSequence(text[i:]); skip > 0 {
				i += skip
				continue
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if a := asASCII(r); a != 0 {
			b.WriteByte(a)
		} else {
			parts := 0
			for _, part := range string(norm.NFKD.AppendString(buf[:0], text[i:i+size])) {
				if parts++; parts <= mostParts {
					foldRune(&b, part)
				}
			}
		}
		i += size
	}
	return b.String()
}

func foldRune(b *strings.Builder, r rune) {
	switch {
	case r < utf8.RuneSelf:
		b.WriteRune(r)
	case unicode.Is(unicode.Mn, r), unicode.Is(unicode.Me, r), invisible(r):
	case unicode.IsSpace(r):
		b.WriteByte(' ')
	default:
		if a := asASCII(r); a != 0 {
			b.WriteByte(a)
			return
		}
		lower := unicode.ToLower(r)
		for _, form := range [...]rune{r, lower} {
			if a, ok := alikes()[form]; ok {
				b.WriteByte(a)
				return
			}
		}
		b.WriteRune(lower)
	}
}

// asASCII gives punctuation its plain form, and letters in frames their letter;
// 0 for everything else.
func asASCII(r rune) byte {
	switch r {
	case '\u2018', '\u2019', '\u201b', '\u02bc', '\u00b4', '\u02b9', '\u2032', '\u055a', '\ua78c':
		return '\''
	case '\u201c', '\u201d', '\u201e', '\u201f', '\u00ab', '\u00bb', '\u2033', '\u300c', '\u300d', '\u300e', '\u300f':
		return '"'
	case '\u2010', '\u2011':
		return '-'
	case '\u3002', '\uff61', '\u06d4', '\u0964', '\u2026':
		return '.'
	case '\u061f':
		return '?'
	case '\u060c', '\u3001':
		return ','
	case '\u2013', '\u2014', '\u2015', '\u2022', '\u2212':
		return ';' // a pause
	}
	for _, frame := range [...]rune{0x1F150, 0x1F170, 0x1F1E6} {
		if r >= frame && r < frame+26 {
			return byte('a' + r - frame)
		}
	}
	return 0
}

// escapeSequence returns the length of a terminal's escape sequence.
func escapeSequence(text string) int {
	if len(text) < 2 || text[0] != 0x1B || text[1] != '[' {
		return 0
	}
	for i := 2; i < len(text) && i < 32; i++ {
		if text[i] >= '@' && text[i] <= '~' {
			return i + 1
		}
	}
	return 0
}

// invisible reports whether a character shows nothing and is no white space.
func invisible(r rune) bool {
	switch {
	case r < 0x7F && r >= ' ', r >= '\t' && r <= '\r', r == 0x85:
		return false
	case r < 0xA0, r == 0xAD, r == 0x180E, r >= 0x200B && r <= 0x200F, r >= 0x202A && r <= 0x202E,
		r >= 0x2060 && r <= 0x206F, r == 0xFEFF, r >= 0xFFF9 && r <= 0xFFFB,
		r >= 0x1BCA0 && r <= 0x1BCA3, r >= 0x1D173 && r <= 0x1D17A, r >= 0xE0000 && r <= 0xE0FFF:
		return true
	}
	return unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

func isASCII(text string) bool { return plainLength(text) == len(text) }

// plainLength returns how much of the start of a text is ASCII without control
// characters other than TAB, LF and the like.
func plainLength(text string) int {
	for i := range len(text) {
		if c := text[i]; c >= 0x7F || c < ' ' && (c < '\t' || c > '\r') {
			return i
		}
	}
	return len(text)
}

// lowerASCII keeps every offset.
func lowerASCII(text string) string {
	for i := range len(text) {
		if c := text[i]; c >= 'A' && c <= 'Z' {
			b := []byte(text)
			for j := i; j < len(b); j++ {
				if c := b[j]; c >= 'A' && c <= 'Z' {
					b[j] = c + 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return text
}

// foldPunctuation is [fold] for what is not a letter: quotes, dashes, blanks.
func foldPunctuation(text string) string {
	if isASCII(text) {
		return text
	}
	return strings.Map(func(r rune) rune {
		if a := asASCII(r); a != 0 && !unicode.IsLetter(rune(a)) {
			return rune(a)
		}
		if unicode.IsSpace(r) && r >= utf8.RuneSelf {
			return ' '
		}
		return r
	}, text)
}

// LooksLatin reports whether a letter of another script passes for an ASCII
// letter.
func LooksLatin(r rune) bool {
	if r < utf8.RuneSelf || unicode.Is(unicode.Latin, r) || !unicode.IsLetter(r) || unicode.In(r, unicode.Arabic, unicode.Hebrew, unicode.Han) {
		return false
	}
	_, ok := alikes()[r]
	return ok
}

// Plain returns a text as it reads: see [fold].
func Plain(text string) string { return fold(text) }
