package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// inconsistentStyle finds tools' names in several styles. It is one finding on
// the server; in preset recommended the tools that differ from a clear majority
// are its items.
var inconsistentStyle = linter.Rule{
	ID:       "naming/inconsistent-style",
	Codes:    []string{"S5"},
	Title:    "Names of tools in several styles",
	Why:      "A model that has seen ten names in one style writes the eleventh in the same, and calls a tool that does not exist.",
	Severity: linter.Severities{Recommended: severity.Info, Snapshot: severity.Info, Agents: severity.Info},
	Bad: `{"tools":[{"name":"open_gate","description":"Opens one gate of the lock and returns when it is fully open, or why it stays shut.","inputSchema":{"type":"object","properties":{}}},` +
		`{"name":"bookCrane","description":"Reserves a crane for one lift tomorrow and says who holds each crane in the meantime and until when.","inputSchema":{"type":"object","properties":{}}}]}`,
	Good: `{"tools":[{"name":"open_gate","description":"Opens one gate of the lock and returns when it is fully open, or why it stays shut.","inputSchema":{"type":"object","properties":{}}},` +
		`{"name":"book_crane","description":"Reserves a crane for one lift tomorrow and says who holds each crane in the meantime and until when.","inputSchema":{"type":"object","properties":{}}}]}`,
	Since:      firstVersion,
	References: []string{toolsSpec + "#tool-names"},
	Check: func(p *linter.Pass) {
		var used []style
		names := map[style][]string{}
		total := 0
		for _, tool := range p.Tools() {
			s := styleOf(tool.Ref.Name)
			if s == "" {
				continue
			}
			if names[s] == nil {
				used = append(used, s)
			}
			names[s] = append(names[s], tool.Ref.Name)
			total++
		}
		if len(used) < 2 {
			return
		}
		common := slices.MaxFunc(used, func(a, b style) int { return len(names[a]) - len(names[b]) })
		if p.Preset() == linter.Recommended && 3*len(names[common]) >= 2*total {
			reportOddStyles(p, common, used, names)
			return
		}
		var parts []string
		for _, s := range used {
			parts = append(parts, fmt.Sprintf("%s (%s)", s, firstOf(names[s], 3)))
		}
		p.Report(p.Server(), "", linter.Finding{
			Message: fmt.Sprintf("the tools' names have %d styles: %s", len(used), strings.Join(parts, ", ")),
			Fix:     "Choose one style for all names.",
		})
	},
}

// reportOddStyles reports the tools whose names are not in the common style.
func reportOddStyles(p *linter.Pass, common style, used []style, names map[style][]string) {
	var items []linter.Item
	for _, s := range used {
		if s != common {
			for _, name := range names[s] {
				items = append(items, linter.Item{Subject: name})
			}
		}
	}
	p.ReportGroup(p.Server(), "", items, func(items []linter.Item) linter.Finding {
		odd := make([]string, len(items))
		for i, item := range items {
			odd[i] = item.Subject
		}
		return linter.Finding{
			Message: fmt.Sprintf("%d of the tools' names are in %s, but not %s", len(names[common]), common, firstOf(odd, mostListed)),
			Fix:     "Choose one style for all names.",
		}
	})
}
