package rules

import (
	"fmt"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// toolFault is a fault of one tool that others of its server may share: a habit
// of its author, or of the program that wrote the definitions.
type toolFault struct {
	tool     *linter.Entity
	path     string // inside the tool
	subject  string // stable, as [linter.Item] has it
	severity severity.Level
	waste    int
}

// reportTogether reports faults of one rule, one a tool and in the order of the
// tools: from sharedBy on once on the server for each severity, else, and where
// a severity has only one, through alone.
func reportTogether(p *linter.Pass, faults []toolFault, alone func(toolFault), together func([]linter.Item) linter.Finding) {
	for _, level := range [...]severity.Level{severity.Error, severity.Warning, severity.Info} {
		var some []toolFault
		for _, fault := range faults {
			if fault.severity == level {
				some = append(some, fault)
			}
		}
		if len(faults) >= sharedBy && len(some) > 1 {
			sayTogether(p, level, some, together)
			continue
		}
		for _, fault := range some {
			alone(fault)
		}
	}
}

// sayTogether reports faults of one severity once on the server, where each
// still counts on its tool. Those of one tool stand together.
func sayTogether(p *linter.Pass, level severity.Level, faults []toolFault, describe func([]linter.Item) linter.Finding) {
	items := make([]linter.Item, len(faults))
	for i, fault := range faults {
		items[i] = linter.Item{
			Path:    snapshot.AppendPointer("/tools", fault.tool.Ref.Name) + fault.path,
			Subject: fault.subject, Of: fault.tool, Waste: fault.waste,
		}
	}
	p.ReportGroup(p.Server(), "", items, func(items []linter.Item) linter.Finding {
		f := describe(items)
		f.Severity = level
		f.Subject = level.String() // of one rule, what is worse is another finding
		return f
	})
}

// ownersOf writes the tools of a finding on the server that says what they
// share, as the subject of a sentence: of what each has one. Suppressions and
// baselines may leave only one of them. Those of one tool stand together.
func ownersOf(noun string, items []linter.Item) (subject string, one bool) {
	var names []string
	var last *linter.Entity
	for _, item := range items {
		if item.Of != last {
			names = append(names, quote(item.Of.Ref.Name))
		}
		last = item.Of
	}
	if len(names) == 1 {
		return "the " + noun + " of " + names[0], true
	}
	return fmt.Sprintf("the %ss of %d tools (%s)", noun, len(names), listed(names)), false
}
