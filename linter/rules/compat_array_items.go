package rules

import (
	"fmt"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/rules/internal/schemacheck"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// arrayItems finds lists whose elements nothing describes, at any depth and
// also where array is one type of several, and the list form of items in the
// drafts that have it.
var arrayItems = linter.Rule{
	ID:         "compat/array-items",
	Title:      "List without a schema for its items",
	Why:        "JSON Schema allows it, but the OpenAI API refuses every request that has the tool, and VS Code the tool.",
	Severity:   linter.Severities{Recommended: severity.Error},
	Bad:        `{"name":"weigh","description":"Weighs the given crates on the dock scale, one after another, and returns each result in grams.","inputSchema":{"type":"object","properties":{"crates":{"type":"array","description":"Numbers of the crates."}}}}`,
	Good:       `{"name":"weigh","description":"Weighs the given crates on the dock scale, one after another, and returns each result in grams.","inputSchema":{"type":"object","properties":{"crates":{"type":"array","items":{"type":"string"},"description":"Numbers of the crates."}}}}`,
	Since:      firstVersion,
	References: []string{"https://github.com/Automattic/wordpress-mcp/issues/103", "https://github.com/agentscope-ai/ReMe/issues/84", "https://github.com/oomkapwn/enquire-mcp/pull/362"},
	Clients: []linter.ClientFact{
		{Client: openAI, Name: "OpenAI API", Does: "refuses every request that has the tool", Source: "https://github.com/spacelift-io/spacectl/issues/402"},
		{Client: vscode, Name: "VS Code", Does: "refuses the tool", Since: "1.99", Source: "https://github.com/microsoft/vscode/issues/246119"},
		{Client: gemini, Name: "Gemini API", Does: "refuses every request in which items is an array of schemas", Source: "https://github.com/oomkapwn/enquire-mcp/issues/360"},
	},
	Check: func(p *linter.Pass) {
		if facts := factsAbout(p.Clients(), openAI, vscode); len(facts) > 0 {
			faults := faultsAt(p, arraySite, func(_ *linter.Entity, at *site) bool { return at.value == nil })
			reportSites(p, faults, func(sites []*site, where string) linter.Finding {
				f := linter.Finding{
					Message: fmt.Sprintf("%s without items in %s: %s", plural(len(sites), "array"), where, says(facts)),
					Fix:     `Say what the elements are: "items": {"type": "string"}, or "items": {} where they may be anything.`,
				}
				if len(factsAbout(facts, openAI)) == 0 || !lacksAll(sites) {
					f.Severity = severity.Warning
				}
				return f
			})
		}
		if facts := factsAbout(p.Clients(), openAI, gemini); len(facts) > 0 {
			faults := faultsAt(p, arraySite, func(tool *linter.Entity, at *site) bool {
				// In 2020-12 a list of schemas is no schema.
				return at.value != nil && schemacheck.Declared(tool.Get("inputSchema")) != schemacheck.Draft2020
			})
			reportSites(p, faults, func(_ []*site, where string) linter.Finding {
				return linter.Finding{
					Message:  fmt.Sprintf("items is an array of schemas in %s, which the declared dialect allows: %s", where, says(facts)),
					Fix:      "Describe all elements by one schema under items, with minItems and maxItems, or use an object.",
					Severity: severity.Warning,
				}
			})
		}
	},
}

// lacksAll: one of the lists has no prefixItems either.
func lacksAll(sites []*site) bool {
	for _, at := range sites {
		if at.schema.Get("prefixItems").Type() != snapshot.Array {
			return true
		}
	}
	return false
}
