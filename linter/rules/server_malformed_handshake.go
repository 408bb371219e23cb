package rules

import (
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// malformedHandshake is reported for each member of the answer to initialize or
// server/discover that is missing or of another type.
var malformedHandshake = linter.Rule{
	ID:    "server/malformed-handshake",
	Title: "First answer of another shape than the protocol has",
	Why: "Clients built on the official SDKs refuse the whole server when capabilities, serverInfo or instructions are not what they " +
		"must be. The usual causes are capabilities written as flags (tools: true) and fields that are null instead of left out.",
	Severity: linter.Severities{Recommended: severity.Warning},
	Bad:      `{"server": [{"at": "initialize", "reply": {"protocolVersion": "2025-11-25", "capabilities": {"tools": true}, "serverInfo": {"name": "tides", "version": "1.0.0"}}}, {"at": "tools/list", "reply": {"tools": []}}]}`,
	Good:     `{"server": [{"at": "initialize", "reply": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "tides", "version": "1.0.0"}}}, {"at": "tools/list", "reply": {"tools": []}}]}`,
	Since:    firstVersion,
	References: []string{
		"https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#initialization",
	},
}
