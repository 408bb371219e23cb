package report_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// A tool that a finding on the server names is not clean.
func TestToolsInAFindingOnTheServerAreNotClean(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		items []linter.Item
		more  int
		want  string
	}{
		"the server alone":       {nil, 0, "; 2/2 tools clean"},
		"a tool":                 {[]linter.Item{{Path: "/tools/a~1b"}}, 0, "; 1/2 tools clean"},
		"a value in it, twice":   {[]linter.Item{{Path: "/tools/a~1b/description"}, {Path: "/tools/a~1b/title"}}, 0, "; 1/2 tools clean"},
		"both":                   {[]linter.Item{{Path: "/tools/a~1b"}, {Path: "/tools/write"}}, 0, "; 0/2 tools clean"},
		"something else":         {[]linter.Item{{Path: "/instructions"}, {Subject: "write"}}, 0, "; 2/2 tools clean"},
		"more than it tells of":  {[]linter.Item{{Path: "/tools/write"}}, 7, "0 errors, 1 warning, 0 info; lock: no changes"},
		"one that has gone away": {[]linter.Item{{Path: "/tools/write"}, {Path: "/tools/a~1b"}, {Path: "/tools/gone"}}, 0, "; 0/2 tools clean"},
	} {
		r := cleanReview()
		s := &r.Report.Servers[0]
		s.Scores.Tokens.Tools[0].Name = "a/b"
		f := finding("description/too-short", severity.Warning, snapshot.Ref{Kind: snapshot.KindServer}, "short")
		f.Items, f.MoreItems = c.items, c.more
		s.Findings = append(s.Findings, f)
		if got := text(t, &r.Report, report.TextOptions{}); !strings.Contains(got, c.want) {
			t.Errorf("%s: no %q in\n%s", name, c.want, got)
		}
		var page bytes.Buffer
		if err := report.WriteHTML(&page, &r.Report, report.HTMLOptions{}); err != nil {
			t.Fatal(err)
		}
		_, clean, _ := strings.Cut(page.String(), `class="clean"`)
		if has, want := strings.Contains(clean, "<code>a/b</code>"), len(c.items) == 0 || c.items[0].Path == "/instructions" || c.more > 0; has != want {
			t.Errorf("%s: among the clean tools of the page: %v", name, has)
		}
	}
}
