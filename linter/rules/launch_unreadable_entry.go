package rules

import (
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// unreadableEntry has no check of its own: it is reported by whoever reads a configuration file.
var unreadableEntry = linter.Rule{
	ID:    "launch/unreadable-entry",
	Codes: []string{"I1"},
	Title: "Entry that starts nothing",
	Why: "A client ignores such an entry or fails on it, and nobody has judged what it was meant to " +
		"start.",
	Severity:   linter.Severities{Recommended: severity.Warning, Agents: severity.Warning},
	Bad:        `{"command":7}`,
	Good:       `{"command":"npx","args":["-y","tide-tables-mcp@2.4.1"]}`,
	Since:      firstVersion,
	References: []string{"https://modelcontextprotocol.io/docs/develop/connect-local-servers"},
}
