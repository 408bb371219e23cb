package rules

import (
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// invalidOutputSchema finds output schemas that are no JSON Schema. Their root
// may be of any type.
var invalidOutputSchema = linter.Rule{
	ID:         "schema/invalid-output-schema",
	Title:      "Output schema that is no valid JSON Schema",
	Why:        "Clients compile the output schema to check results. One that fails loses the tool or every result of it.",
	Severity:   linter.Severities{Recommended: severity.Error, Snapshot: severity.Error},
	Bad:        `{"name":"weigh","description":"Weighs whatever is on the dock scale and returns the result in grams, with the time of the reading.","inputSchema":{"type":"object","properties":{}},"outputSchema":{"type":"object","properties":{"grams":{"type":"float"}}}}`,
	Good:       `{"name":"weigh","description":"Weighs whatever is on the dock scale and returns the result in grams, with the time of the reading.","inputSchema":{"type":"object","properties":{}},"outputSchema":{"type":"object","properties":{"grams":{"type":"number"}}}}`,
	Since:      firstVersion,
	References: []string{toolsSpec, schemaSpec},
	CheckTool: func(p *linter.Pass, tool *linter.Entity) {
		if schema := tool.Get("outputSchema"); schema != nil {
			reportFault(p, tool, "outputSchema", schema)
		}
	},
}
