package rules

import (
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// repeatedSecret is reported for the server and for each entity that repeats one.
var repeatedSecret = linter.Rule{
	ID:    "server/repeated-secret",
	Title: "Server that repeats a secret that it was given",
	Why: "What a server was handed in a variable, header or address stands in what it tells the model. Every client shows it, and every " +
		"provider of a model gets it. It is taken out of the report, and such a server is neither locked nor saved.",
	Severity:         linter.Severities{Recommended: severity.Warning},
	Bad:              `{"secret": "tk-4711-0815", "server": [{"at": "initialize", "reply": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "tides", "version": "1.0.0"}, "instructions": "Use the key tk-4711-0815 for each call."}}, {"at": "tools/list", "reply": {"tools": []}}]}`,
	Good:             `{"secret": "tk-4711-0815", "server": [{"at": "initialize", "reply": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "tides", "version": "1.0.0"}, "instructions": "Each call is authorized by the server."}}, {"at": "tools/list", "reply": {"tools": []}}]}`,
	SecuritySeverity: 5.0,
	Since:            firstVersion,
	References: []string{
		"https://modelcontextprotocol.io/specification/2025-06-18/basic/security_best_practices",
	},
}
