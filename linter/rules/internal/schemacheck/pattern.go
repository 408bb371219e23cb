package schemacheck

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// validPattern reports whether a text is a regular expression of ECMAScript in
// unicode mode, the mode that JSON Schema asks for and Ajv uses. The grammar
// is that of ECMA-262, section 22.2.1, with the parameter UnicodeMode, of the
// edition that JSON Schema 2020-12 refers to: modifiers like (?i:x) came later
// and are refused by the engines that clients run on.
func validPattern(pattern string) error {
	p := patternParser{text: pattern}
	return p.parse()
}

// maxGroupDepth bounds the nesting of groups; engines give up on their own.
const maxGroupDepth = 1000

type patternParser struct {
	text string
	at   int
	// groups counts the capturing groups; the highest number referred to must
	// not be above it.
	groups, highestRef int
	names              []string
	nameRefs           []string
	// open holds, for each open group, whether it may be repeated.
	open []bool
}

func (p *patternParser) parse() error {
	repeatable := false // what stands before may take a quantifier
	for p.at < len(p.text) {
		switch c := p.text[p.at]; c {
		case '|', '^', '$':
			p.at++
			repeatable = false
		case '(':
			may, err := p.group()
			if err != nil {
				return err
			}
			if p.open = append(p.open, may); len(p.open) > maxGroupDepth {
				return errors.New("groups nest too deeply")
			}
			repeatable = false
		case ')':
			if len(p.open) == 0 {
				return errors.New("unmatched )")
			}
			p.at++
			repeatable = p.open[len(p.open)-1]
			p.open = p.open[:len(p.open)-1]
		case '*', '+', '?', '{':
			if err := p.quantifier(repeatable); err != nil {
				return err
			}
			repeatable = false
		case '[':
			if err := p.class(); err != nil {
				return err
			}
			repeatable = true
		case ']', '}':
			return fmt.Errorf("lone %c", c)
		case '\\':
			if strings.HasPrefix(p.text[p.at:], `\b`) || strings.HasPrefix(p.text[p.at:], `\B`) {
				p.at += 2
				repeatable = false
				continue
			}
			if err := p.escape(); err != nil {
				return err
			}
			repeatable = true
		default:
			_, size := utf8.DecodeRuneInString(p.text[p.at:])
			p.at += size
			repeatable = true
		}
	}
	return p.finish()
}

func (p *patternParser) finish() error {
	if len(p.open) > 0 {
		return errors.New("unterminated group")
	}
	if p.highestRef > p.groups {
		return fmt.Errorf(`\%d refers to no group`, p.highestRef)
	}
	known := make(map[string]bool, len(p.names))
	for _, name := range p.names {
		if known[name] {
			return fmt.Errorf("two groups are named %s", name)
		}
		known[name] = true
	}
	for _, ref := range p.nameRefs {
		if !known[ref] {
			return fmt.Errorf(`\k<%s> refers to no group`, ref)
		}
	}
	return nil
}

// take consumes a prefix if it is there.
func (p *patternParser) take(prefix string) bool {
	if !strings.HasPrefix(p.text[p.at:], prefix) {
		return false
	}
	p.at += len(prefix)
	return true
}

// group consumes the opening of a group; look-around cannot be repeated.
func (p *patternParser) group() (repeatable bool, err error) {
	p.at++
	switch {
	case !strings.HasPrefix(p.text[p.at:], "?"):
		p.groups++
		return true, nil
	case p.take("?:"):
		return true, nil
	case p.take("?="), p.take("?!"), p.take("?<="), p.take("?<!"):
		return false, nil
	case p.take("?<"):
		name, err := p.groupName()
		if err != nil {
			return false, err
		}
		p.groups++
		p.names = append(p.names, name)
		return true, nil
	}
	rest := p.text[p.at:]
	return false, fmt.Errorf("unknown group (%s", rest[:min(len(rest), 2)])
}

func (p *patternParser) groupName() (string, error) {
	end := strings.IndexByte(p.text[p.at:], '>')
	if end < 0 {
		return "", errors.New("unterminated group name")
	}
	name := p.text[p.at : p.at+end]
	p.at += end + 1
	for i, r := range name {
		letter := unicode.IsLetter(r) || unicode.Is(unicode.Nl, r) || r == '$' || r == '_'
		if !letter && (i == 0 || !unicode.In(r, unicode.Nd, unicode.Mn, unicode.Mc, unicode.Pc)) {
			return "", fmt.Errorf("%q cannot be in a group name", r)
		}
	}
	if name == "" {
		return "", errors.New("empty group name")
	}
	return name, nil
}

func (p *patternParser) quantifier(repeatable bool) error {
	c := p.text[p.at]
	p.at++
	if c == '{' {
		if err := p.braces(); err != nil {
			return err
		}
	}
	if !repeatable {
		return fmt.Errorf("nothing to repeat before %c", c)
	}
	p.take("?")
	return nil
}

// braces consumes n}, n,} or n,m}.
func (p *patternParser) braces() error {
	least, ok := p.digits()
	most, ranged := "", false
	if ok && p.take(",") {
		most, ranged = p.digits()
	}
	if !ok || !p.take("}") {
		return errors.New("lone {")
	}
	if ranged && longer(least, most) {
		return fmt.Errorf("{%s,%s} is out of order", least, most)
	}
	return nil
}

func (p *patternParser) digits() (string, bool) {
	start := p.at
	for p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
		p.at++
	}
	return p.text[start:p.at], p.at > start
}

// longer reports whether a is the greater of two decimal numbers of any size.
func longer(a, b string) bool {
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	if len(a) != len(b) {
		return len(a) > len(b)
	}
	return a > b
}

// escape consumes a backslash and what belongs to it, outside of a class.
func (p *patternParser) escape() error {
	rest := p.text[p.at+1:]
	if rest == "" {
		return errors.New(`\ at the end`)
	}
	switch c := rest[0]; {
	case c >= '1' && c <= '9':
		p.at++
		digits, _ := p.digits()
		ref, err := strconv.Atoi(digits)
		if err != nil {
			return fmt.Errorf(`\%s refers to no group`, digits)
		}
		p.highestRef = max(p.highestRef, ref)
		return nil
	case c == 'k':
		p.at += 2
		if !p.take("<") {
			return errors.New(`\k without a group name`)
		}
		name, err := p.groupName()
		p.nameRefs = append(p.nameRefs, name)
		return err
	}
	_, _, err := p.character(false)
	return err
}
