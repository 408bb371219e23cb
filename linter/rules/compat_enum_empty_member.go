package rules

import (
	"fmt"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// enumEmptyMember finds the empty text in a list of values.
var enumEmptyMember = linter.Rule{
	ID:         "compat/enum-empty-member",
	Title:      "Empty text in a list of values",
	Why:        "It is meant as \"not set\". The Gemini API refuses it, with every request of the session.",
	Severity:   linter.Severities{Recommended: severity.Warning},
	Bad:        `{"name":"show_ships","description":"Shows the ships that are in the harbour now, with berth and flag, sorted as asked for.","inputSchema":{"type":"object","properties":{"sort":{"type":"string","enum":["","name","arrival"],"description":"What to sort by."}}},"annotations":{"readOnlyHint":true}}`,
	Good:       `{"name":"show_ships","description":"Shows the ships that are in the harbour now, with berth and flag, sorted as asked for.","inputSchema":{"type":"object","properties":{"sort":{"type":"string","enum":["name","arrival"],"description":"What to sort by."}}},"annotations":{"readOnlyHint":true}}`,
	Since:      firstVersion,
	References: []string{"https://github.com/anomalyco/opencode/pull/46676"},
	Clients: []linter.ClientFact{
		{Client: gemini, Name: "Gemini API", Does: "refuses every request that has the tool", Since: "2026-04", Source: "https://github.com/sbroenne/mcp-server-excel/issues/607"},
	},
	Check: func(p *linter.Pass) {
		reportSites(p, faultsAt(p, emptyMemberSite, nil), func(_ []*site, where string) linter.Finding {
			return linter.Finding{
				Message: fmt.Sprintf("the enum has the empty string in %s: %s", where, says(p.Clients())),
				Fix:     "Take it out and leave the parameter out of required, or give the case a name like \"none\".",
			}
		})
	},
}
