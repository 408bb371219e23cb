package snapshot

import (
	"encoding/binary"
	"math/bits"
	"sort"
	"strings"
	"sync"
)

// unitBlock is the distance of the marks by which a column is found without
// counting a whole line: a minified snapshot is one line of many megabytes.
const unitBlock = 4096

// positionIndex is built by the first question for a place, so that a clean
// file never pays for it.
type positionIndex struct {
	once  sync.Once
	lines []uint32 // offsets of line starts
	units []uint32 // UTF-16 code units before each multiple of unitBlock
}

func (d *document) index() *positionIndex {
	x := &d.idx
	x.once.Do(func() {
		x.lines = lineStarts(d.text)
		x.units = make([]uint32, 0, len(d.src)/unitBlock+1)
		count := 0
		for at := 0; at <= len(d.src); at += unitBlock {
			x.units = append(x.units, uint32(count))
			count += countUnits(d.src[at:min(at+unitBlock, len(d.src))])
		}
	})
	return x
}

func lineStarts(text string) []uint32 {
	feeds, returns := strings.Count(text, "\n"), strings.Count(text, "\r")
	starts := make([]uint32, 1, feeds+returns+1)
	if returns == 0 { // as in most files
		for at := 0; len(starts) <= feeds; {
			at += strings.IndexByte(text[at:], '\n') + 1
			starts = append(starts, uint32(at))
		}
		return starts
	}
	for at := 0; ; {
		i := strings.IndexAny(text[at:], "\r\n")
		if i < 0 {
			return starts
		}
		at += i + 1
		if text[at-1] == '\r' && at < len(text) && text[at] == '\n' {
			at++
		}
		starts = append(starts, uint32(at))
	}
}

// countUnits counts the UTF-16 code units of a text, each at the byte that
// starts its character.
func countUnits(b []byte) int {
	const low = 0x0101010101010101
	n := len(b)
	for ; len(b) >= 8; b = b[8:] {
		x := binary.LittleEndian.Uint64(b)
		// Continuation bytes are 10xxxxxx; what starts with 1111xxxx is a pair.
		n -= bits.OnesCount64((x >> 7) & (^x >> 6) & low)
		n += bits.OnesCount64((x >> 7) & (x >> 6) & (x >> 5) & (x >> 4) & low)
	}
	for _, c := range b {
		switch {
		case c&0xC0 == 0x80:
			n--
		case c >= 0xF0:
			n++
		}
	}
	return n
}

func (d *document) position(offset int) Position {
	if offset < 0 || offset > len(d.src) {
		return Position{}
	}
	offset = max(offset, d.body)
	x := d.index()
	line := sort.Search(len(x.lines), func(i int) bool { return int(x.lines[i]) > offset })
	start := max(int(x.lines[line-1]), d.body)
	return Position{Line: line, Column: d.unitsBefore(offset) - d.unitsBefore(start) + 1}
}

func (d *document) unitsBefore(offset int) int {
	block := offset / unitBlock
	return int(d.index().units[block]) + countUnits(d.src[block*unitBlock:offset])
}

// Position returns the place of a byte offset of the source. Lines end at LF,
// CRLF or a lone CR; a byte order mark takes no column; a character outside the
// Basic Multilingual Plane takes two. An offset outside the
// source gives the zero value.
func (s *Snapshot) Position(offset int) Position {
	if s.doc == nil {
		return Position{}
	}
	return s.doc.position(offset)
}

// Location returns where n starts. Line and column are 0 for a nil node and
// for a live server, whose text nobody has as a file.
func (s *Snapshot) Location(n *Node) Location {
	if n == nil || s.File == "" {
		return Location{File: s.File}
	}
	p := s.Position(n.Start())
	return Location{File: s.File, Line: p.Line, Column: p.Column}
}

// Source returns the text that the nodes point into, byte order mark included.
// It must not be changed.
func (s *Snapshot) Source() []byte {
	if s.doc == nil {
		return nil
	}
	return s.doc.src
}
