package rules

import (
	"fmt"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// defaultToolBudget is about eight times what the median tool of a real server
// costs; one tool in sixty is over it.
const defaultToolBudget = 2_000

// largeDefinition finds single tools that eat a model's context. Neither seed
// has it: their budgets are the server's.
var largeDefinition = linter.Rule{
	ID:       "tools/large-definition",
	Title:    "One definition that costs much context",
	Why:      "The definition is sent with every request, used or not; one tool may cost more than all its neighbours together.",
	Severity: linter.Severities{Recommended: severity.Warning},
	Bad:      `{"options":{"toolTokenBudget":40},"tools":[{"name":"open_gate","description":"Opens one gate of the lock and returns when it is fully open, or why it stays shut.","inputSchema":{"type":"object","properties":{"gate":{"type":"string","description":"Letter of the gate."}}}}]}`,
	Good:     `{"options":{"toolTokenBudget":80},"tools":[{"name":"open_gate","description":"Opens one gate of the lock and returns when it is fully open, or why it stays shut.","inputSchema":{"type":"object","properties":{"gate":{"type":"string","description":"Letter of the gate."}}}}]}`,
	Options:  []string{"toolTokenBudget"},
	Since:    firstVersion,
	References: []string{
		toolGuide,
		"https://github.com/Dokploy/mcp/issues/52",
	},
	CheckTool: func(p *linter.Pass, tool *linter.Entity) {
		total := tool.Tokens()
		limit := p.Option("toolTokenBudget", defaultToolBudget)
		if float64(total) <= limit {
			return
		}
		description := linter.EstimateTokens(tool.Get("description"))
		input, output := linter.EstimateTokens(tool.Get("inputSchema")), linter.EstimateTokens(tool.Get("outputSchema"))
		f := linter.Finding{
			Message: fmt.Sprintf("the definition costs %s tokens, %s over the budget of %s (description %s, input schema %s, output schema %s)",
				roughly(total), thousands(total-int(limit)), number(limit), roughly(description), roughly(input), roughly(output)),
		}
		path := ""
		switch largest := max(description, input, output); {
		case 2*largest < total:
			f.Fix = "Shorten the description and the schemas, or split the tool."
		case largest == description:
			path, f.Fix = "/description", "Keep what helps to choose and call the tool, and move the rest into a resource or into the results."
		case largest == input:
			path, f.Fix = "/inputSchema", "Split the tool, share repeated schemas through $defs, or accept a smaller input."
		default:
			path, f.Fix = "/outputSchema", "Shorten the output schema: a model reads the result itself."
		}
		if float64(total-output) <= limit {
			f.Severity = severity.Info // few clients hand on an output schema
		}
		p.Report(tool, path, f)
	},
}
