package rules

import (
	"fmt"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// What a model wastes on a parameter that it has to guess (agents-lint,
// section 8). Only the tool's own arguments count there.
const (
	wasteUndescribed = 100
	wasteVague       = 300
)

// missingParamDescription finds parameters that nothing explains. The seeds
// have a finding each; preset recommended has one a tool, because a generated
// API would otherwise bury everything else (82 % of all findings on 119 real
// servers were of this kind).
var missingParamDescription = linter.Rule{
	ID:    "schema/missing-param-description",
	Codes: []string{"S3"},
	Title: "Parameter without description",
	Why:   "A model that has only the name guesses format, unit and meaning, and often calls twice. Preset recommended takes an argument for described when the tool's description has a line for it, as documentation comments have, and an object when all its properties are described.",
	Severity: linter.Severities{
		Recommended: severity.Info, Snapshot: severity.Warning, Agents: severity.Info,
	},
	Bad:        `{"name":"book_crane","description":"Reserves one crane for a lift and returns the number of the booking, or says who holds the crane.","inputSchema":{"type":"object","properties":{"start":{"type":"string"},"load":{"type":"number"}}}}`,
	Good:       `{"name":"book_crane","description":"Reserves one crane for a lift and returns the number of the booking, or says who holds the crane.","inputSchema":{"type":"object","properties":{"start":{"type":"string","description":"Start of the lift, RFC 3339."},"load":{"type":"number","description":"Load in tonnes."}}}}`,
	Since:      firstVersion,
	References: []string{toolGuide},
	CheckTool: func(p *linter.Pass, tool *linter.Entity) {
		if p.Preset() == linter.Recommended {
			reportUndescribed(p, tool)
			return
		}
		params := tool.Params()
		for i := range params {
			param := &params[i]
			if param.Described() {
				continue
			}
			p.Report(tool, param.Pointer(), linter.Finding{
				Message: fmt.Sprintf("parameter %s has no description", quote(param.Name)),
				Fix:     "Say what it means, in which unit or format, and what the default is.",
				Waste:   wasteIfTop(param, wasteUndescribed),
			})
		}
	},
}

func wasteIfTop(p *linter.Param, waste int) int {
	if p.Top {
		return waste
	}
	return 0
}

// reportUndescribed reports all undescribed parameters of a tool at once. An
// argument that the tool's own description explains is described, and so is an
// object by its properties.
func reportUndescribed(p *linter.Pass, tool *linter.Entity) {
	params := tool.Params()
	var items []linter.Item
	var undescribed []*linter.Param // one for each item
	var documented map[string]bool  // asked for once, when needed
	asked := false
	for i := range params {
		if param := &params[i]; !param.Described() {
			if param.Top && !asked {
				documented, asked = documentedParams(tool), true
			}
			if param.Top && documented[param.Name] || partsTell(tool.Get("inputSchema"), param.Schema) {
				continue
			}
			items = append(items, linter.Item{Path: param.Pointer(), Subject: param.Name})
			undescribed = append(undescribed, param)
		}
	}
	if len(items) == 0 {
		return
	}
	vagueName := vagueNames{all: params, named: tool}
	p.ReportGroup(tool, "/inputSchema", items, func(some []linter.Item) linter.Finding {
		f := linter.Finding{Fix: "Say what each means, in which unit or format, and what its default is."}
		names := make([]string, len(some)) // only those that are listed
		vague := false
		at := 0
		for i, item := range some {
			for items[at].Path != item.Path {
				at++ // some are items, in their order
			}
			param := undescribed[at]
			at++
			isVague := vagueName.has(param)
			f.Waste += wasteIfTop(param, wasteUndescribed)
			if isVague {
				vague = true
				f.Waste += wasteIfTop(param, wasteVague)
			}
			if i >= mostListed {
				continue
			}
			names[i] = quote(param.Label())
			if isVague {
				names[i] += " (vague)"
			}
		}
		f.Message = fmt.Sprintf("%s without description: %s", plural(len(some), "parameter"), listed(names))
		if vague {
			f.Severity = severity.Warning
			f.Codes = []string{"S2", "S3"}
		}
		return f
	})
}

// mostListed is how many names a message lists; items has them all.
const mostListed = 10

func listed(names []string) string {
	if more := len(names) - mostListed; more > 0 {
		return strings.Join(names[:mostListed], ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(names, ", ")
}
