package rules

import (
	"fmt"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// nullableUnion finds optional parameters that are a union with null, which is
// what Pydantic writes for each of them: one finding a server, because nobody
// wrote them one by one.
var nullableUnion = linter.Rule{
	ID:       "compat/nullable-union",
	Title:    "Optional parameters that are unions with null",
	Why:      "The schema is valid and most clients take it. Converters for Gemini turn the union into a list of types, which its API refuses, and some clients have no way to pass null.",
	Severity: linter.Severities{Recommended: severity.Info},
	Bad:      `{"name":"open_gate","description":"Opens one gate of the lock and returns when it is fully open, or why it stays shut.","inputSchema":{"type":"object","properties":{"gate":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null,"description":"Letter of the gate."}}}}`,
	Good:     `{"name":"open_gate","description":"Opens one gate of the lock and returns when it is fully open, or why it stays shut.","inputSchema":{"type":"object","properties":{"gate":{"type":"string","description":"Letter of the gate."}}}}`,
	Since:    firstVersion,
	Clients: []linter.ClientFact{
		{Client: gemini, Name: "Gemini", Does: "loses every request in programs that convert the union to a list of types (LangChain, n8n)", Since: "2026-09", Source: "https://github.com/taylorwilsdon/google_workspace_mcp/issues/1099"},
		{Client: claudeCode, Name: "Claude Code", Does: "passes the text \"null\" in place of null", Since: "2026-09", Source: "https://github.com/anthropics/claude-code/issues/95239"},
		{Client: cursor, Name: "Cursor", Does: "passed an empty text in place of null", Since: "2025-09", Source: "https://github.com/cursor/cursor/issues/3614"},
	},
	Check: func(p *linter.Pass) {
		var tools []*linter.Entity
		params := map[*linter.Entity]int{}
		for _, tool := range p.Tools() {
			for range surfaceOf(tool).of(nullUnionSite) {
				params[tool]++
			}
			if params[tool] > 0 {
				tools = append(tools, tool)
			}
		}
		reportOnServer(p, tools, "/inputSchema", func(tools []*linter.Entity, names string) linter.Finding {
			return linter.Finding{
				Message: fmt.Sprintf("%s a union with null in %s: %s", isOrAre(sumOf(params, tools), "parameter"), names, says(p.Clients())),
				Fix:     "Declare the one type, and leave the parameter out of required: who has no value does not pass it.",
			}
		})
	},
}

// sumOf adds what was counted on tools.
func sumOf(counts map[*linter.Entity]int, tools []*linter.Entity) int {
	sum := 0
	for _, tool := range tools {
		sum += counts[tool]
	}
	return sum
}
