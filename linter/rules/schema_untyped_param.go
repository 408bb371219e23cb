package rules

import (
	"fmt"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// wasteUntyped is what a model wastes on a parameter without type
// (agents-lint, section 8).
const wasteUntyped = 300

// untypedParam finds parameters that may be anything.
var untypedParam = linter.Rule{
	ID:         "schema/untyped-param",
	Codes:      []string{"S3"},
	Title:      "Parameter without type",
	Why:        "A model does not know whether to pass a text, a number or an object; several clients refuse the schema.",
	Severity:   linter.Severities{Recommended: severity.Warning, Snapshot: severity.Warning, Agents: severity.Warning},
	Bad:        `{"name":"open_gate","description":"Opens one gate of the lock and returns when it is fully open, or why it stays shut.","inputSchema":{"type":"object","properties":{"gate":{"description":"Letter of the gate."}}}}`,
	Good:       `{"name":"open_gate","description":"Opens one gate of the lock and returns when it is fully open, or why it stays shut.","inputSchema":{"type":"object","properties":{"gate":{"type":"string","enum":["A","B"],"description":"Letter of the gate."}}}}`,
	Since:      firstVersion,
	References: []string{toolGuide},
	CheckTool: func(p *linter.Pass, tool *linter.Entity) {
		params := tool.Params()
		for i := range params {
			param := &params[i]
			if isTyped(param.Schema, p.Preset()) {
				continue
			}
			f := linter.Finding{Waste: wasteIfTop(param, wasteUntyped)}
			if !p.Lists(tool) {
				p.Report(tool, "", f)
				continue
			}
			name := param.Name
			if p.Preset() == linter.Recommended {
				name = param.Label() // there may be several values deep inside
			}
			f.Message = fmt.Sprintf("parameter %s has no type", quote(name))
			f.Fix = "Declare type, enum, or one of $ref, anyOf, oneOf, allOf, const."
			p.Report(tool, param.Pointer(), f)
		}
	},
}

// isTyped: one of the keywords is there, whatever its value. not narrows too
// little for the first seed.
func isTyped(schema *snapshot.Node, preset linter.Preset) bool {
	for _, m := range schema.Members() {
		switch m.Name {
		case "type", "enum", "const", "$ref", "anyOf", "oneOf", "allOf":
			return true
		case "not":
			if preset != linter.Agents {
				return true
			}
		}
	}
	return false
}
