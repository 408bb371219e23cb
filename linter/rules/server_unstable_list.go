package rules

import (
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// unstableList is reported when list_changed came before the last page each time
// that the list was read. A list that settles is no fault.
var unstableList = linter.Rule{
	ID:    "server/unstable-list",
	Title: "List that changes each time it is read",
	Why: "A client reads a list again when the server says that it changed. A server that says so while it answers is read for ever, or " +
		"shows a list that is old already. The last list that came whole is checked.",
	Severity: linter.Severities{Recommended: severity.Warning},
	Bad:      `{"server": [{"at": "initialize", "reply": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "tides", "version": "1.0.0"}}}, {"at": "tools/list", "before": "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/tools/list_changed\"}\n", "reply": {"tools": []}}]}`,
	Good:     `{"server": [{"at": "initialize", "reply": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "tides", "version": "1.0.0"}}}, {"at": "tools/list", "nth": 1, "before": "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/tools/list_changed\"}\n", "reply": {"tools": []}}, {"at": "tools/list", "nth": 2, "reply": {"tools": []}}]}`,
	Since:    firstVersion,
	References: []string{
		"https://modelcontextprotocol.io/specification/2025-11-25/server/tools#list-changed-notification",
		"https://github.com/microsoft/agent-framework/pull/4898",
	},
}
