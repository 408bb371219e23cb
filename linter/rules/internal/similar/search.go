package similar

import "math"

// Match says what a text resembles.
type Match struct {
	// Nearest is the most similar later text, the first of equal ones.
	Nearest    int
	Similarity float64
	// Count is how many later texts are similar, Nearest included. When Cut is
	// set there may be more, nearer ones among them.
	Count int
	Cut   bool
}

const (
	// maxMatches is how many similar texts are looked for.
	maxMatches = 20
	// maxSteps bounds the work for one text, in words looked at: three times what
	// any text of 80 real servers (of up to 401 tools) needed.
	maxSteps = 1 << 13
	// perCompare is what fetching another text costs, in words.
	perCompare = 16
)

// entry tells that a text has a word among its rarer ones.
type entry struct {
	text int32
	tail float32 // the length of the text without its rarer words
}

// searcher is the index and what one search uses again for the next.
type searcher struct {
	set       *Set
	threshold float64
	lists     [][]entry // by rank of the word; texts that come later
	dense     []float32 // by rank of the word: its weight in the current text
	seen      []int32   // by text: the last one that it was looked at for, plus 1
}

// Search calls report for every text that resembles a later one, in order. Pairs
// that related refuses are none; steps is what the question cost. The set must
// not be used afterwards.
//
// The work for one text is bounded, so a search among many alike texts ends
// early and says so with Cut; a Match with Cut may even have no Count.
func (s *Set) Search(threshold float64, related func(i, j int) (ok bool, steps int), report func(i int, m Match)) {
	s.weigh()
	r := searcher{
		set: s, threshold: threshold,
		lists: make([][]entry, len(s.frequency)), dense: make([]float32, len(s.frequency)), seen: make([]int32, len(s.ends)),
	}
	r.index()
	for i := range s.ends {
		if m := r.matches(i, related); m.Count > 0 || m.Cut {
			report(i, m)
		}
	}
}

func square(x float32) float64 { return float64(x) * float64(x) }

// tails returns the length of the rest of a text from each word on.
func tails(words []weighted, into []float64) []float64 {
	into = append(into[:0], make([]float64, len(words))...)
	sum := 0.0
	for i := len(words) - 1; i >= 0; i-- {
		sum += square(words[i].weight)
		into[i] = math.Sqrt(sum)
	}
	return into
}

// slack keeps rounding from hiding a pair at the threshold.
const slack = 1e-5

// index enters each text under its rarer words: as many as it takes until the
// others could not reach the threshold with any text.
func (r *searcher) index() {
	lengths := make([]int32, len(r.lists))
	var tail []float64
	total := 0
	for i := range r.set.ends {
		words := r.set.text(i)
		tail = tails(words, tail)
		for j := 0; j < len(words) && tail[j] >= r.threshold-slack; j++ {
			lengths[words[j].word]++
			total++
		}
	}
	block := make([]entry, total)
	for word, n := range lengths {
		r.lists[word], block = block[:0:n], block[n:]
	}
	for i := range r.set.ends {
		words := r.set.text(i)
		tail = tails(words, tail)
		for j := 0; j < len(words) && tail[j] >= r.threshold-slack; j++ {
			list := &r.lists[words[j].word]
			*list = append(*list, entry{int32(i), float32(tail[j])})
		}
	}
}

// matches looks for the later texts that resemble text i. Earlier texts have
// taken themselves out of the lists.
func (r *searcher) matches(i int, related func(i, j int) (bool, int)) Match {
	words := r.set.text(i)
	for _, w := range words {
		r.dense[w.word] = w.weight
	}
	defer func() {
		for _, w := range words {
			r.dense[w.word] = 0
		}
	}()
	var m Match
	steps := 0
	rest := 1.0 // square of the length from the current word on
	for _, w := range words {
		list := r.lists[w.word]
		if len(list) == 0 || int(list[0].text) != i {
			break // the words from here on are common ones
		}
		list = list[1:]
		r.lists[w.word] = list
		tail := math.Sqrt(max(rest, 0))
		rest -= square(w.weight)
		for k := range list {
			if steps >= maxSteps || m.Count >= maxMatches {
				m.Cut = true
				break // but the text must still leave the other lists
			}
			e := &list[k]
			steps++
			if r.seen[e.text] == int32(i)+1 {
				continue
			}
			r.seen[e.text] = int32(i) + 1
			// This is the rarest word that both have, so they share nothing of
			// what stands before it.
			if tail*float64(e.tail) >= r.threshold-slack {
				steps += r.compare(i, int(e.text), related, &m)
			}
		}
	}
	return m
}

// compare looks at one pair.
func (r *searcher) compare(i, j int, related func(i, j int) (bool, int), m *Match) (steps int) {
	ok, steps := related(i, j)
	if !ok {
		return steps
	}
	other := r.set.text(j)
	similarity := 0.0
	for _, w := range other {
		similarity += float64(r.dense[w.word]) * float64(w.weight) // exact, so fused or not is the same
	}
	if similarity >= r.threshold-slack {
		m.Count++
		if similarity > m.Similarity+slack || similarity > m.Similarity-slack && j < m.Nearest {
			m.Nearest, m.Similarity = j, similarity
		}
	}
	return steps + len(other) + perCompare
}
