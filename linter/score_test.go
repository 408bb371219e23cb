package linter_test

import (
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

func TestQuality(t *testing.T) {
	t.Parallel()
	onServer := func(l severity.Level) linter.Rule {
		return linter.Rule{ID: "s/server", Severity: everywhere(l), Check: func(p *linter.Pass) {
			p.Report(p.Server(), "", linter.Finding{})
		}}
	}
	onFirst := func(id string, l severity.Level, times int) linter.Rule {
		return linter.Rule{ID: id, Severity: everywhere(l), Check: func(p *linter.Pass) {
			for range times {
				p.Report(p.Tools()[0], "", linter.Finding{})
			}
		}}
	}
	last := onServer(severity.Error)
	last.Last = true
	for _, c := range []struct {
		name, document string
		rules          []linter.Rule
		want           linter.Quality
	}{
		{"nothing at all", `[]`, nil, linter.Quality{Score: 100, Grade: "A"}},
		{"mean is rounded down", `[{"name":"a"},{"name":"b"},{"name":"c"}]`, []linter.Rule{onFirst("a/b", severity.Info, 1)}, linter.Quality{Score: 99, Grade: "A"}},
		{"warnings", `[{"name":"a"}]`, []linter.Rule{onFirst("a/b", severity.Warning, 2)}, linter.Quality{Score: 84, Grade: "B"}},
		{"an entity cannot fall below 0", `[{"name":"a"},{"name":"b"}]`, []linter.Rule{onFirst("a/b", severity.Error, 9)}, linter.Quality{Score: 50, Grade: "F"}},
		{"duplicates are one entity", `[{"name":"a"},{"name":"a"},{"name":"b"}]`, []linter.Rule{onFirst("a/b", severity.Error, 2)}, linter.Quality{Score: 75, Grade: "C"}},
		{"the server's findings count once", `[{"name":"a"},{"name":"b"}]`, []linter.Rule{onServer(severity.Error)}, linter.Quality{Score: 75, Grade: "C"}},
		{"the server's findings without entities", `[]`, []linter.Rule{onServer(severity.Warning)}, linter.Quality{Score: 92, Grade: "A"}},
		{"an injection caps at 50", `[{"name":"a"},{"name":"b"},{"name":"c"}]`, []linter.Rule{onFirst("injection/x", severity.Error, 1)}, linter.Quality{Score: 50, Grade: "F"}},
		{"a softened injection does not", `[{"name":"a"},{"name":"b"},{"name":"c"}]`, []linter.Rule{onFirst("injection/x", severity.Warning, 1)}, linter.Quality{Score: 97, Grade: "A"}},
		{"the configuration's faults are not the server's", `[{"name":"a"}]`, []linter.Rule{last}, linter.Quality{Score: 100, Grade: "A"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := newLinter(t, linter.Config{}, c.rules...).Lint(parse(t, c.document)).Quality; got != c.want {
				t.Errorf("%v; want %v", got, c.want)
			}
		})
	}
}

// padded is a tool whose compact JSON has 4 × tokens characters.
func padded(name string, tokens int) string {
	frame := `{"name":"` + name + `","x":""}`
	return strings.Replace(frame, `""`, `"`+strings.Repeat("x", 4*tokens-len(frame))+`"`, 1)
}

// The figures are those of the cases score-004, -023 and -025.
func TestTokenCost(t *testing.T) {
	t.Parallel()
	wasteful := func(name string, waste int) linter.Rule {
		return linter.Rule{ID: "a/b", Severity: everywhere(severity.Info), CheckTool: func(p *linter.Pass, tool *linter.Entity) {
			if tool.Ref.Name == name {
				p.Report(tool, "", linter.Finding{Waste: waste})
			}
		}}
	}
	many := make([]string, 16)
	for i := range many {
		many[i] = padded("page_"+string(rune('a'+i)), 920)
	}
	for _, c := range []struct {
		name   string
		tools  []string
		rule   linter.Rule
		server linter.Tokens
		worst  linter.ToolScore
	}{
		{
			"one missing description", []string{padded("gate_shut", 140), padded("gate_open", 60), padded("gate_state", 150)},
			wasteful("gate_open", 2000),
			linter.Tokens{Score: 87, Grade: "B", Wasted: 2000},
			linter.ToolScore{Name: "gate_open", Wasted: 2000, Score: 76, Grade: "B"},
		},
		{
			"heavy definitions", many, wasteful("", 0),
			linter.Tokens{Score: 25, Grade: "D", Wasted: 19840},
			linter.ToolScore{Name: "page_a", Wasted: 1240, Score: 84, Grade: "B"},
		},
		{
			"both", []string{padded("a_run", 4300), padded("b_run", 750), padded("c_run", 640)},
			wasteful("a_run", 2000),
			linter.Tokens{Score: 45, Grade: "D", Wasted: 11580},
			linter.ToolScore{Name: "a_run", Wasted: 10000, Score: 25, Grade: "D"},
		},
		{
			"two of one name share their waste once", []string{padded("gate_open", 60), padded("gate_open", 60)},
			wasteful("gate_open", 1000),
			linter.Tokens{Score: 81, Grade: "B", Wasted: 3000},
			linter.ToolScore{Name: "gate_open", Wasted: 2000, Score: 76, Grade: "B"},
		},
		{
			"300 tokens are free", []string{padded("a_plan", 300)}, wasteful("", 0),
			linter.Tokens{Score: 100, Grade: "A"}, linter.ToolScore{Name: "a_plan", Score: 100, Grade: "A"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := newLinter(t, linter.Config{}, c.rule).Lint(parse(t, "["+strings.Join(c.tools, ",")+"]")).Tokens
			worst := got.Tools[0]
			worst.Tokens, worst.Description, worst.Schema = 0, 0, 0 // see TestSizesOfDefinitions
			if len(got.Tools) != len(c.tools) || worst != c.worst {
				t.Errorf("worst tool %+v; want %+v", got.Tools[0], c.worst)
			}
			if got.Score != c.server.Score || got.Grade != c.server.Grade || got.Wasted != c.server.Wasted {
				t.Errorf("server %d %s %d; want %d %s %d", got.Score, got.Grade, got.Wasted, c.server.Score, c.server.Grade, c.server.Wasted)
			}
		})
	}
}

// White space and spelling of the file cost no tokens.
func TestTokensOfADefinitionDoNotDependOnItsSpelling(t *testing.T) {
	t.Parallel()
	for _, spelling := range []string{
		`{"name":"t","description":"Größe \"x\" 🍳 a"}`,
		"{ \"name\" : \"t\",\n\t\"description\" : \"Gr\\u00f6\\u00dfe \\\"x\\\" \\ud83c\\uDF73 a\" }",
	} {
		inspect(t, linter.Recommended, "["+spelling+"]", func(p *linter.Pass) {
			if got := p.Tools()[0].Tokens(); got != 44/4 {
				t.Errorf("%s has %d tokens", spelling, got)
			}
		})
	}
}

// Without tools there is no token score (D34), and a reader of JSON is told.
func TestNoToolsNoTokenScore(t *testing.T) {
	t.Parallel()
	for document, want := range map[string]bool{`[]`: false, `{"instructions":"Ask first.","prompts":[{"name":"p"}],"tools":[]}`: false, `[{"name":"a"}]`: true} {
		if got := newLinter(t, linter.Config{}).Lint(parse(t, document)).Tokens.Scored; got != want {
			t.Errorf("%s: scored is %v", document, got)
		}
	}
	if got := newLinter(t, linter.Config{IgnoreTools: []string{"a"}}).Lint(parse(t, `[{"name":"a"}]`)).Tokens.Scored; got {
		t.Error("a server whose tools are all ignored has a score")
	}
}

func TestSizesOfDefinitions(t *testing.T) {
	t.Parallel()
	got := newLinter(t, linter.Config{}).Lint(parse(t, `{"instructions":"`+strings.Repeat("i", 38)+`","tools":[
		{"name":"a","description":"`+strings.Repeat("d", 78)+`","inputSchema":{"title":"`+strings.Repeat("s", 28)+`"},"outputSchema":{"title":"`+strings.Repeat("o", 28)+`"}},
		{"name":"b"}]}`)).Tokens
	want := linter.ToolScore{Name: "a", Score: 100, Grade: "A", Tokens: 54, Description: 20, Schema: 20}
	if len(got.Tools) != 2 || got.Tools[0] != want {
		t.Errorf("got %+v; want %+v", got.Tools, want)
	}
	if got.Instructions != 10 || got.Definitions != 54+3 {
		t.Errorf("instructions %d, definitions %d", got.Instructions, got.Definitions)
	}
}
