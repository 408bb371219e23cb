package rules

import (
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// unpinned has no check of its own: it is reported by internal/launch/install.
var unpinned = linter.Rule{
	ID:    "launch/unpinned",
	Codes: []string{"I1"},
	Title: "Package without an exact version",
	Why: "Without an exact version every start may fetch another package: what was looked at is not what " +
		"runs, and one bad release reaches everybody at once. A tag (latest) or a range (^1.2.0, >=1.0) " +
		"is no exact version.",
	Severity:         linter.Severities{Recommended: severity.Warning, Agents: severity.Warning},
	SecuritySeverity: 5.0,
	Bad:              `{"command":"npx","args":["-y","tide-tables-mcp"]}`,
	Good:             `{"command":"npx","args":["-y","tide-tables-mcp@2.4.1"]}`,
	Since:            firstVersion,
	References:       []string{"https://docs.npmjs.com/cli/v11/using-npm/package-spec", "https://packaging.python.org/en/latest/specifications/version-specifiers/"},
}
