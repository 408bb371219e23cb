package linter_test

import (
	"testing"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

func fingerprints(tb testing.TB, document, key string, rules ...linter.Rule) []string {
	tb.Helper()
	s := parse(tb, document)
	s.Key = key
	var list []string
	for _, f := range newLinter(tb, linter.Config{}, rules...).Lint(s).Findings {
		list = append(list, f.Fingerprint)
		for _, item := range f.Items {
			list = append(list, item.Fingerprint)
		}
	}
	return list
}

// A published value: it must never change, or every baseline becomes void.
func TestFingerprintIsStable(t *testing.T) {
	t.Parallel()
	got := fingerprints(t, `[{"name":"t"}]`, "files", onTools("a/b", severity.Error, "/description"))[0]
	// printf '3:a/b5:files4:tool1:t12:/description0:1:0' | sha256sum
	if want := "7ea92ca0d2a92350264157827b098c5a98e00034aa486e34fdc921d6c3541774"; got != want {
		t.Errorf("%s; want %s", got, want)
	}
}

func TestFingerprintSurvivesEditsElsewhere(t *testing.T) {
	t.Parallel()
	rule := onTools("a/b", severity.Error, "/description")
	before := fingerprints(t, `[{"name":"t","description":"x"}]`, "k", rule)[0]
	worded := onTools("a/b", severity.Warning, "/description")
	after := fingerprints(t, "[\n\n{\"title\":\"new\",\"name\":\"t\",\"description\":\"y\"}]", "k", worded)[0]
	if before != after {
		t.Error("a moved finding is another one")
	}
	for name, other := range map[string]string{
		"rule":   fingerprints(t, `[{"name":"t"}]`, "k", onTools("a/c", severity.Error, "/description"))[0],
		"server": fingerprints(t, `[{"name":"t"}]`, "l", rule)[0],
		"entity": fingerprints(t, `[{"name":"u"}]`, "k", rule)[0],
		"path":   fingerprints(t, `[{"name":"t"}]`, "k", onTools("a/b", severity.Error, ""))[0],
	} {
		if other == before {
			t.Errorf("another %s has the same fingerprint", name)
		}
	}
}

func TestEqualFindingsAndItemsHaveDifferentFingerprints(t *testing.T) {
	t.Parallel()
	rule := linter.Rule{
		ID: "a/b", Severity: everywhere(severity.Error),
		CheckTool: func(p *linter.Pass, tool *linter.Entity) {
			p.Report(tool, "", linter.Finding{Subject: "s"})
			p.Report(tool, "", linter.Finding{Subject: "s"})
			items := []linter.Item{{Path: "/x", Subject: "x"}, {Path: "/y", Subject: "x"}, {Path: "/y", Subject: "x"}}
			p.ReportGroup(tool, "", items, func([]linter.Item) linter.Finding { return linter.Finding{} })
		},
	}
	seen := map[string]bool{}
	for _, f := range fingerprints(t, `[{"name":"t"},{"name":"t"}]`, "k", rule) {
		if seen[f] {
			t.Errorf("%s is there twice", f)
		}
		seen[f] = true
	}
	if len(seen) != 12 {
		t.Errorf("%d fingerprints; want 12", len(seen))
	}
}

// A fault of several tools is told once, on the server; when it comes to or goes
// from one of them, it stays the fault that each of the others has.
func TestAToolHasItsFaultAloneAndAmongOthers(t *testing.T) {
	t.Parallel()
	alone := linter.Rule{
		ID: "a/b", Severity: everywhere(severity.Error),
		CheckTool: func(p *linter.Pass, tool *linter.Entity) {
			p.Report(tool, "/annotations", linter.Finding{Subject: tool.Ref.Name})
		},
	}
	together := linter.Rule{
		ID: "a/b", Severity: everywhere(severity.Error),
		Check: func(p *linter.Pass) {
			tools := p.Tools()
			items := []linter.Item{
				{Path: "/tools/a~1b/annotations", Subject: "a/b", Of: tools[0]},
				{Path: "/tools/t/annotations", Subject: "t", Of: tools[1]},
			}
			p.ReportGroup(p.Server(), "", items, func([]linter.Item) linter.Finding { return linter.Finding{} })
		},
	}
	const document = `[{"name":"a/b"},{"name":"t"}]`
	single, group := fingerprints(t, document, "k", alone), fingerprints(t, document, "k", together)
	if single[0] != group[1] || single[1] != group[2] {
		t.Errorf("alone %v, among others %v", single, group[1:])
	}
	if group[0] == group[1] || group[0] == group[2] || group[1] == group[2] {
		t.Errorf("not told apart: %v", group)
	}
}

// What suppressions take out of a group may stand before the rest of it; the
// rest keeps its fingerprint all the same.
func TestSuppressionsKeepTheFingerprintOfTheRest(t *testing.T) {
	t.Parallel()
	rule := linter.Rule{
		ID: "a/b", Severity: everywhere(severity.Info),
		CheckTool: func(p *linter.Pass, tool *linter.Entity) {
			p.ReportGroup(tool, "/all", []linter.Item{{Path: "/a"}, {Path: "/b"}}, func(items []linter.Item) linter.Finding {
				if items[len(items)-1].Path == "/b" {
					return linter.Finding{Severity: severity.Error} // sorted first
				}
				return linter.Finding{}
			})
		},
	}
	whole := fingerprints(t, `[{"name":"t"}]`, "key", rule)[0]
	l := newLinter(t, linter.Config{Suppress: []linter.Suppression{{Rule: "a/b", Path: "/b", Reason: "r"}}}, rule)
	findings := l.Lint(parse(t, `[{"name":"t"}]`)).Findings
	if len(findings) != 2 || findings[0].Suppressed == nil || findings[1].Suppressed != nil {
		t.Fatalf("findings %+v; want the suppressed part first", findings)
	}
	if findings[1].Fingerprint != whole {
		t.Error("what is left has another fingerprint")
	}
}
