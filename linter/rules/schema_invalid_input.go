package rules

import (
	"fmt"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/rules/internal/schemacheck"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// invalidInputSchema finds input schemas that are no JSON Schema of an object.
//
// Preset snapshot judges by draft-07 where the root says so and by 2020-12
// otherwise, as the second seed does; the other drafts are judged as what they
// declare only in preset recommended. Three of the seed's readings are mistakes
// that we do not follow: it takes the https spelling of draft-07 for 2020-12,
// it refuses a schema because another tool's has the same $id, and so it does
// when the two are equal.
var invalidInputSchema = linter.Rule{
	ID:         "schema/invalid-input-schema",
	Title:      "Input schema that is no valid JSON Schema of an object",
	Why:        "Clients validate or compile the schema before they offer the tool. One that fails loses the tool, in several clients the whole server.",
	Severity:   linter.Severities{Recommended: severity.Error, Snapshot: severity.Error},
	Bad:        `{"name":"weigh","description":"Weighs one crate on the dock scale and returns the result in grams, with the time of the reading.","inputSchema":{"type":"object","properties":{"crate":{"type":"int","description":"Number of the crate."}}}}`,
	Good:       `{"name":"weigh","description":"Weighs one crate on the dock scale and returns the result in grams, with the time of the reading.","inputSchema":{"type":"object","properties":{"crate":{"type":"integer","description":"Number of the crate."}}}}`,
	Since:      firstVersion,
	References: []string{toolsSpec, schemaSpec, "https://github.com/zereight/gitlab-mcp/issues/286"},
	CheckTool: func(p *linter.Pass, tool *linter.Entity) {
		schema := tool.Get("inputSchema")
		if schema == nil || reportFault(p, tool, "inputSchema", schema) {
			return
		}
		if t := schema.Get("type"); t.Text() != "object" {
			found := "null"
			switch {
			case t.IsText():
				found = quote(t.Text())
			case t != nil:
				found = strings.Trim(quote(string(t.Raw())), `"`)
			}
			p.Report(tool, "/inputSchema/type", linter.Finding{
				Message: fmt.Sprintf(`the root type of the input schema must be "object", found %s`, found) + wholeListLost,
				Fix:     `Set "type": "object" at the root of inputSchema.`,
				Subject: "type",
			})
		}
	},
}

// reportFault judges the schema under a key of a tool and reports the first
// fault.
func reportFault(p *linter.Pass, tool *linter.Entity, key string, schema *snapshot.Node) bool {
	fault := schemacheck.Check(schema, dialect(p, schema), tool.Repeats())
	if fault == nil {
		return false
	}
	f := linter.Finding{
		Message: fmt.Sprintf("the %s is invalid: %s", schemaName(key), fault.Reason),
		Fix:     "Correct the schema; JSON Schema validators show every fault at once.",
		Subject: "schema",
	}
	if fault.Pointer != "" {
		f.Message = fmt.Sprintf("the %s is invalid at %s: %s", schemaName(key), quote(fault.Pointer), fault.Reason)
	}
	if fault.Unchecked {
		f.Message = fmt.Sprintf("the %s could not be checked: %s", schemaName(key), fault.Reason)
		f.Fix = "Split the tool or simplify its schema."
		f.Severity = severity.Warning
		f.Subject = "unchecked"
	}
	path := "/" + key
	if p.Preset() != linter.SnapshotPreset {
		path += fault.Pointer
	}
	if key == "inputSchema" && schema.Type() != snapshot.Object {
		f.Message += wholeListLost
	}
	p.Report(tool, path, f)
	return true
}

// wholeListLost says how far the damage goes where an input schema is no
// object: the TypeScript SDK checks the answer as a whole.
const wholeListLost = "; clients built on the TypeScript SDK refuse the whole list of tools for it"

func schemaName(key string) string {
	if key == "outputSchema" {
		return "output schema"
	}
	return "input schema"
}

func dialect(p *linter.Pass, schema *snapshot.Node) schemacheck.Dialect {
	d := schemacheck.Declared(schema)
	if p.Preset() == linter.SnapshotPreset && d != schemacheck.Draft7 {
		return schemacheck.Draft2020
	}
	return d
}
