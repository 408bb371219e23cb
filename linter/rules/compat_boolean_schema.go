package rules

import (
	"fmt"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// booleanSchema finds true and false in the place of a schema, which SDKs for
// Go, Rust and .NET write for a value of any type. As additionalProperties and
// the like clients know them.
var booleanSchema = linter.Rule{
	ID:         "compat/boolean-schema",
	Title:      "true or false as a schema",
	Why:        "JSON Schema allows a boolean for any schema. Clients that expect an object fail on it, some for all tools of the server.",
	Severity:   linter.Severities{Recommended: severity.Warning},
	Bad:        `{"name":"log_entry","description":"Writes one entry into the log of the harbour office and returns its number; entries cannot be changed.","inputSchema":{"type":"object","properties":{"details":{"type":"array","items":true,"description":"Anything that belongs to the entry."}}}}`,
	Good:       `{"name":"log_entry","description":"Writes one entry into the log of the harbour office and returns its number; entries cannot be changed.","inputSchema":{"type":"object","properties":{"details":{"type":"array","items":{},"description":"Anything that belongs to the entry."}}}}`,
	Since:      firstVersion,
	References: []string{"https://github.com/google/adk-python/pull/4531"},
	Clients: []linter.ClientFact{
		{Client: openCode, Name: "opencode", Does: "shows no tool of the server", Since: "2026-09", Source: "https://github.com/anomalyco/opencode/issues/49464"},
		{Client: gemini, Name: "Gemini", Does: "loses every request that has the tool", Source: "https://github.com/docker/docker-agent/pull/3634"},
	},
	Check: func(p *linter.Pass) {
		reportSites(p, faultsAt(p, booleanSite, nil), func(sites []*site, where string) linter.Finding {
			return linter.Finding{
				Message: fmt.Sprintf("%s a boolean in %s: %s", isOrAre(len(sites), "schema"), where, says(p.Clients())),
				Fix:     "Write {} for true, or better the type of the value; leave out what is false.",
			}
		})
	},
}
