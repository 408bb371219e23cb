package snapshot

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible rewrites a foreign text so that one line of a terminal, a log or a
// message shows all of it and obeys none of it: every control, bidi, TAG,
// zero-width or otherwise unprintable character becomes \u{E0041} (upper-case
// hex, no leading zeros), a lone surrogate \u{D83D}, any other byte that is no
// UTF-8 \x{FF}; line feed, carriage return and tab become \n, \r and \t.
//
// What shows something in its place stays: emoji with their joiners and
// variation selectors, the three flags made of TAG letters, and the joiners
// that Arabic and Indic scripts are written with.
func Visible(text string) string {
	if plain(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text) + len(text)/8)
	var before context
	for i := 0; i < len(text); {
		if unit, ok := loneSurrogate(text[i:]); ok {
			fmt.Fprintf(&b, `\u{%X}`, unit)
			before = context{}
			i += 3
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		rest := text[i+size:]
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x{%X}`, text[i])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case invisible(r) && !before.needs(r, rest):
			fmt.Fprintf(&b, `\u{%X}`, r)
		default:
			if r == blackFlag {
				size += FlagTags(rest)
			}
			b.WriteString(text[i : i+size])
			before = before.next(r)
			i += size
			continue
		}
		before = context{}
		i += size
	}
	return b.String()
}

func plain(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] >= 0x7F {
			return false
		}
	}
	return true
}

const (
	blackFlag    = 0x1F3F4
	joiner       = 0x200D
	nonJoiner    = 0x200C
	textStyle    = 0xFE0E
	emojiStyle   = 0xFE0F
	brailleBlank = 0x2800
)

// invisible reports whether r shows nothing, or nothing but an effect on the
// text around it.
func invisible(r rune) bool {
	switch r {
	case 0xA0, 0x202F, 0x3000: // blanks of French and East Asian texts
		return false
	case brailleBlank:
		return true
	}
	if unicode.IsPrint(r) {
		// Fillers and selectors that count as letters and marks.
		return unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || unicode.Is(unicode.Variation_Selector, r)
	}
	return !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// FlagTags returns the length of the TAG letters that make a black flag that
// of England, Scotland or Wales: the only such flags that are drawn
// (Unicode emoji-sequences.txt, RGI_Emoji_Tag_Sequence). rest is the text after
// the flag; after any other black flag such letters are hidden.
func FlagTags(rest string) int {
	for _, region := range [...]string{"gbeng", "gbsct", "gbwls"} {
		var tags strings.Builder
		for _, c := range region {
			tags.WriteRune(0xE0000 + c)
		}
		tags.WriteRune(0xE007F)
		if strings.HasPrefix(rest, tags.String()) {
			return tags.Len()
		}
	}
	return 0
}

// context is what stands before a character, as far as joiners and selectors
// depend on it.
type context struct {
	last rune // the last character, 0 after one that was rewritten
	base rune // the symbol that last belongs to, when last is a selector or skin tone
}

func (c context) next(r rune) context {
	if r == emojiStyle || r == textStyle || r >= 0x1F3FB && r <= 0x1F3FF && symbol(c.last) {
		return context{last: r, base: c.last}
	}
	return context{last: r, base: r}
}

// needs reports whether r, in itself invisible, is part of what is shown.
func (c context) needs(r rune, rest string) bool {
	switch r {
	case emojiStyle, textStyle:
		if symbol(c.last) {
			return true
		}
		// Keycaps: digit, selector, enclosing keycap.
		return strings.ContainsRune("0123456789#*", c.last) && strings.HasPrefix(rest, "\u20e3")
	case joiner, nonJoiner:
		following, _ := utf8.DecodeRuneInString(rest)
		if r == joiner && symbol(c.base) && symbol(following) {
			return true
		}
		return joining(c.last) && joining(following)
	}
	return false
}

// symbol reports whether r may be an emoji: whether a selector may ask for its
// coloured or its plain form (Unicode emoji-variation-sequences.txt). All such
// characters but the keycaps and these five are symbols.
func symbol(r rune) bool {
	switch r {
	case 0x203C, 0x2049, 0x2139, 0x3030, 0x303D: // ‼ ⁉ ℹ 〰 〽
		return true
	}
	// RuneError counts as a symbol, but stands for bytes that are rewritten.
	return r > 0x7F && r != utf8.RuneError && unicode.Is(unicode.S, r)
}

// joining reports whether r is a letter or mark of a script that is written
// with joiners.
func joining(r rune) bool {
	return unicode.In(r, unicode.Arabic, unicode.Syriac, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi,
		unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam,
		unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Mongolian)
}
