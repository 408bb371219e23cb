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

// sharedBy is the number of tools from which on what all of them have is one
// finding on the server.
const sharedBy = 3

// sharedParam is what tells that a parameter is the same on several tools: not
// its description, since what it gives power over is one thing to decide on a
// server, however the tools put it.
type sharedParam struct {
	label    string
	severity severity.Level
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
			key := sharedParam{param.Label(), fault.severity}
			shared[key] = append(shared[key], linter.Item{
				Path:    snapshot.AppendPointer("/tools", fault.tool.Ref.Name) + param.Pointer(),
				Subject: param.Name, Of: fault.tool,
			})
		}
	}
	for _, fault := range faults {
		var own []*linter.Param
		for _, param := range fault.params {
			key := sharedParam{param.Label(), fault.severity}
			items := shared[key]
			switch {
			case items == nil: // reported
			case len(items) < sharedBy:
				own = append(own, param)
			default:
				p.ReportGroup(p.Server(), "", items, func(items []linter.Item) linter.Finding {
					return describe("parameter "+quote(key.label)+" of "+toolNames(ownersIn(items)), key.severity)
				})
				shared[key] = nil
			}
		}
		reportOwnParams(p, fault.tool, own, func(subject string) linter.Finding { return describe(subject, fault.severity) })
	}
}

// reportOwnParams reports the parameters of one tool at once.
func reportOwnParams(p *linter.Pass, tool *linter.Entity, params []*linter.Param, describe func(subject string) linter.Finding) {
	if len(params) == 0 {
		return
	}
	if len(params) == 1 {
		f := describe("parameter " + quote(params[0].Label()))
		f.Subject = params[0].Name // as that of an item: it stays the same fault
		p.Report(tool, params[0].Pointer(), f)
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
