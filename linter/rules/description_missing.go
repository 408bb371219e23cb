package rules

import (
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// wasteNoDescription is what a model wastes on a tool without description
// (agents-lint, section 8).
const wasteNoDescription = 2000

// missingDescription finds tools and prompts that nothing explains.
var missingDescription = linter.Rule{
	ID:         "description/missing",
	Codes:      []string{"S1"},
	Title:      "Tool or prompt without description",
	Why:        "The description is how a model chooses a tool. Without one it is called at random or never.",
	Severity:   linter.Severities{Recommended: severity.Error, Snapshot: severity.Error, Agents: severity.Error},
	Bad:        `{"name":"water_level","inputSchema":{"type":"object","properties":{}}}`,
	Good:       `{"name":"water_level","description":"Returns the newest water level of the harbour basin, in centimetres above the local chart datum.","inputSchema":{"type":"object","properties":{}}}`,
	Since:      firstVersion,
	References: []string{toolsSpec, toolGuide},
	CheckTool: func(p *linter.Pass, tool *linter.Entity) {
		if undescribed(p, tool) {
			p.Report(tool, "/description", linter.Finding{
				Message: "the tool has no description",
				Fix:     sayMore,
				Waste:   wasteNoDescription,
			})
		}
	},
	Check: func(p *linter.Pass) {
		if p.Preset() == linter.Agents {
			return
		}
		for _, prompt := range p.Prompts() {
			if undescribed(p, prompt) {
				p.Report(prompt, "/description", linter.Finding{
					Message:  "the prompt has no description",
					Fix:      "Say in one sentence what the prompt is for.",
					Severity: severity.Warning,
					Codes:    []string{}, // the first seed knows no prompts
				})
			}
		}
	},
}

// undescribed reports whether an entity says nothing about itself. What is
// there but no text is schema/invalid-definition's business, where that runs.
func undescribed(p *linter.Pass, e *linter.Entity) bool {
	text := e.Get("description")
	if p.Preset() == linter.Recommended && (e.Node().Type() != snapshot.Object || text != nil && !text.IsText()) {
		return false
	}
	return linter.IsBlank(text.Text())
}
