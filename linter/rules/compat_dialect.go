package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/rules/internal/schemacheck"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// dialectRule finds schemas that are valid in the dialect that they declare and
// that clients do not read as such: output schemas, whose label alone is
// refused, and input schemas with a form that 2020-12 does not have. An older
// label on an input schema does no harm that anybody has shown.
var dialectRule = linter.Rule{
	ID:         "compat/dialect",
	Title:      "Schema in a dialect that clients do not read",
	Why:        "MCP reads schemas as JSON Schema 2020-12 unless they say otherwise. Clients that validate results know only that one, and model APIs never look at the label.",
	Severity:   linter.Severities{Recommended: severity.Warning},
	Bad:        `{"name":"weigh","description":"Weighs whatever is on the dock scale and returns the result in grams, with the time of the reading.","inputSchema":{"type":"object","properties":{}},"outputSchema":{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"grams":{"type":"number"}}}}`,
	Good:       `{"name":"weigh","description":"Weighs whatever is on the dock scale and returns the result in grams, with the time of the reading.","inputSchema":{"type":"object","properties":{}},"outputSchema":{"type":"object","properties":{"grams":{"type":"number"}}}}`,
	Since:      firstVersion,
	References: []string{"https://github.com/perplexityai/modelcontextprotocol/issues/132", "https://github.com/modelcontextprotocol/java-sdk/pull/949", schemaSpec},
	Clients:    slices.Concat(labelFacts(), oldFormFacts()),
	CheckTool: func(p *linter.Pass, tool *linter.Entity) {
		// In any other dialect a boolean bound is no schema.
		if schemacheck.Declared(tool.Get("inputSchema")) != schemacheck.Draft4 {
			return
		}
		facts := inForce(p.Clients(), oldFormFacts())
		if len(facts) == 0 {
			return
		}
		s := surfaceOf(tool)
		s.report(p, tool, slices.Collect(s.of(oldBoundSite)), func(sites []*site) linter.Finding {
			return linter.Finding{
				Message: fmt.Sprintf("boolean bounds of draft-04 in %s: %s", s.labels(sites), says(facts)),
				Fix:     `Write the bound itself: "exclusiveMinimum": 0 in place of "minimum": 0 and true.`,
			}
		})
	},
	Check: func(p *linter.Pass) {
		facts := inForce(p.Clients(), labelFacts())
		if len(facts) == 0 {
			return
		}
		var tools []*linter.Entity
		for _, tool := range p.Tools() {
			if schemacheck.Declared(tool.Get("outputSchema")) != schemacheck.Draft2020 {
				tools = append(tools, tool)
			}
		}
		reportOnServer(p, tools, "/outputSchema", func(tools []*linter.Entity, names string) linter.Finding {
			var dialects []string
			for _, tool := range tools {
				if d := fmt.Sprint(schemacheck.Declared(tool.Get("outputSchema"))); !slices.Contains(dialects, d) {
					dialects = append(dialects, d) // there are few
				}
			}
			return linter.Finding{
				Message: fmt.Sprintf("the output schemas of %s declare %s: %s", names, strings.Join(dialects, " and "), says(facts)),
				Fix:     "Write output schemas in 2020-12, or leave $schema out where they are valid in both.",
			}
		})
	},
}

func labelFacts() []linter.ClientFact {
	return []linter.ClientFact{
		{Client: claudeDesktop, Name: "Claude Desktop", Does: "refuses every call of the tool", Since: "2026-08", Source: "https://github.com/DavidFuchs/mcp-uptime-kuma/issues/83"},
		{Client: typescriptSDK, Name: "the TypeScript SDK", Does: "refuses every call of the tool unless its program brings another validator", Since: "2.0", Source: "https://github.com/nicobailon/pi-mcp-adapter/issues/217"},
	}
}

func oldFormFacts() []linter.ClientFact {
	return []linter.ClientFact{
		{Client: claude, Name: "Claude API", Does: "reads every schema as 2020-12 and refuses the request with all its tools", Source: "https://github.com/Dokploy/mcp/issues/74"},
	}
}
