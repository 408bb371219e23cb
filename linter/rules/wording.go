package rules

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// What all messages share: how they quote, count and list.

// longestQuote bounds what a message quotes, in bytes.
const longestQuote = 120

// quote shows a foreign text in a message: in quotation marks, cut when long,
// with everything invisible escaped.
func quote(text string) string {
	if len(text) > longestQuote {
		cut := longestQuote
		for cut > longestQuote-4 && text[cut]&0xC0 == 0x80 {
			cut--
		}
		return `"` + snapshot.Visible(text[:cut]) + `…"`
	}
	return `"` + snapshot.Visible(text) + `"`
}

// plural writes a number with its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return thousands(n) + " " + noun + "s"
}

// unquoted is [quote] without the quotation marks.
func unquoted(key string) string { return strings.Trim(quote(key), `"`) }

// isOrAre is [plural] with the verb.
func isOrAre(n int, noun string) string {
	if n == 1 {
		return plural(n, noun) + " is"
	}
	return plural(n, noun) + " are"
}

// number writes the value of an option.
func number(n float64) string {
	if n != math.Trunc(n) || n >= 1<<53 {
		return strconv.FormatFloat(n, 'g', -1, 64)
	}
	return thousands(int(n))
}

// thousands writes a number, not below 0, with separators.
func thousands(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// roughly writes an estimated number of tokens.
func roughly(tokens int) string { return "~" + thousands(tokens) }

// mostListed is how many names a message lists; the items of a finding are all of
// them.
const mostListed = 10

// listed lists what is worded already.
func listed(names []string) string { return listedOf(names, len(names)) }

// listedOf lists the first of total names.
func listedOf(names []string, total int) string {
	names = names[:min(len(names), mostListed)]
	if more := total - len(names); more > 0 {
		return strings.Join(names, ", ") + fmt.Sprintf(" and %s more", thousands(more))
	}
	return strings.Join(names, ", ")
}

// firstOf quotes the first n names and counts the rest.
func firstOf(names []string, n int) string {
	quoted := make([]string, 0, n)
	for _, name := range names[:min(n, len(names))] {
		quoted = append(quoted, quote(name))
	}
	list := strings.Join(quoted, ", ")
	if more := len(names) - n; more > 0 {
		list += fmt.Sprintf(" and %s more", thousands(more))
	}
	return list
}

// toolNames writes the tools of a finding on the server for its message.
func toolNames(tools []*linter.Entity) string {
	names := make([]string, len(tools))
	for i, tool := range tools {
		names[i] = tool.Ref.Name
	}
	return plural(len(tools), "tool") + " (" + firstOf(names, mostListed) + ")"
}
