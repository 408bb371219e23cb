package launch

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestSplitWords(t *testing.T) {
	t.Parallel()
	for line, want := range map[string][]string{
		"":                              nil,
		" \t\u00a0\u3000\ufeff":         nil,
		"node server.js":                {"node", "server.js"},
		"  node\u2003server.js\u2028x ": {"node", "server.js", "x"},
		`node 'my server.js' "a b"`:     {"node", "my server.js", "a b"},
		`a''b "" c`:                     {"ab", "", "c"},
		`'' ""`:                         {"", ""},
		`--name="two words"'!'`:         {"--name=two words!"},
		`'a\n"b'`:                       {`a\n"b`},
		"\"a\\\"b\\\\c\\$d\\`e\"":       {"a\"b\\c$d`e"},
		`"C:\new\'x"`:                   {`C:\new\'x`},
		`C:\\new a\ b \'c \"`:           {`C:\new`, "a b", "'c", `"`},
		`a\é\😀`:                         {"aé😀"},
		`end\`:                          {`end\`},
		`\`:                             {`\`},
		"$HOME `x` *.js # no comment":   {"$HOME", "`x`", "*.js", "#", "no", "comment"},
		"a\xffb \xfe":                   {"a\xffb", "\xfe"},
		"zero\u200bwidth":               {"zero\u200bwidth"},
		"a\u0085b":                      {"a\u0085b"},
	} {
		got, err := SplitWords(line)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: got %q, %v; want %q", line, got, err, want)
		}
	}
	for _, line := range []string{`'`, `"`, `a 'b`, `a "b\"`, `"\`, `it's`} {
		if got, err := SplitWords(line); err == nil {
			t.Errorf("%q: got %q, want an error", line, got)
		}
	}
}

// Whatever the words are, and in whichever way each is quoted: they come back.
func TestSplitWordsRoundTrips(t *testing.T) {
	t.Parallel()
	const seeds = 20_000
	letters := []rune("ab \t\n'\"\\$`-=é😀\u00a0\ufeff\u200b\x00")
	r := rand.New(rand.NewPCG(1, 2))
	for range seeds {
		words := make([]string, r.IntN(4))
		var line strings.Builder
		for i := range words {
			word := make([]rune, r.IntN(6))
			for j := range word {
				word[j] = letters[r.IntN(len(letters))]
			}
			words[i] = string(word)
			line.WriteString(strings.Repeat(" ", 1+r.IntN(2)))
			line.WriteString(quoted(r.IntN(3), words[i]))
		}
		got, err := SplitWords(line.String())
		if err != nil || !slices.Equal(got, words) {
			t.Fatalf("%q became %q, %v; want %q", &line, got, err, words)
		}
	}
}

// quoted writes a word in one of three ways.
func quoted(way int, word string) string {
	switch {
	case way == 0 || word == "":
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	case way == 1:
		return `"` + strings.NewReplacer(`"`, `\"`, `\`, `\\`, "$", `\$`, "`", "\\`").Replace(word) + `"`
	}
	var b strings.Builder
	for _, r := range word {
		b.WriteString(`\` + string(r))
	}
	return b.String()
}
