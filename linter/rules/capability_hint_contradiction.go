package rules

import (
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// hintContradiction finds hints that the tool's own name and description, or
// another hint, belie.
var hintContradiction = linter.Rule{
	ID:               "capability/hint-contradiction",
	Title:            "Hint that contradicts the tool",
	Why:              "Clients skip the question to the user for a tool that claims only to read; one that deletes behind that claim is never stopped.",
	Severity:         linter.Severities{Recommended: severity.Warning},
	Bad:              `{"name":"delete_booking","description":"Deletes one booking of a crane for good and tells the ship that waited for it; there is no way back.","inputSchema":{"type":"object","properties":{}},"annotations":{"readOnlyHint":true}}`,
	Good:             `{"name":"delete_booking","description":"Deletes one booking of a crane for good and tells the ship that waited for it; there is no way back.","inputSchema":{"type":"object","properties":{}},"annotations":{"readOnlyHint":false,"destructiveHint":true}}`,
	SecuritySeverity: 5.0,
	Since:            firstVersion,
	References:       []string{hintsSpec},
	CheckTool: func(p *linter.Pass, tool *linter.Entity) {
		readOnly, hasReadOnly := hint(tool, readOnlyHint)
		destructive, hasDestructive := hint(tool, destructiveHint)
		if !hasReadOnly && !hasDestructive {
			return
		}
		e, agreed := effectOf(tool)
		if !agreed {
			e = effectUnknown // one signal is too few to call a hint wrong
		}
		switch {
		case readOnly && (e == effectChanges || e == effectDestroys):
			p.Report(tool, "/annotations/readOnlyHint", linter.Finding{
				Message: "readOnlyHint is true, but by its name and description the tool changes something",
				Fix:     "Set readOnlyHint to false.",
			})
		case readOnly && destructive:
			p.Report(tool, "/annotations/destructiveHint", linter.Finding{
				Message: "readOnlyHint and destructiveHint are both true, and a tool that only reads destroys nothing",
				Fix:     "Set the one that does not hold to false.",
			})
		case destructive && e == effectReads:
			p.Report(tool, "/annotations/destructiveHint", linter.Finding{
				Message: "destructiveHint is true, but by its name and description the tool only reads",
				Fix:     "Set destructiveHint to false and readOnlyHint to true.",
			})
		case hasDestructive && !destructive && !readOnly && e == effectDestroys:
			p.Report(tool, "/annotations/destructiveHint", linter.Finding{
				Message: "destructiveHint is false, but by its name and description the tool takes something away",
				Fix:     "Set destructiveHint to true.",
			})
		}
	},
}
