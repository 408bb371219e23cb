package rules

import (
	"fmt"
	"slices"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/rules/internal/schemacheck"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// enumNotString finds lists of values with others than texts. A value that its
// own type excludes is a fault by itself, and another rule's.
var enumNotString = linter.Rule{
	ID:         "compat/enum-not-string",
	Title:      "List of values that are not all texts",
	Why:        "The Gemini API takes texts only in enum. The schema is valid, other models take it, and with Gemini every turn of the session fails.",
	Severity:   linter.Severities{Recommended: severity.Warning},
	Bad:        `{"name":"set_phases","description":"Sets how many phases the charger at the quay uses for one berth, and returns what it used before.","inputSchema":{"type":"object","properties":{"phases":{"type":"integer","enum":[1,3],"description":"Number of phases."}}},"annotations":{"destructiveHint":false}}`,
	Good:       `{"name":"set_phases","description":"Sets how many phases the charger at the quay uses for one berth, and returns what it used before.","inputSchema":{"type":"object","properties":{"phases":{"type":"string","enum":["1","3"],"description":"Number of phases."}}},"annotations":{"destructiveHint":false}}`,
	Since:      firstVersion,
	References: []string{"https://github.com/google-gemini/gemini-cli/issues/4127", "https://github.com/microsoft/azure-devops-mcp/issues/139"},
	Clients: []linter.ClientFact{
		{Client: gemini, Name: "Gemini API", Does: "refuses every request that has the tool", Source: "https://github.com/router-for-me/CLIProxyAPI/pull/1076"},
	},
	Check: func(p *linter.Pass) {
		faults := faultsAt(p, enumSite, func(_ *linter.Entity, at *site) bool {
			t := at.schema.Get("type")
			return slices.ContainsFunc(at.value.Elements(), func(member *snapshot.Node) bool {
				return !member.IsText() && (t == nil || schemacheck.Typed(member, t))
			})
		})
		reportSites(p, faults, func(sites []*site, where string) linter.Finding {
			return linter.Finding{
				Message: fmt.Sprintf("%s with values that are not all strings in %s: %s", plural(len(sites), "enum"), where, says(p.Clients())),
				Fix:     "Declare texts and convert them when the tool is called, or use minimum and maximum.",
			}
		})
	},
}
