package report_test

import (
	"encoding/json"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// BenchmarkFormats writes a report of 240 tools with six findings each in every
// format, as multiples of what encoding/json needs for the same value.
func BenchmarkFormats(b *testing.B) {
	r := cleanReview()
	s := &r.Report.Servers[0]
	for i := range 240 {
		for j := range 6 {
			f := finding(fmt.Sprintf("schema/rule-%d", j), severity.Levels()[j%3], tool(fmt.Sprintf("tool_%d", i)), "the parameter `id` has no description, expected one that says which object it names")
			f.Fix = "Describe the parameter."
			s.Findings = append(s.Findings, f)
		}
		s.Lock.Changes = append(s.Lock.Changes, change("description_changed", severity.Error, tool(fmt.Sprintf("tool_%d", i)), "new words"))
	}
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
