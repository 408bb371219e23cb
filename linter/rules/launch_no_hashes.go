package rules

import (
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// noHashes has no check of its own: it is reported by internal/launch/install.
var noHashes = linter.Rule{
	ID:    "launch/no-hashes",
	Codes: []string{"I1"},
	Title: "pip install without hashes",
	Why: "pip takes whatever the index sends under a version, and whatever that depends on. With " +
		"--require-hashes it takes only the files that somebody has looked at.",
	Severity:         linter.Severities{Recommended: severity.Warning, Agents: severity.Warning},
	SecuritySeverity: 4.0,
	Bad:              `{"command":"sh","args":["-c","pip install kiln-mcp==5.1.0 && kiln-mcp"]}`,
	Good:             `{"command":"sh","args":["-c","pip install --require-hashes -r requirements.txt && kiln-mcp"]}`,
	Since:            firstVersion,
	References:       []string{"https://pip.pypa.io/en/stable/topics/secure-installs/"},
}
