package rules

import (
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// stdoutNoise is reported for the first line on standard output that is no message, and
// for a byte order mark.
var stdoutNoise = linter.Rule{
	ID:    "server/stdout-noise",
	Title: "Standard output that holds more than messages",
	Why: "Standard output is the wire of the protocol. Strict clients stop at the first line that is no JSON, and some show the " +
		"user a parse error for each; a byte order mark is such a line too. Logs and banners belong on standard error.",
	Severity: linter.Severities{Recommended: severity.Warning},
	Bad:      `{"server": [{"at": "start", "stdout": "Tides server listening on stdio\n"}, {"at": "initialize", "reply": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "tides", "version": "1.0.0"}}}, {"at": "tools/list", "reply": {"tools": []}}]}`,
	Good:     `{"server": [{"at": "start", "stderr": "Tides server listening on stdio\n"}, {"at": "initialize", "reply": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "tides", "version": "1.0.0"}}}, {"at": "tools/list", "reply": {"tools": []}}]}`,
	Since:    firstVersion,
	References: []string{
		"https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio",
		"https://github.com/microsoft/azure-devops-mcp/issues/147",
		"https://github.com/pathintegral-institute/mcpm.sh/issues/264",
	},
}
