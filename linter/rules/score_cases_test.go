package rules_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// scoreCase is a row of the first seed's table that needs no probe. Those that
// do, and the exit code of fail_under, are for the probes' own tests.
type scoreCase struct {
	ID, Title string
	Tools     []struct {
		Name     string
		Tokens   int `json:"definition_tokens"`
		Findings []string
	}
	Expect struct {
		Tools  []expectedScore
		Server expectedScore
	}
}

type expectedScore struct {
	Name  string
	Waste int
	Score int
	Grade string
}

func TestTokenScoreIsTheFirstSeeds(t *testing.T) {
	t.Parallel()
	// A budget of 100 gives every case S6, which must cost nothing.
	l := mustLinter(t, linter.Config{Preset: linter.Agents, Options: map[string]float64{"tokenBudget": 100}})
	cases := readTable[[]scoreCase](t, "score-cases.json")
	if len(cases) < 9 {
		t.Fatalf("only %d cases", len(cases))
	}
	for _, c := range cases {
		t.Run(c.ID+" "+c.Title, func(t *testing.T) {
			t.Parallel()
			result := l.Lint(mustParse(t, faultyTools(t, c)))
			checkFaults(t, c, result.Findings)
			for _, want := range c.Expect.Tools {
				at := slices.IndexFunc(result.Tokens.Tools, func(s linter.ToolScore) bool { return s.Name == want.Name })
				if at < 0 {
					t.Fatalf("no score for %s", want.Name)
				}
				got := result.Tokens.Tools[at]
				if got.Wasted != want.Waste || got.Score != want.Score || want.Grade != "" && got.Grade != want.Grade {
					t.Errorf("%+v; want %+v", got, want)
				}
			}
			got, want := result.Tokens, c.Expect.Server
			if got.Wasted != want.Waste || got.Score != want.Score || want.Grade != "" && got.Grade != want.Grade {
				t.Errorf("server: wasted %d, %d %s; want %+v", got.Wasted, got.Score, got.Grade, want)
			}
		})
	}
}

// faultyTools writes tools that have the faults of a case and its sizes.
func faultyTools(t *testing.T, c scoreCase) []byte {
	var tools []string
	words := 0
	ownWords := func(n int) string {
		var b strings.Builder
		for range n {
			words++
			fmt.Fprintf(&b, "word%d ", words)
		}
		return b.String()
	}
	// For S4 the next tool says the same and has the same arguments.
	var text string
	var arguments map[string]any
	for _, row := range c.Tools {
		tool := map[string]any{"name": row.Name, "description": text + ownWords(15-len(strings.Fields(text)))}
		properties := map[string]any{}
		for name := range arguments {
			properties[name] = map[string]any{"type": "string", "description": "Number of the basin."}
		}
		text, arguments = "", nil
		for i, fault := range row.Findings {
			param := fmt.Sprint("basin", i)
			switch fault {
			case "S1:missing":
				delete(tool, "description")
			case "S1:short":
				tool["description"] = ownWords(14)
			case "S3:undescribed":
				properties[param] = map[string]any{"type": "string"}
			case "S3:untyped":
				properties[param] = map[string]any{"description": "Number of the basin."}
			case "S4":
				text, arguments = tool["description"].(string), properties
			case "S8":
				tool["description"] = tool["description"].(string) + "\u202e"
			case "S5", "S7": // by the names
			default:
				t.Fatalf("%s: no tool for %s", c.ID, fault)
			}
		}
		tool["inputSchema"] = map[string]any{"type": "object", "properties": properties}
		tools = append(tools, definition(t, tool, row.Tokens))
	}
	return []byte("[" + strings.Join(tools, ",") + "]")
}

// checkFaults makes sure that the tools have the faults of the case and no
// others that cost something.
func checkFaults(t *testing.T, c scoreCase, findings []linter.Finding) {
	t.Helper()
	got, want := map[string]int{}, map[string]int{}
	for _, f := range findings {
		if f.Entity.Kind == snapshot.KindTool {
			got[f.Entity.Name+" "+f.Codes[0]]++
		} else if f.Waste != 0 {
			t.Errorf("%s on the server costs %d", f.Rule, f.Waste)
		}
	}
	for _, row := range c.Tools {
		for _, fault := range row.Findings {
			code, _, _ := strings.Cut(fault, ":")
			if code != "S5" { // three names without a prefix give it to the server
				want[row.Name+" "+code]++
			}
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the tools have %v; want %v", got, want)
	}
}
