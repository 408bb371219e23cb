package rules

import (
	"fmt"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// Tools that clients take, those of all servers together.
const (
	copilotTools = 128
	cursorTools  = 40
)

// clientToolCount finds servers that fill a client's list of tools alone.
var clientToolCount = linter.Rule{
	ID:         "compat/tool-count",
	Title:      "More tools than clients take",
	Why:        "Clients bound the tools of a request, those of all servers together. Above the bound no prompt can be sent, or the last tools are missing.",
	Severity:   linter.Severities{Recommended: severity.Info},
	Bad:        manyTools(cursorTools + 1),
	Good:       manyTools(2),
	Since:      firstVersion,
	References: []string{"https://github.com/microsoft/vscode-copilot-release/issues/11653", "https://github.com/Snowflake-Labs/mcp/issues/77"},
	Clients: []linter.ClientFact{
		{Client: vscode, Name: "VS Code", Does: "sends no prompt with over 128 tools", Since: "2025-05", Source: "https://github.com/microsoft/vscode-copilot-release/issues/9375"},
		{Client: jetbrains, Name: "Copilot in JetBrains IDEs", Does: "sends no prompt with over 128 tools", Since: "1.11.2", Source: "https://github.com/microsoft/copilot-intellij-feedback/issues/1842"},
		{Client: cursor, Name: "Cursor", Does: "passed on the first 40 tools only, 80 since 2025-09", Since: "2025-03", Source: "https://github.com/RyanCardin15/AzureDevOps-MCP/pull/8"},
	},
	Check: func(p *linter.Pass) {
		count := len(p.Tools())
		f := linter.Finding{Fix: "Offer groups of tools that the user switches on, join tools that differ in one parameter, or split the server."}
		facts := p.Clients()
		switch {
		case count > copilotTools:
			f.Severity = severity.Warning
			if len(factsAbout(facts, vscode, jetbrains)) == 0 {
				f.Severity = severity.Info
			}
		case count > cursorTools:
			facts = factsAbout(facts, cursor)
		default:
			return
		}
		if len(facts) > 0 {
			f.Message = fmt.Sprintf("the server has %d tools: %s", count, says(facts))
			p.Report(p.Server(), "", f)
		}
	},
}

// manyTools is an example with so many tools.
func manyTools(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,{"name":"read_gauge_%d","description":"Returns the newest reading of gauge number %d of the harbour basin, in centimetres above the local chart datum.","inputSchema":{"type":"object","properties":{}},"annotations":{"readOnlyHint":true}}`, i, i)
	}
	return `{"tools":[` + b.String()[1:] + `]}`
}
