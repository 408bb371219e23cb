package prose

import "bytes"

// Quiet answers for ASCII texts whether they are suspect, and remembers those
// that are not: of the texts of a server three in four are there twice, above
// all the names in its schemas. The zero value is empty and ready to use.
type Quiet struct {
	texts map[string]struct{}
	plain []byte // of a text with escapes
}

// What is remembered: texts that are short enough to come again, and so many
// that a large server costs no more memory than it is worth.
const (
	longestQuiet = 256
	mostQuiet    = 1 << 13
)

// Suspect tells whether [Judge] could find anything in an ASCII text. It is
// true far more often than Judge finds something, and of all texts that are too
// long to be remembered, since Judge asks the same.
func (q *Quiet) Suspect(text string) bool {
	if len(text) > longestQuiet {
		return true
	}
	if q.Has(text) {
		return false
	}
	about, _ := scan(text, true)
	if about == 0 && len(q.texts) < mostQuiet {
		q.add(text)
	}
	return about != 0
}

// Has reports whether a text is known to be ASCII and not suspect.
func (q *Quiet) Has(text string) bool {
	if len(text) > longestQuiet {
		return false
	}
	_, ok := q.texts[text]
	return ok
}

func (q *Quiet) add(text string) {
	if q.texts == nil {
		q.texts = map[string]struct{}{}
	}
	q.texts[text] = struct{}{}
}

// SuspectJSON tells whether [Judge] could find anything in a text of a
// definition, read from its JSON, which must be valid and ASCII.
func (q *Quiet) SuspectJSON(raw []byte) bool {
	for {
		start := bytes.IndexByte(raw, '"')
		if start < 0 {
			return false
		}
		raw = raw[start+1:]
		end := stringEnd(raw)
		if end >= Shortest && q.suspectString(raw[:end]) {
			return true
		}
		if end == len(raw) {
			return false
		}
		raw = raw[end+1:]
	}
}

// suspectString is SuspectJSON for what stands between quotation marks.
func (q *Quiet) suspectString(text []byte) bool {
	if bytes.IndexByte(text, '\\') >= 0 {
		q.plain = appendUnescaped(q.plain[:0], text)
		about, _ := scan(q.plain, true)
		return about != 0
	}
	if len(text) <= longestQuiet {
		if _, ok := q.texts[string(text)]; ok {
			return false
		}
	}
	about, _ := scan(text, true)
	if about == 0 && len(text) <= longestQuiet && len(q.texts) < mostQuiet {
		q.add(string(text))
	}
	return about != 0
}
