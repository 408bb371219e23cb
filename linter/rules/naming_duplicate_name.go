package rules

import (
	"fmt"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// duplicateName finds names that stand for two things. Preset snapshot has
// tools, prompts and resources; recommended also has resource templates, the
// arguments of a prompt, and (as a warning) tools whose names only letter case
// and separators tell apart.
var duplicateName = linter.Rule{
	ID:       "naming/duplicate-name",
	Title:    "One name for two things",
	Why:      "A call by name reaches one of the two; which one depends on the client, so a review of the other says nothing.",
	Severity: linter.Severities{Recommended: severity.Error, Snapshot: severity.Error},
	Bad:      `{"resources":[{"uri":"harbour://pilots","name":"Pilots on duty","description":"Who is on duty today."},{"uri":"harbour://pilots","name":"All pilots","description":"Everybody with a licence."}]}`,
	Good:     `{"resources":[{"uri":"harbour://pilots/today","name":"Pilots on duty","description":"Who is on duty today."},{"uri":"harbour://pilots","name":"All pilots","description":"Everybody with a licence."}]}`,
	Since:    firstVersion,
	References: []string{
		toolsSpec + "#tool-names",
		"https://modelcontextprotocol.io/specification/2025-11-25/server/resources",
	},
	Check: func(p *linter.Pass) {
		recommended := p.Preset() == linter.Recommended
		names := make(map[snapshot.Ref]repeated, len(p.Entities()))
		var order []snapshot.Ref // as they are first repeated
		for _, e := range p.Entities() {
			if e.Ref.Kind == snapshot.KindResourceTemplate && !recommended {
				continue
			}
			if !e.Get(identity(e.Ref.Kind)).IsText() {
				continue // no name at all: another rule's business
			}
			r, ok := names[e.Ref]
			switch {
			case !ok:
				r.first = e
			case r.second == nil:
				r.second = e
				order = append(order, e.Ref)
			}
			r.times++
			names[e.Ref] = r
		}
		for _, ref := range order {
			r := names[ref]
			p.Report(r.second, "", linter.Finding{
				Message: fmt.Sprintf("%d %s have the %s %s; the first is number %d of its list",
					r.times, plurals[ref.Kind], identity(ref.Kind), quote(ref.Name), r.first.Source().Index+1),
				Fix: "Give each a name of its own.",
			})
		}
		if recommended {
			reportConfusable(p)
			for _, prompt := range p.Prompts() {
				reportRepeatedArguments(p, prompt)
			}
		}
	},
}

// repeated is a name and who has it.
type repeated struct {
	first, second *linter.Entity
	times         int
}

// plurals are the words for several entities of a kind.
var plurals = map[snapshot.Kind]string{
	snapshot.KindTool:             "tools",
	snapshot.KindPrompt:           "prompts",
	snapshot.KindResource:         "resources",
	snapshot.KindResourceTemplate: "resource templates",
}

// identity is the member that names an entity.
func identity(k snapshot.Kind) string {
	switch k {
	case snapshot.KindResource:
		return "uri"
	case snapshot.KindResourceTemplate:
		return "uriTemplate"
	}
	return "name"
}

// reportConfusable reports tools whose names differ, but not in a letter or
// digit.
func reportConfusable(p *linter.Pass) {
	first := map[string]*linter.Entity{}
	reported := map[string]bool{}
	for _, tool := range p.Tools() {
		plain := strings.Map(func(r rune) rune {
			if r == '_' || r == '-' || r == '.' {
				return -1
			}
			return r
		}, strings.ToLower(tool.Ref.Name))
		other := first[plain]
		if other == nil {
			first[plain] = tool
			continue
		}
		if other.Ref.Name == tool.Ref.Name || reported[tool.Ref.Name] {
			continue
		}
		reported[tool.Ref.Name] = true
		p.Report(tool, "/name", linter.Finding{
			Message:  fmt.Sprintf("only letter case and separators tell %s from %s", quote(tool.Ref.Name), quote(other.Ref.Name)),
			Fix:      "Rename one of the two so that it says what it does differently.",
			Severity: severity.Warning,
			Subject:  other.Ref.Name,
		})
	}
}

// reportRepeatedArguments reports arguments of a prompt that share a name.
func reportRepeatedArguments(p *linter.Pass, prompt *linter.Entity) {
	arguments := prompt.Get("arguments").Elements()
	if len(arguments) < 2 {
		return
	}
	first := make(map[string]int, len(arguments))
	for i, argument := range arguments {
		name := argument.Get("name")
		if !name.IsText() {
			continue
		}
		before, ok := first[name.Text()]
		if !ok {
			first[name.Text()] = i
			continue
		}
		if before < 0 {
			continue // reported
		}
		first[name.Text()] = -1
		p.Report(prompt, snapshot.AppendIndex("/arguments", i), linter.Finding{
			Message: fmt.Sprintf("arguments %d and %d are both named %s", before+1, i+1, quote(name.Text())),
			Fix:     "Give each a name of its own.",
			Subject: name.Text(),
		})
	}
}
