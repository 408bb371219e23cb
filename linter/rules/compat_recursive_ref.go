package rules

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// recursiveRef finds schemas that contain themselves. They are right: what
// fails are clients that write the target in place of each reference.
var recursiveRef = linter.Rule{
	ID:         "compat/recursive-ref",
	Title:      "Schema that refers to itself",
	Why:        "A recursive schema is valid. Clients that expand references never come to an end with it and drop the tool, the server or the request.",
	Severity:   linter.Severities{Recommended: severity.Warning},
	Bad:        `{"name":"save_notes","description":"Saves a tree of notes in the log of the harbour office and returns the number of the first one.","inputSchema":{"type":"object","properties":{"root":{"$ref":"#/$defs/Note","description":"The first note."}},"$defs":{"Note":{"type":"object","description":"One note.","properties":{"text":{"type":"string","description":"What it says."},"under":{"type":"array","description":"Notes under it.","items":{"$ref":"#/$defs/Note"}}}}}},"annotations":{"destructiveHint":false}}`,
	Good:       `{"name":"save_notes","description":"Saves a list of notes in the log of the harbour office and returns the number of the first one.","inputSchema":{"type":"object","properties":{"notes":{"type":"array","description":"The notes.","items":{"type":"object","properties":{"text":{"type":"string","description":"What it says."},"under":{"type":"integer","description":"Number of the note above."}}}}}},"annotations":{"destructiveHint":false}}`,
	Since:      firstVersion,
	References: []string{"https://github.com/google-labs-code/stitch-sdk/issues/367", "https://github.com/google/adk-python/issues/3870"},
	Clients: []linter.ClientFact{
		{Client: gemini, Name: "Gemini CLI", Does: "fails on every prompt while the tool is there", Since: "2025-12", Source: "https://github.com/google-gemini/gemini-cli/issues/14945"},
		{Client: claudeCode, Name: "Claude Code", Does: "was seen to fetch no tool of a server with such an output schema", Since: "2.1.207", Source: "https://github.com/anthropics/claude-code/issues/77106"},
	},
	CheckTool: func(p *linter.Pass, tool *linter.Entity) {
		found := recursionsOf(tool)
		facts := p.Clients()
		if !slices.ContainsFunc(found, func(at *site) bool { return at.output }) {
			facts = factsAbout(facts, gemini) // output schemas are the other one's trouble
		}
		if len(facts) == 0 {
			return
		}
		s := surfaceOf(tool)
		s.report(p, tool, found, func(sites []*site) linter.Finding {
			return linter.Finding{
				Message: fmt.Sprintf("the schema is valid, but refers to itself at %s: %s", s.labels(sites), says(facts)),
				Fix:     "Where these clients matter, write the levels out to a fixed depth, or take a flat list whose elements name the one above them.",
			}
		})
	},
}

type recursionsKey struct{}

// recursionsOf are the references of a tool that lead back to a schema around
// them, in document order.
func recursionsOf(tool *linter.Entity) []*site {
	return tool.Memo(recursionsKey{}, func() any {
		s := surfaceOf(tool)
		var found []*site
		for _, key := range []string{"inputSchema", "outputSchema"} {
			w := refWalk{root: tool.Get(key), budget: 20_000}
			for at := range s.of(refSite) {
				if at.output == (key == "outputSchema") {
					w.refs = append(w.refs, at)
				}
			}
			if len(w.refs) > 0 {
				w.state = make(map[*snapshot.Node]uint8, len(w.refs))
			}
			for _, at := range w.refs {
				w.visit(w.target(at))
			}
			slices.SortFunc(w.found, func(a, b *site) int { return a.value.Start() - b.value.Start() })
			found = append(found, w.found...)
		}
		return found
	}).([]*site)
}

// refWalk searches the references of one schema for circles. Its budget bounds
// what a schema with thousands of references inside each other costs.
type refWalk struct {
	root   *snapshot.Node
	refs   []*site // in document order
	state  map[*snapshot.Node]uint8
	found  []*site
	budget int
}

const (
	refOpen   = 1 // its references are being followed
	refClosed = 2
)

func (w *refWalk) visit(target *snapshot.Node) {
	if target == nil || w.state[target] != 0 {
		return
	}
	w.state[target] = refOpen
	first, _ := slices.BinarySearchFunc(w.refs, target.Start(), func(at *site, start int) int { return at.value.Start() - start })
	for _, at := range w.refs[first:] {
		if w.budget--; w.budget < 0 || at.value.Start() >= target.End() {
			break
		}
		next := w.target(at)
		if next != nil && w.state[next] == refOpen && !slices.Contains(w.found, at) {
			w.found = append(w.found, at)
		}
		w.visit(next)
	}
	w.state[target] = refClosed
}

// target is what a local reference leads to, nil where there is nothing.
func (w *refWalk) target(at *site) *snapshot.Node {
	pointer, ok := strings.CutPrefix(at.value.Text(), "#")
	if !ok {
		return nil
	}
	if decoded, err := url.PathUnescape(pointer); err == nil {
		pointer = decoded
	}
	return w.root.At(pointer)
}
