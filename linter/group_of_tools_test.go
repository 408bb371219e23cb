package linter_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

const fourTools = `[{"name":"w/1","description":"first"},{"name":"x","description":"second"},{"name":"y","description":"third"},{"name":"z"}]`

// together says once on the server what apart says on each tool.
func together(waste int) linter.Rule {
	return linter.Rule{ID: "a/b", Severity: everywhere(severity.Warning), Check: func(p *linter.Pass) {
		var items []linter.Item
		for _, tool := range p.Tools()[:3] {
			path := "/tools/" + strings.ReplaceAll(tool.Ref.Name, "/", "~1") + "/description"
			items = append(items, linter.Item{Path: path, Of: tool, Waste: waste})
		}
		p.ReportGroup(p.Server(), "", items, func(items []linter.Item) linter.Finding {
			var names []string
			for _, item := range items {
				names = append(names, item.Of.Ref.Name)
			}
			return linter.Finding{Message: strings.Join(names, " ")}
		})
	}}
}

func apart(waste int) linter.Rule {
	return linter.Rule{ID: "a/b", Severity: everywhere(severity.Warning), Check: func(p *linter.Pass) {
		for _, tool := range p.Tools()[:3] {
			p.Report(tool, "/description", linter.Finding{Waste: waste})
		}
	}}
}

// Whether a fault is said of each tool or of all together makes no difference
// to the scores, nor to who knows it again.
func TestFaultsSaidTogetherAreThoseSaidApart(t *testing.T) {
	t.Parallel()
	one := newLinter(t, linter.Config{}, together(500)).Lint(parse(t, fourTools))
	each := newLinter(t, linter.Config{}, apart(500)).Lint(parse(t, fourTools))
	if one.Quality.Score != 94 || one.Quality != each.Quality || one.Tokens.Wasted != each.Tokens.Wasted || one.Tokens.Score != each.Tokens.Score {
		t.Errorf("together %+v %+v; apart %+v %+v", one.Quality, one.Tokens, each.Quality, each.Tokens)
	}
	if len(one.Findings) != 1 || len(one.Findings[0].Items) != 3 || len(each.Findings) != 3 {
		t.Fatalf("together %+v; apart %+v", one.Findings, each.Findings)
	}
	for i, item := range one.Findings[0].Items {
		if item.Fingerprint != each.Findings[i].Fingerprint {
			t.Errorf("%s has another fingerprint than the finding on the tool", item.Path)
		}
	}
}

// What was written for the tool silences it in the group too.
func TestSuppressionsOfToolsReachIntoTheGroup(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		s        linter.Suppression
		live     []string
		silenced string
	}{
		"a tool":            {linter.Suppression{Entity: "tool:x"}, []string{"w/1 y"}, "x"},
		"a tool's path":     {linter.Suppression{Entity: "tool:w/1", Path: "/description"}, []string{"x y"}, "w/1"},
		"the path, any":     {linter.Suppression{Path: "/description"}, nil, "w/1 x y"},
		"another path":      {linter.Suppression{Entity: "tool:x", Path: "/title"}, []string{"w/1 x y"}, ""},
		"another tool":      {linter.Suppression{Entity: "tool:z"}, []string{"w/1 x y"}, ""},
		"a text":            {linter.Suppression{TextSHA256: sha("third")}, []string{"w/1 x"}, "y"},
		"another text":      {linter.Suppression{Entity: "tool:x", TextSHA256: sha("third")}, []string{"w/1 x y"}, ""},
		"on the server":     {linter.Suppression{Entity: "server", Path: "/tools/x/description"}, []string{"w/1 y"}, "x"},
		"the whole":         {linter.Suppression{Entity: "server"}, nil, "w/1 x y"},
		"all of the rule":   {linter.Suppression{}, nil, "w/1 x y"},
		"of another server": {linter.Suppression{Entity: "tool:x", Server: "other"}, []string{"w/1 x y"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.s.Rule, c.s.Reason = "a/b", "because"
			l := newLinter(t, linter.Config{Suppress: []linter.Suppression{c.s}}, together(0))
			result := l.Lint(parse(t, fourTools))
			var live []string
			silenced := ""
			for _, f := range result.Findings {
				if f.Suppressed != nil {
					silenced = f.Message
				} else {
					live = append(live, f.Message)
				}
			}
			if !slices.Equal(live, c.live) || silenced != c.silenced {
				t.Errorf("live %q, silenced %q", live, silenced)
			}
			faults := 3 - len(strings.Fields(silenced))
			if want := 100 - 8*faults/4; result.Quality.Score != want {
				t.Errorf("score %d; want %d", result.Quality.Score, want)
			}
			if unused := len(l.Unused(result)) == 1; unused != (silenced == "" && c.s.Server == "") {
				t.Errorf("unused: %v", unused)
			}
		})
	}
}
