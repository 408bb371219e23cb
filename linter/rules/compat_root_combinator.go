package rules

import (
	"fmt"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// rootCombinator finds unions and conditions at the root of an input schema.
// They are valid, and the revision 2026-07-28 of the protocol allows them.
var rootCombinator = linter.Rule{
	ID:         "compat/root-combinator",
	Title:      "Union or condition at the root of the input schema",
	Why:        "The schema is valid, but the model APIs take a flat object only. Tools travel with every message, so one such tool makes each message of a session fail, or the tool is missing without a word.",
	Severity:   linter.Severities{Recommended: severity.Error},
	Bad:        `{"name":"moor_ship","description":"Moors one ship at a berth and returns the number of the mooring; give the berth or the basin, not both.","inputSchema":{"type":"object","properties":{"berth":{"type":"string","description":"Number of the berth."},"basin":{"type":"string","description":"Number of the basin."}},"oneOf":[{"required":["berth"]},{"required":["basin"]}]}}`,
	Good:       `{"name":"moor_ship","description":"Moors one ship at a berth and returns the number of the mooring; give the berth or the basin, not both.","inputSchema":{"type":"object","properties":{"berth":{"type":"string","description":"Number of the berth."},"basin":{"type":"string","description":"Number of the basin."}}}}`,
	Since:      firstVersion,
	References: []string{"https://github.com/makenotion/notion-mcp-server/issues/340", toolsSpec2026},
	Clients: []linter.ClientFact{
		{Client: claude, Name: "Claude API", Does: "refuses every request that has the tool, so the whole session fails", Source: "https://github.com/dearlordylord/huly-mcp/issues/66"},
		{Client: claudeCode, Name: "Claude Code", Does: "drops the tool without a message", Since: "2026-09", Source: "https://github.com/anthropics/claude-code/issues/95504"},
		{Client: openAI, Name: "OpenAI API", Does: "refuses every request that has the tool", Source: "https://github.com/langchain-ai/langchainjs/issues/9804"},
	},
	CheckTool: func(p *linter.Pass, tool *linter.Entity) {
		schema := tool.Get("inputSchema")
		for _, m := range schema.Members() {
			var facts []linter.ClientFact
			switch m.Name {
			case "anyOf", "oneOf", "allOf":
				facts = p.Clients()
			case "not":
				facts = factsAbout(p.Clients(), openAI)
			case "if":
				facts = factsAbout(p.Clients(), claudeCode)
			}
			if len(facts) == 0 || schema.Get(m.Name) != m.Value {
				continue
			}
			f := linter.Finding{
				Message: fmt.Sprintf("the input schema is valid, but has %s at its root: %s", m.Name, says(facts)),
				Fix:     "Declare all parameters flat under properties, state the rule in the description, and check it when the tool is called.",
				Subject: m.Name,
			}
			if len(factsAbout(facts, claude, openAI)) == 0 || m.Name == "not" {
				f.Severity = severity.Warning // what is lost is the tool
			}
			p.Report(tool, "/inputSchema/"+m.Name, f)
		}
	},
}

const toolsSpec2026 = "https://modelcontextprotocol.io/specification/2026-07-28/server/tools"
