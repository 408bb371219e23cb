package linter_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/mcp-lint/mcp-lint/linter"
)

func itoa(i int) string { return strconv.Itoa(i) }

func TestWords(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"list_open_orders": {"list", "open", "orders"},
		"listOpenOrders":   {"list", "open", "orders"},
		"HTTPServer":       {"httpserver"},
		"v2Beta.get-x/y":   {"v2", "beta", "get", "x", "y"},
		"größe":            {"gr", "e"},
		"__":               nil,
	} {
		if got := linter.Words(name); !slices.Equal(got, want) {
			t.Errorf("%q: %q; want %q", name, got, want)
		}
	}
}

func TestLengthCountsUTF16Units(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"": 0, "abc": 3, "größe": 5, "日本": 2, "🍞🍞": 4, "\xed\xa0\xbc": 1,
	} {
		if got := linter.Length(text); got != want {
			t.Errorf("%q: %d; want %d", text, got, want)
		}
	}
}

func TestTrimKnowsTheWhiteSpaceOfECMAScript(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"\t\n\v\f\r \u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000\ufeffx\ufeff": "x",
		"\u0085x\u200b": "\u0085x\u200b",
	} {
		if got := linter.Trim(text); got != want {
			t.Errorf("%q: %q; want %q", text, got, want)
		}
	}
}
