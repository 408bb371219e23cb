package rules

import (
	"fmt"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// outputRootType finds output schemas that describe no object. JSON Schema and
// the revision 2026-07-28 of the protocol allow them; clients before it parse
// the list by a schema in which the type is fixed.
var outputRootType = linter.Rule{
	ID:         "compat/output-root-type",
	Title:      `Output schema whose root type is not "object"`,
	Why:        "Clients built on the official TypeScript SDK check the whole list of tools at once: one such output schema loses every tool of the server.",
	Severity:   linter.Severities{Recommended: severity.Error},
	Bad:        `{"name":"name_gauges","description":"Names the gauges of the harbour with their numbers, in the order in which they stand along the quay.","inputSchema":{"type":"object","properties":{}},"outputSchema":{"type":"array","items":{"type":"string"}},"annotations":{"readOnlyHint":true}}`,
	Good:       `{"name":"name_gauges","description":"Names the gauges of the harbour with their numbers, in the order in which they stand along the quay.","inputSchema":{"type":"object","properties":{}},"outputSchema":{"type":"object","properties":{"gauges":{"type":"array","items":{"type":"string"}}}},"annotations":{"readOnlyHint":true}}`,
	Since:      firstVersion,
	References: []string{"https://github.com/opentokenz/mcpx/issues/28", toolsSpec, toolsSpec2026},
	Clients: []linter.ClientFact{
		{Client: typescriptSDK, Name: "the TypeScript SDK", Does: "refuses the whole list, so clients built on it show no tool of the server (before the revision 2026-07-28)", Source: "https://github.com/modelcontextprotocol/typescript-sdk/pull/1169"},
		{Client: claudeCode, Name: "Claude Code", Does: "fails to fetch the tools", Since: "2.1.147", Source: "https://github.com/Wynelson94/longhand/issues/9"},
	},
	CheckTool: func(p *linter.Pass, tool *linter.Entity) {
		schema := tool.Get("outputSchema")
		if schema.Type() != snapshot.Object {
			return // invalid anyway
		}
		found := "none"
		switch t := schema.Get("type"); {
		case t.Text() == "object", t != nil && !isJSONType(t.Text()) && t.Len() == 0:
			return // right, or no type at all, which another rule says
		case t.IsText():
			found = quote(t.Text())
		case t != nil:
			found = "a list"
		}
		p.Report(tool, "/outputSchema/type", linter.Finding{
			Message: fmt.Sprintf(`the root type of the output schema should be "object", found %s: %s`, found, says(p.Clients())),
			Fix:     `Set "type": "object" at the root of outputSchema, and wrap a list or a single value in a property; or leave outputSchema out.`,
		})
	},
}

func isJSONType(name string) bool {
	switch name {
	case "array", "boolean", "integer", "null", "number", "object", "string":
		return true
	}
	return false
}
