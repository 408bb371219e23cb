package jsonc

import (
	"bytes"
	"unicode/utf16"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// Places turns byte offsets of a file into lines and columns. It is not safe for
// concurrent use.
type Places struct {
	file string
	src  []byte
	// asked is the last place that was asked for. Readers go through a document
	// in order, so the next one is near: a file may be one line of megabytes.
	asked mark
}

// mark is an offset with its line and column; both count from 1.
type mark struct{ offset, line, column int }

// NewPlaces is for a file without its byte order mark, which editors do not
// count.
func NewPlaces(file string, src []byte) *Places { return &Places{file: file, src: src} }

// At converts a byte offset; columns count UTF-16 units, as those of a snapshot
// do. An offset behind the end is the end.
func (p *Places) At(offset int) snapshot.Location {
	offset = min(offset, len(p.src))
	from := p.asked
	if from.line == 0 || from.offset > offset {
		from = mark{line: 1, column: 1}
	}
	between := p.src[from.offset:offset]
	if lines := bytes.Count(between, []byte("\n")); lines > 0 {
		from.line, from.column = from.line+lines, 1
		between = between[bytes.LastIndexByte(between, '\n')+1:]
	}
	for _, r := range string(between) {
		from.column += utf16.RuneLen(r)
	}
	from.offset = offset
	p.asked = from
	return snapshot.Location{File: p.file, Line: from.line, Column: from.column}
}
