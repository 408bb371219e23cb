package rules

import (
	"fmt"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// enumWithoutType finds enums without a type beside them.
var enumWithoutType = linter.Rule{
	ID:         "compat/enum-without-type",
	Title:      "Enum without a type",
	Why:        "JSON Schema needs no type beside enum; the Gemini API does, and refuses every request of the session.",
	Severity:   linter.Severities{Recommended: severity.Warning},
	Bad:        `{"name":"open_gate","description":"Opens one gate of the lock and returns when it is fully open, or why it stays shut.","inputSchema":{"type":"object","properties":{"gate":{"enum":["A","B"],"description":"Letter of the gate."}}}}`,
	Good:       `{"name":"open_gate","description":"Opens one gate of the lock and returns when it is fully open, or why it stays shut.","inputSchema":{"type":"object","properties":{"gate":{"type":"string","enum":["A","B"],"description":"Letter of the gate."}}}}`,
	Since:      firstVersion,
	References: []string{"https://github.com/googleapis/js-genai/issues/806"},
	Clients: []linter.ClientFact{
		{Client: gemini, Name: "Gemini API", Does: "refuses every request that has the tool", Since: "2025-05", Source: "https://github.com/makenotion/notion-mcp-server/issues/42"},
	},
	Check: func(p *linter.Pass) {
		faults := faultsAt(p, enumSite, func(_ *linter.Entity, at *site) bool { return !at.schema.Has("type") })
		reportSites(p, faults, func(_ []*site, where string) linter.Finding {
			return linter.Finding{
				Message: fmt.Sprintf("enum without a type in %s: %s", where, says(p.Clients())),
				Fix:     `Add "type": "string", or the type that the values have.`,
			}
		})
	},
}
