package linter

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// suggest quotes an unknown name and adds the nearest valid one, or all of
// them when none is near and they are few.
func suggest(name string, valid []string) string {
	shown := `"` + snapshot.Visible(name) + `"`
	if len(name) > 100 {
		shown = `"` + snapshot.Visible(name[:100]) + `…"`
	}
	best := Nearest(name, valid)
	switch {
	case best != "":
		return fmt.Sprintf("%s; did you mean %q?", shown, best)
	case len(valid) > 0 && len(valid) <= 10:
		return fmt.Sprintf("%s; expected one of %s", shown, strings.Join(valid, ", "))
	}
	return shown
}

// Nearest returns the valid name that was probably meant, "" when none is near.
// Letter case does not count.
func Nearest(name string, valid []string) string {
	best, distance := "", len(name)/2+1
	for _, v := range slices.Sorted(slices.Values(valid)) {
		if d := editDistance(strings.ToLower(name), strings.ToLower(v), distance); d < distance {
			best, distance = v, d
		}
	}
	return best
}

// editDistance is Levenshtein's, or limit when it is not below that.
func editDistance(a, b string, limit int) int {
	if len(a) > len(b)+limit || len(b) > len(a)+limit {
		return limit
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return min(row[len(b)], limit)
}

// matchName reports whether a name matches a pattern in which * stands for any
// run of characters, none included.
func matchName(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == name
	}
	name, ok := strings.CutPrefix(name, parts[0])
	if !ok {
		return false
	}
	last := len(parts) - 1
	for _, part := range parts[1:last] {
		i := strings.Index(name, part)
		if i < 0 {
			return false
		}
		name = name[i+len(part):]
	}
	return strings.HasSuffix(name, parts[last])
}
