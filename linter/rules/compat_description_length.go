package rules

import (
	"fmt"
	"unicode/utf8"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// Characters that clients take of a description.
const (
	openAIDescription = 1024
	claudeDescription = 2048
)

// descriptionLength finds descriptions and instructions that clients cut or
// refuse. Characters are code points.
var descriptionLength = linter.Rule{
	ID:         "compat/description-length",
	Title:      "Description that clients cut or refuse",
	Why:        "Claude Code cuts after 2,048 characters without a word, while the author tests with the whole text: the rule that matters may be the one that no model reads. Some models of the OpenAI API refuse more than 1,024.",
	Severity:   linter.Severities{Recommended: severity.Info},
	Bad:        `{"name":"water_level","description":"` + longExample + `","inputSchema":{"type":"object","properties":{}}}`,
	Good:       `{"name":"water_level","description":"Returns the newest water level of the harbour basin, in centimetres above the local chart datum.","inputSchema":{"type":"object","properties":{}}}`,
	Since:      firstVersion,
	References: []string{"https://code.claude.com/docs/en/mcp", "https://github.com/anthropics/claude-code/issues/87650", "https://github.com/getsentry/sentry-mcp/issues/106"},
	Clients: []linter.ClientFact{
		{Client: openAI, Name: "OpenAI API", Does: "refuses every request with over 1,024 to models like gpt-4o and o3-mini", Since: "2025-03", Source: "https://github.com/OpenHands/OpenHands/issues/7167"},
		{Client: claudeCode, Name: "Claude Code", Does: "cuts after 2,048 without a message", Since: "2.1.84", Source: "https://github.com/anthropics/claude-code/issues/41593"},
	},
	CheckTool: func(p *linter.Pass, tool *linter.Entity) {
		text := tool.Description()
		if len(text) <= openAIDescription {
			return
		}
		length := utf8.RuneCountInString(text)
		if facts := p.Clients(); length > claudeDescription && len(factsAbout(facts, claudeCode)) > 0 {
			p.Report(tool, "/description", linter.Finding{
				Severity: severity.Warning,
				Message:  fmt.Sprintf("the description has %s: %s, and what is lost begins with %s", plural(length, "character"), says(facts), quote(linter.Trim(text[characterOffset(text, claudeDescription):]))),
				Fix:      "Put what decides the call first, and move reference material into a resource or the parameters' descriptions.",
			})
		} else if facts := factsAbout(facts, openAI); length > openAIDescription && len(facts) > 0 {
			p.Report(tool, "/description", linter.Finding{
				Message: fmt.Sprintf("the description has %s: %s", plural(length, "character"), says(facts)),
				Fix:     "Keep what decides when to call the tool; move reference material into a resource or the parameters' descriptions.",
			})
		}
	},
	Check: func(p *linter.Pass) {
		facts := factsAbout(p.Clients(), claudeCode)
		text := p.Server().Description()
		if len(text) <= claudeDescription || len(facts) == 0 {
			return
		}
		if length := utf8.RuneCountInString(text); length > claudeDescription {
			p.Report(p.Server(), "/instructions", linter.Finding{
				Severity: severity.Warning,
				Message:  fmt.Sprintf("the instructions have %s: %s, and what is lost begins with %s", plural(length, "character"), says(facts), quote(linter.Trim(text[characterOffset(text, claudeDescription):]))),
				Fix:      "Put what matters first, and move the rest into the tools' descriptions or a resource.",
			})
		}
	},
}

// characterOffset is the offset of a character by its number.
func characterOffset(text string, characters int) int {
	for i := range text {
		if characters == 0 {
			return i
		}
		characters--
	}
	return len(text)
}
