package rules

import (
	"fmt"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// objectProperties finds input schemas that list no properties. The schema is
// right, and some SDKs write it for every tool without arguments.
var objectProperties = linter.Rule{
	ID:         "compat/object-properties",
	Title:      "Input schema without the key properties",
	Why:        "The schema of a tool without arguments may leave properties out, and the OpenAI API refuses it all the same. An empty object costs nothing.",
	Severity:   linter.Severities{Recommended: severity.Info},
	Bad:        `{"name":"water_level","description":"Returns the newest water level of the harbour basin, in centimetres above the local chart datum.","inputSchema":{"type":"object"}}`,
	Good:       `{"name":"water_level","description":"Returns the newest water level of the harbour basin, in centimetres above the local chart datum.","inputSchema":{"type":"object","properties":{}}}`,
	Since:      firstVersion,
	References: []string{"https://github.com/xpzouying/xiaohongshu-mcp/issues/677", "https://github.com/spring-projects/spring-ai/issues/4776"},
	Clients: []linter.ClientFact{
		{Client: openAI, Name: "OpenAI API", Does: "refuses every request that has the tool, unless the program that sends it adds the key", Since: "2025-04", Source: "https://github.com/openai/openai-agents-python/pull/454"},
		{Client: copilotCLI, Name: "Copilot CLI", Does: "fails on every prompt with OpenAI models", Since: "0.0.365", Source: "https://github.com/github/copilot-cli/issues/1825"},
	},
	Check: func(p *linter.Pass) {
		var tools []*linter.Entity
		for _, tool := range p.Tools() {
			if lacksProperties(tool.Get("inputSchema")) {
				tools = append(tools, tool)
			}
		}
		reportTools(p, tools, "/inputSchema", func(_ []*linter.Entity, names string) linter.Finding {
			f := linter.Finding{
				Message: "the input schema is valid, but has no properties: " + says(p.Clients()),
				Fix:     `Add "properties": {}.`,
			}
			if names != "" {
				f.Message = fmt.Sprintf("the input schemas of %s are valid, but have no properties: %s", names, says(p.Clients()))
			}
			return f
		})
	},
}

func lacksProperties(schema *snapshot.Node) bool {
	if schema.Get("type").Text() != "object" || schema.Has("properties") {
		return false // without a type it is invalid, which another rule says
	}
	for _, m := range schema.Members() {
		switch m.Name {
		case "anyOf", "oneOf", "allOf", "$ref":
			return false // the parameters are there, and another rule speaks
		}
	}
	return true
}
