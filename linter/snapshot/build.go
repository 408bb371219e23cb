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
	// maxValues bounds the memory of a hostile file to 1.5 GB. Real snapshots
	// have a value every 16 to 60 bytes, minified, so 100 MB of the densest
	// have 6 million.
	maxValues = 8_000_000
	// maxNesting is the depth that jsontext takes.
	maxNesting = 10_000
	// smallObject is the size up to which comparing all names is cheaper than
	// sorting them.
	smallObject = 32
)

// document is the source and what all its nodes share.
type document struct {
	src  []byte // never changed after newDocument
	text string // the same bytes
	body int    // offset of the first byte after a byte order mark
	idx  positionIndex
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
	// Free room of the current blocks.
	nodeBlock    []Node
	objectBlock  []object
	memberBlock  []Member
	elementBlock []*Node
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
	n := one(&b.nodeBlock, b.values)
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
		n.value = &text
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
	b.members = append(b.members, Member{Name: f.name, NameStart: f.nameStart, Value: n})
	f.hasName = false
}

func (b *builder) close(end int) *Node {
	f := b.frames[len(b.frames)-1]
	b.frames = b.frames[:len(b.frames)-1]
	n := f.node
	n.end = uint32(end)
	if n.typ == Array {
		if children := b.elements[f.base:]; len(children) > 0 {
			n.value = &array{elements: carve(&b.elementBlock, children)}
			b.elements = b.elements[:f.base]
		}
		return n
	}
	children := b.members[f.base:]
	if len(children) == 0 {
		return n
	}
	o := one(&b.objectBlock, b.values/4)
	o.members = carve(&b.memberBlock, children)
	b.members = b.members[:f.base]
	n.value = o
	if o.indexNames() {
		n.faults |= duplicateName
	}
	return n
}

// one returns the next free T of a block. A new block is sized by the number
// of those that exist, so that a small file takes little.
func one[T any](block *[]T, exist int) *T {
	if len(*block) == 0 {
		*block = make([]T, min(max(16, exist/2), 512))
	}
	t := &(*block)[0]
	*block = (*block)[1:]
	return t
}

// carve copies children into a block that many objects or arrays share.
func carve[T any](block *[]T, children []T) []T {
	const blockLen = 512
	if len(children) > blockLen/4 {
		return slices.Clone(children)
	}
	if len(*block) < len(children) {
		*block = make([]T, blockLen)
	}
	own := (*block)[:len(children):len(children)]
	*block = (*block)[len(children):]
	copy(own, children)
	return own
}

// indexNames sorts the names of a large object and reports whether two members
// have the same name.
func (o *object) indexNames() (duplicates bool) {
	m := o.members
	if len(m) <= smallObject {
		for i := 1; i < len(m); i++ {
			for j := range i {
				if m[i].Name == m[j].Name {
					return true
				}
			}
		}
		return false
	}
	o.order = make([]uint32, len(m))
	for i := range o.order {
		o.order[i] = uint32(i)
	}
	slices.SortFunc(o.order, func(a, b uint32) int {
		if c := strings.Compare(m[a].Name, m[b].Name); c != 0 {
			return c
		}
		return int(a) - int(b)
	})
	for i := 1; i < len(o.order); i++ {
		if m[o.order[i]].Name == m[o.order[i-1]].Name {
			return true
		}
	}
	return false
}
