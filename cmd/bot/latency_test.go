package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcp-lint/mcp-lint/internal/githubtest"
)

// BenchmarkDeliveryToCheckRun measures what an author waits for: from the
// webhook of a pull request to both check runs being completed, for a server
// that is a saved snapshot, with the real bot against GitHub on loopback. The
// budget is a median of 500 ms. Each pull request has an owner of its own,
// because the bot paces its writes for each installation.
func BenchmarkDeliveryToCheckRun(b *testing.B) {
	const pulls = 8
	s := newSite(b)
	var owners []string
	for i := range pulls {
		owners = append(owners, fmt.Sprintf("owner-%d", i))
	}
	bot := s.start("MCP_LINT_ALLOWED_OWNER=" + strings.Join(owners, ","))
	b.ResetTimer()
	var took []time.Duration
	for _, owner := range owners {
		b.StopTimer()
		var err error
		if s.repo, err = s.gh.CreateRepository(owner, "tools", githubtest.RepositoryOptions{}); err != nil {
			b.Fatal(err)
		}
		s.commit("main", "", map[string]string{
			"tools.json":     `[{"name":"read_notes","description":"Read every note of the given day and return the text of each one, newest first.","inputSchema":{"type":"object","properties":{}},"annotations":{"readOnlyHint":true}}]`,
			".mcp-lint.json": `{"servers":{"saved":{"from":"tools.json"}}}`,
		})
		s.commit("change", "main", map[string]string{"notes.txt": "x\n"})
		b.StartTimer()
		start := time.Now()
		pr, err := s.repo.OpenPull("Change", "change", "main", githubtest.PullOptions{})
		if err != nil {
			b.Fatal(err)
		}
		s.wait(bot, pr.HeadSHA())
		took = append(took, time.Since(start))
		if runs := s.runs(pr.HeadSHA()); runs["mcp-lint success"] != 1 {
			b.Fatalf("check runs %v", runs)
		}
	}
	b.StopTimer()
	slices.Sort(took)
	median := float64(took[pulls/2].Microseconds()) / 1000
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median, "ms-median")
	b.ReportMetric(float64(took[pulls-1].Microseconds())/1000, "ms-worst")
	b.ReportMetric(median/500, "of-budget")
}
