package snapshot

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unsafe"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	// maxValues bounds the time and memory for a hostile file, what rules make of
	// its values included, to 5 s and 1 GB. Real snapshots have a value every 16
	// to 60 bytes, minified: this is one of 32 MB at least, thirty times the
	// largest.
	maxValues = 2_000_000
	// maxEntities bounds what is kept of each entity beside its values. The
	// largest real servers have a thousand tools.
	maxEntities = 250_000
	// maxNesting is the depth that jsontext takes.
	maxNesting = 10_000
	// smallObject is the size up to which comparing all names is cheaper than
	// sorting them.
	smallObject = 32
	// blockLen is how many nodes, members or elements are allocated at a time.
	blockLen = 512
)

// document is the source and what all its nodes share.
type document struct {
	src  []byte // never changed after newDocument
	text string // the same bytes
	body int    // offset of the first byte after a byte order mark
	idx  positionIndex

	// What nodes refer to by number: members and elements, and the texts that
	// are not written as they read.
	members  []memberBlock
	elements [][]*Node
	decoded  []string
}

func newDocument(data []byte) *document {
	src := bytes.Clone(data)
	d := &document{src: src, text: unsafe.String(unsafe.SliceData(src), len(src))}
	if strings.HasPrefix(d.text, "\xef\xbb\xbf") {
		d.body = 3
	}
	return d
}

// builder turns tokens into nodes. jsontext judges the grammar; the builder
// finds the place of each token and decodes the texts, because jsontext cannot
// keep a lone surrogate.
type builder struct {
	doc    *document
	limit  int // values that the document may have
	values int
	frames []frame
	// Members and elements of the open objects and arrays, innermost last.
	members  []Member
	elements []*Node
	// Free room of the current block of nodes.
	nodeBlock []Node
	// The blocks of the document that still have room, by number.
	memberBlock, elementBlock int
}

// frame is an open object or array.
type frame struct {
	node      *Node
	base      int // where its children start in members or elements
	hasName   bool
	name      string
	nameStart int
}

// build reads the one value of the document.
func (b *builder) build() (*Node, error) {
	d := b.doc
	dec := jsontext.NewDecoder(bytes.NewBuffer(d.src[d.body:]),
		jsontext.AllowDuplicateNames(true), // they are problems, not errors
		jsontext.AllowInvalidUTF8(true))    // UTF-8 is checked before; this lets lone surrogates pass
	end := d.body
	for {
		tok, err := dec.ReadToken()
		if err != nil {
			return nil, d.syntaxError(err, len(b.frames))
		}
		start := skipDelimiters(d.src, end)
		end = d.body + int(dec.InputOffset())
		var n *Node
		switch kind := tok.Kind(); kind {
		case '{', '[':
			if err := b.open(kind, start); err != nil {
				return nil, err
			}
			continue
		case '}', ']':
			n = b.close(end)
		case '"':
			if b.takeName(start, end) {
				continue
			}
			n, err = b.scalar(String, start, end)
		case '0':
			n, err = b.scalar(Number, start, end)
		case 't', 'f':
			n, err = b.scalar(Bool, start, end)
		default:
			n, err = b.scalar(Null, start, end)
		}
		if err != nil {
			return nil, err
		}
		if len(b.frames) == 0 {
			return n, b.expectEnd(dec, end)
		}
		b.add(n)
	}
}

func (b *builder) expectEnd(dec *jsontext.Decoder, end int) error {
	rest := skipSpace(b.doc.src, end)
	if rest == len(b.doc.src) {
		return nil
	}
	if _, err := dec.ReadToken(); err == io.EOF {
		return nil
	}
	return b.doc.errorAt(rest, "unexpected text after the JSON value; expected the end of the file")
}

func skipSpace(src []byte, at int) int {
	for at < len(src) && (src[at] == ' ' || src[at] == '\n' || src[at] == '\r' || src[at] == '\t') {
		at++
	}
	return at
}

// skipDelimiters returns the start of the token that follows a token ending at
// at. The decoder has accepted what lies between.
func skipDelimiters(src []byte, at int) int {
	for at < len(src) {
		switch src[at] {
		case ' ', '\n', '\r', '\t', ',', ':':
			at++
		default:
			return at
		}
	}
	return at
}

func (b *builder) newNode(typ Type, start, end int) (*Node, error) {
	if b.values++; b.values > b.limit {
		return nil, b.doc.errorAt(start, fmt.Sprintf("more than %d JSON values; expected a smaller snapshot", b.limit))
	}
	if len(b.nodeBlock) == 0 {
		// A new block is sized by the number of nodes, so that a small file takes
		// little.
		b.nodeBlock = make([]Node, min(max(16, b.values/2), blockLen))
	}
	n := &b.nodeBlock[0]
	b.nodeBlock = b.nodeBlock[1:]
	n.doc, n.typ, n.start, n.end = b.doc, typ, uint32(start), uint32(end)
	return n, nil
}

func (b *builder) scalar(typ Type, start, end int) (*Node, error) {
	n, err := b.newNode(typ, start, end)
	if err != nil || typ != String {
		return n, err
	}
	if literal := b.doc.text[start+1 : end-1]; strings.IndexByte(literal, '\\') >= 0 {
		text, lone := unescape(literal)
		n.block, n.count = uint32(len(b.doc.decoded)), 1
		b.doc.decoded = append(b.doc.decoded, text)
		if lone {
			n.faults = loneText
		}
	}
	return n, nil
}

// takeName consumes a string token that is a member's name.
func (b *builder) takeName(start, end int) bool {
	if len(b.frames) == 0 {
		return false
	}
	f := &b.frames[len(b.frames)-1]
	if f.node.typ != Object || f.hasName {
		return false
	}
	f.hasName, f.name, f.nameStart = true, b.doc.text[start+1:end-1], start
	if strings.IndexByte(f.name, '\\') >= 0 {
		var lone bool
		if f.name, lone = unescape(f.name); lone {
			f.node.faults |= loneName
		}
	}
	return true
}

func (b *builder) open(kind jsontext.Kind, start int) error {
	typ, base := Object, len(b.members)
	if kind == '[' {
		typ, base = Array, len(b.elements)
	}
	n, err := b.newNode(typ, start, start)
	if err != nil {
		return err
	}
	n.height = 1
	b.frames = append(b.frames, frame{node: n, base: base})
	return nil
}

// add puts a finished value into the innermost open object or array.
func (b *builder) add(n *Node) {
	f := &b.frames[len(b.frames)-1]
	f.node.height = max(f.node.height, n.height+1)
	if n.faults != 0 {
		f.node.faults |= below
	}
	if f.node.typ == Array {
		b.elements = append(b.elements, n)
		return
	}
	if n := len(b.members); n == cap(b.members) {
		b.members = slices.Grow(b.members, n) // double: append would copy a million five times
	}
	b.members = append(b.members, Member{Name: f.name, NameStart: f.nameStart, Value: n})
	f.hasName = false
}

func (b *builder) close(end int) *Node {
	f := b.frames[len(b.frames)-1]
	b.frames = b.frames[:len(b.frames)-1]
	n := f.node
	n.end = uint32(end)
	if n.typ == Array {
		b.closeArray(n, b.elements[f.base:])
		b.elements = b.elements[:f.base]
	} else {
		b.closeObject(n, b.members[f.base:])
		b.members = b.members[:f.base]
	}
	return n
}

func (b *builder) closeArray(n *Node, elements []*Node) {
	if len(elements) == 0 {
		return
	}
	blocks := &b.doc.elements
	at := b.elementBlock
	if len(elements) > blockLen/4 {
		at = len(*blocks)
		*blocks = append(*blocks, make([]*Node, 0, len(elements)))
	} else if at == len(*blocks) || cap((*blocks)[at])-len((*blocks)[at]) < len(elements) {
		at = len(*blocks)
		b.elementBlock = at
		*blocks = append(*blocks, make([]*Node, 0, b.blockLen(len(elements))))
	}
	block := &(*blocks)[at]
	n.block, n.first, n.count = uint32(at), uint32(len(*block)), uint32(len(elements))
	*block = append(*block, elements...)
}

func (b *builder) closeObject(n *Node, members []Member) {
	if len(members) == 0 {
		return
	}
	blocks := &b.doc.members
	at := b.memberBlock
	if len(members) > smallObject {
		at = len(*blocks)
		*blocks = append(*blocks, memberBlock{members: make([]Member, 0, len(members)), order: orderNames(members)})
	} else if at == len(*blocks) || cap((*blocks)[at].members)-len((*blocks)[at].members) < len(members) {
		at = len(*blocks)
		b.memberBlock = at
		*blocks = append(*blocks, memberBlock{members: make([]Member, 0, b.blockLen(len(members)))})
	}
	block := &(*blocks)[at]
	n.block, n.first, n.count = uint32(at), uint32(len(block.members)), uint32(len(members))
	block.members = append(block.members, members...)
	if repeatsName(members, block.order) {
		n.faults |= duplicateName
	}
}

// blockLen is the size of a new block in which at least n must find room.
func (b *builder) blockLen(n int) int { return max(n, min(b.values/2, blockLen)) }

// orderNames sorts the members of a large object by name.
func orderNames(m []Member) []uint32 {
	order := make([]uint32, len(m))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int {
		if c := strings.Compare(m[a].Name, m[b].Name); c != 0 {
			return c
		}
		return int(a) - int(b)
	})
	return order
}

// repeatsName reports whether two members have the same name; order is nil for
// a small object.
func repeatsName(m []Member, order []uint32) bool {
	for i := 1; i < len(order); i++ {
		if m[order[i]].Name == m[order[i-1]].Name {
			return true
		}
	}
	if order != nil {
		return false
	}
	for i := 1; i < len(m); i++ {
		for j := range i {
			if m[i].Name == m[j].Name {
				return true
			}
		}
	}
	return false
}
