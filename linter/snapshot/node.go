package snapshot

import (
	"slices"
	"strings"
)

// Type is the JSON type of a [Node].
type Type uint8

// The types; Missing is that of a nil *Node, so that chains of Get need no
// checks.
const (
	Missing Type = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

// String returns the type's name as messages use it.
func (t Type) String() string {
	return [...]string{"nothing", "null", "a boolean", "a number", "a text", "an array", "an object"}[t]
}

// Node is one JSON value of the source. All methods accept a nil receiver,
// which stands for an absent value. Nodes are immutable.
//
// A file has millions of nodes, so a node is four words with one pointer in
// them, which is what the collector follows; the rest is found through the
// document.
type Node struct {
	doc        *document
	start, end uint32 // byte offsets in the source
	// Where the members or elements are: those from first on, count of them, of
	// a block of the document. A text with escapes has its place in decoded in
	// block, and a count of 1.
	block, first, count uint32
	height              uint16 // nesting below and including this value
	typ                 Type
	faults              faultSet
}

// memberBlock holds the members of many small objects, or those of a large one.
type memberBlock struct {
	members []Member
	// order lists the members of a large object sorted by name, equal names in
	// document order; nil for small ones, which are searched one by one.
	order []uint32
}

// Member is one name/value pair of an object.
type Member struct {
	Name string
	// NameStart is the byte offset of the name's opening quote.
	NameStart int
	Value     *Node
}

// Type returns the JSON type, [Missing] for nil.
func (n *Node) Type() Type {
	if n == nil {
		return Missing
	}
	return n.typ
}

// IsText reports whether n is a [String].
func (n *Node) IsText() bool { return n != nil && n.typ == String }

// Text returns the decoded text of a [String], "" for everything else. A lone
// surrogate stays as its three bytes of WTF-8 (ED A0..BF xx), so the result
// need not be valid UTF-8.
func (n *Node) Text() string {
	if n == nil || n.typ != String {
		return ""
	}
	if n.count > 0 {
		return n.doc.decoded[n.block]
	}
	return n.doc.text[n.start+1 : n.end-1]
}

// Bool returns the value of a [Bool]; ok is false for everything else.
func (n *Node) Bool() (value, ok bool) {
	if n == nil || n.typ != Bool {
		return false, false
	}
	return n.doc.text[n.start] == 't', true
}

// Number returns the literal of a [Number] exactly as written, "" for
// everything else.
func (n *Node) Number() string {
	if n == nil || n.typ != Number {
		return ""
	}
	return n.doc.text[n.start:n.end]
}

// Len returns the number of members or elements; 0 for everything else.
func (n *Node) Len() int {
	if n == nil || n.typ < Array {
		return 0
	}
	return int(n.count)
}

// Members returns the members of an [Object] in document order, equal names
// included; nil for everything else. The slice must not be changed.
func (n *Node) Members() []Member {
	if n == nil || n.typ != Object || n.count == 0 {
		return nil
	}
	end := n.first + n.count
	return n.doc.members[n.block].members[n.first:end:end]
}

// Elements returns the elements of an [Array]; nil for everything else. The
// slice must not be changed.
func (n *Node) Elements() []*Node {
	if n == nil || n.typ != Array || n.count == 0 {
		return nil
	}
	end := n.first + n.count
	return n.doc.elements[n.block][n.first:end:end]
}

// Get returns the member of an [Object], nil when there is none. Of equal
// names the last one counts, as JSON.parse has it.
func (n *Node) Get(name string) *Node {
	members := n.Members()
	if len(members) > smallObject {
		return search(members, n.order(), name)
	}
	for i := len(members) - 1; i >= 0; i-- {
		if members[i].Name == name {
			return members[i].Value
		}
	}
	return nil
}

// order is that of a large object's members by name.
func (n *Node) order() []uint32 { return n.doc.members[n.block].order }

func search(members []Member, order []uint32, name string) *Node {
	// The first one after all that are equal; the one before it is the last
	// that is.
	i, _ := slices.BinarySearchFunc(order, name, func(at uint32, name string) int {
		if strings.Compare(members[at].Name, name) <= 0 {
			return -1
		}
		return 1
	})
	if i == 0 {
		return nil
	}
	if m := &members[order[i-1]]; m.Name == name {
		return m.Value
	}
	return nil
}

// Has reports whether an [Object] has a member of that name, null included.
func (n *Node) Has(name string) bool { return n.Get(name) != nil }

// Raw returns the exact source text. It must not be changed.
func (n *Node) Raw() []byte {
	if n == nil {
		return nil
	}
	return n.doc.src[n.start:n.end:n.end]
}

// Start returns the byte offset of the first byte in the source, 0 for nil.
func (n *Node) Start() int {
	if n == nil {
		return 0
	}
	return int(n.start)
}

// End returns the byte offset after the last byte in the source, 0 for nil.
func (n *Node) End() int {
	if n == nil {
		return 0
	}
	return int(n.end)
}

// Depth returns how deep objects and arrays nest in n, itself included: 0 for
// scalars and nil, 1 for an empty object.
func (n *Node) Depth() int {
	if n == nil {
		return 0
	}
	return int(n.height)
}
