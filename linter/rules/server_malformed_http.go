package rules

import (
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// malformedHTTP is reported for what a remote server sent that strict clients do
// not read, while its lists could be read all the same.
var malformedHTTP = linter.Rule{
	ID:    "server/malformed-http",
	Title: "HTTP answer other than the protocol has",
	Why: "Clients tell an answer from a stream of events by its Content-Type, and read nothing else. An answer under another type, text " +
		"between the messages, or a refused notification ends the session with strict clients.",
	Severity: linter.Severities{Recommended: severity.Warning},
	Bad:      `{"transport": "http", "server": [{"at": "initialize", "reply": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "tides", "version": "1.0.0"}}}, {"at": "tools/list", "contentType": "text/plain", "reply": {"tools": []}}]}`,
	Good:     `{"transport": "http", "server": [{"at": "initialize", "reply": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "tides", "version": "1.0.0"}}}, {"at": "tools/list", "contentType": "application/json", "reply": {"tools": []}}]}`,
	Since:    firstVersion,
	References: []string{
		"https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http",
	},
}
