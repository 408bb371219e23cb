package rules

import (
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// unknownAnnotation finds keys of annotations that no client reads. A server
// mostly has the same ones on many tools; that is one finding.
var unknownAnnotation = linter.Rule{
	ID:         "schema/unknown-annotation",
	Title:      "Unknown annotation of a tool",
	Why:        "Clients ignore what they do not know, so a misspelt hint is none; priority and audience belong to the annotations of content.",
	Severity:   linter.Severities{Recommended: severity.Info},
	Bad:        `{"name":"water_level","description":"Returns the newest water level of the harbour basin, in centimetres above the local chart datum.","inputSchema":{"type":"object","properties":{}},"annotations":{"readOnlyHint":true,"priority":5}}`,
	Good:       `{"name":"water_level","description":"Returns the newest water level of the harbour basin, in centimetres above the local chart datum.","inputSchema":{"type":"object","properties":{}},"annotations":{"readOnlyHint":true},"_meta":{"port.example/priority":5}}`,
	Since:      firstVersion,
	References: []string{hintsSpec},
	Check: func(p *linter.Pass) {
		var tools []*linter.Entity
		for _, tool := range p.Tools() {
			if hasUnknown(tool) {
				tools = append(tools, tool)
			}
		}
		reportTools(p, tools, "/annotations", func(tools []*linter.Entity, names string) linter.Finding {
			f := linter.Finding{Fix: "Move what is for your own client to _meta, and correct what is misspelt."}
			var keys []string
			for _, key := range unknownKeys(tools) {
				shown := quote(key)
				if meant := meantAnnotation(key); meant != "" {
					shown += " (did you mean " + meant + "?)"
				}
				keys = append(keys, shown)
			}
			f.Message = "annotations that no specification has: " + listed(keys)
			if names != "" {
				f.Message += ", on " + names
			}
			return f
		})
	},
}

// knownAnnotation reports whether the specification has an annotation.
func knownAnnotation(key string) bool {
	switch key {
	case titleKey, readOnlyHint, destructiveHint, idempotentHint, openWorldHint:
		return true
	}
	return false
}

func hasUnknown(tool *linter.Entity) bool {
	return slices.ContainsFunc(tool.Get("annotations").Members(), func(m snapshot.Member) bool {
		return !knownAnnotation(m.Name)
	})
}

// unknownKeys lists the unknown annotations of tools, each once, in document
// order.
func unknownKeys(tools []*linter.Entity) []string {
	var keys []string
	seen := map[string]bool{}
	for _, tool := range tools {
		for _, m := range tool.Get("annotations").Members() {
			if !knownAnnotation(m.Name) && !seen[m.Name] {
				seen[m.Name] = true
				keys = append(keys, m.Name)
			}
		}
	}
	return keys
}

// meantAnnotation returns the annotation that a key spells in another way
// (readonly, read_only_hint), "" when there is none.
func meantAnnotation(key string) string {
	const longest = 32
	if len(key) > longest {
		return ""
	}
	plain := strings.Join(linter.Words(key), "")
	for _, known := range [...]string{titleKey, readOnlyHint, destructiveHint, idempotentHint, openWorldHint} {
		lower := strings.ToLower(known)
		if plain == lower || plain+"hint" == lower || plain == lower+"s" {
			return known
		}
	}
	return ""
}
