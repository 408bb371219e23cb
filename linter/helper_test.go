package linter_test

import (
	"testing"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// everywhere is a rule's severity in all presets.
func everywhere(l severity.Level) linter.Severities {
	return linter.Severities{Recommended: l, Snapshot: l, Agents: l}
}

// onTools is a rule that reports every tool at a pointer.
func onTools(id string, l severity.Level, pointer string) linter.Rule {
	return linter.Rule{
		ID: id, Severity: everywhere(l),
		CheckTool: func(p *linter.Pass, tool *linter.Entity) {
			p.Report(tool, pointer, linter.Finding{Message: id})
		},
	}
}

func parse(tb testing.TB, document string) *snapshot.Snapshot {
	tb.Helper()
	s, err := snapshot.Parse("test.json", []byte(document))
	if err != nil {
		tb.Fatal(err)
	}
	s.Key = "key"
	return s
}

func newLinter(tb testing.TB, c linter.Config, rules ...linter.Rule) *linter.Linter {
	tb.Helper()
	l, err := linter.New(rules, c)
	if err != nil {
		tb.Fatal(err)
	}
	return l
}

// inspect runs f inside a pass over the document.
func inspect(tb testing.TB, preset linter.Preset, document string, f func(p *linter.Pass)) {
	tb.Helper()
	ran := false
	newLinter(tb, linter.Config{Preset: preset}, linter.Rule{
		ID: "test/inspect", Severity: everywhere(severity.Info),
		Check: func(p *linter.Pass) { ran = true; f(p) },
	}).Lint(parse(tb, document))
	if !ran {
		tb.Fatal("the rule did not run")
	}
}
