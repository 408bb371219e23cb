// Package jsonc reads configuration files: JSON with comments, trailing commas
// and a byte order mark accepted, with the line and column of every value, so
// that an error can say where it is.
package jsonc

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// Limits on a configuration file. They are far above any real one and keep a
// hostile one cheap.
const (
	MaxSize  = 4 << 20
	MaxDepth = 200
)

// Error is a fault at a place of a file.
type Error struct {
	Location snapshot.Location
	// Path is where in the document, in the reader's words (servers.files.args[0]).
	Path    string
	Message string
}

// Error gives one line: file:line:column: path: message.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(snapshot.Visible(e.Location.File))
	if e.Location.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", e.Location.Line, e.Location.Column)
	}
	b.WriteString(": ")
	if e.Path != "" {
		b.WriteString(snapshot.Visible(shorten(e.Path)) + ": ")
	}
	b.WriteString(e.Message)
	return b.String()
}

// shorten keeps a long path from hiding the message behind it.
func shorten(path string) string {
	const longest = 200
	if len(path) <= longest {
		return path
	}
	return strings.ToValidUTF8(path[:longest], "") + "…"
}

// Value is one value of a document. The zero Value is an absent one.
type Value struct {
	doc  *document
	v    hujson.Value
	path string
}

// Member is one name/value pair.
type Member struct {
	Name  string
	Value Value

	nameOffset int
}

// Location is where the name starts. Finding it costs a scan of the file, so
// it is done for those that are shown only.
func (m Member) Location() snapshot.Location { return m.Value.doc.At(m.nameOffset) }

// Offset is where the name starts, counted as [Places.At] wants it.
func (m Member) Offset() int { return m.nameOffset }

type document struct {
	*Places
	file string
	src  []byte
	// skipped is what stands before src in the file: a byte order mark.
	skipped int
}

// Parse reads a document of at most [MaxSize] bytes. The error is an *Error.
func Parse(file string, data []byte) (Value, error) { return ParseAtMost(file, data, MaxSize) }

// ParseAtMost is [Parse] with another limit of bytes.
func ParseAtMost(file string, data []byte, most int) (Value, error) {
	src := bytes.TrimPrefix(data, []byte("\ufeff"))
	doc := &document{Places: NewPlaces(file, src), file: file, src: src, skipped: len(data) - len(src)}
	fail := func(offset int, format string, args ...any) (Value, error) {
		return Value{}, &Error{Location: doc.At(offset), Message: fmt.Sprintf(format, args...)}
	}
	if len(doc.src) > most {
		return fail(0, "the file has %d bytes; a configuration has at most %d", len(doc.src), most)
	}
	if len(bytes.TrimSpace(doc.src)) == 0 {
		return fail(0, "the file is empty; expected a JSON object")
	}
	if at := invalidUTF8(doc.src); at >= 0 {
		return fail(at, "invalid UTF-8: expected JSON text in UTF-8")
	}
	if at := deeperThan(doc.src, MaxDepth); at >= 0 {
		return fail(at, "nested deeper than %d levels", MaxDepth)
	}
	v, err := hujson.Parse(doc.src)
	if err != nil {
		return Value{}, doc.syntaxError(err)
	}
	return Value{doc: doc, v: v}, nil
}

// syntaxError turns the parser's message, which carries its own line and byte
// column, into ours.
func (d *document) syntaxError(err error) error {
	place := snapshot.Location{File: d.file}
	message := strings.TrimPrefix(err.Error(), "hujson: ")
	var line, column int
	if n, _ := fmt.Sscanf(message, "line %d, column %d:", &line, &column); n == 2 {
		_, message, _ = strings.Cut(message, ": ")
		place = d.At(d.lineStart(line) + column - 1)
	}
	return &Error{Location: place, Message: "not JSON: " + snapshot.Visible(message)}
}

// lineStart returns the offset of the first byte of a line.
func (d *document) lineStart(line int) int {
	at := 0
	for range line - 1 {
		at += bytes.IndexByte(d.src[at:], '\n') + 1
	}
	return at
}

func invalidUTF8(src []byte) int {
	if utf8.Valid(src) {
		return -1
	}
	for i := 0; i < len(src); {
		r, size := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// deeperThan returns the offset at which the nesting of brackets exceeds limit,
// or -1. The parser recurses, so this runs before it.
func deeperThan(src []byte, limit int) int {
	depth := 0
	for i := 0; i < len(src); i++ {
		switch src[i] {
		case '"':
			for i++; i < len(src) && src[i] != '"'; i++ {
				if src[i] == '\\' {
					i++
				}
			}
		case '/':
			i = skipComment(src, i)
		case '[', '{':
			if depth++; depth > limit {
				return i
			}
		case ']', '}':
			depth--
		}
	}
	return -1
}

// skipComment returns the offset of the last byte of the comment that starts
// at i, or i when none starts there.
func skipComment(src []byte, i int) int {
	rest := src[i:]
	end := -1
	switch {
	case bytes.HasPrefix(rest, []byte("//")):
		if end = bytes.IndexByte(rest, '\n'); end < 0 {
			end = len(rest) - 1
		}
	case bytes.HasPrefix(rest, []byte("/*")):
		if end = bytes.Index(rest[2:], []byte("*/")); end < 0 {
			end = len(rest) - 1
		} else {
			end += 3
		}
	default:
		return i
	}
	return i + end
}
