package rules

import (
	"fmt"
	"math"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// longDescription finds descriptions longer than a limit. What clients do with
// long ones is said by [descriptionLength], so preset recommended has this rule
// for a limit of the user's own.
var longDescription = linter.Rule{
	ID:         "description/too-long",
	Title:      "Description longer than clients keep",
	Why:        "Several clients cut or refuse descriptions above about a thousand characters, and every request pays for all of them. Preset recommended has no limit unless descriptionMaxLength sets one; compat/description-length says there what clients cut.",
	Severity:   linter.Severities{Recommended: severity.Info, Snapshot: severity.Info},
	Bad:        `{"name":"water_level","description":"` + longExample + `","inputSchema":{"type":"object","properties":{}}}`,
	Good:       `{"name":"water_level","description":"Returns the newest water level of the harbour basin, in centimetres above the local chart datum.","inputSchema":{"type":"object","properties":{}}}`,
	Options:    []string{"descriptionMaxLength"},
	Since:      firstVersion,
	References: []string{toolGuide},
	CheckTool: func(p *linter.Pass, tool *linter.Entity) {
		none := 1024.0
		if p.Preset() == linter.Recommended {
			none = math.Inf(1)
		}
		most := p.Option("descriptionMaxLength", none)
		if length := linter.Length(linter.Trim(tool.Description())); float64(length) > most {
			p.Report(tool, "/description", linter.Finding{
				Message: fmt.Sprintf("the description has %s; expected at most %s", plural(length, "character"), number(most)),
				Fix:     "Keep what decides when to call the tool; move reference material into a resource.",
			})
		}
	},
}

// longExample is 1,080 characters long.
const longExample = longSentence + longSentence + longSentence + longSentence + longSentence +
	longSentence + longSentence + longSentence + longSentence

const longSentence = "Returns the water level of one basin of the harbour, in centimetres above the local chart datum, as the gauge sees it. "
