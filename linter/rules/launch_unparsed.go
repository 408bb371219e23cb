package rules

import (
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// unparsedCommand has no check of its own: it is reported by internal/launch/install.
var unparsedCommand = linter.Rule{
	ID:    "launch/unparsed",
	Codes: []string{"I1"},
	Title: "Command line that is not understood as a whole",
	Why: "What a substitution, a loop or an unknown runner starts is known only when it runs. The rest of " +
		"the command line was judged.",
	Severity:   linter.Severities{Recommended: severity.Info, Agents: severity.Info},
	Bad:        `{"command":"bash","args":["-c","node dist/index.js --key $(cat key.txt)"]}`,
	Good:       `{"command":"bash","args":["-c","node dist/index.js --key \"$KEY\""]}`,
	Since:      firstVersion,
	References: []string{"https://www.gnu.org/software/bash/manual/html_node/Command-Substitution.html"},
}
