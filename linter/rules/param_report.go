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
	shared := map[sharedParam]*sharers{}
	for _, fault := range faults {
		for _, param := range fault.params {
			key := sharedKey(fault, param)
			if shared[key] == nil {
				shared[key] = &sharers{tools: map[string]*linter.Entity{}}
			}
			shared[key].add(fault.tool, param)
		}
	}
	for _, fault := range faults {
		var own []*linter.Param
		for _, param := range fault.params {
			key := sharedKey(fault, param)
			by := shared[key]
			switch {
			case len(by.items) < sharedBy:
				own = append(own, param)
			case !by.told:
				by.told = true
				p.ReportGroup(p.Server(), "", by.items, func(items []linter.Item) linter.Finding {
					return describe("parameter "+quote(key.label)+" of "+by.names(items), key.severity)
				})
			}
		}
		reportOwnParams(p, fault.tool, own, func(subject string) linter.Finding { return describe(subject, fault.severity) })
	}
}

func sharedKey(fault paramFault, param *linter.Param) sharedParam {
	return sharedParam{param.Label(), param.Schema.Get("description").Text(), fault.severity}
}

// sharers are the tools that share a parameter.
type sharers struct {
	items []linter.Item
	tools map[string]*linter.Entity // by the item's path
	told  bool
}

func (s *sharers) add(tool *linter.Entity, param *linter.Param) {
	path := snapshot.AppendPointer("/tools", tool.Ref.Name) + param.Pointer()
	s.items = append(s.items, linter.Item{Path: path, Subject: param.Name})
	s.tools[path] = tool
}

func (s *sharers) names(items []linter.Item) string {
	tools := make([]*linter.Entity, len(items))
	for i, item := range items {
		tools[i] = s.tools[item.Path]
	}
	return toolNames(tools)
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
		if len(names) == 1 {
			return describe("parameter " + names[0])
		}
		return describe("parameters " + listed(names))
	})
}
