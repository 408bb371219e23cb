package rules

import (
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// brokenPaging is reported for a list whose next page is one that came before.
var brokenPaging = linter.Rule{
	ID:    "server/broken-paging",
	Title: "List whose paging never ends",
	Why: "A cursor or page that comes again has no end: some clients ask for ever, others show each tool many times. What came before " +
		"the repetition is checked, the rest of the list is not known.",
	Severity: linter.Severities{Recommended: severity.Warning},
	Bad:      `{"server": [{"at": "initialize", "reply": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "tides", "version": "1.0.0"}}}, {"at": "tools/list", "reply": {"tools": [], "nextCursor": "2"}}]}`,
	Good:     `{"server": [{"at": "initialize", "reply": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "tides", "version": "1.0.0"}}}, {"at": "tools/list", "nth": 1, "reply": {"tools": [], "nextCursor": "2"}}, {"at": "tools/list", "nth": 2, "reply": {"tools": []}}]}`,
	Since:    firstVersion,
	References: []string{
		"https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/pagination",
		"https://github.com/DeusData/codebase-memory-mcp/issues/1247",
		"https://github.com/modelcontextprotocol/java-sdk/issues/628",
	},
}
