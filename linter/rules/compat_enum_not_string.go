package rules

import (
	"fmt"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/rules/internal/schemacheck"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// enumNotString finds enums with other values than strings. A value that its
// own type excludes is a fault by itself, and another rule's.
var enumNotString = linter.Rule{
	ID:         "compat/enum-not-string",
	Title:      "Enum with values that are not strings",
	Why:        "The Gemini API takes only strings in an enum. The schema is valid, other models take it, and with Gemini every turn of the session fails.",
	Severity:   linter.Severities{Recommended: severity.Warning},
	Bad:        `{"name":"set_phases","description":"Sets how many phases the charger at the quay uses for one berth, and returns what it used before.","inputSchema":{"type":"object","properties":{"phases":{"type":"integer","enum":[1,3],"description":"Number of phases."}}},"annotations":{"destructiveHint":false}}`,
	Good:       `{"name":"set_phases","description":"Sets how many phases the charger at the quay uses for one berth, and returns what it used before.","inputSchema":{"type":"object","properties":{"phases":{"type":"string","enum":["1","3"],"description":"Number of phases."}}},"annotations":{"destructiveHint":false}}`,
	Since:      firstVersion,
	References: []string{"https://github.com/google-gemini/gemini-cli/issues/4127", "https://github.com/microsoft/azure-devops-mcp/issues/139"},
	Clients: []linter.ClientFact{
		{Client: gemini, Name: "Gemini API", Does: "refuses every request that has the tool", Source: "https://github.com/router-for-me/CLIProxyAPI/pull/1076"},
	},
	CheckTool: func(p *linter.Pass, tool *linter.Entity) {
		s := surfaceOf(tool)
		var found []*site
		for at := range s.of(enumSite) {
			t := at.schema.Get("type")
			for _, member := range at.value.Elements() {
				if !member.IsText() && (t == nil || schemacheck.Typed(member, t)) {
					found = append(found, at)
					break
				}
			}
		}
		s.report(p, tool, found, func(sites []*site) linter.Finding {
			return linter.Finding{
				Message: fmt.Sprintf("the enum of %s has values that are not strings: %s", s.labels(sites), says(p.Clients())),
				Fix:     "Declare strings and convert them when the tool is called, or use minimum and maximum.",
			}
		})
	},
}
