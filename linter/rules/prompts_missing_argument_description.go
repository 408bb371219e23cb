package rules

import (
	"fmt"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// undescribedArgument finds arguments of prompts that only their name
// explains: one finding a prompt.
var undescribedArgument = linter.Rule{
	ID:         "prompts/missing-argument-description",
	Title:      "Argument of a prompt without description",
	Why:        "Clients show the description where a person fills in the argument; without one the person guesses.",
	Severity:   linter.Severities{Recommended: severity.Info},
	Bad:        `{"prompts":[{"name":"plan_voyage","description":"Plans a voyage between two ports.","arguments":[{"name":"from"}]}]}`,
	Good:       `{"prompts":[{"name":"plan_voyage","description":"Plans a voyage between two ports.","arguments":[{"name":"from","description":"Port of departure."}]}]}`,
	Since:      firstVersion,
	References: []string{"https://modelcontextprotocol.io/specification/2025-11-25/server/prompts"},
	Check: func(p *linter.Pass) {
		for _, prompt := range p.Prompts() {
			var items []linter.Item
			for i, argument := range prompt.Get("arguments").Elements() {
				text := argument.Get("description")
				if argument.Get("name").IsText() && (text == nil || text.IsText()) && linter.IsBlank(text.Text()) {
					items = append(items, linter.Item{Path: snapshot.AppendIndex("/arguments", i), Subject: argument.Get("name").Text()})
				}
			}
			if len(items) == 0 {
				continue
			}
			p.ReportGroup(prompt, "/arguments", items, func(items []linter.Item) linter.Finding {
				names := make([]string, len(items))
				for i, item := range items {
					names[i] = item.Subject
				}
				return linter.Finding{
					Message: fmt.Sprintf("%s without description: %s", plural(len(items), "argument"), firstOf(names, mostListed)),
					Fix:     "Say what each means and give an example.",
				}
			})
		}
	},
}
