package lockfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// ReadError says why a text is no lock file.
type ReadError struct {
	// File is the name given to Read; it may be empty.
	File string
	// Line and Column are 1-based, 0 when the fault has no place.
	Line, Column int
	// Pointer is the JSON pointer of the offending value, "" when there is none.
	Pointer string
	// Message says what is there and what was expected, in one line that is
	// safe to print.
	Message string
}

// Error returns file:line:column: pointer: message without what is unknown.
func (e *ReadError) Error() string {
	place := shown(e.File)
	if e.Line > 0 {
		if place != "" {
			place += ":"
		}
		place += fmt.Sprintf("%d:%d", e.Line, e.Column)
	}
	if e.Pointer != "" {
		place += ": " + excerpt(e.Pointer)
	}
	if place == "" {
		return e.Message
	}
	return place + ": " + e.Message
}

func (r *reader) wrongType(n *snapshot.Node, expected string) error {
	return r.fault(n, "found "+n.Type().String()+"; expected "+expected)
}

func (r *reader) fault(n *snapshot.Node, message string) error {
	return r.faultAt(n.Start(), pointer(r.path), message)
}

func (r *reader) faultAt(offset int, pointer, message string) error {
	line, column := r.file.position(offset)
	return &ReadError{File: r.file.name, Line: line, Column: column, Pointer: pointer, Message: message}
}

// unreadable puts the parser's error into the lock's lines. A lock that ends too
// early is refused at its end, wherever the text around it (see [before]) lets
// the parser notice.
func (r *reader) unreadable(err error, data []byte) error {
	fault := &ReadError{File: r.file.name, Message: "not JSON"}
	var p *snapshot.ParseError
	if !errors.As(err, &p) {
		fault.Message += ": " + shown(err.Error())
		return fault
	}
	fault.Line, fault.Column, fault.Message = max(p.Position.Line-1, 0), p.Position.Column, p.Message
	if endsEarly(data) {
		fault.Line, fault.Column = bytes.Count(data, []byte("\n"))+1, len(data)-bytes.LastIndexByte(data, '\n')
		fault.Message = "the text ends before the JSON value does; the file seems to be cut off"
	}
	return fault
}

// endsEarly reports whether a text is the beginning of a JSON value.
func endsEarly(data []byte) bool {
	err := jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)).SkipValue()
	return errors.Is(err, io.ErrUnexpectedEOF)
}

// position returns the place of an offset of the source in the file as read.
func (f *File) position(offset int) (line, column int) {
	if f.source == nil || offset == 0 {
		return 0, 0
	}
	p := f.source.Position(offset)
	return p.Line - 1, p.Column
}

// Location returns the place of an entity in the file as read: the line of its
// key, or that of its server when the entity is not locked or ref is the server
// itself. Line is 0 for a server that was not read from the file.
func (f *File) Location(key string, ref snapshot.Ref) snapshot.Location {
	at := snapshot.Location{File: f.name}
	s := f.servers[key]
	if s == nil {
		return at
	}
	offset := s.offset
	if e := s.find(ref); e != nil && e.offset > 0 {
		offset = e.offset
	}
	at.Line, at.Column = f.position(offset)
	return at
}
