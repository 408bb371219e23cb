package rules

import (
	"fmt"

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
			f := linter.Finding{Waste: wasteIfTop(param, wasteUndescribed)}
			if !p.Lists(tool) {
				p.Report(tool, "", f)
				continue
			}
			f.Message = fmt.Sprintf("parameter %s has no description", quote(param.Name))
			f.Fix = "Say what it means, in which unit or format, and what the default is."
			p.Report(tool, param.Pointer(), f)
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
	vagueName := vagueNames{all: params, named: tool}
	var items []linter.Item
	var undescribed []*linter.Param // one for each item
	var rest undescribedRest
	var documented map[string]bool // asked for once, when needed
	asked := false
	explained := func(param *linter.Param) bool {
		if param.Top && !asked {
			documented, asked = documentedParams(tool), true
		}
		return param.Top && documented[param.Name] || partsTell(tool.Get("inputSchema"), param.Schema)
	}
	for i := range params {
		param := &params[i]
		switch {
		case param.Described() || explained(param):
		case len(items) == linter.MaxItems:
			rest.add(param, vagueName.has(param))
		default:
			items = append(items, linter.Item{Path: param.Pointer(), Subject: param.Name})
			undescribed = append(undescribed, param)
		}
	}
	if len(items) == 0 {
		return
	}
	p.ReportGroup(tool, "/inputSchema", items, func(some []linter.Item) linter.Finding {
		f := linter.Finding{
			Fix:       "Say what each means, in which unit or format, and what its default is.",
			Waste:     rest.waste,
			MoreItems: rest.count,
		}
		names := make([]string, len(some)) // only those that are listed
		vague := rest.vague
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
		f.Message = fmt.Sprintf("%s without description: %s", plural(len(some)+rest.count, "parameter"), listedOf(names, len(some)+rest.count))
		if vague {
			f.Severity = severity.Warning
			f.Codes = []string{"S2", "S3"}
		}
		return f
	})
}

// undescribedRest is what counts of the parameters beyond those that a finding
// lists.
type undescribedRest struct {
	count, waste int
	vague        bool
}

func (r *undescribedRest) add(p *linter.Param, vague bool) {
	r.count++
	r.waste += wasteIfTop(p, wasteUndescribed)
	if vague {
		r.vague = true
		r.waste += wasteIfTop(p, wasteVague)
	}
}
