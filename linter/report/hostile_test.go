package report_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
	"github.com/mcp-lint/mcp-lint/lockfile"
)

// A long name comes once with a server and again with every result: it must
// not make a small report a huge one.
func TestLongNamesAreNotMultiplied(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("\u200bk", 100_000)
	server := report.Server{Key: long, Lock: &report.Lock{}}
	for i := range 1000 {
		f := finding("schema/untyped-param", severity.Warning, tool(long), fmt.Sprint("finding ", i))
		f.Path, f.Fingerprint = "/"+long, fmt.Sprint(i)
		server.Findings = append(server.Findings, f)
		server.Lock.Changes = append(server.Lock.Changes, lockfile.Change{
			Kind: lockfile.KindToolAdded, Severity: severity.Error, Entity: tool(long + fmt.Sprint(i)), Message: "tool added",
		})
	}
	r := &report.Review{Report: report.Report{Servers: []report.Server{server}}}
	var b bytes.Buffer
	if err := r.WriteSARIF(&b, report.SARIFOptions{}); err != nil {
		t.Fatal(err)
	}
	if b.Len() > 20<<20 {
		t.Errorf("SARIF of %d bytes", b.Len())
	}
	if n := strings.Count(b.String(), `"ruleId"`); n != 2000 {
		t.Errorf("%d results, want all 2000 although their names are cut", n)
	}
	for _, a := range r.LintCheckRun().Annotations {
		if len(a.Title) > 4000 {
			t.Fatalf("a title of %d bytes", len(a.Title))
		}
	}
}

// A file whose name cannot be shown as it is cannot be annotated.
func TestOddFileNamesAreNotPublished(t *testing.T) {
	t.Parallel()
	f := finding("schema/untyped-param", severity.Error, tool("a"), "text")
	for _, name := range []string{"a\nb.json", "\u202egnp.json", "\x1b[31m.json", "\xff.json"} {
		f.Location = at(name, 3, 1)
		r := &report.Review{Report: report.Report{Servers: []report.Server{{Key: "k", Findings: []linter.Finding{f}}}}}
		if got := r.LintCheckRun().Annotations[0].Location; got != (snapshot.Location{File: ".mcp-lint.json", Line: 1}) {
			t.Errorf("%q: annotated at %+v", name, got)
		}
		var b bytes.Buffer
		if err := r.WriteSARIF(&b, report.SARIFOptions{}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), `"uri":".mcp-lint.json"`) {
			t.Errorf("%q: SARIF %s", name, b.String())
		}
	}
}

// Pending changes must not push the rest out of the page.
func TestPendingChangesAreBounded(t *testing.T) {
	t.Parallel()
	r := &report.Review{Report: report.Report{Servers: []report.Server{}}}
	for i := range 10_000 {
		r.Pending = append(r.Pending, fmt.Sprint("suppress: adds rule ", i))
	}
	summary := r.LintCheckRun().Summary
	if n := strings.Count(summary, "- suppress:"); n != 50 || !strings.Contains(summary, "9950 more changes of the configuration are not listed here.") {
		t.Errorf("%d listed in\n%s", n, summary)
	}
}
