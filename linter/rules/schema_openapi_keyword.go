package rules

import (
	"fmt"
	"slices"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// openAPIKeyword finds words of OpenAPI that JSON Schema does not have.
var openAPIKeyword = linter.Rule{
	ID:         "schema/openapi-keyword",
	Title:      "Word of OpenAPI in a JSON Schema",
	Why:        "Validators ignore words that they do not know, so the schema says less than its author thinks: with nullable, null is still refused.",
	Severity:   linter.Severities{Recommended: severity.Info},
	Bad:        `{"name":"open_gate","description":"Opens one gate of the lock and returns when it is fully open, or why it stays shut.","inputSchema":{"type":"object","properties":{"gate":{"type":"string","nullable":true,"description":"Letter of the gate."}}}}`,
	Good:       `{"name":"open_gate","description":"Opens one gate of the lock and returns when it is fully open, or why it stays shut.","inputSchema":{"type":"object","properties":{"gate":{"type":"string","examples":["A"],"description":"Letter of the gate."}}}}`,
	Since:      firstVersion,
	References: []string{"https://github.com/tadata-org/fastapi_mcp/issues/218", "https://spec.openapis.org/oas/v3.0.3#schema-object"},
	Check: func(p *linter.Pass) {
		for _, output := range []bool{false, true} {
			faults := faultsAt(p, openAPISite, func(_ *linter.Entity, at *site) bool {
				// Without a type or as no boolean, nullable makes the schema invalid.
				broken := at.keyword == "nullable" && (at.value.Type() != snapshot.Bool || !at.schema.Has("type"))
				return at.output == output && !broken
			})
			reportSites(p, faults, func(sites []*site, where string) linter.Finding {
				var words []string
				for _, at := range sites {
					if !slices.Contains(words, at.keyword) {
						words = append(words, at.keyword) // at most five
					}
				}
				f := linter.Finding{
					Message: fmt.Sprintf("OpenAPI keywords in %s: %s", where, listed(words)),
					Fix:     "Leave them out, or say it with keywords of JSON Schema; example becomes examples, an array.",
				}
				if slices.Contains(words, "nullable") {
					f.Message += "; null is not accepted, though nullable asks for it"
					f.Fix = "Leave nullable out where the parameter may be absent, or declare anyOf with null; example becomes examples, an array."
				}
				return f
			})
		}
	},
}
