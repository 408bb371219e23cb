package rules

import (
	"fmt"
	"unicode/utf8"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
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
	Why:        "Claude Code cuts after 2,048 characters without a word, while the author tests with the whole text: the rule that matters may be the one that no model reads. Older models of the OpenAI API refused more than 1,024.",
	Severity:   linter.Severities{Recommended: severity.Info},
	Bad:        `{"name":"water_level","description":"` + longExample + `","inputSchema":{"type":"object","properties":{}}}`,
	Good:       `{"name":"water_level","description":"Returns the newest water level of the harbour basin, in centimetres above the local chart datum.","inputSchema":{"type":"object","properties":{}}}`,
	Since:      firstVersion,
	References: []string{"https://code.claude.com/docs/en/mcp", "https://github.com/anthropics/claude-code/issues/87650", "https://github.com/getsentry/sentry-mcp/issues/106", "https://github.com/run-llama/llama_index/pull/18784"},
	Clients: []linter.ClientFact{
		{Client: claudeCode, Name: "Claude Code", Does: "cuts after 2,048", Since: "2.1.84", Source: "https://github.com/anthropics/claude-code/issues/41593"},
		{Client: openAI, Name: "OpenAI API", Does: "refused over 1,024 to models like gpt-4o and o3-mini (gpt-4.1-mini takes more since 2025-05)", Since: "2025-03", Source: "https://github.com/OpenHands/OpenHands/issues/7167"},
	},
	Check: func(p *linter.Pass) {
		cut := factsAbout(p.Clients(), claudeCode)
		var long []longText
		for _, tool := range p.Tools() {
			text := tool.Description()
			if len(text) <= openAIDescription {
				continue
			}
			switch length := utf8.RuneCountInString(text); {
			case length > claudeDescription && len(cut) > 0:
				p.Report(tool, "/description", linter.Finding{
					Severity: severity.Warning,
					Message:  fmt.Sprintf("the description has %s: %s, and what is lost begins with %s", plural(length, "character"), says(p.Clients()), lost(text)),
					Fix:      "Put what decides the call first, and move reference material into a resource or the parameters' descriptions.",
				})
			case length > openAIDescription:
				long = append(long, longText{tool, length})
			}
		}
		if facts := factsAbout(p.Clients(), openAI); len(facts) > 0 {
			reportLong(p, long, facts)
		}
		text := p.Server().Description()
		if len(text) <= claudeDescription || len(cut) == 0 {
			return
		}
		if length := utf8.RuneCountInString(text); length > claudeDescription {
			p.Report(p.Server(), "/instructions", linter.Finding{
				Severity: severity.Warning,
				Message:  fmt.Sprintf("the instructions have %s: %s, and what is lost begins with %s", plural(length, "character"), says(cut), lost(text)),
				Fix:      "Put what matters first, and move the rest into the tools' descriptions or a resource.",
			})
		}
	},
}

// longText is the description of a tool that is over the smaller limit only.
type longText struct {
	tool   *linter.Entity
	length int
}

// reportLong reports descriptions that old models refused, a whole server's at
// once: few authors still have those users.
func reportLong(p *linter.Pass, long []longText, facts []linter.ClientFact) {
	const fix = "Keep what decides when to call the tool; move reference material into a resource or the parameters' descriptions."
	switch len(long) {
	case 0:
		return
	case 1:
		p.Report(long[0].tool, "/description", linter.Finding{
			Message: fmt.Sprintf("the description has %s: %s", plural(long[0].length, "character"), says(facts)),
			Fix:     fix,
			Subject: long[0].tool.Ref.Name,
		})
		return
	}
	items := make([]linter.Item, len(long))
	longest := 0
	for i, text := range long {
		name := text.tool.Ref.Name
		items[i] = linter.Item{Path: snapshot.AppendPointer("/tools", name) + "/description", Subject: name, Of: text.tool}
		longest = max(longest, text.length)
	}
	p.ReportGroup(p.Server(), "", items, func(items []linter.Item) linter.Finding {
		return linter.Finding{
			Message: fmt.Sprintf("the descriptions of %s have up to %s: %s", toolNames(ownersIn(items)), plural(longest, "character"), says(facts)),
			Fix:     fix,
		}
	})
}

// lost quotes where the part of a text begins that Claude Code cuts off.
func lost(text string) string {
	return quote(linter.Trim(text[characterOffset(text, claudeDescription):]))
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
