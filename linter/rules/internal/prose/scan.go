package prose

// topics is a set of subjects that a text may touch.
type topics uint32

// The subjects. Those from gaps on are ways to write, not things to say.
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

	gaps     // letters with gaps between them
	split    // something between two letters that readers do not see
	encoded  // a long run of letters and digits
	percents // %xx
	mirrored // words that are known ones, read backwards
	rotated  // known words in ROT13
	leet     // known words with digits for letters
)

// disguises are the ways to write that hide words from a plain reading.
const disguises = gaps | split | encoded | percents | mirrored | rotated | leet

// Kinds of bytes, as far as a disguise shows in them.
const (
	letterByte = 1 << iota
	gapByte    // may stand between letters with gaps
	codeByte   // of base64 or hex
	splitByte  // markup or escape that may split a word
)

var byteKind = func() (kind [256]uint8) {
	for c := range kind {
		switch c := byte(c); {
		case c|0x20 >= 'a' && c|0x20 <= 'z':
			kind[c] = letterByte | codeByte
		case c >= '0' && c <= '9':
			kind[c] = codeByte
		}
	}
	for _, c := range []byte(" .-_*|/~") {
		kind[c] |= gapByte
	}
	for _, c := range []byte("+/=") {
		kind[c] |= codeByte
	}
	for _, c := range []byte("*<&\\") {
		kind[c] |= splitByte
	}
	return kind
}()

const (
	leastGapped   = 5  // letters with gaps
	leastEncoded  = 20 // bytes of a run
	leastPercents = 3
)

// scan tells in one pass what a text may be about. It says too much rather
// than too little.
func scan[T string | []byte](text T) topics {
	a := triggers()
	var seen topics
	state, run, gapped, percentages := 0, 0, 0, 0
	afterLetter := false
	for i := range len(text) {
		c := text[i]
		state = int(a.next[state*a.width+int(a.class[c])])
		seen |= a.found[state]
		kind := byteKind[c]
		if kind&codeByte != 0 {
			if run++; run == leastEncoded {
				seen |= encoded
			}
		} else {
			run = 0
			if c == '%' {
				if percentages++; percentages == leastPercents {
					seen |= percents
				}
			}
		}
		switch {
		case kind&letterByte != 0:
			if afterLetter {
				gapped = 0
			} else if gapped++; gapped == leastGapped {
				seen |= gaps
			}
			afterLetter = true
			continue
		case kind&splitByte != 0 && afterLetter:
			seen |= split
		}
		if kind&gapByte == 0 {
			gapped = 0
		}
		afterLetter = false
	}
	return seen
}
