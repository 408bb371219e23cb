package rules

import (
	"fmt"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// appScheme begins the addresses of pages that a client shows; nobody chooses
// them by their description.
const appScheme = "ui://"

// tellingTitle is the number of words from which on a title says what a description
// would.
const tellingTitle = 5

// undescribedResource finds resources and resource templates that only their
// name explains: one finding for all resources of a server, one for all its
// templates.
var undescribedResource = linter.Rule{
	ID:         "resources/missing-description",
	Title:      "Resource or resource template without description",
	Why:        "A model or a person decides by the description whether reading the resource is worth its size.",
	Severity:   linter.Severities{Recommended: severity.Info},
	Bad:        `{"resources":[{"uri":"harbour://pilots/today","name":"pilots_today"}]}`,
	Good:       `{"resources":[{"uri":"harbour://pilots/today","name":"pilots_today","description":"Who is on duty as a pilot today, with boat and channel."}]}`,
	Since:      firstVersion,
	References: []string{"https://modelcontextprotocol.io/specification/2025-11-25/server/resources"},
	Check: func(p *linter.Pass) {
		for _, kind := range [...]snapshot.Kind{snapshot.KindResource, snapshot.KindResourceTemplate} {
			var items []linter.Item
			total := 0
			for _, e := range p.Entities() {
				if e.Ref.Kind != kind || strings.HasPrefix(e.Ref.Name, appScheme) {
					continue
				}
				total++
				if undescribed(p, e) && len(strings.Fields(e.Get("title").Text())) < tellingTitle {
					items = append(items, linter.Item{Subject: e.Ref.Name})
				}
			}
			if len(items) == 0 {
				continue
			}
			p.ReportGroup(p.Server(), "", items, func(items []linter.Item) linter.Finding {
				names := make([]string, len(items))
				for i, item := range items {
					names[i] = item.Subject
				}
				count := plural(len(items), strings.TrimSuffix(plurals[kind], "s"))
				if len(items) < total {
					count = fmt.Sprintf("%d of %d %s", len(items), total, plurals[kind])
				}
				return linter.Finding{
					Message: count + " without description: " + firstOf(names, 3),
					Fix:     "Say in one sentence what each holds and when to read it.",
					Subject: string(kind),
				}
			})
		}
	},
}
