// Package similar finds texts that resemble each other: the cosine of their
// words' TF-IDF weights is not under a threshold.
//
// Comparing all pairs would be quadratic. A word that many texts have weighs
// little, so two texts can only be similar when they share one of their rarer
// words: only those are indexed, and what remains is bounded per text.
package similar

import (
	"cmp"
	"math"
	"slices"
	"unicode"
	"unicode/utf8"
)

// Set collects texts. The zero value is empty and ready to use.
type Set struct {
	vocabulary vocabulary
	frequency  []int32    // by word: the texts that have it
	at         []int32    // by word: its place in words, of the current text
	words      []weighted // of all texts, one after another
	ends       []int      // by text: where its words end
}

// weighted is a word of a text: at first with its number and how often it
// occurs, after [Set.weigh] with its rank (the rarest words first) and weight.
type weighted struct {
	word   int32
	weight float32
}

// longestText is how much of each text counts, in bytes. Real descriptions
// have up to 14,000; what differs after that much has been said before.
const longestText = 16 << 10

// Add appends a text, given in parts; its number is that of the calls before.
func (s *Set) Add(parts ...string) {
	start := len(s.words)
	for _, part := range parts {
		if len(part) > longestText {
			part = part[:longestText]
		}
		s.split(part, start)
	}
	s.ends = append(s.ends, len(s.words))
}

// FNV-1a. Two words with one hash would count as one: one in 10^9 servers.
const (
	hashStart = 14695981039346656037
	hashPrime = 1099511628211
)

// split notes the words of a text: runs of letters and digits, whatever their
// case. Scripts that are written without spaces give pairs of letters.
func (s *Set) split(text string, start int) {
	hash, previous := uint64(hashStart), uint64(0)
	inWord := false
	end := func() {
		if inWord {
			s.note(hash, start)
			hash, inWord = hashStart, false
		}
	}
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		i += size
		switch {
		case r >= 'A' && r <= 'Z':
			r += 'a' - 'A'
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
		case r < utf8.RuneSelf || !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end()
			previous = 0
			continue
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
			end()
			if previous != 0 {
				s.note((hashStart^previous)*hashPrime^uint64(r), start)
			}
			previous = uint64(r)
			continue
		default:
			r = unicode.ToLower(r)
		}
		hash, inWord, previous = (hash^uint64(r))*hashPrime, true, 0
	}
	end()
}

// note counts a word of the text whose words begin at start.
func (s *Set) note(hash uint64, start int) {
	word := s.vocabulary.number(hash)
	if int(word) == len(s.frequency) {
		s.frequency, s.at = append(s.frequency, 0), append(s.at, -1)
	}
	if at := int(s.at[word]); at >= start {
		s.words[at].weight++
		return
	}
	s.at[word] = int32(len(s.words))
	s.frequency[word]++
	s.words = append(s.words, weighted{word, 1})
}

// text returns the words of a text.
func (s *Set) text(i int) []weighted {
	start := 0
	if i > 0 {
		start = s.ends[i-1]
	}
	return s.words[start:s.ends[i]]
}

// weigh turns counts into weights: times ln((1+n)/(1+df))+1, and the whole
// text to length 1. Words are then named by rank and sorted by it.
func (s *Set) weigh() {
	// The rarest first, of equally rare ones as they appeared: counted rather
	// than sorted, since no word is in more texts than there are.
	starts := make([]int32, len(s.ends)+2)
	for _, n := range s.frequency {
		starts[n+1]++
	}
	for n := range len(starts) - 1 {
		starts[n+1] += starts[n]
	}
	rank := s.at // needed no more
	rarity := make([]float32, len(s.frequency))
	for word, n := range s.frequency {
		rank[word] = starts[n]
		starts[n]++
		rarity[word] = float32(math.Log(float64(1+len(s.ends))/float64(1+n)) + 1)
	}
	for i := range s.ends {
		words := s.text(i)
		sum := 0.0
		for j := range words {
			w := &words[j]
			w.weight *= rarity[w.word]
			sum += square(w.weight)
			w.word = rank[w.word]
		}
		length := float32(math.Sqrt(sum))
		for j := range words {
			words[j].weight /= length
		}
		slices.SortFunc(words, func(a, b weighted) int { return cmp.Compare(a.word, b.word) })
	}
}
