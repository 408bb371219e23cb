package rules

import (
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// protocolVersion is reported for a version that does not exist, and for a refusal
// where the server could have named its own. An older version is no fault.
var protocolVersion = linter.Rule{
	ID:    "server/protocol-version",
	Title: "Protocol version that cannot be agreed on",
	Why: "A server answers with the version that it speaks, and the client decides. One that answers with an error instead, or with a " +
		"version that was never published, works only with clients that happen to ask for the right one.",
	Severity: linter.Severities{Recommended: severity.Warning},
	Bad:      `{"server": [{"at": "initialize", "reply": {"protocolVersion": "1.0", "capabilities": {"tools": {}}, "serverInfo": {"name": "tides", "version": "1.0.0"}}}, {"at": "tools/list", "reply": {"tools": []}}]}`,
	Good:     `{"server": [{"at": "initialize", "reply": {"protocolVersion": "2024-11-05", "capabilities": {"tools": {}}, "serverInfo": {"name": "tides", "version": "1.0.0"}}}, {"at": "tools/list", "reply": {"tools": []}}]}`,
	Since:    firstVersion,
	References: []string{
		"https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#version-negotiation",
		"https://github.com/sickn33/agentic-awesome-skills/issues/1003",
	},
}
