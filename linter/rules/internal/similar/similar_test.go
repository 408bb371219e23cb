package similar_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/mcp-lint/mcp-lint/linter/rules/internal/similar"
)

// near lets weights be rounded.
var near = cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-3 })

func always(int, int) (bool, int) { return true, 0 }

// search returns what a search reports, by text.
func search(texts []string, threshold float64, related func(i, j int) (bool, int)) map[int]similar.Match {
	var set similar.Set
	for _, text := range texts {
		set.Add(text)
	}
	found := map[int]similar.Match{}
	set.Search(threshold, related, func(i int, m similar.Match) { found[i] = m })
	return found
}

// allPairs is the definition: every pair, no index, float64 throughout.
func allPairs(texts []string, threshold float64) map[int]similar.Match {
	n := float64(len(texts))
	counts := make([]map[string]float64, len(texts))
	frequency := map[string]float64{}
	for i, text := range texts {
		counts[i] = map[string]float64{}
		for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			if counts[i][word]++; counts[i][word] == 1 {
				frequency[word]++
			}
		}
	}
	lengths := make([]float64, len(texts))
	for i, words := range counts {
		for word := range words {
			words[word] *= math.Log((1+n)/(1+frequency[word])) + 1
			lengths[i] += words[word] * words[word]
		}
	}
	found := map[int]similar.Match{}
	for i := range texts {
		var m similar.Match
		for j := i + 1; j < len(texts); j++ {
			dot := 0.0
			for word, weight := range counts[i] {
				dot += weight * counts[j][word]
			}
			likeness := dot / math.Sqrt(lengths[i]*lengths[j])
			if math.IsNaN(likeness) || likeness < threshold {
				continue
			}
			m.Count++
			if likeness > m.Similarity+1e-5 {
				m.Similarity, m.Nearest = likeness, j
			}
		}
		if m.Count > 0 {
			found[i] = m
		}
	}
	return found
}

// The index must find exactly what a comparison of all pairs finds.
func TestSearchFindsWhatAllPairsFind(t *testing.T) {
	t.Parallel()
	words := strings.Fields("the a of one basin harbour tide level ship berth crane pilot list find returns new Harbour öl")
	pairs := 0
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 1))
		texts := make([]string, 2+random.IntN(40))
		for i := range texts {
			var b strings.Builder
			for range random.IntN(12) {
				// Few words are common and most are rare, as in any language.
				b.WriteString(words[random.IntN(1+random.IntN(len(words)))] + [...]string{" ", ", ", "_"}[random.IntN(3)])
			}
			texts[i] = b.String()
		}
		// No pair of texts of so few words lies as near to these as rounding.
		threshold := [...]float64{0.3003, 0.5003, 0.8003}[seed%3]
		want, got := allPairs(texts, threshold), search(texts, threshold, always)
		pairs += len(want)
		for i, m := range got {
			if m.Cut { // enough matches: the rest was left
				delete(got, i)
				delete(want, i)
			}
		}
		if diff := cmp.Diff(want, got, near); diff != "" {
			t.Fatalf("seed %d, threshold %v (-all pairs +search):\n%s", seed, threshold, diff)
		}
	}
	if pairs < 500 {
		t.Errorf("only %d similar texts: the test shows nothing", pairs)
	}
}

func TestWordsOfAText(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		a, b string
		same bool
	}{
		"letter case and punctuation": {"Harbour-Master: Öl", "harbour, master öl!", true},
		"other words":                 {"harbour master", "kitchen cook", false},
		"no words at all":             {"--- …", "!!!", false},
		"empty":                       {"", "", false},
		"without spaces":              {"港の水位を返します", "港の水位を返します", true},
		"other pairs of letters":      {"港の水位を返します", "料理名一覧表示", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, same := search([]string{c.a, c.b}, 0.9, always)[0]; same != c.same {
				t.Errorf("similar: %t; want %t", same, c.same)
			}
		})
	}
}

func TestOnlyRelatedTextsAreMatched(t *testing.T) {
	t.Parallel()
	texts := []string{"open the lock gate", "open the lock gate", "open the lock gate"}
	found := search(texts, 0.5, func(i, j int) (bool, int) { return j != 1, 1 })
	want := map[int]similar.Match{0: {Nearest: 2, Similarity: 1, Count: 1}, 1: {Nearest: 2, Similarity: 1, Count: 1}}
	if diff := cmp.Diff(want, found, near); diff != "" {
		t.Error(diff)
	}
}

// A search that gives up says so.
func TestCutIsSaid(t *testing.T) {
	t.Parallel()
	common := ""
	for i := range 100 {
		common += fmt.Sprintf("word%d ", i)
	}
	texts := make([]string, 3000)
	for i := range texts {
		texts[i] = common + fmt.Sprint("number", i)
	}
	found := search(texts, 0.5, always)
	if m := found[0]; !m.Cut || m.Count < 10 {
		t.Errorf("%+v; want many matches and a cut", m)
	}
	if m := found[len(texts)-2]; m.Cut || m.Count != 1 {
		t.Errorf("%+v; want the last pair in full", m)
	}
	found = search(texts, 0.5, func(int, int) (bool, int) { return false, 1 })
	if m, ok := found[0]; !ok || !m.Cut || m.Count != 0 {
		t.Errorf("%+v; want a cut without a match", m)
	}
}

func FuzzSearch(f *testing.F) {
	f.Add("open the gate", "shut the gate", "\xff\xed\xa0\x80港")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		for i, m := range search([]string{a, b, c, a}, 0.5, always) {
			if m.Nearest <= i || m.Nearest > 3 || m.Count < 1 || math.IsNaN(m.Similarity) || m.Similarity > 1.001 {
				t.Errorf("text %d: %+v", i, m)
			}
		}
	})
}
