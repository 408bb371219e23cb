package rules

import (
	"fmt"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// longDescription finds descriptions that clients cut off.
var longDescription = linter.Rule{
	ID:         "description/too-long",
	Title:      "Description longer than clients keep",
	Why:        "Several clients cut or refuse descriptions above about a thousand characters, and every request pays for all of them.",
	Severity:   linter.Severities{Recommended: severity.Info, Snapshot: severity.Info},
	Bad:        `{"name":"water_level","description":"` + longExample + `","inputSchema":{"type":"object"}}`,
	Good:       `{"name":"water_level","description":"Returns the newest water level of the harbour basin, in centimetres above the local chart datum.","inputSchema":{"type":"object"}}`,
	Options:    []string{"descriptionMaxLength"},
	Since:      firstVersion,
	References: []string{toolGuide},
	CheckTool: func(p *linter.Pass, tool *linter.Entity) {
		most := p.Option("descriptionMaxLength", 1024)
		if length := linter.Length(linter.Trim(tool.Description())); float64(length) > most {
			p.Report(tool, "/description", linter.Finding{
				Message: fmt.Sprintf("the description has %d characters; expected at most %v", length, most),
				Fix:     "Keep what decides when to call the tool; move reference material into a resource.",
			})
		}
	},
}

// longExample is 1,080 characters long.
const longExample = longSentence + longSentence + longSentence + longSentence + longSentence +
	longSentence + longSentence + longSentence + longSentence

const longSentence = "Returns the water level of one basin of the harbour, in centimetres above the local chart datum, as the gauge sees it. "
