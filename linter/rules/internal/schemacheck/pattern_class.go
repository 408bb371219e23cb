package schemacheck

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/language"
)

// class consumes a character class.
func (p *patternParser) class() error {
	p.at++
	p.take("^")
	for p.at < len(p.text) {
		if p.take("]") {
			return nil
		}
		low, single, err := p.classAtom()
		if err != nil {
			return err
		}
		rest := p.text[p.at:]
		if !strings.HasPrefix(rest, "-") || strings.HasPrefix(rest, "-]") || rest == "-" {
			continue
		}
		p.at++
		high, singleHigh, err := p.classAtom()
		switch {
		case err != nil:
			return err
		case !single || !singleHigh:
			return errors.New("a range in a class needs two characters")
		case low > high:
			return fmt.Errorf("range %q-%q in a class is out of order", low, high)
		}
	}
	return errors.New("unterminated character class")
}

// classAtom consumes one member of a class; single tells that it stands for
// exactly the one character r.
func (p *patternParser) classAtom() (r rune, single bool, err error) {
	if p.text[p.at] == '\\' {
		return p.character(true)
	}
	r, size := utf8.DecodeRuneInString(p.text[p.at:])
	p.at += size
	return r, true, nil
}

// character consumes an escape that stands for a character or a set of them.
func (p *patternParser) character(inClass bool) (r rune, single bool, err error) {
	p.at++
	if p.at == len(p.text) {
		return 0, false, errors.New(`\ at the end`)
	}
	c, size := utf8.DecodeRuneInString(p.text[p.at:])
	p.at += size
	switch c {
	case 'd', 'D', 's', 'S', 'w', 'W':
		return 0, false, nil
	case 'p', 'P':
		return 0, false, p.property()
	case 'f', 'n', 'r', 't', 'v':
		return map[rune]rune{'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v'}[c], true, nil
	case '0':
		if p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
			return 0, false, errors.New(`octal escape`)
		}
		return 0, true, nil
	case 'c':
		if p.at < len(p.text) && unicode.IsLetter(rune(p.text[p.at])) && p.text[p.at] < utf8.RuneSelf {
			p.at++
			return rune(p.text[p.at-1] & 31), true, nil
		}
		return 0, false, errors.New(`\c without a letter`)
	case 'x':
		if v, ok := p.hex(2); ok {
			return v, true, nil
		}
		return 0, false, errors.New(`\x without two hex digits`)
	case 'u':
		r, err := p.unicodeEscape()
		return r, true, err
	case '^', '$', '\\', '.', '*', '+', '?', '(', ')', '[', ']', '{', '}', '|', '/':
		return c, true, nil
	case 'b':
		if inClass {
			return '\b', true, nil
		}
	case '-':
		if inClass {
			return '-', true, nil
		}
	}
	return 0, false, fmt.Errorf(`invalid escape \%c`, c)
}

func (p *patternParser) hex(n int) (rune, bool) {
	if p.at+n > len(p.text) || strings.ContainsAny(p.text[p.at:p.at+n], "+-_") {
		return 0, false
	}
	v, err := strconv.ParseUint(p.text[p.at:p.at+n], 16, 32)
	if err != nil {
		return 0, false
	}
	p.at += n
	return rune(v), true
}

func (p *patternParser) unicodeEscape() (rune, error) {
	if p.take("{") {
		end := strings.IndexByte(p.text[p.at:], '}')
		if end > 0 {
			digits := strings.TrimLeft(p.text[p.at:p.at+end], "0")
			if digits == "" {
				p.at += end + 1
				return 0, nil
			}
			v, err := strconv.ParseUint(digits, 16, 32)
			if err == nil && v <= unicode.MaxRune && !strings.ContainsAny(digits, "+-_") {
				p.at += end + 1
				return rune(v), nil
			}
		}
		return 0, errors.New(`\u{} needs a code point`)
	}
	r, ok := p.hex(4)
	if !ok {
		return 0, errors.New(`\u without four hex digits`)
	}
	if utf16.IsSurrogate(r) && strings.HasPrefix(p.text[p.at:], `\u`) {
		back := p.at
		p.at += 2
		if low, ok := p.hex(4); ok {
			if pair := utf16.DecodeRune(r, low); pair != unicode.ReplacementChar {
				return pair, nil
			}
		}
		p.at = back
	}
	return r, nil
}

// property consumes the braces of \p and checks what they name.
func (p *patternParser) property() error {
	end := -1
	if p.take("{") {
		end = strings.IndexByte(p.text[p.at:], '}')
	}
	if end < 0 {
		return errors.New(`\p without a property in braces`)
	}
	full := p.text[p.at : p.at+end]
	p.at += end + 1
	name, value, valued := strings.Cut(full, "=")
	known := false
	switch {
	case !valued:
		known = isCategory(name) || isBinaryProperty(name)
	case name == "General_Category" || name == "gc":
		known = isCategory(value)
	case name == "Script" || name == "sc" || name == "Script_Extensions" || name == "scx":
		known = isScript(value)
	}
	if !known {
		return fmt.Errorf("unknown property %s", quote(full))
	}
	return nil
}

func isCategory(name string) bool {
	if _, ok := unicode.Categories[name]; ok {
		return true
	}
	_, ok := unicode.CategoryAliases[name]
	return ok
}

func isScript(name string) bool {
	if _, ok := unicode.Scripts[name]; ok {
		return true
	}
	// The short names are those of ISO 15924.
	if len(name) != 4 {
		return false
	}
	s, err := language.ParseScript(name)
	return err == nil && s.String() == name
}

// isBinaryProperty knows the table of ECMA-262 (binary Unicode properties)
// without the properties of strings, which need another mode.
func isBinaryProperty(name string) bool {
	switch name {
	case "ASCII", "ASCII_Hex_Digit", "AHex", "Alphabetic", "Alpha", "Any", "Assigned",
		"Bidi_Control", "Bidi_C", "Bidi_Mirrored", "Bidi_M", "Case_Ignorable", "CI", "Cased",
		"Changes_When_Casefolded", "CWCF", "Changes_When_Casemapped", "CWCM",
		"Changes_When_Lowercased", "CWL", "Changes_When_NFKC_Casefolded", "CWKCF",
		"Changes_When_Titlecased", "CWT", "Changes_When_Uppercased", "CWU",
		"Dash", "Default_Ignorable_Code_Point", "DI", "Deprecated", "Dep", "Diacritic", "Dia",
		"Emoji", "Emoji_Component", "EComp", "Emoji_Modifier", "EMod", "Emoji_Modifier_Base", "EBase",
		"Emoji_Presentation", "EPres", "Extended_Pictographic", "ExtPict", "Extender", "Ext",
		"Grapheme_Base", "Gr_Base", "Grapheme_Extend", "Gr_Ext", "Hex_Digit", "Hex",
		"IDS_Binary_Operator", "IDSB", "IDS_Trinary_Operator", "IDST", "ID_Continue", "IDC",
		"ID_Start", "IDS", "Ideographic", "Ideo", "Join_Control", "Join_C",
		"Logical_Order_Exception", "LOE", "Lowercase", "Lower", "Math", "Noncharacter_Code_Point", "NChar",
		"Pattern_Syntax", "Pat_Syn", "Pattern_White_Space", "Pat_WS", "Quotation_Mark", "QMark",
		"Radical", "Regional_Indicator", "RI", "Sentence_Terminal", "STerm", "Soft_Dotted", "SD",
		"Terminal_Punctuation", "Term", "Unified_Ideograph", "UIdeo", "Uppercase", "Upper",
		"Variation_Selector", "VS", "White_Space", "space", "XID_Continue", "XIDC", "XID_Start", "XIDS":
		return true
	}
	return false
}
