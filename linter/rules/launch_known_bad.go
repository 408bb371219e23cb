package rules

import (
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// knownBad has no check of its own: it is reported by internal/launch/install.
var knownBad = linter.Rule{
	ID:    "launch/known-bad",
	Codes: []string{"I1"},
	Title: "Version that is known to be bad",
	Why: "The version was published to do harm. A command that would fetch it is not started, whatever " +
		"the configuration says of this rule.",
	Severity:         linter.Severities{Recommended: severity.Error, Agents: severity.Error},
	SecuritySeverity: 9.8,
	Bad:              `{"command":"npx","args":["-y","postmark-mcp@1.0.16"]}`,
	Good:             `{"command":"npx","args":["-y","tide-tables-mcp@2.4.1"]}`,
	Since:            firstVersion,
	References:       []string{"https://ossf.github.io/osv-schema/", "https://github.com/ossf/malicious-packages"},
}
