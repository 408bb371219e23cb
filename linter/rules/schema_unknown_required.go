package rules

import (
	"fmt"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// unknownRequired finds names in required that no property has. The second
// seed misses those that every JavaScript object inherits (constructor); we do
// not. Preset recommended also knows arguments that allOf, $ref and the like
// bring in, and says nothing where patternProperties may match.
var unknownRequired = linter.Rule{
	ID:         "schema/unknown-required",
	Title:      "Required parameter that is not declared",
	Why:        "The model must pass an argument of which it knows neither type nor meaning, so every call fails or is made up.",
	Severity:   linter.Severities{Recommended: severity.Error, Snapshot: severity.Error},
	Bad:        `{"name":"open_gate","description":"Opens one gate of the lock and returns when it is fully open, or why it stays shut.","inputSchema":{"type":"object","properties":{"gate":{"type":"string","description":"Letter of the gate."}},"required":["gates"]}}`,
	Good:       `{"name":"open_gate","description":"Opens one gate of the lock and returns when it is fully open, or why it stays shut.","inputSchema":{"type":"object","properties":{"gate":{"type":"string","description":"Letter of the gate."}},"required":["gate"]}}`,
	Since:      firstVersion,
	References: []string{toolsSpec},
	CheckTool: func(p *linter.Pass, tool *linter.Entity) {
		input := tool.Get("inputSchema")
		if additional, isBool := input.Get("additionalProperties").Bool(); additional || !isBool && input.Has("additionalProperties") {
			return
		}
		properties := input.Get("properties")
		var known map[string]bool // argument names of the whole schema; built when needed
		for i, name := range input.Get("required").Elements() {
			if !name.IsText() || properties.Has(name.Text()) {
				continue
			}
			path := "/inputSchema/required"
			if p.Preset() == linter.Recommended {
				if known == nil {
					known = topParams(tool)
				}
				if input.Get("patternProperties").Len() > 0 || known[name.Text()] {
					continue
				}
				path = snapshot.AppendIndex(path, i)
			}
			p.Report(tool, path, linter.Finding{
				Message: fmt.Sprintf("%s is required but not among the properties", quote(name.Text())),
				Fix:     "Declare it under properties, or take it out of required.",
				Subject: name.Text(),
			})
		}
	},
}

// topParams are the names of the arguments that a tool has, wherever in its
// schema they are declared.
func topParams(tool *linter.Entity) map[string]bool {
	known := map[string]bool{}
	params := tool.Params()
	for i := range params {
		if params[i].Top {
			known[params[i].Name] = true
		}
	}
	return known
}
