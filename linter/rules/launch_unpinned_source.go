package rules

import (
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// unpinnedSource has no check of its own: it is reported by internal/launch/install.
var unpinnedSource = linter.Rule{
	ID:    "launch/unpinned-source",
	Codes: []string{"I1"},
	Title: "Source without a full commit",
	Why: "A branch, a tag and an address can be given other content at any time; only a full commit (40 " +
		"hexadecimal digits) always names the same. A script that is downloaded and run at once is the " +
		"same fault.",
	Severity:         linter.Severities{Recommended: severity.Warning, Agents: severity.Warning},
	SecuritySeverity: 6.0,
	Bad:              `{"command":"uvx","args":["--from","git+https://github.com/orchard-co/mcp@main","orchard"]}`,
	Good:             `{"command":"uvx","args":["--from","git+https://github.com/orchard-co/mcp@00a1b2c3d4e5f60718293a4b5c6d7e8f90123456","orchard"]}`,
	Since:            firstVersion,
	References:       []string{"https://docs.npmjs.com/cli/v11/using-npm/package-spec", "https://pip.pypa.io/en/stable/topics/vcs-support/"},
}
