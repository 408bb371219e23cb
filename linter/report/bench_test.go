package report_test

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// BenchmarkFormats writes a report of 10,000 findings on 2,000 tools in every
// format, also as multiples of what encoding/json needs for the same value.
func BenchmarkFormats(b *testing.B) {
	r := cleanReview()
	s := &r.Report.Servers[0]
	tools := make([]string, 2000)
	for i := range tools {
		name := fmt.Sprintf("tool_%d", i)
		tools[i] = fmt.Sprintf(`{"name":%q,"description":"Finds things.","inputSchema":{"type":"object","properties":{"id":{"type":"string"},"page":{"type":"integer","default":1}},"required":["id"]}}`, name)
		for j := range 5 {
			f := finding(fmt.Sprintf("schema/rule-%d", j), severity.Levels()[j%3], tool(name), "the parameter `id` has no description, expected one that says which object it names")
			f.Fix, f.Path = "Describe the parameter.", "/inputSchema/properties/id"
			s.Findings = append(s.Findings, f)
		}
		s.Lock.Changes = append(s.Lock.Changes, change("description_changed", severity.Error, tool(name), "new words"))
		s.Scores.Tokens.Tools = append(s.Scores.Tokens.Tools, linter.ToolScore{Name: name, Tokens: 40, Description: 5, Schema: 30, Wasted: i})
	}
	snaps := []*snapshot.Snapshot{parseSnapshot(b, `{"tools":[`+strings.Join(tools, ",")+`]}`)}
	start, runs := time.Now(), 0
	for time.Since(start) < 200*time.Millisecond {
		if _, err := json.Marshal(&r.Report); err != nil {
			b.Fatal(err)
		}
		runs++
	}
	marshal := time.Since(start) / time.Duration(runs)
	for name, write := range map[string]func() error{
		"json":     func() error { return report.WriteJSON(io.Discard, &r.Report) },
		"text":     func() error { return report.WriteText(io.Discard, &r.Report, report.TextOptions{}) },
		"sarif":    func() error { return report.WriteSARIF(io.Discard, &r.Report, report.SARIFOptions{}) },
		"markdown": func() error { return report.WriteMarkdown(io.Discard, &r.Report) },
		"html":     func() error { return report.WriteHTML(io.Discard, &r.Report, report.HTMLOptions{Snapshots: snaps}) },
		"github":   func() error { return report.WriteGitHub(io.Discard, &r.Report, report.GitHubOptions{}) },
		"checks":   func() error { r.LintCheckRun(); r.LockCheckRun(); return nil },
		"comment":  func() error { r.Comment(report.CommentOptions{}); return nil },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := write(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(marshal), "x-encoding/json")
		})
	}
}
