package snapshot

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// ParseError says why a text is no snapshot.
type ParseError struct {
	// File is the name given to Parse; it may be empty.
	File string
	// Position is where the fault is, the zero value when it has no place.
	Position Position
	// Message says what is there and what was expected, in one line that is
	// safe to print.
	Message string
}

// Error returns file:line:column: message without the parts that are unknown.
func (e *ParseError) Error() string {
	place := Visible(e.File)
	if e.Position.Line > 0 {
		if place != "" {
			place += ":"
		}
		place += fmt.Sprintf("%d:%d", e.Position.Line, e.Position.Column)
	}
	if place == "" {
		return e.Message
	}
	return place + ": " + e.Message
}

func (d *document) errorAt(offset int, message string) error {
	return &ParseError{Position: d.position(offset), Message: message}
}

// checkEncoding finds what makes a text no UTF-8 before any JSON is read.
func (d *document) checkEncoding() error {
	switch {
	case uint64(len(d.src)) > math.MaxUint32:
		return &ParseError{Message: "larger than 4 GiB; expected a smaller snapshot"}
	case bytes.HasPrefix(d.src, []byte{0xFF, 0xFE}), bytes.HasPrefix(d.src, []byte{0xFE, 0xFF}):
		return &ParseError{Position: Position{1, 1}, Message: "UTF-16 text; expected JSON in UTF-8"}
	case skipSpace(d.src, d.body) == len(d.src):
		return &ParseError{Position: d.position(len(d.src)), Message: "the file is empty; expected a JSON object or an array of tools"}
	case utf8.Valid(d.src):
		return nil
	}
	at := 0
	for {
		r, size := utf8.DecodeRune(d.src[at:])
		if r == utf8.RuneError && size <= 1 {
			break
		}
		at += size
	}
	if !utf8.FullRune(d.src[at:]) {
		return d.errorAt(at, "the text ends in the middle of a character; the file seems to be cut off")
	}
	return d.errorAt(at, fmt.Sprintf("byte 0x%02X is no valid UTF-8; expected JSON in UTF-8", d.src[at]))
}

// syntaxError puts an error of the tokenizer into our words and place.
// depth is the number of objects and arrays open at that place.
func (d *document) syntaxError(err error, depth int) error {
	offset := len(d.src)
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) {
		offset = d.body + int(syntax.ByteOffset)
	}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), offset >= len(d.src):
		return d.errorAt(len(d.src), "the text ends before the JSON value does; the file seems to be cut off")
	case depth >= maxNesting && (d.src[offset] == '{' || d.src[offset] == '['):
		return d.errorAt(offset, fmt.Sprintf("objects and arrays nest deeper than %d levels", maxNesting))
	case d.src[offset] == 0:
		return d.errorAt(offset, "a NUL byte; expected JSON in UTF-8")
	case syntax == nil || syntax.Err == nil:
		return d.errorAt(offset, "not JSON: "+Visible(err.Error()))
	}
	return d.errorAt(offset, "not JSON: "+Visible(syntax.Err.Error()))
}
