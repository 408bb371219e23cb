package rules

import (
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// missingInputSchema finds tools that do not say what they take. A schema that
// is null is there, and invalid.
var missingInputSchema = linter.Rule{
	ID:         "schema/missing-input-schema",
	Title:      "Tool without input schema",
	Why:        "The protocol demands inputSchema. Many clients drop the tool, some the whole list; the others let the model guess the arguments.",
	Severity:   linter.Severities{Recommended: severity.Error, Snapshot: severity.Error},
	Bad:        `{"name":"water_level","description":"Returns the newest water level of one harbour basin, in centimetres above the local chart datum."}`,
	Good:       `{"name":"water_level","description":"Returns the newest water level of the harbour basin, in centimetres above the local chart datum.","inputSchema":{"type":"object","properties":{}}}`,
	Since:      firstVersion,
	References: []string{toolsSpec},
	CheckTool: func(p *linter.Pass, tool *linter.Entity) {
		if tool.Get("inputSchema") == nil {
			p.Report(tool, "", linter.Finding{
				Message: "the tool has no inputSchema" + wholeListLost,
				Fix:     `Declare one, {"type":"object","properties":{}} for a tool without arguments.`,
			})
		}
	},
}
