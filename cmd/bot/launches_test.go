package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcp-lint/mcp-lint/linter/report"
)

// What a pull request adds to the clients' files is said at its line, in the
// check run and in code scanning; what the base has is known. Nothing that is
// known to be bad is started, and nobody is asked whom only the head names.
func TestLaunchesOfAPullRequest(t *testing.T) {
	t.Parallel()
	needsSandbox(t)
	s := newSite(t)
	base := tree{"mcp.js": hostileFile(t, "mcp.js"), "server.js": hostileFile(t, "server.js"), "README.md": file("x\n"),
		".mcp.json": file(`{"mcpServers": {
  "own": {"command": "node", "args": ["server.js"]},
  "old": {"url": "http://tides.example.org/mcp"}
}}`)}
	if _, err := s.repo.CommitEntries("main", "", "base", base); err != nil {
		t.Fatal(err)
	}
	bot := s.start("MCP_LINT_ALLOW_HOST=*.example.com")
	pr, err := pull(s.repo, "change", tree{
		".vscode/mcp.json": file(`{
  // mail
  "servers": {
    "mail": {
      "command": "npx",
      "args": [
        "-y",
        "postmark-mcp@1.0.16"
      ]
    }
  }
}`),
		".gemini/settings.json": file(`{"mcpServers": {
  "docs": {
    "httpUrl": "https://docs.example.com/mcp?token=9f8e7d6c5b4a39281706f5e4"
  }
}}`),
		".continue/mcpServers/a.yaml": file("mcpServers:\n  - name: proxy\n    command: uvx\n    args:\n      - --from\n      - litellm==1.82.7\n      - litellm\n"),
		".codex/config.toml":          file("[mcp_servers.images]\ncommand = \"no-such-program\"\nenv.GITHUB_TOKEN = \"ghp_9f8e7d6c5b4a39281706f5e4d3c2Ab12\"\n"),
	})
	if err != nil {
		t.Fatal(err)
	}
	s.wait(bot, pr.HeadSHA())
	var found []string
	run := s.gh.CheckRuns(s.repo, pr.HeadSHA())[0]
	for _, a := range run.Annotations {
		found = append(found, fmt.Sprintf("%s:%d %s", a.Path, a.StartLine, a.Title))
	}
	slices.Sort(found)
	added := []string{
		".codex/config.toml:3 config/plain-text-secret in server",
		".continue/mcpServers/a.yaml:6 launch/known-bad in server",
		".gemini/settings.json:3 config/plain-text-secret in server",
		".vscode/mcp.json:8 launch/known-bad in server",
	}
	if diff := cmp.Diff(added, found); diff != "" || run.Name != report.LintCheck || run.Conclusion != string(fails) {
		t.Errorf("%s: %s: annotations (-want +got)\n%s%s", run.Name, run.Conclusion, diff, run.Summary)
	}

	for deadline := time.Now().Add(20 * time.Second); len(s.gh.SARIFs(s.repo)) == 0 && time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
	}
	uploads := s.gh.SARIFs(s.repo)
	if len(uploads) != 1 {
		t.Fatalf("%d uploads", len(uploads))
	}
	var document struct {
		Runs []struct {
			Results []struct {
				RuleID    string
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine int }
					}
				}
			}
		}
	}
	if err := json.Unmarshal(uploads[0].Document, &document); err != nil {
		t.Fatal(err)
	}
	found = nil
	for _, r := range document.Runs[0].Results {
		at := r.Locations[0].PhysicalLocation
		found = append(found, fmt.Sprintf("%s:%d %s in server", at.ArtifactLocation.URI, at.Region.StartLine, r.RuleID))
	}
	slices.Sort(found)
	all := slices.Insert(slices.Clone(added), 3, ".mcp.json:3 config/cleartext-url in server")
	if diff := cmp.Diff(all, found); diff != "" {
		t.Errorf("results (-want +got)\n%s", diff)
	}
	for _, why := range []string{"not started: postmark-mcp 1.0.16", "not started: litellm 1.82.7", "not asked: the trusted branch does not configure"} {
		if !strings.Contains(run.Summary, why) {
			t.Errorf("nothing says %q", why)
		}
	}
}
