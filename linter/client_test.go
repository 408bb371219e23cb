package linter_test

import (
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

func clientRule() linter.Rule {
	return linter.Rule{
		ID:       "compat/test",
		Severity: linter.Severities{Recommended: severity.Error},
		Clients:  []linter.ClientFact{{Client: "claude", Name: "Claude"}, {Client: "gemini", Name: "Gemini"}},
		CheckTool: func(p *linter.Pass, e *linter.Entity) {
			var names []string
			for _, fact := range p.Clients() {
				names = append(names, fact.Name)
			}
			p.Report(e, "", linter.Finding{Message: strings.Join(names, " and ")})
		},
	}
}

func TestClientsNarrowWhatIsSaidAboutThem(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		clients []string
		want    string
	}{
		{nil, "Claude and Gemini"},
		{[]string{"gemini"}, "Gemini"},
		{[]string{"cursor"}, ""},
	} {
		other := clientRule()
		other.ID, other.Clients = "compat/other", []linter.ClientFact{{Client: "cursor", Name: "Cursor"}}
		other.CheckTool = func(*linter.Pass, *linter.Entity) {}
		result := newLinter(t, linter.Config{Clients: tt.clients}, clientRule(), other).Lint(parse(t, `[{"name":"a"}]`))
		var got []string
		for _, f := range result.Findings {
			got = append(got, f.Message)
		}
		if strings.Join(got, ",") != tt.want {
			t.Errorf("%v: %q; want %q", tt.clients, got, tt.want)
		}
		if result.Quality.Score != 100 {
			t.Errorf("what clients do cost the server %d points", 100-result.Quality.Score)
		}
	}
}

// claude is the API that claude-code and claude-desktop send to.
func TestFamiliesOfClients(t *testing.T) {
	t.Parallel()
	rule := clientRule()
	rule.Clients = nil
	for _, name := range []string{"claude", "claude-code", "claude-desktop", "claudette"} {
		rule.Clients = append(rule.Clients, linter.ClientFact{Client: name, Name: name})
	}
	for _, tt := range []struct{ client, want string }{
		{"claude", "claude and claude-code and claude-desktop"},
		{"claude-code", "claude and claude-code"},
		{"claudette", "claudette"},
	} {
		result := newLinter(t, linter.Config{Clients: []string{tt.client}}, rule).Lint(parse(t, `[{"name":"a"}]`))
		if got := result.Findings[0].Message; got != tt.want {
			t.Errorf("%s: %q; want %q", tt.client, got, tt.want)
		}
	}
}

func TestUnknownClientIsAnError(t *testing.T) {
	t.Parallel()
	_, err := linter.New([]linter.Rule{clientRule()}, linter.Config{Clients: []string{"claud"}})
	if err == nil || !strings.Contains(err.Error(), `"claude"`) {
		t.Errorf("error %v; want one that names claude", err)
	}
}
