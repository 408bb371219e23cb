package rules_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/rules"
)

// alikeTools are the sets that make a comparison of all pairs expensive.
var alikeTools = map[string]func(i int) string{
	"identical": func(int) string { return alikeTool("find_tides", "Finds the tides of one basin of the harbour.") },
	"same text": func(i int) string { return alikeTool(fmt.Sprint("find_tides_", i), commonWords(0, commonVocabulary)) },
	// The same, said in other orders.
	"same words": func(i int) string { return alikeTool(fmt.Sprint("find_tides_", i), commonWords(i, commonVocabulary)) },
	// Each has its part of the common words: none is alike, all must be looked at.
	"half the words": func(i int) string { return alikeTool(fmt.Sprint("find_tides_", i), commonWords(i, commonVocabulary/2)) },
}

func alikeTool(name, description string) string {
	return fmt.Sprintf(`{"name":%q,"description":%q,"inputSchema":{"type":"object","properties":{"basin":{"type":"string"},"day":{"type":"string"}}}}`, name, description)
}

// commonVocabulary is how many words 10,000 tools must share to be alike: each has one
// of its own, its number, and a rare word weighs much.
const commonVocabulary = 150

// commonWords are n of the common words, in another order for every seed.
func commonWords(seed, n int) string {
	random := rand.New(rand.NewPCG(uint64(seed), 7))
	words := make([]string, n)
	for i, word := range random.Perm(commonVocabulary)[:n] {
		words[i] = fmt.Sprint("word", word)
	}
	return strings.Join(words, " ")
}

func alikeSnapshot(tools int, tool func(int) string) []byte {
	list := make([]string, tools)
	for i := range list {
		list[i] = tool(i)
	}
	return []byte("[" + strings.Join(list, ",\n") + "]")
}

func overlapOnly(tb testing.TB, preset linter.Preset) *linter.Linter {
	all := rules.All()
	at := slices.IndexFunc(all, func(r linter.Rule) bool { return r.ID == "tools/overlap" })
	l, err := linter.New(all[at:at+1], linter.Config{Preset: preset})
	if err != nil {
		tb.Fatal(err)
	}
	return l
}

// BenchmarkOverlap10000Tools compares 10,000 tools with 1,000, for the rule
// alone: "x1000-cpu" must stay under 12. Only where none is alike and all must
// be looked at may it be more: there the work for one tool is bounded.
func BenchmarkOverlap10000Tools(b *testing.B) {
	for _, c := range []struct {
		preset linter.Preset
		set    string
	}{
		{linter.Recommended, "identical"}, {linter.Agents, "identical"},
		{linter.Agents, "same text"}, {linter.Agents, "same words"}, {linter.Agents, "half the words"},
	} {
		b.Run(string(c.preset)+"/"+c.set, func(b *testing.B) {
			l := overlapOnly(b, c.preset)
			small, large := mustParse(b, alikeSnapshot(1_000, alikeTools[c.set])), mustParse(b, alikeSnapshot(10_000, alikeTools[c.set]))
			smallTime, largeTime := longest(), longest()
			for b.Loop() {
				runs := measure(func() {
					for range smallRuns {
						l.Lint(small)
					}
				})
				smallTime = smallTime.least(spent{runs.wall / smallRuns, runs.cpu / smallRuns})
				largeTime = largeTime.least(measure(func() { l.Lint(large) }))
			}
			b.ReportMetric(float64(largeTime.cpu)/float64(smallTime.cpu), "x1000-cpu")
			b.ReportMetric(float64(largeTime.cpu.Milliseconds()), "ms-large")
		})
	}
}
