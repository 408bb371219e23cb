package rules

import (
	"slices"

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
// Both ways it is the same fault for a baseline and for suppressions: on the
// server the place of a tool is /tools/NAME, as in a lock file, and what follows
// is the pointer inside it.
func reportTools(p *linter.Pass, tools []*linter.Entity, pointer string, describe func(tools []*linter.Entity, names string) linter.Finding) {
	switch len(tools) {
	case 0:
		return
	case 1:
		f := describe(tools, "")
		f.Subject = tools[0].Ref.Name
		p.Report(tools[0], pointer, f)
		return
	}
	reportOnServer(p, tools, pointer, describe)
}

// reportOnServer reports a fault of one or several tools once on the server.
func reportOnServer(p *linter.Pass, tools []*linter.Entity, pointer string, describe func(tools []*linter.Entity, names string) linter.Finding) {
	if len(tools) == 0 {
		return
	}
	items := make([]linter.Item, len(tools))
	for i, tool := range tools {
		items[i] = linter.Item{
			Path:    snapshot.AppendPointer("/tools", tool.Ref.Name) + pointer,
			Subject: tool.Ref.Name, Of: tool,
		}
	}
	p.ReportGroup(p.Server(), "", items, func(items []linter.Item) linter.Finding {
		tools := ownersIn(items)
		return describe(tools, toolNames(tools))
	})
}

// ownersIn are the tools of the members of a group on the server. Those of one
// tool stand together.
func ownersIn(items []linter.Item) []*linter.Entity {
	tools := make([]*linter.Entity, len(items))
	for i, item := range items {
		tools[i] = item.Of
	}
	return slices.Compact(tools)
}
