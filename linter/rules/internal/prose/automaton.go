package prose

import "math/bits"

// automaton finds which of many literals occur in a text, in one pass whatever
// their number (Aho and Corasick). ASCII letters match in any case; a blank
// matches any run of blanks, line ends and marks.
type automaton struct {
	class [256]uint8 // of a byte; 0: in no literal
	width int        // number of classes
	next  []uint16   // by state and class
	found []topics   // by state: what has been seen when it is reached

	// jump is next as it is walked: a state is named by where its row begins,
	// and rows are 1<<shift long, so that no step has to multiply.
	jump  []uint32
	shift uint8
}

// blankMarks are what may stand between words beside blanks, unless a literal
// has them.
const blankMarks = "\n\r\t*,()\"`"

// newAutomaton compiles the literals, which are lower-case, with the topics
// that each stands for.
func newAutomaton(literals map[string]topics) *automaton {
	a := &automaton{width: 1}
	for literal := range literals {
		for i := range len(literal) {
			if c := literal[i]; a.class[c] == 0 {
				a.class[c] = uint8(a.width)
				a.width++
			}
		}
	}
	for c := byte('A'); c <= 'Z'; c++ {
		a.class[c] = a.class[c+'a'-'A']
	}
	for _, c := range []byte(blankMarks) {
		if a.class[c] == 0 {
			a.class[c] = a.class[' ']
		}
	}
	a.grow()
	for literal, topics := range literals {
		state := 0
		for i := range len(literal) {
			at := state*a.width + int(a.class[literal[i]])
			if a.next[at] == 0 {
				a.next[at] = a.grow()
			}
			state = int(a.next[at])
		}
		a.found[state] |= topics
	}
	a.link()
	a.flatten()
	return a
}

func (a *automaton) grow() uint16 {
	a.next = append(a.next, make([]uint16, a.width)...)
	a.found = append(a.found, 0)
	return uint16(len(a.found) - 1)
}

// link turns the tree into an automaton: where a literal does not go on, the
// longest end of what was read that begins another one does.
func (a *automaton) link() {
	suffix := make([]int, len(a.found))
	blank := int(a.class[' '])
	afterBlank := make([]bool, len(a.found))
	var queue []int
	for c := range a.width {
		if child := int(a.next[c]); child != 0 {
			afterBlank[child] = c == blank
			queue = append(queue, child)
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		state := queue[0]
		a.found[state] |= a.found[suffix[state]]
		for c := range a.width {
			at, other := state*a.width+c, a.next[suffix[state]*a.width+c]
			switch child := int(a.next[at]); {
			case child != 0:
				suffix[child] = int(other)
				afterBlank[child] = c == blank
				queue = append(queue, child)
			case c == blank && c != 0 && afterBlank[state]:
				a.next[at] = uint16(state)
			default:
				a.next[at] = other
			}
		}
	}
}

// flatten makes jump of next, which is needed no more.
func (a *automaton) flatten() {
	a.shift = uint8(bits.Len(uint(a.width - 1)))
	a.jump = make([]uint32, len(a.found)<<a.shift)
	for at, to := range a.next {
		a.jump[at/a.width<<a.shift+at%a.width] = uint32(to) << a.shift
	}
	a.next = nil
}
