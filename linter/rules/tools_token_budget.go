package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// tokenBudget finds servers whose definitions fill a model's context before
// the first question is asked.
var tokenBudget = linter.Rule{
	ID:         "tools/token-budget",
	Codes:      []string{"S6"},
	Title:      "Definitions that cost too much context",
	Why:        "Every definition is sent with every request: it costs money, crowds out the conversation, and models choose worse among much text.",
	Severity:   linter.Severities{Recommended: severity.Error, Agents: severity.Error},
	Bad:        `{"options":{"tokenBudget":50},` + budgetExample,
	Good:       `{"options":{"tokenBudget":500},` + budgetExample,
	Options:    []string{"tokenBudget", "tokenBudgetError"},
	Since:      firstVersion,
	References: []string{toolGuide, "https://www.anthropic.com/engineering/advanced-tool-use"},
	Check: func(p *linter.Pass) {
		tools := p.Tools()
		total := 0
		for _, tool := range tools {
			total += tool.Tokens()
		}
		f := linter.Finding{Fix: "Merge tools, shorten schemas, or offer the rarely used ones as a server of their own."}
		limit := p.Option("tokenBudgetError", 25_000)
		if float64(total) <= limit {
			f.Severity = severity.Warning
			if limit = p.Option("tokenBudget", 10_000); float64(total) <= limit {
				return
			}
		}
		heaviest := slices.Clone(tools)
		slices.SortStableFunc(heaviest, func(a, b *linter.Entity) int { return cmp.Compare(b.Tokens(), a.Tokens()) })
		var parts []string
		for _, tool := range heaviest[:min(3, len(heaviest))] {
			parts = append(parts, quote(tool.Ref.Name)+" "+roughly(tool.Tokens()))
		}
		f.Message = fmt.Sprintf("the definitions of %s cost %s tokens; expected at most %s (heaviest: %s)",
			plural(len(tools), "tool"), roughly(total), number(limit), strings.Join(parts, ", "))
		p.Report(p.Server(), "", f)
	},
}

// budgetExample is the rest of a snapshot of about 100 tokens; real budgets do
// not fit on a page.
const budgetExample = `"tools":[{"name":"open_gate","description":"Opens one gate of the lock and returns when it is fully open, or why it stays shut.","inputSchema":{"type":"object","properties":{}}},` +
	`{"name":"book_crane","description":"Reserves a crane for one lift tomorrow and says who holds each crane in the meantime and until when.","inputSchema":{"type":"object","properties":{}}}]}`
