package checks

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCut(t *testing.T) {
	t.Parallel()
	const note = "(more)"
	for name, c := range map[string]struct {
		text string
		max  int
		want string
	}{
		"fits":                   {"abc", 3, "abc"},
		"invalid bytes":          {"a\xff", 10, "a\uFFFD"},
		"between lines":          {"one\ntwo\nthree and four", 17, "one\ntwo\n\n(more)\n"},
		"no line fits":           {strings.Repeat("é", 20), 20, "ééééé\n\n(more)\n"},
		"not behind a backtick":  {"a `" + strings.Repeat("b", 30) + "`", 25, "a \n\n(more)\n"},
		"open fence":             {"```go\nx\n" + strings.Repeat("y\n", 20), 23, "```go\nx\ny\n```\n\n(more)\n"},
		"longer fence":           {"````\n```\n" + strings.Repeat("y\n", 20), 23, "````\n```\n````\n\n(more)\n"},
		"closed fence":           {"```\nx\n```\n" + strings.Repeat("y\n", 20), 22, "```\nx\n```\ny\n\n(more)\n"},
		"open details":           {"<details>\nx\n" + strings.Repeat("y\n", 20), 33, "<details>\nx\n\n</details>\n\n(more)\n"},
		"details inside a span":  {"| `<details><details>` |\n| ```a``b``` |\n```` ` ```` x\n" + strings.Repeat("y\n", 20), 63, "| `<details><details>` |\n| ```a``b``` |\n```` ` ```` x\n\n(more)\n"},
		"details inside a fence": {"```\n<details>\n" + strings.Repeat("y\n", 20), 30, "```\n<details>\ny\n```\n\n(more)\n"},
	} {
		if got := cut(c.text, c.max, note); got != c.want || len(got) > c.max {
			t.Errorf("%s: got %q (%d bytes), want %q within %d", name, got, len(got), c.want, c.max)
		}
	}
}

func FuzzCut(f *testing.F) {
	f.Add("```\na\n```\n<details>\nb\n</details>\n", 20)
	f.Add("~~~~\n```\n`x\xff日本", 30)
	f.Add(strings.Repeat("<details>\n", 50), 120)
	f.Fuzz(func(t *testing.T, text string, max int) {
		if max < 20 || max > 1<<16 {
			return
		}
		const note = "(more)"
		got := cut(text, max, note)
		if len(got) > max || !utf8.ValidString(got) {
			t.Fatalf("%d bytes, valid %v", len(got), utf8.ValidString(got))
		}
		whole := strings.ToValidUTF8(text, "\uFFFD")
		if len(whole) <= max {
			if got != whole {
				t.Fatalf("a text that fits became %q", got)
			}
			return
		}
		kept, ok := strings.CutSuffix(got, note+"\n")
		if !ok {
			t.Fatalf("no note at the end of %q", got)
		}
		if open := closers(kept); open != "" {
			t.Fatalf("%q leaves %q open", kept, open)
		}
	})
}
