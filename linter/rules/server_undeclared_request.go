package rules

import (
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// undeclaredRequest is reported for each method that the server asked for although we
// declare no capability; it may always ping.
var undeclaredRequest = linter.Rule{
	ID:    "server/undeclared-request",
	Title: "Request that the client has not offered to answer",
	Why: "A client that declares no roots, sampling or elicitation answers such a request with an error, or never. Servers that wait for " +
		"the answer before they list their tools then seem to hang.",
	Severity: linter.Severities{Recommended: severity.Info},
	Bad:      `{"server": [{"at": "initialize", "reply": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "tides", "version": "1.0.0"}}}, {"at": "initialized", "request": "roots/list"}, {"at": "tools/list", "reply": {"tools": []}}]}`,
	Good:     `{"server": [{"at": "initialize", "reply": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "tides", "version": "1.0.0"}}}, {"at": "initialized", "request": "ping"}, {"at": "tools/list", "reply": {"tools": []}}]}`,
	Since:    firstVersion,
	References: []string{
		"https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#capability-negotiation",
		"https://github.com/ChromeDevTools/chrome-devtools-mcp/issues/2476",
		"https://github.com/modelcontextprotocol/python-sdk/issues/1097",
	},
}
