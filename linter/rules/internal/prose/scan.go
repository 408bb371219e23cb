package prose

import "bytes"

// topics is a set of subjects that a text may touch.
type topics uint64

// The subjects of the matchers, and the words that have to come together
// before a matcher reads a text.
const (
	drop      topics = 1 << iota // orders to drop earlier instructions
	conceal                      // keeping things from the user
	role                         // playing a chat's roles
	leak                         // handing out the prompt
	foreign                      // phrases in other languages
	otherTool                    // orders about tools, claims over them
	transfer                     // sending data somewhere
	secret                       // credential files
	markup                       // comments and tags

	// Ways to write, not things to say.
	gaps     // letters with gaps between them
	split    // something between two letters that readers do not see
	encoded  // a long run of letters and digits
	percents // %xx
	mirrored // words that are known ones, read backwards
	rotated  // known words in ROT13
	leet     // known words with digits for letters

	// Words that mean nothing alone.
	dropping
	instructions
	told
	forbidding
	stealth
	people
	knowing
	timing
	firstly
	usage
	tooling
	identifier
	greedy
	brief // a text that is hardly more than a title
	altering
	ordering
	copying
	replacing
	others
	sending
	data
)

// disguises are the ways to write that hide words from a plain reading.
const disguises = gaps | split | encoded | percents | mirrored | rotated | leet

// combinations says which words make a subject together.
var combinations = [...]struct{ all, make topics }{
	{dropping | instructions, drop},
	{told | forbidding, conceal},
	{stealth | people, conceal},
	{people | forbidding | knowing, conceal},
	{timing | usage | tooling | altering, otherTool},
	{timing | usage | identifier | altering, otherTool},
	{firstly | identifier | ordering | greedy, otherTool},
	{firstly | identifier | ordering | brief, otherTool},
	{copying | altering, otherTool},
	{replacing | others, otherTool},
	{sending | data, transfer},
}

const subjects = drop | conceal | role | leak | foreign | otherTool | transfer | secret | markup

// subjects reduces what was seen to the subjects and disguises that matter.
func (t topics) subjects() topics {
	about := t & (subjects | disguises)
	for i := range combinations {
		if c := &combinations[i]; t&c.all == c.all {
			about |= c.make
		}
	}
	return about
}

// Kinds of bytes, as far as a disguise shows in them.
const (
	lowerByte = 1 << iota
	upperByte
	digitByte
	gapByte   // may stand between letters with gaps
	codeByte  // of base64 or hex, besides letters and digits
	splitByte // may be in the middle of a word and not be shown
	notHex    // a letter that is no digit of hex
	stopByte  // may end a sentence, or begin a percent escape

	letterByte = lowerByte | upperByte
	runByte    = letterByte | digitByte | codeByte
)

var byteKind = func() (kind [256]uint8) {
	for c := range kind {
		switch c := byte(c); {
		case c >= 'a' && c <= 'z':
			kind[c] = lowerByte
		case c >= 'A' && c <= 'Z':
			kind[c] = upperByte
		case c >= '0' && c <= '9':
			kind[c] = digitByte
		}
		if c|0x20 > 'f' && c|0x20 <= 'z' {
			kind[c] |= notHex
		}
	}
	for _, c := range []byte(" .-_*|/~") {
		kind[c] |= gapByte
	}
	for _, c := range []byte("+/=") {
		kind[c] |= codeByte
	}
	for _, c := range []byte("*<`") {
		kind[c] |= splitByte
	}
	for _, c := range []byte(".!?%\n") {
		kind[c] |= stopByte
	}
	return kind
}()

const (
	leastGapped   = 5  // letters with gaps
	leastEncoded  = 20 // bytes of a run
	leastPercents = 3
)

// isCode tells a run of base64 or hex from a long word: base64 has letters of
// both cases and digits, hex has digits and no other letters than its own, and
// base32 has digits and letters of one case.
func isCode(kinds uint8) bool {
	return kinds&digitByte != 0 && kinds&letterByte != 0
}

// stretch is a part of a text, whole sentences, and what it may be about.
type stretch struct {
	from, to int
	about    topics
}

// scan tells in one pass what a text may be about, and where. It says too much
// rather than too little; ascii promises that there is nothing else in it. The disguises it tells of are those of the whole
// text.
func scan[T string | []byte](text T, ascii bool) (about topics, where []stretch) {
	a := asciiTriggers()
	if !ascii {
		a = allTriggers()
	}
	var always topics
	if len(text) <= longestTitle {
		always = brief
	}
	seen := always
	jump, shift := a.jump, a.shift
	var state uint32
	var run, gapped, percentages, from int
	var runKinds uint8
	marks := false // after a letter and marks that may split a word
	for i := 0; i < len(text); i++ {
		c := text[i]
		kind := byteKind[c]
		if kind&letterByte != 0 {
			if gapped++; gapped == leastGapped {
				about |= gaps
			}
			if marks {
				about |= split
				marks = false
			}
			// A word: what only letters can bring about.
			start := i
			var last, humps uint8
			for {
				state = jump[state+uint32(a.class[c])]
				seen |= a.found[state>>shift]
				humps |= last << 1 & kind // a capital after a small letter
				runKinds |= kind
				last = kind
				if i++; i == len(text) {
					break
				}
				c = text[i]
				if kind = byteKind[c]; kind&letterByte == 0 {
					break
				}
			}
			if humps&upperByte != 0 {
				seen |= identifier
			}
			if i-start > 1 {
				gapped = 0
			}
			run += i - start
			if i == len(text) {
				break
			}
			marks = kind&splitByte != 0
		}
		state = jump[state+uint32(a.class[c])]
		seen |= a.found[state>>shift]
		if kind&runByte != 0 && c != '/' { // paths have many
			run++
			runKinds |= kind
		} else {
			if run >= leastEncoded && isCode(runKinds) {
				about |= encoded
			}
			run, runKinds = 0, 0
		}
		if kind&splitByte == 0 {
			marks = false
		} else if c == '<' && marks && i+1 < len(text) && (text[i+1] == '/' || text[i+1] == '!') {
			about |= split
		}
		if kind&gapByte == 0 {
			gapped = 0
		}
		if kind&stopByte == 0 {
			continue
		}
		if c == '%' {
			if percentages++; percentages == leastPercents {
				about |= percents
			}
		} else if endsSentence(text, i) {
			if t := seen.subjects(); t != 0 {
				about |= t
				where = append(where, stretch{from, i + 1, t})
			}
			seen, from = always, i+1
		}
	}
	if run >= leastEncoded && isCode(runKinds) {
		about |= encoded
	}
	if t := seen.subjects(); t != 0 {
		about |= t
		where = append(where, stretch{from, len(text), t})
	}
	return about, where
}

// endsSentence reports whether a stop or a line feed does so beyond doubt.
func endsSentence[T string | []byte](text T, i int) bool {
	if text[i] != '\n' {
		return i+1 < len(text) && text[i+1] == ' ' && (i < 2 || text[i-2] != '.') // "e.g. "
	}
	for i++; i < len(text) && text[i] == ' '; i++ {
	}
	return i < len(text) && (text[i] == '\n' || text[i] == '-' || text[i] == '*' || text[i] == '#' || byteKind[text[i]]&upperByte != 0)
}

// longestTitle is the most that a title has, in bytes.
const longestTitle = 120

// Shortest is the length of a text that can say anything, in bytes.
const Shortest = 10

// appendUnescaped reads the escapes of a JSON string, of which ASCII texts
// without control characters have few kinds.
func appendUnescaped(to, text []byte) []byte {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '\\' && i+1 < len(text) {
			i++
			switch c = text[i]; c {
			case 'n', 'r':
				c = '\n'
			case 't':
				c = '\t'
			}
		}
		to = append(to, c)
	}
	return to
}

// stringEnd returns the offset of the quotation mark that ends a JSON string.
func stringEnd(raw []byte) int {
	for i := 0; ; {
		n := bytes.IndexByte(raw[i:], '"')
		if n < 0 {
			return len(raw)
		}
		i += n
		escapes := 0
		for j := i - 1; j >= 0 && raw[j] == '\\'; j-- {
			escapes++
		}
		if escapes%2 == 0 {
			return i
		}
		i++
	}
}
