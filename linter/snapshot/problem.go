package snapshot

import (
	"fmt"
	"strconv"
	"unicode/utf8"
)

const (
	// maxEntityProblems and maxProblems bound what a hostile file can make us
	// report; the rest is counted.
	maxEntityProblems = 20
	maxProblems       = 10_000
	// maxPointer bounds the pointer of one problem: names may be megabytes.
	maxPointer = 4096
	// maxDetail is the length of a key in a problem, in code points.
	maxDetail = 80
)

// faultSet marks nodes during the build, so that only what has a fault is
// walked again.
type faultSet uint8

const (
	duplicateName faultSet = 1 << iota // two members have one name
	loneName                           // a name has a lone surrogate
	loneText                           // the text has a lone surrogate
	below                              // something below has a fault
)

// finder collects the problems of one entity, or of the rest of the document.
type finder struct {
	entity *Entity
	path   []step
	found  []Problem
	more   int
	skip   map[*Node]bool // lists whose entities have their own finder
}

// findProblems walks what the build has marked. root is the whole document.
func (s *Snapshot) findProblems(root *Node) []Problem {
	outside := finder{skip: listNodes(root)}
	outside.walk(root)
	all := outside.done()
	var lost Problem
	for e := range s.Entities() {
		if e.Node.faults == 0 && e.Depth <= MaxDepth {
			continue
		}
		f := finder{entity: e}
		f.tooDeep(e)
		f.walk(e.Node)
		if len(all)+len(f.found) > maxProblems {
			if lost.More == 0 {
				lost.Kind, lost.Offset = f.found[0].Kind, f.found[0].Offset
			}
			lost.More += len(f.found) + f.more
			continue
		}
		all = append(all, f.done()...)
	}
	if lost.More > 0 {
		lost.Detail = fmt.Sprintf("%d more faults in entities that are not named here", lost.More)
		all = append(all, lost)
	}
	return all
}

// listNodes returns the arrays that were read as lists.
func listNodes(root *Node) map[*Node]bool {
	if root.Type() == Array {
		return map[*Node]bool{root: true}
	}
	root = unwrap(root)
	nodes := map[*Node]bool{}
	for _, l := range lists() {
		if n := root.Get(l.key); n != nil {
			nodes[n] = true
		}
	}
	return nodes
}

func (f *finder) done() []Problem {
	if f.more > 0 {
		f.found[len(f.found)-1].More = f.more
	}
	return f.found
}

func (f *finder) report(kind ProblemKind, offset int, detail func() string) {
	if len(f.found) >= maxEntityProblems {
		f.more++
		return
	}
	f.found = append(f.found, Problem{
		Kind: kind, Entity: f.entity, Pointer: f.pointer(), Detail: detail(), Offset: offset,
	})
}

// pointer returns the pointer of the deepest value of the path whose pointer
// is not over maxPointer.
func (f *finder) pointer() string {
	size, keep := 0, 0
	for _, s := range f.path {
		size += 2
		if s.name != nil {
			size += len(*s.name)
		}
		if size > maxPointer {
			break
		}
		keep++
	}
	return joinPath(f.path[:keep])
}

func (f *finder) walk(n *Node) {
	if n.faults == 0 || f.skip[n] {
		return
	}
	if n.faults&loneText != 0 {
		f.report(LoneSurrogate, n.Start(), func() string { return firstLone(n.Text()) })
	}
	depth := len(f.path)
	members := n.Members()
	var twins []bool
	if n.faults&duplicateName != 0 {
		twins = findTwins(members, n.order())
	}
	for i := range members {
		m := &members[i]
		f.path = append(f.path[:depth], step{name: &m.Name})
		if twins != nil && twins[i] {
			f.report(DuplicateKey, m.NameStart, func() string { return cut(m.Name) })
		}
		if n.faults&loneName != 0 {
			if lone := firstLone(m.Name); lone != "" {
				f.report(LoneSurrogate, m.NameStart, func() string { return lone })
			}
		}
		f.walk(m.Value)
	}
	if n.faults&below != 0 {
		for i, element := range n.Elements() {
			f.path = append(f.path[:depth], step{index: i})
			f.walk(element)
		}
	}
	f.path = f.path[:depth]
}

// findTwins returns the members that repeat the name of an earlier one; order is
// nil for a small object.
func findTwins(members []Member, order []uint32) []bool {
	twins := make([]bool, len(members))
	for i := 1; i < len(order); i++ {
		if members[order[i]].Name == members[order[i-1]].Name {
			twins[order[i]] = true
		}
	}
	if order != nil {
		return twins
	}
	for i := range members {
		for j := range i {
			if members[i].Name == members[j].Name {
				twins[i] = true
				break
			}
		}
	}
	return twins
}

// tooDeep reports the first value that lies deeper than MaxDepth.
func (f *finder) tooDeep(e *Entity) {
	if e.Depth <= MaxDepth {
		return
	}
	n := e.Node
	for level := 1; level <= MaxDepth; level++ {
		n = f.descend(n, MaxDepth+1-level)
	}
	f.report(TooDeep, n.Start(), func() string { return strconv.Itoa(e.Depth) })
	f.path = f.path[:0]
}

// descend goes to the first child that nests at least height levels.
func (f *finder) descend(n *Node, height int) *Node {
	members := n.Members()
	for i := range members {
		if members[i].Value.Depth() >= height {
			f.path = append(f.path, step{name: &members[i].Name})
			return members[i].Value
		}
	}
	for i, element := range n.Elements() {
		if element.Depth() >= height {
			f.path = append(f.path, step{index: i})
			return element
		}
	}
	return n
}

// firstLone spells the first lone surrogate of a text as an escape, "" when
// there is none.
func firstLone(text string) string {
	for i := range len(text) {
		if unit, ok := loneSurrogate(text[i:]); ok {
			return fmt.Sprintf(`\u%04x`, unit)
		}
	}
	return ""
}

// cut shortens a text to maxDetail code points.
func cut(text string) string {
	at := 0
	for range maxDetail {
		if at >= len(text) {
			return text
		}
		if _, ok := loneSurrogate(text[at:]); ok {
			at += 3
			continue
		}
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	if at >= len(text) {
		return text
	}
	return text[:at] + "…"
}

// excerpt is a foreign text that fits into a message.
func excerpt(text string) string { return Visible(cut(text)) }
