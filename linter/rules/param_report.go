package rules

import (
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// paramFault is a fault of some parameters of one tool.
type paramFault struct {
	tool   *linter.Entity
	params []*linter.Param
	// severity is Off for the rule's own.
	severity severity.Level
}

// sharedBy is the number of tools from which on a parameter that all of them
// have in the same words is one finding on the server.
const sharedBy = 3

// sharedParam is what tells that a parameter is the same on several tools.
type sharedParam struct {
	label, description string
	severity           severity.Level
}

// reportParams reports faults of parameters. The second seed has one finding
// for each parameter; preset recommended has one a tool, and one a server for a
// parameter that many tools share. describe gets the parameters as the subject
// of a sentence.
func reportParams(p *linter.Pass, faults []paramFault, describe func(subject string, s severity.Level) linter.Finding) {
	if p.Preset() != linter.Recommended {
		for _, fault := range faults {
			for _, param := range fault.params {
				p.Report(fault.tool, param.Pointer(), describe("parameter "+quote(param.Label()), fault.severity))
			}
		}
		return
	}
	shared := map[sharedParam][]linter.Item{}
	for _, fault := range faults {
		for _, param := range fault.params {
			key := sharedKey(fault, param)
			shared[key] = append(shared[key], linter.Item{
				Path:    snapshot.AppendPointer("/tools", fault.tool.Ref.Name) + param.Pointer(),
				Subject: fault.tool.Ref.Name,
			})
		}
	}
	for _, fault := range faults {
		var own []*linter.Param
		for _, param := range fault.params {
			key := sharedKey(fault, param)
			items := shared[key]
			switch {
			case items == nil: // reported
			case len(items) < sharedBy:
				own = append(own, param)
			default:
				p.ReportGroup(p.Server(), "", items, func(items []linter.Item) linter.Finding {
					return describe("parameter "+quote(key.label)+" of "+toolNames(items), key.severity)
				})
				shared[key] = nil
			}
		}
		reportOwnParams(p, fault.tool, own, func(subject string) linter.Finding { return describe(subject, fault.severity) })
	}
}

func sharedKey(fault paramFault, param *linter.Param) sharedParam {
	return sharedParam{param.Label(), param.Schema.Get("description").Text(), fault.severity}
}

// reportOwnParams reports the parameters of one tool at once.
func reportOwnParams(p *linter.Pass, tool *linter.Entity, params []*linter.Param, describe func(subject string) linter.Finding) {
	if len(params) == 0 {
		return
	}
	if len(params) == 1 {
		p.Report(tool, params[0].Pointer(), describe("parameter "+quote(params[0].Label())))
		return
	}
	rest := max(0, len(params)-linter.MaxItems)
	params = params[:len(params)-rest]
	labels := make(map[string]string, len(params))
	items := make([]linter.Item, len(params))
	for i, param := range params {
		items[i] = linter.Item{Path: param.Pointer(), Subject: param.Name}
		labels[items[i].Path] = quote(param.Label())
	}
	p.ReportGroup(tool, "/inputSchema", items, func(items []linter.Item) linter.Finding {
		names := make([]string, len(items))
		for i, item := range items {
			names[i] = labels[item.Path]
		}
		if len(names) == 1 && rest == 0 {
			return describe("parameter " + names[0])
		}
		f := describe("parameters " + listedOf(names, len(names)+rest))
		f.MoreItems = rest
		return f
	})
}
