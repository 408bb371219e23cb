package rules

import (
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// missingAnnotations finds tools that plainly read or plainly change something
// and do not tell the client which. Half of all servers annotate nothing, so
// preset recommended says it once a server.
var missingAnnotations = linter.Rule{
	ID:         "capability/missing-annotations",
	Title:      "Tool without the hint that its name calls for",
	Why:        "Without hints a client takes every tool for a destructive one: it asks before harmless reads until people stop reading what it asks.",
	Severity:   linter.Severities{Recommended: severity.Info, Snapshot: severity.Info},
	Bad:        `{"name":"delete_booking","description":"Deletes one booking of a crane for good and tells the ship that waited for it; there is no way back.","inputSchema":{"type":"object","properties":{}}}`,
	Good:       `{"name":"delete_booking","description":"Deletes one booking of a crane for good and tells the ship that waited for it; there is no way back.","inputSchema":{"type":"object","properties":{}},"annotations":{"readOnlyHint":false,"destructiveHint":true}}`,
	Since:      firstVersion,
	References: []string{hintsSpec},
	Check: func(p *linter.Pass) {
		if p.Preset() == linter.SnapshotPreset {
			for _, tool := range p.Tools() {
				reportSeedAnnotations(p, tool)
			}
			return
		}
		var silent []*linter.Entity
		for _, tool := range p.Tools() {
			if lacksHint(tool) {
				silent = append(silent, tool)
			}
		}
		reportTools(p, silent, "/annotations", func(tools []*linter.Entity, names string) linter.Finding {
			f := linter.Finding{Fix: "Set readOnlyHint on each, and destructiveHint to false on those that write but take nothing away."}
			switch {
			case len(tools) > 1:
				f.Message = names + " plainly read or change something, but no hint says which"
			case names != "":
				f.Message = names + " plainly reads or changes something, but no hint says which"
			case onlyReadsByName(tools[0]):
				f.Message = "the tool plainly only reads, but has no readOnlyHint"
				f.Fix = "Set readOnlyHint to true."
			default:
				f.Message = "the tool plainly changes something, but has neither readOnlyHint nor destructiveHint"
				f.Fix = "Set readOnlyHint to false, and destructiveHint to whether the tool can take something away."
			}
			return f
		})
	},
}

// lacksHint reports whether a tool plainly reads or plainly changes something
// without a hint of it.
func lacksHint(tool *linter.Entity) bool {
	annotations := tool.Get("annotations")
	if annotations != nil && annotations.Type() != snapshot.Object || annotations.Has(readOnlyHint) {
		return false // it is there, or schema/annotation-type has what to say
	}
	switch e, _ := effectOf(tool); e {
	case effectUnknown:
		return false
	case effectReads:
		destructive, _ := annotations.Get(destructiveHint).Bool()
		return !destructive // which is a contradiction, and said elsewhere
	}
	return !annotations.Has(destructiveHint)
}

func onlyReadsByName(tool *linter.Entity) bool {
	e, _ := effectOf(tool)
	return e == effectReads
}

func reportSeedAnnotations(p *linter.Pass, tool *linter.Entity) {
	if !seedChanges(tool.Words()) {
		return
	}
	annotations := tool.Get("annotations")
	switch readOnly, _ := annotations.Get(readOnlyHint).Bool(); {
	case readOnly:
		p.Report(tool, "/annotations/readOnlyHint", linter.Finding{
			Severity: severity.Warning,
			Message:  "readOnlyHint is true, but the name says that the tool changes something",
			Fix:      "Set readOnlyHint to false, or rename the tool.",
		})
	case !annotations.Has(readOnlyHint) && !annotations.Has(destructiveHint):
		p.Report(tool, "/annotations", linter.Finding{
			Message: "the name says that the tool changes something, but it has neither readOnlyHint nor destructiveHint",
			Fix:     "Set readOnlyHint to false, and destructiveHint to whether it can take something away.",
		})
	}
}
