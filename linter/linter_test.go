package linter_test

import (
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

func TestNewRefusesWithTheNearestValidName(t *testing.T) {
	t.Parallel()
	rule := onTools("naming/duplicate-name", severity.Error, "")
	rule.Options = []string{"descriptionMinWords"}
	with := func(s linter.Suppression) linter.Config {
		return linter.Config{Suppress: []linter.Suppression{s}}
	}
	for _, c := range []struct {
		name   string
		config linter.Config
		says   string
	}{
		{"preset", linter.Config{Preset: "recomended"}, `unknown preset "recomended"; did you mean "recommended"?`},
		{"preset far from any", linter.Config{Preset: "all"}, `expected one of recommended, snapshot, agents`},
		{"rule", linter.Config{Rules: map[string]severity.Level{"naming/duplicate": 1}}, `unknown rule "naming/duplicate"; did you mean "naming/duplicate-name"?`},
		{"hostile rule name", linter.Config{Rules: map[string]severity.Level{"\x1b[8m\u202e": 1}}, `unknown rule "\u{1B}[8m\u{202E}"`},
		{"severity", linter.Config{Rules: map[string]severity.Level{"naming/duplicate-name": 9}}, "expected error, warning, info or off"},
		{"option", linter.Config{Options: map[string]float64{"descriptionMinWord": 1}}, `did you mean "descriptionMinWords"?`},
		{"negative option", linter.Config{Options: map[string]float64{"descriptionMinWords": -1}}, "is -1; expected a number of at least 0"},
		{"option that is no number", linter.Config{Options: map[string]float64{"descriptionMinWords": math.NaN()}}, "expected a number"},
		{"suppression of an unknown rule", with(linter.Suppression{Rule: "naming/duplicates", Reason: "r"}), `suppress[0]: unknown rule "naming/duplicates"; did you mean "naming/duplicate-name"?`},
		{"suppression without rule", with(linter.Suppression{Reason: "r"}), "suppress[0]: no rule"},
		{"suppression without reason", with(linter.Suppression{Rule: rule.ID, Reason: " "}), "suppress[0]: no reason"},
		{"suppression until a wrong date", with(linter.Suppression{Rule: rule.ID, Reason: "r", Until: "2026-02-30"}), "expected a date as YYYY-MM-DD"},
		{"suppression of a wrong entity", with(linter.Suppression{Rule: rule.ID, Reason: "r", Entity: "export"}), "expected KIND:NAME"},
		{"suppression of a dotted path", with(linter.Suppression{Rule: rule.ID, Reason: "r", Path: "inputSchema.type"}), "expected a JSON pointer"},
		{"suppression with a wrong hash", with(linter.Suppression{Rule: rule.ID, Reason: "r", TextSHA256: "abc"}), "expected the 64 hex digits"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := linter.New([]linter.Rule{rule}, c.config)
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("error %v does not say %q", err, c.says)
			}
		})
	}
}

func TestConfiguredSeverityBeatsEverySeverityOfTheRule(t *testing.T) {
	t.Parallel()
	softened := linter.Rule{
		ID: "a/softened", Severity: everywhere(severity.Error),
		CheckTool: func(p *linter.Pass, tool *linter.Entity) {
			p.Report(tool, "", linter.Finding{Severity: severity.Info})
			p.Report(tool, "", linter.Finding{})
		},
	}
	elsewhere := onTools("b/elsewhere", severity.Off, "")
	off := onTools("c/off", severity.Error, "")
	l := newLinter(t, linter.Config{Rules: map[string]severity.Level{
		"a/softened": severity.Warning, "b/elsewhere": severity.Info, "c/off": severity.Off,
	}}, softened, elsewhere, off)
	var got []string
	for _, f := range l.Lint(parse(t, `[{"name":"t"}]`)).Findings {
		got = append(got, f.Rule+" "+f.Severity.String())
	}
	if want := []string{"a/softened warning", "a/softened warning", "b/elsewhere info"}; !slices.Equal(got, want) {
		t.Errorf("%v; want %v", got, want)
	}
	var effective []severity.Level
	for _, r := range l.Rules() {
		effective = append(effective, r.Effective)
	}
	if want := []severity.Level{severity.Warning, severity.Info, severity.Off}; !slices.Equal(effective, want) {
		t.Errorf("effective severities %v; want %v", effective, want)
	}
}

func TestIgnoredToolsAreInNothing(t *testing.T) {
	t.Parallel()
	l := newLinter(t, linter.Config{IgnoreTools: []string{"debug_*", "*_test_*", "exact"}}, onTools("a/b", severity.Error, ""))
	result := l.Lint(parse(t, `[{"name":"debug_"},{"name":"debug_x"},{"name":"a_test_b"},{"name":"exact"},{"name":"exactly"},{"name":"a_tes_b"}]`))
	var got []string
	for _, f := range result.Findings {
		got = append(got, f.Entity.Name)
	}
	if want := []string{"a_tes_b", "exactly"}; !slices.Equal(got, want) {
		t.Errorf("findings on %v; want %v", got, want)
	}
	if len(result.Tokens.Tools) != 2 || result.Quality.Score != 75 {
		t.Errorf("scores %+v count ignored tools", result)
	}
	if !l.Ignores("debug_x") || l.Ignores("xdebug_x") {
		t.Error("Ignores disagrees")
	}
}

// Kinds, then names as ICU's root collation has them, then severity, then rule.
func TestOrderOfFindings(t *testing.T) {
	t.Parallel()
	mixed := linter.Rule{
		ID: "b/mixed", Severity: everywhere(severity.Info),
		Check: func(p *linter.Pass) {
			p.Report(p.Server(), "", linter.Finding{})
			for _, e := range p.Entities() {
				p.Report(e, "", linter.Finding{Message: "1"})
				p.Report(e, "", linter.Finding{Message: "2"})
			}
		},
	}
	l := newLinter(t, linter.Config{}, onTools("z/warn", severity.Warning, ""), mixed, onTools("a/info", severity.Info, ""))
	result := l.Lint(parse(t, `{"serverInfo":{"name":"s"},
		"tools":[{"name":"beta"},{"name":"a.b"},{"name":"alpha_two"},{"name":"Alpha"},{"name":"a_b"},{"name":"a-b"}],
		"prompts":[{"name":"a"}],"resources":[{"uri":"r"}],"resourceTemplates":[{"uriTemplate":"t"}]}`))
	var got []string
	for _, f := range result.Findings {
		got = append(got, string(f.Entity.Kind)+" "+f.Entity.Name+" "+f.Rule+f.Message)
	}
	var want []string
	for _, name := range []string{"a_b", "a-b", "a.b", "Alpha", "alpha_two", "beta"} {
		want = append(want, "tool "+name+" z/warnz/warn", "tool "+name+" a/infoa/info", "tool "+name+" b/mixed1", "tool "+name+" b/mixed2")
	}
	for _, e := range []string{"prompt a", "resource r", "resourceTemplate t"} {
		want = append(want, e+" b/mixed1", e+" b/mixed2")
	}
	want = append(want, "server s b/mixed")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

func TestLocationIsThatOfTheNearestValueAbove(t *testing.T) {
	t.Parallel()
	s := parse(t, "[\n {\"name\":\"t\",\n  \"inputSchema\":{\n   \"type\":\"object\"}}]")
	for pointer, want := range map[string]snapshot.Location{
		"/inputSchema/type":         {File: "test.json", Line: 4, Column: 11},
		"/inputSchema/properties/a": {File: "test.json", Line: 3, Column: 17},
		"/description":              {File: "test.json", Line: 2, Column: 2},
		"":                          {File: "test.json", Line: 2, Column: 2},
	} {
		l := newLinter(t, linter.Config{}, onTools("a/b", severity.Info, pointer))
		if got := l.Lint(s).Findings[0].Location; got != want {
			t.Errorf("%q is at %v; want %v", pointer, got, want)
		}
	}
	live := parse(t, `[{"name":"t"}]`)
	live.File = ""
	if got := newLinter(t, linter.Config{}, onTools("a/b", severity.Info, "")).Lint(live).Findings[0].Location; got != (snapshot.Location{}) {
		t.Errorf("a live server has the location %v", got)
	}
}

// On the server a tool has its place by name.
func TestLocationOfAToolOnTheServer(t *testing.T) {
	t.Parallel()
	s := parse(t, "[\n{\"name\":\"a/b\",\n \"annotations\":{}},\n{\"name\":\"c\"},{\"name\":\"c\"}]")
	for pointer, want := range map[string]snapshot.Location{
		"/tools/a~1b":             {File: "test.json", Line: 2, Column: 1},
		"/tools/a~1b/annotations": {File: "test.json", Line: 3, Column: 16},
		"/tools/a~1b/title":       {File: "test.json", Line: 2, Column: 1},
		"/tools/c":                {File: "test.json", Line: 4, Column: 1},
		"/tools/d":                {File: "test.json", Line: 1, Column: 1},
		"/tools":                  {File: "test.json", Line: 1, Column: 1},
	} {
		l := newLinter(t, linter.Config{}, linter.Rule{
			ID: "a/b", Severity: everywhere(severity.Info),
			Check: func(p *linter.Pass) { p.Report(p.Server(), pointer, linter.Finding{Message: "m"}) },
		})
		if got := l.Lint(s).Findings[0].Location; got != want {
			t.Errorf("%q is at %v; want %v", pointer, got, want)
		}
	}
}

func TestLintIsSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	l := newLinter(t, linter.Config{Suppress: []linter.Suppression{{Rule: "a/b", Entity: "tool:x", Reason: "r"}}},
		onTools("a/b", severity.Error, "/description"))
	s := parse(t, `[{"name":"x"},{"name":"y","inputSchema":{"properties":{"p":{}}}}]`)
	want := l.Lint(s)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if diff := cmp.Diff(want.Findings, l.Lint(s).Findings, cmp.AllowUnexported(linter.Finding{})); diff != "" {
				t.Errorf("another result:\n%s", diff)
			}
		})
	}
	wg.Wait()
}

func TestTooDeepNamesTheFirstTool(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 70) + strings.Repeat("]", 70)
	s := parse(t, `{"tools":[{"name":"a"},{"name":"b","x":`+deep+`}],"prompts":[{"name":"p","x":`+deep+`}]}`)
	if p := linter.TooDeep(s); p == nil || p.Entity.Name != "b" || p.Detail != "71" {
		t.Errorf("got %+v", p)
	}
	if p := linter.TooDeep(parse(t, `{"tools":[],"prompts":[{"name":"p","x":`+deep+`}]}`)); p != nil {
		t.Errorf("a prompt counts: %+v", p)
	}
}
