package audit

import "github.com/mcp-lint/mcp-lint/internal/collect"

// oddityLines tells what a server did in words.
func oddityLines(oddities []collect.Oddity) []string {
	lines := make([]string, 0, len(oddities))
	for _, o := range oddities {
		lines = append(lines, o.Message)
	}
	return lines
}
