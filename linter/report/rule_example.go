package report

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// exampleLayout says how [example.lines] writes.
type exampleLayout struct {
	// width is the number of columns that lines should not pass.
	width int
	// fold breaks long texts at blanks: a line break and the indent after it
	// stand for one blank. Without it the lines are JSON, however long.
	fold bool
}

// Beyond these an example is no help any more, and parts are left out.
const (
	exampleWhole    = 3000 // an example up to this size, in bytes, is shown whole
	exampleText     = 300  // else so much of each text,
	exampleElements = 3    // so many elements of each array
	exampleMembers  = 10   // and so many members of each object
)

// example is one value of a rule's example. Texts and numbers keep the spelling
// that the rule's author gave them, and names that stand twice stay twice.
type example struct {
	literal string // a text, a number, true, false or null
	kind    jsontext.Kind
	names   []string // of an object's members, as they are spelled
	values  []example
	omitted int // members that are left out at the end
}

// exampleLines writes an example, JSON, to be read by people. Hidden characters
// are written as escapes: what is read back is the same, unless the example had
// to be shortened.
func exampleLines(text string, o exampleLayout) (lines []string, shortened bool) {
	dec := jsontext.NewDecoder(strings.NewReader(text),
		jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	e, err := readExample(dec)
	if err != nil {
		return textLines(text), false // no JSON: as it is
	}
	if len(text) > exampleWhole {
		shortened = e.shorten()
	}
	return e.lines("", 0, o.width, o), shortened
}

func readExample(dec *jsontext.Decoder) (example, error) {
	e := example{kind: dec.PeekKind()}
	if e.kind != '{' && e.kind != '[' {
		raw, err := dec.ReadValue()
		e.literal = string(escapeHidden(raw))
		return e, err
	}
	if _, err := dec.ReadToken(); err != nil {
		return e, err
	}
	for k := dec.PeekKind(); k != '}' && k != ']'; k = dec.PeekKind() {
		if e.kind == '{' {
			name, err := dec.ReadValue()
			if err != nil {
				return e, err
			}
			e.names = append(e.names, string(escapeHidden(name)))
		}
		value, err := readExample(dec)
		if err != nil {
			return e, err
		}
		e.values = append(e.values, value)
	}
	_, err := dec.ReadToken()
	return e, err
}

// shorten leaves out the ends of what is long, and reports whether it did.
func (e *example) shorten() bool {
	cutAny := false
	if e.kind == '"' && len(e.literal) > exampleText {
		cut := wholeCharacters(e.literal, exampleText)
		rest := utf8.RuneCountInString(e.literal[cut : len(e.literal)-1])
		e.literal = e.literal[:cut] + "… (" + counted(rest, "more character", "more characters") + `)"`
		cutAny = true
	}
	most := exampleElements
	if e.kind == '{' {
		most = exampleMembers
	}
	if len(e.values) > most+1 {
		e.omitted = len(e.values) - most
		e.values = e.values[:most]
		cutAny = true
	}
	for i := range e.values {
		cutAny = e.values[i].shorten() || cutAny
	}
	return cutAny
}

// wholeCharacters moves a place in a JSON text to the front, so that it is not in
// the middle of a character or an escape, nor between two that make one.
func wholeCharacters(literal string, at int) int {
	for at > 1 && !utf8.RuneStart(literal[at]) {
		at--
	}
	const escape = len(`\ud83d`)
	if i := strings.LastIndexByte(literal[:at], '\\'); i > at-escape {
		at = len(strings.TrimRight(literal[:i], `\`))
	}
	if firstHalf.MatchString(literal[max(at-escape, 0):at]) {
		at -= escape
	}
	return at
}

// firstHalf is the escape of a surrogate that another must follow.
var firstHalf = regexp.MustCompile(`^\\u[dD][89abAB]`)

// oneLine writes the value without line breaks.
func (e *example) oneLine() string {
	if e.kind != '{' && e.kind != '[' {
		return e.literal
	}
	parts := make([]string, 0, len(e.values)+1)
	for i := range e.values {
		parts = append(parts, e.name(i)+e.values[i].oneLine())
	}
	if e.omitted > 0 {
		parts = append(parts, e.omission())
	}
	if e.kind == '[' {
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func (e *example) name(i int) string {
	if e.kind == '[' {
		return ""
	}
	return e.names[i] + ": "
}

func (e *example) omission() string { return "… " + itoa(e.omitted) + " more" }

// lines writes the value after a name: on one line where it fits, else one
// line a member. after is how many characters the caller puts behind it.
func (e *example) lines(name string, after, width int, o exampleLayout) []string {
	if line := name + e.oneLine(); cells(line)+after <= width || len(e.values) == 0 {
		if !o.fold || e.kind != '"' {
			return []string{line}
		}
		return foldText(line, width-after)
	}
	if e.kind == '[' && len(e.values) == 1 && e.omitted == 0 && len(e.values[0].values) > 0 {
		// No step to the right for an array that only holds another value.
		all := e.values[0].lines(name+"[", after+1, width, o)
		all[len(all)-1] += "]"
		return all
	}
	open, end := "{", "}"
	if e.kind == '[' {
		open, end = "[", "]"
	}
	all := []string{name + open}
	last := len(e.values) - 1
	for i := range e.values {
		comma := ""
		if i < last || e.omitted > 0 {
			comma = ","
		}
		member := e.values[i].lines(e.name(i), len(comma), width-2, o)
		for j, line := range member {
			if j == len(member)-1 {
				line += comma
			}
			all = append(all, "  "+line)
		}
	}
	if e.omitted > 0 {
		all = append(all, "  "+e.omission())
	}
	return append(all, end)
}

// foldText breaks a line at single blanks.
func foldText(line string, width int) []string {
	const indent = "  "
	var lines []string
	words := strings.Split(line, " ")
	current := words[0]
	for i, word := range words[1:] {
		alone := word != "" && words[i] != "" // one of several blanks must stay
		if alone && cells(current)+1+cells(word) > width {
			lines = append(lines, current)
			current = indent + word
			continue
		}
		current += " " + word
	}
	return append(lines, current)
}
