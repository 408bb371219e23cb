package rules

import (
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// unrequestedAnswer is reported once for answers that nothing waits for.
var unrequestedAnswer = linter.Rule{
	ID:    "server/unrequested-answer",
	Title: "Answer to nothing that was asked",
	Why: "Clients find the question of an answer by its id. A second answer, or one with another id, is an error in their logs, and the " +
		"question that was meant may wait for ever.",
	Severity: linter.Severities{Recommended: severity.Info},
	Bad:      `{"server": [{"at": "initialize", "twice": true, "reply": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "tides", "version": "1.0.0"}}}, {"at": "tools/list", "reply": {"tools": []}}]}`,
	Good:     `{"server": [{"at": "initialize", "reply": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "tides", "version": "1.0.0"}}}, {"at": "tools/list", "reply": {"tools": []}}]}`,
	Since:    firstVersion,
	References: []string{
		"https://modelcontextprotocol.io/specification/2025-11-25/basic#responses",
	},
}
