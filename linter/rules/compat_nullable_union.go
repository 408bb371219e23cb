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
	ID:         "compat/nullable-union",
	Title:      "Optional parameters that are unions with null",
	Why:        "The schema is valid and most clients take it. Converters for Gemini turn the union into a list of types, which its API refuses, and some clients have no way to pass null.",
	Severity:   linter.Severities{Recommended: severity.Info},
	Bad:        `{"name":"open_gate","description":"Opens one gate of the lock and returns when it is fully open, or why it stays shut.","inputSchema":{"type":"object","properties":{"gate":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null,"description":"Letter of the gate."}}}}`,
	Good:       `{"name":"open_gate","description":"Opens one gate of the lock and returns when it is fully open, or why it stays shut.","inputSchema":{"type":"object","properties":{"gate":{"type":"string","description":"Letter of the gate."}}}}`,
	Since:      firstVersion,
	References: []string{"https://github.com/taylorwilsdon/google_workspace_mcp/issues/1099"},
	Clients: []linter.ClientFact{
		{Client: gemini, Name: "Gemini", Does: "loses every request in programs that convert the union to a list of types (LangChain, n8n)", Since: "2026-09", Source: "https://github.com/taylorwilsdon/google_workspace_mcp/issues/1099"},
		{Client: claudeCode, Name: "Claude Code", Does: "passes the text \"null\" in place of null", Since: "2026-09", Source: "https://github.com/anthropics/claude-code/issues/95239"},
		{Client: cursor, Name: "Cursor", Does: "passed an empty text in place of null", Since: "2025-09", Source: "https://github.com/cursor/cursor/issues/3614"},
	},
	Check: func(p *linter.Pass) {
		params, tools := 0, toolList{}
		for _, tool := range p.Tools() {
			before := params
			for range surfaceOf(tool).of(nullUnionSite) {
				params++
			}
			if params > before {
				tools.add(tool)
			}
		}
		if params > 0 {
			p.Report(p.Server(), "", linter.Finding{
				Message: fmt.Sprintf("%s a union with null in %s: %s", isOrAre(params, "parameter"), tools.String(), says(p.Clients())),
				Fix:     "Declare the one type, and leave the parameter out of required: who has no value does not pass it.",
			})
		}
	},
}

// toolList names the tools that a finding on the server is about.
type toolList struct {
	count int
	names []string
}

func (l *toolList) add(tool *linter.Entity) {
	if l.count++; l.count <= mostListed {
		l.names = append(l.names, quote(tool.Ref.Name))
	}
}

// String counts the tools and names the first ones.
func (l *toolList) String() string {
	names := append(l.names, make([]string, l.count-len(l.names))...)
	return plural(l.count, "tool") + " (" + listed(names) + ")"
}

func isOrAre(n int, noun string) string {
	if n == 1 {
		return plural(n, noun) + " is"
	}
	return plural(n, noun) + " are"
}
