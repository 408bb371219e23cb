package report_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// Every report for people counts what is known and names what is gone.
func TestReportsTellOfTheBaseline(t *testing.T) {
	t.Parallel()
	r := &cleanReview().Report
	known := finding("description/too-short", severity.Warning, tool("read"), "OLD WORDS")
	known.New = false
	r.Servers[0].Findings = []linter.Finding{known, finding("description/missing", severity.Error, tool("write"), "NEW WORDS")}
	r.Baseline = &report.Baseline{Source: "old.json", Known: 1}
	for range 22 {
		r.Baseline.Fixed = append(r.Baseline.Fixed, report.FixedFinding{Key: "files", Rule: "schema/root-type", Severity: severity.Error, Entity: tool("gone"), Message: "m"})
	}
	var markdown bytes.Buffer
	if err := report.WriteMarkdown(&markdown, r); err != nil {
		t.Fatal(err)
	}
	plain := text(t, r, report.TextOptions{Width: 300})
	for name, got := range map[string]string{
		"text": plain, "github": writeGitHub(t, r, report.GitHubOptions{}), "markdown": markdown.String(), "html": writeHTML(t, r, report.HTMLOptions{}),
	} {
		if !strings.Contains(got, "1 known") || !strings.Contains(got, "NEW WORDS") || !strings.Contains(got, "schema/root-type") {
			t.Errorf("%s: known, new or fixed findings are missing:\n%s", name, got)
		}
	}
	if strings.Contains(plain, "OLD WORDS") || !strings.Contains(plain, "\n  - and 2 more\n") {
		t.Errorf("text:\n%s", plain)
	}
	if !strings.Contains(markdown.String(), "and 17 more; write the baseline again to drop them") {
		t.Errorf("markdown:\n%s", markdown.String())
	}
}
