package rules

import (
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// refusedList is reported for prompts, resources and resource templates; a server
// whose tools cannot be read was not checked.
var refusedList = linter.Rule{
	ID:    "server/refused-list",
	Title: "List that is offered and refused",
	Why: "The server says that it has prompts or resources, and answers the request for them with an error. Clients show that error to " +
		"the user, or try again with each session.",
	Severity: linter.Severities{Recommended: severity.Info},
	Bad:      `{"server": [{"at": "initialize", "reply": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}, "prompts": {}}, "serverInfo": {"name": "tides", "version": "1.0.0"}}}, {"at": "tools/list", "reply": {"tools": []}}, {"at": "prompts/list", "error": {"code": -32601, "message": "Method not found"}}]}`,
	Good:     `{"server": [{"at": "initialize", "reply": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}, "prompts": {}}, "serverInfo": {"name": "tides", "version": "1.0.0"}}}, {"at": "tools/list", "reply": {"tools": []}}, {"at": "prompts/list", "reply": {"prompts": []}}]}`,
	Since:    firstVersion,
	References: []string{
		"https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#capability-negotiation",
	},
}
