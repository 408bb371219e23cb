package rules

import (
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// plainTextSecret has no check of its own: it is reported by internal/launch,
// which reads the entries of configuration files.
var plainTextSecret = linter.Rule{
	ID:    "config/plain-text-secret",
	Title: "Secret in plain text",
	Why: "A key, token or password that stands in a configuration file is read by everybody who sees the " +
		"repository, its history, or a screen; in an argument or an address also by other programs and by " +
		"logs. References (${NAME}, ${env:NAME}, ${input:id}, {env:NAME}) and placeholders are none.",
	Severity:         linter.Severities{Recommended: severity.Error},
	SecuritySeverity: 7.5,
	Bad:              `{"command":"npx","args":["-y","tide-tables-mcp@2.4.1"],"env":{"TIDE_TOKEN":"4b1f7c2e9a6d8035e1c4b7a2"}}`,
	Good:             `{"command":"npx","args":["-y","tide-tables-mcp@2.4.1"],"env":{"TIDE_TOKEN":"${TIDE_TOKEN}"}}`,
	Since:            firstVersion,
	References:       []string{"https://cwe.mitre.org/data/definitions/798.html"},
}

// IsAboutEntries tells the rules about entries of configuration files: what they
// start, and how they are written. They hold whether the server can be asked or
// not.
func IsAboutEntries(id string) bool {
	return strings.HasPrefix(id, "launch/") || strings.HasPrefix(id, "config/") && !IsAboutSuppressions(id)
}
