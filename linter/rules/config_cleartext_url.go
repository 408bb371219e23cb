package rules

import (
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// cleartextURL has no check of its own: it is reported by internal/launch.
var cleartextURL = linter.Rule{
	ID:    "config/cleartext-url",
	Title: "Remote server without encryption",
	Why: "Over http everybody on the way can read what the client sends, its token included, and change what " +
		"the model is told. Only addresses of this machine are safe without https.",
	Severity:         linter.Severities{Recommended: severity.Warning},
	SecuritySeverity: 6.5,
	Bad:              `{"url":"http://tides.example.com/mcp"}`,
	Good:             `{"url":"https://tides.example.com/mcp"}`,
	Since:            firstVersion,
	References:       []string{"https://modelcontextprotocol.io/specification/2025-11-25/basic/security_best_practices", "https://cwe.mitre.org/data/definitions/319.html"},
}
