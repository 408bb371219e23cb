package rules

import (
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// autoApprove has no check of its own: it is reported by internal/launch.
var autoApprove = linter.Rule{
	ID:    "config/auto-approve",
	Title: "Every call approved without a question",
	Why: "Nobody is asked before a tool runs, and that holds for tools as well that a later version of the " +
		"server adds. Naming the tools keeps the question for all others.",
	Severity:   linter.Severities{Recommended: severity.Info},
	Bad:        `{"command":"node","args":["server.js"],"autoApprove":["*"]}`,
	Good:       `{"command":"node","args":["server.js"],"autoApprove":["read_tide"]}`,
	Since:      firstVersion,
	References: []string{"https://docs.cline.bot/mcp/adding-and-configuring-servers", "https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md"},
}
