package rules

import (
	"fmt"
	"slices"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// typeList finds parameters of several types, which is how SDKs for Rust, .NET
// and Go write an optional value.
var typeList = linter.Rule{
	ID:         "compat/type-list",
	Title:      "Several types in one type keyword",
	Why:        "The Gemini API knows one type a value. Programs that pass the schema on as it is lose every request of the session, not only calls of the tool.",
	Severity:   linter.Severities{Recommended: severity.Warning},
	Bad:        `{"name":"open_gate","description":"Opens one gate of the lock and returns when it is fully open, or why it stays shut.","inputSchema":{"type":"object","properties":{"gate":{"type":["string","null"],"description":"Letter of the gate."}}}}`,
	Good:       `{"name":"open_gate","description":"Opens one gate of the lock and returns when it is fully open, or why it stays shut.","inputSchema":{"type":"object","properties":{"gate":{"type":"string","description":"Letter of the gate."}}}}`,
	Since:      firstVersion,
	References: []string{"https://github.com/t8y2/dbx/issues/6233", "https://github.com/cursor/cursor/issues/3778"},
	Clients: []linter.ClientFact{
		{Client: gemini, Name: "Gemini API", Does: "refuses every request that has the tool", Source: "https://github.com/zed-industries/zed/issues/53919"},
		{Client: copilotCLI, Name: "Copilot CLI", Does: "fails on every prompt with Gemini models where the elements of a list may be an object or null", Since: "1.0.83", Source: "https://github.com/github/copilot-cli/issues/4623"},
		{Client: cursor, Name: "Cursor", Does: "refused calls that pass the parameter", Since: "2025-08", Source: "https://github.com/cursor/cursor/issues/3540"},
	},
	Check: func(p *linter.Pass) {
		copilot := factsAbout(p.Clients(), copilotCLI)
		others := factsAbout(p.Clients(), gemini, cursor)
		rows := map[*site]bool{} // elements of a list that may be an object
		faults := faultsAt(p, typeListSite, func(tool *linter.Entity, at *site) bool {
			if at.schema == tool.Get("inputSchema") {
				return false // at the root it is invalid
			}
			if len(copilot) > 0 && typeAllows(at.value, "object") && isItems(surfaceOf(tool).tokens(at.at)) {
				rows[at] = true
			}
			return len(others) > 0 || rows[at]
		})
		reportSites(p, faults, func(sites []*site, where string) linter.Finding {
			optional, facts := true, others
			for _, at := range sites {
				optional = optional && at.value.Len() == 2 && typeAllows(at.value, "null")
			}
			if slices.ContainsFunc(sites, func(at *site) bool { return rows[at] }) {
				facts = slices.Concat(others, copilot)
			}
			f := linter.Finding{
				Message: fmt.Sprintf("type is a list in %s: %s", where, says(facts)),
				Fix:     "Declare one type; where several are needed, use anyOf with a type each.",
			}
			if optional {
				f.Fix = "Declare the one type and leave the parameter out of required: who has no value does not pass it."
			}
			if len(factsAbout(facts, gemini, copilotCLI)) == 0 {
				f.Severity = severity.Info // only calls with the parameter fail
			}
			return f
		})
	},
}

// isItems reports whether the keyword at the end of a way belongs to the schema
// of a list's elements.
func isItems(tokens []string) bool {
	return len(tokens) > 1 && tokens[len(tokens)-2] == "items"
}
