package rules

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// hiddenClass is a kind of invisible character.
type hiddenClass uint8

const (
	visible hiddenClass = iota
	tagLetter
	bidiControl
	selector     // supplementary variation selector
	terminalCode // what starts an escape sequence, or erases
	controlCode  // any other control character
	zeroWidth
	// directionMark is a bidi control in right-to-left text, where it is usual.
	directionMark
)

func (c hiddenClass) String() string {
	return [...]string{
		"visible", "TAG letters", "bidi controls", "variation selectors", "terminal control characters",
		"control characters", "zero-width characters", "direction marks",
	}[c]
}

// hiddenRune is one invisible character of a text.
type hiddenRune struct {
	r     rune
	class hiddenClass
	// inWord: between two letters, where it splits a word for filters.
	inWord bool
}

// level is the severity under a preset; Off means that it has nothing against
// the character.
func (h hiddenRune) level(preset linter.Preset) severity.Level {
	switch preset {
	case linter.SnapshotPreset:
		return severity.Error
	case linter.Agents:
		switch {
		case h.class == tagLetter || h.class == bidiControl:
			return severity.Error
		case h.class == terminalCode || h.class == controlCode:
			return severity.Off
		case h.inWord && h.class != directionMark:
			return severity.Warning
		}
		return severity.Info
	}
	switch h.class {
	case zeroWidth, controlCode:
		return severity.Warning
	case directionMark:
		return severity.Off
	}
	return severity.Error
}

// seedHidden finds the second seed's set, less joiners in emoji sequences.
func seedHidden(text string) []hiddenRune {
	var hidden []hiddenRune
	var last rune
	for i, r := range text {
		class := visible
		switch {
		case r >= 0xE0000 && r <= 0xE007F:
			class = tagLetter
		case r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069, r == 0x200E, r == 0x200F:
			class = bidiControl
		case r == 0xAD, r == 0x180E, r >= 0x200B && r <= 0x200D, r >= 0x2060 && r <= 0x2064, r == 0xFEFF:
			class = zeroWidth
		}
		if class != visible && !(r == joiner && isEmojiPart(last) && isEmojiPart(firstRune(text[i+utf8.RuneLen(r):]))) {
			hidden = append(hidden, hiddenRune{r: r, class: class})
		}
		last = r
	}
	return hidden
}

// findHidden finds what our presets look for. Characters that are part of
// something visible are left out: joiners in emoji and in scripts that need
// them, the tags of a flag, a selector after what it selects a form of.
func findHidden(text string) []hiddenRune {
	var hidden []hiddenRune
	rtl := -1 // whether the text has right-to-left letters; -1: not known yet
	var last rune
	for i := 0; i < len(text); {
		if c := text[i]; c >= ' ' && c < 0x7F { // nearly all are
			last = rune(c)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		rest := text[i+size:]
		if r == blackFlag {
			size += snapshot.FlagTags(rest)
		}
		class := classify(r)
		if class == zeroWidth && isNeeded(last, r, rest) || class == selector && isIdeographVariant(last, r) {
			class = visible
		}
		if class == bidiControl && isDirectionMark(r) {
			if rtl < 0 {
				rtl = 0
				if strings.ContainsFunc(text, isRightToLeft) {
					rtl = 1
				}
			}
			if rtl == 1 {
				class = directionMark
			}
		}
		if class != visible {
			hidden = append(hidden, hiddenRune{r, class, isWordPart(last) && isWordPart(firstRune(rest))})
		}
		last = r
		i += size
	}
	return hidden
}

const (
	joiner    = 0x200D
	nonJoiner = 0x200C
	blackFlag = 0x1F3F4
)

// classify tells the kind of a character without looking around it.
func classify(r rune) hiddenClass {
	switch {
	case r < 0x7F && r >= ' ', r >= '\t' && r <= '\r':
		return visible
	case r == 0x1B, r == 0x9B, r == '\b', r == 0x7F:
		return terminalCode
	case r < ' ', r >= 0x80 && r < 0xA0 && r != 0x85:
		return controlCode
	case r >= 0xE0000 && r <= 0xE007F:
		return tagLetter
	case r >= 0xE0100 && r <= 0xE01EF:
		return selector
	case unicode.Is(unicode.Bidi_Control, r):
		return bidiControl
	case unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector),
		r == 0xAD, r >= 0x200B && r <= 0x200D, r >= 0x2060 && r <= 0x206F, r == 0xFEFF, r == 0x180E,
		r >= 0xFFF9 && r <= 0xFFFB, r >= 0x1BCA0 && r <= 0x1BCA3, r >= 0x1D173 && r <= 0x1D17A:
		return zeroWidth
	}
	return visible
}

// isNeeded reports whether a zero-width character is part of what is shown.
func isNeeded(last, r rune, rest string) bool {
	switch {
	case r == joiner && isEmojiPart(last) && isEmojiPart(firstRune(rest)):
		return true
	case r == joiner || r == nonJoiner:
		return isJoiningScript(last) && (r == joiner || isJoiningScript(firstRune(rest)))
	case r == 0x200B:
		// Scripts without spaces mark where a line may break.
		return isUnspacedScript(last) && isUnspacedScript(firstRune(rest))
	case r == 0xFE0E || r == 0xFE0F:
		return isSymbol(last) || strings.ContainsRune("0123456789#*", last) && firstRune(rest) == 0x20E3
	case r >= 0xFE00 && r <= 0xFE0D:
		return unicode.In(last, unicode.Han, unicode.Sm, unicode.Phags_Pa, unicode.Myanmar)
	case r >= 0x180B && r <= 0x180F:
		return unicode.Is(unicode.Mongolian, last) && unicode.IsLetter(last)
	}
	return false
}

// isIdeographVariant: an ideographic variation sequence, of which only the
// first selectors are registered. Whole alphabets are smuggled in the others.
func isIdeographVariant(last, r rune) bool {
	return r <= 0xE011F && unicode.Is(unicode.Han, last)
}

func firstRune(text string) rune {
	r, _ := utf8.DecodeRuneInString(text)
	return r
}

// isEmojiPart: an emoji, or what makes one another.
func isEmojiPart(r rune) bool { return isSymbol(r) || r == 0xFE0F }

// isSymbol: may be an emoji. Skin tones are modifier symbols; five emoji are
// punctuation or letters.
func isSymbol(r rune) bool {
	return r > 0x7F && (unicode.Is(unicode.S, r) || r == 0x203C || r == 0x2049 || r == 0x2139 || r == 0x3030 || r == 0x303D)
}

// isJoiningScript: a letter or mark of a script that is written with joiners.
func isJoiningScript(r rune) bool {
	return r > 0x7F && (unicode.IsLetter(r) || unicode.IsMark(r)) && unicode.In(r,
		unicode.Arabic, unicode.Syriac, unicode.Nko, unicode.Mongolian, unicode.Devanagari, unicode.Bengali,
		unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada,
		unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Tibetan)
}

func isUnspacedScript(r rune) bool {
	return r > 0x7F && unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

func isDirectionMark(r rune) bool { return r == 0x200E || r == 0x200F || r == 0x061C }

func isRightToLeft(r rune) bool {
	return r >= 0x0590 && unicode.IsLetter(r) && unicode.In(r,
		unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Samaritan,
		unicode.Mandaic, unicode.Adlam, unicode.Hanifi_Rohingya)
}

func isWordPart(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)) && classify(r) == visible
}
