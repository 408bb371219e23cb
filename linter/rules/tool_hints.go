package rules

import (
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// hintsSpec is where the specification defines the annotations of tools.
const hintsSpec = "https://modelcontextprotocol.io/specification/2025-11-25/schema#toolannotations"

// The annotations of a tool; all but the title are booleans.
const (
	titleKey        = "title"
	readOnlyHint    = "readOnlyHint"
	destructiveHint = "destructiveHint"
	idempotentHint  = "idempotentHint"
	openWorldHint   = "openWorldHint"
)

// hint returns an annotation that is a boolean.
func hint(tool *linter.Entity, key string) (value, ok bool) {
	return tool.Get("annotations").Get(key).Bool()
}

// reportTools reports a fault that several tools may share: on the tool when it
// is one, at pointer there, else once on the server. describe gets the tools and
// their number and names in words.
//
// On the server the place of a tool is /tools/NAME, as in a lock file: it stays
// when other tools come and go.
func reportTools(p *linter.Pass, tools []*linter.Entity, pointer string, describe func(tools []*linter.Entity, names string) linter.Finding) {
	switch len(tools) {
	case 0:
		return
	case 1:
		p.Report(tools[0], pointer, describe(tools, ""))
		return
	}
	items := make([]linter.Item, len(tools))
	for i, tool := range tools {
		items[i] = linter.Item{Path: snapshot.AppendPointer("/tools", tool.Ref.Name), Subject: tool.Ref.Name}
	}
	p.ReportGroup(p.Server(), "", items, func(items []linter.Item) linter.Finding {
		return describe(tools, toolNames(items))
	})
}

// toolNames writes the tools of a finding on the server for its message.
func toolNames(items []linter.Item) string {
	names := make([]string, len(items))
	for i, item := range items {
		names[i] = quote(item.Subject)
	}
	return plural(len(items), "tool") + " (" + listed(names) + ")"
}
