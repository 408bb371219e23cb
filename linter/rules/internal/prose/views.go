package prose

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"html"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestView bounds what disguises are looked for in, in bytes: what comes
// after it is only read as it is. mostDecoded bounds what is decoded, of one text.
const (
	longestView = 1 << 20
	mostDecoded = 1 << 16
)

// views calls yield with the readings of a text, the plain one first, and the
// topics that each touches. Each disguise is undone once: what is hidden twice
// is not looked for. It returns false when there is nothing to look at.
func views(text string, yield func(view, disguise string, where []stretch)) bool {
	folded, ascii := text, isASCII(text)
	if !ascii {
		head := min(len(text), longestView)
		folded = fold(text[:head]) + text[head:]
		ascii = isASCII(folded)
	}
	about, where := scan(folded, ascii)
	if about&^disguises != 0 {
		yield(folded, "characters that are not what they look like", where)
	}
	if about&disguises == 0 {
		return about != 0
	}
	folded = folded[:min(len(folded), longestView)]
	again := func(view, disguise string) {
		if view == "" || view == folded {
			return
		}
		if about, where := scan(view, isASCII(view)); about&^disguises != 0 {
			yield(view, disguise, where)
		}
	}
	if about&split != 0 {
		again(unsplit(folded), "markup or escapes inside words")
	}
	if about&gaps != 0 {
		again(joinLetters(folded), "letters with gaps")
	}
	if about&percents != 0 {
		if plain, err := url.PathUnescape(folded); err == nil {
			again(fold(plain), "percent encoding")
		}
	}
	if about&encoded != 0 {
		decodeRuns(folded, func(plain, name string) { again(fold(plain), name) })
	}
	if about&mirrored != 0 {
		again(reverse(folded), "reversed letters")
	}
	if about&rotated != 0 {
		again(strings.Map(rot13, folded), "ROT13")
	}
	if about&leet != 0 {
		again(strings.Map(unleet, folded), "digits for letters")
	}
	return true
}

// unsplit takes out of words what is not shown or only changes how they look,
// and reads escapes.
func unsplit(text string) string {
	if strings.Contains(text, "&") {
		text = fold(html.UnescapeString(text))
	}
	if strings.Contains(text, `\`) {
		text = fold(unescape(text))
	}
	var b strings.Builder
	b.Grow(len(text))
	for i := 0; i < len(text); {
		switch n := markupLength(text[i:]); {
		case n == 0:
			b.WriteByte(text[i])
			i++
		default:
			if i == 0 || i+n >= len(text) || !isLetter(text[i-1]) || !isLetter(text[i+n]) {
				b.WriteString(text[i : i+n])
			}
			i += n
		}
	}
	return b.String()
}

// longestTag bounds a tag or comment inside a word.
const longestTag = 80

// markupLength returns the length of the markup at the start of a text.
func markupLength(text string) int {
	switch text[0] {
	case '*', '`':
		n := 1
		for n < len(text) && text[n] == text[0] {
			n++
		}
		return n
	case '<':
		if len(text) > 1 && (isLetter(text[1]) || text[1] == '/' || text[1] == '!') {
			if end := strings.IndexByte(text[:min(len(text), longestTag)], '>'); end > 0 {
				n := end + 1
				if n < len(text) && text[n] == '<' {
					return n + markupLength(text[n:])
				}
				return n
			}
		}
	}
	return 0
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// unescape reads \u0041 and \x41.
func unescape(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		digits := 0
		if text[i] == '\\' && i+1 < len(text) {
			switch text[i+1] {
			case 'u':
				digits = 4
			case 'x':
				digits = 2
			}
		}
		if digits > 0 && i+2+digits <= len(text) {
			if r, err := strconv.ParseUint(text[i+2:i+2+digits], 16, 32); err == nil {
				b.WriteRune(rune(r))
				i += 1 + digits
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// joinLetters joins letters that stand alone, one gap apart: a wider gap ends a
// word. Where all gaps are alike, known words are told apart.
func joinLetters(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		run, letters := gappedRun(text[i:])
		if letters < leastGapped || i > 0 && isLetter(text[i-1]) {
			b.WriteByte(text[i])
			i++
			continue
		}
		var words []string
		word, gap := "", 0
		for j := range run {
			c := text[i+j]
			if !isLetter(c) {
				gap++
				continue
			}
			if gap > 1 {
				words, word = append(words, segment(word)), ""
			}
			word += string(c)
			gap = 0
		}
		b.WriteString(strings.Join(append(words, segment(word)), " "))
		i += run
	}
	return b.String()
}

// longestGapped bounds a run of gapped letters, in bytes.
const longestGapped = 1000

// gappedRun measures the run of single letters at the start of a text.
func gappedRun(text string) (length, letters int) {
	for i := 0; i < len(text) && i < longestGapped && isLetter(text[i]); {
		if i+1 < len(text) && isLetter(text[i+1]) {
			break // a word begins
		}
		letters++
		i++
		length = i
		for gap := 0; i < len(text) && gap < 4 && byteKind[text[i]]&gapByte != 0; gap++ {
			i++
		}
		if i == length {
			break
		}
	}
	return length, letters
}

// longestKnown is the length of the longest word that the matchers know.
const longestKnown = 14

// smallWords are those that the matchers look at by their text alone.
var smallWords = [...]string{
	"the", "do", "to", "of", "your", "was", "were", "and", "in", "is", "are", "be", "with", "have", "has", "been", "our", "by", "us", "so", "as", "keep", "no", "need",
}

// segment puts blanks between known words, in what is too long to be one.
func segment(letters string) string {
	if len(letters) <= longestKnown {
		return letters
	}
	lower := lowerASCII(letters)
	var b strings.Builder
	known := false
	for i := 0; i < len(lower); {
		n := 0
		for size := min(longestKnown, len(lower)-i); size >= 2 && n == 0; size-- {
			if part := lower[i : i+size]; classOf(part) != 0 || slices.Contains(smallWords[:], part) {
				n = size
			}
		}
		if b.Len() > 0 && (n > 0 || known) {
			b.WriteByte(' ')
		}
		known = n > 0
		n = max(n, 1)
		b.WriteString(letters[i : i+n])
		i += n
	}
	return b.String()
}

// decodeRuns calls yield with what long runs of letters and digits stand for,
// if that is a text.
func decodeRuns(text string, yield func(plain, name string)) {
	left := mostDecoded
	for i := 0; i < len(text) && left > 0; {
		end := i
		for end < len(text) && (byteKind[text[end]]&runByte != 0 || text[end] == '-' || text[end] == '_') {
			end++
		}
		if end-i >= leastEncoded {
			run := text[i:min(end, i+left)]
			left -= len(run)
			if plain, err := hex.DecodeString(run[:len(run)&^1]); err == nil {
				if isText(plain) {
					yield(string(plain), "hex")
				}
			} else if plain, ok := decodeBase64(run); ok && isText(plain) {
				yield(string(plain), "base64")
			} else if plain, ok := decodeBase32(run); ok && isText(plain) {
				yield(string(plain), "base32")
			}
		}
		i = end + 1
	}
}

func decodeBase64(run string) ([]byte, bool) {
	run = strings.ReplaceAll(strings.ReplaceAll(strings.TrimRight(run, "="), "-", "+"), "_", "/")
	if len(run)%4 == 1 {
		run = run[:len(run)-1]
	}
	plain, err := base64.RawStdEncoding.DecodeString(run)
	return plain, err == nil
}

func decodeBase32(run string) ([]byte, bool) {
	run = strings.ToUpper(strings.TrimRight(run, "="))
	if n := len(run) % 8; n == 1 || n == 3 || n == 6 {
		return nil, false
	}
	plain, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(run)
	return plain, err == nil
}

// isText: characters that are shown, with blanks among them.
func isText(b []byte) bool {
	if !utf8.Valid(b) {
		return false
	}
	blanks := false
	for _, r := range string(b) {
		if !unicode.IsPrint(r) && r != '\n' && r != '\t' && r != '\r' {
			return false
		}
		blanks = blanks || r == ' ' || r > 0x2000
	}
	return blanks
}

// reverse reads a text backwards. Stops are then at the wrong end of
// sentences, so capitals begin new ones.
func reverse(text string) string {
	runes := []rune(text)
	for i, j := 0, len(runes)-1; i < j; i, j = i+1, j-1 {
		runes[i], runes[j] = runes[j], runes[i]
	}
	var b strings.Builder
	for i, r := range runes {
		if r >= 'A' && r <= 'Z' && i > 0 && runes[i-1] == ' ' {
			b.WriteString(". ")
		}
		b.WriteRune(r)
	}
	return b.String()
}

func rot13(r rune) rune {
	switch {
	case r >= 'a' && r <= 'z':
		return 'a' + (r-'a'+13)%26
	case r >= 'A' && r <= 'Z':
		return 'A' + (r-'A'+13)%26
	}
	return r
}

func unleet(r rune) rune {
	if i := strings.IndexRune("013457@$!", r); i >= 0 {
		return rune("oieastasi"[i])
	}
	return r
}
