package rules

import (
	"fmt"
	"slices"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// refRule finds input schemas that need references to be followed: one finding
// a server, since generators write them. Those that lead to nothing, and all of
// a tool in which some lead in a circle, are other rules'.
var refRule = linter.Rule{
	ID:         "compat/ref",
	Title:      "Input schemas with references",
	Why:        "References are part of JSON Schema, but several clients pass the schema on without following them, and the model sees a parameter of no or another shape.",
	Severity:   linter.Severities{Recommended: severity.Info},
	Bad:        `{"name":"book_crane","description":"Reserves one crane for a lift and returns the number of the booking, or says who holds the crane.","inputSchema":{"type":"object","properties":{"lift":{"$ref":"#/$defs/Lift","description":"The lift."}},"$defs":{"Lift":{"type":"object","description":"What is lifted, and when.","properties":{"start":{"type":"string","description":"Start, RFC 3339."}}}}}}`,
	Good:       `{"name":"book_crane","description":"Reserves one crane for a lift and returns the number of the booking, or says who holds the crane.","inputSchema":{"type":"object","properties":{"lift":{"type":"object","description":"What is lifted, and when.","properties":{"start":{"type":"string","description":"Start, RFC 3339."}}}}}}`,
	Since:      firstVersion,
	References: []string{"https://github.com/PrefectHQ/fastmcp/pull/2814", "https://github.com/anomalyco/opencode/issues/12295"},
	Clients: []linter.ClientFact{
		{Client: openAI, Name: "Codex", Does: "showed the model a text in place of the object", Since: "0.29.0", Source: "https://github.com/openai/codex/issues/3152"},
		{Client: copilotCLI, Name: "Copilot CLI", Does: "calls the tool without the parameter", Since: "0.0.423", Source: "https://github.com/github/copilot-cli/issues/1876"},
		{Client: gemini, Name: "Gemini CLI", Does: "found no tool of such servers", Since: "0.15.1", Source: "https://github.com/google-gemini/gemini-cli/issues/13142"},
	},
	Check: func(p *linter.Pass) {
		var tools []*linter.Entity
		counts := map[*linter.Entity]int{}
		// The same clients make the other rule speak of circles.
		circles := len(factsAbout(p.Clients(), gemini)) > 0
		for _, tool := range p.Tools() {
			if n := followable(tool, circles); n > 0 {
				tools = append(tools, tool)
				counts[tool] = n
			}
		}
		reportOnServer(p, tools, "/inputSchema", func(tools []*linter.Entity, names string) linter.Finding {
			return linter.Finding{
				Message: fmt.Sprintf("%s in the input schemas of %s: %s", plural(sumOf(counts, tools), "reference"), names, says(p.Clients())),
				Fix:     "Write the definition in place of the reference; libraries that generate schemas have a setting for it.",
			}
		})
	},
}

// followable counts the references of an input schema that lead somewhere. With
// circles, none count where one leads in a circle.
func followable(tool *linter.Entity, circles bool) int {
	n := 0
	w := refWalk{root: tool.Get("inputSchema")}
	for at := range surfaceOf(tool).of(refSite) {
		if !at.output && w.target(at) != nil {
			n++
		}
	}
	if n > 0 && circles && slices.ContainsFunc(recursionsOf(tool), func(at *site) bool { return !at.output }) {
		return 0
	}
	return n
}
