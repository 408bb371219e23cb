package audit

import (
	"github.com/mcp-lint/mcp-lint/internal/collect"
	"github.com/mcp-lint/mcp-lint/linter"
)

// observed makes findings of what a server did while it was asked.
func observed(oddities []collect.Oddity) []linter.Observation {
	seen := make([]linter.Observation, 0, len(oddities))
	for _, o := range oddities {
		seen = append(seen, linter.Observation{Rule: o.Kind, Entity: o.Entity, Message: o.Message, Fix: o.Fix, Subject: o.Subject})
	}
	return seen
}

// oddityLines tells in words what a server did, where nothing is linted.
func oddityLines(oddities []collect.Oddity) []string {
	lines := make([]string, 0, len(oddities))
	for _, o := range oddities {
		lines = append(lines, o.Message)
	}
	return lines
}
