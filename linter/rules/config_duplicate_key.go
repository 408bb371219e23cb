package rules

import (
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// duplicateEntryKey has no check of its own: it is reported by internal/launch.
var duplicateEntryKey = linter.Rule{
	ID:    "config/duplicate-key",
	Title: "Key that stands in a configuration file twice",
	Why: "Most parsers keep the last of two equal keys without a word, and a reviewer sees the first: what is " +
		"looked at is not what runs. Both entries are judged.",
	Severity:         linter.Severities{Recommended: severity.Warning},
	SecuritySeverity: 5.0,
	Bad:              `{"command":"node","command":"node","args":["server.js"]}`,
	Good:             `{"command":"node","args":["server.js"]}`,
	Since:            firstVersion,
	References:       []string{jsonSpec},
}
