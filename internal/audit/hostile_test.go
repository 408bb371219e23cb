package audit

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mcp-lint/mcp-lint/internal/sandbox"
	"github.com/mcp-lint/mcp-lint/linter/report"
)

// What a pull request might try with its files alone. The same is played with
// the whole bot in cmd/bot.
func TestHostileTrees(t *testing.T) {
	t.Parallel()
	locked := lockOf(t, "tides", good)
	discovered := `{"mcpServers": {"tides": {"command": "no-such-program-here"}}}`
	says := func(t *testing.T, r *report.Review, want string) {
		t.Helper()
		all := strings.Join(r.Pending, "\n")
		for _, s := range r.Report.Servers {
			if s.Error != nil {
				all += "\n" + s.Key + ": " + s.Error.Message
			}
		}
		if !strings.Contains(all, want) {
			t.Errorf("nothing says %q:\n%s", want, all)
		}
	}
	for _, tt := range []struct {
		name       string
		files      map[string]string
		tune       func(*Engine, *Request)
		lint, lock report.Conclusion
		says       string
	}{
		{
			name: "a configuration that cannot be read does not skip the lock", files: map[string]string{
				"head/.mcp-lint.json": "{", "head/mcp-lint.lock": locked, "base/mcp-lint.lock": locked, "policy/README": "x"},
			lint: report.ActionRequired, lock: report.ActionRequired, says: ".mcp-lint.json: ",
		},
		{
			name: "nor does it hide that the lock is gone", files: map[string]string{
				"head/.mcp-lint.json": "{", "base/locks/tides": locked, "policy/.mcp-lint.json": `{"lock": "locks/tides"}`},
			lint: report.ActionRequired, lock: report.Failure,
		},
		{
			name: "a trusted configuration that cannot be read does not skip the lock", files: map[string]string{
				"head/mcp-lint.lock": locked, "base/mcp-lint.lock": locked, "policy/.mcp-lint.json": "{"},
			lint: report.ActionRequired, lock: report.ActionRequired,
		},
		{
			name: "a branch that is older than the lock is held against it", files: map[string]string{
				"head/.mcp-lint.json": savedServer, "head/tools.json": other, "base/.mcp-lint.json": savedServer, "base/tools.json": good,
				"policy/mcp-lint.lock": locked, "tip/mcp-lint.lock": locked},
			tune: withTip, lint: report.Success, lock: report.Failure,
		},
		{
			name: "and passes when it says the same", files: map[string]string{
				"head/.mcp-lint.json": savedServer, "head/tools.json": good, "base/README": "x", "policy/README": "x", "tip/mcp-lint.lock": locked},
			tune: withTip, lint: report.Success, lock: report.Success,
		},
		{
			name: "and fails when the newer lock cannot be read", files: map[string]string{
				"head/.mcp-lint.json": savedServer, "head/tools.json": good, "base/README": "x", "policy/README": "x", "tip/mcp-lint.lock": "{}"},
			tune: withTip, lint: report.ActionRequired, lock: report.Failure, says: "the base branch's: ",
		},
		{
			name: "the lock of another branch is none of its", files: map[string]string{
				"head/.mcp-lint.json": savedServer, "head/tools.json": other, "base/README": "x", "policy/mcp-lint.lock": locked},
			lint: report.Success, lock: report.Skipped,
		},
		{
			name: "an empty list of servers hides none", files: map[string]string{
				"head/.mcp-lint.json": `{"servers": {}}`, "head/.mcp.json": discovered, "policy/.mcp.json": discovered},
			lint: report.ActionRequired, lock: report.Skipped, says: "tides: the command could not be started",
		},
		{
			name: "nor does a twin of the same name", files: map[string]string{
				"head/.mcp-lint.json": savedServer, "head/tools.json": good, "head/.mcp.json": discovered, "policy/.mcp.json": discovered},
			lint: report.ActionRequired, lock: report.Skipped, says: ".mcp.json#tides: the command could not be started",
		},
		{
			name: "a list that was trusted stands for itself", files: map[string]string{
				"head/.mcp-lint.json": savedServer, "head/tools.json": good, "head/.mcp.json": discovered, "policy/.mcp-lint.json": savedServer},
			lint: report.Success, lock: report.Skipped,
		},
		{
			name: "a server that becomes a saved file is told", files: map[string]string{
				"head/.mcp-lint.json": savedServer, "head/tools.json": good, "policy/.mcp-lint.json": `{"servers": {"tides": {"command": "node"}, "b": {"command": "x"}}}`},
			lint: report.Success, lock: report.Skipped, says: "servers: tides: changes command, from\nservers: b: removed",
		},
		{
			name: "a lock that is a link to nothing", files: map[string]string{
				"head/.mcp-lint.json": savedServer, "head/tools.json": good, "base/mcp-lint.lock": "no lock"},
			tune: func(_ *Engine, r *Request) { _ = os.Symlink("nowhere", filepath.Join(r.Head, "mcp-lint.lock")) },
			lint: report.ActionRequired, lock: report.Failure,
		},
		{
			name: "a deadline that has passed", files: map[string]string{
				"head/.mcp-lint.json": `{"servers": {"saved": {"from": "tools.json"}, "slow": {"command": "sleep", "args": ["60"]}}}`, "head/tools.json": good},
			tune: func(_ *Engine, r *Request) { r.Deadline = time.Now().Add(-time.Second) },
			lint: report.ActionRequired, lock: report.Skipped, says: "slow: ",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			rv := review(t, trees(t, tt.files), tt.tune)
			lint, lock := rv.LintCheckRun(), rv.LockCheckRun()
			if lint.Conclusion != tt.lint || lock.Conclusion != tt.lock {
				t.Errorf("%s (%s), %s (%s)\nwant %s, %s\n%s", lint.Conclusion, lint.Title, lock.Conclusion, lock.Title, tt.lint, tt.lock, lint.Summary)
			}
			says(t, rv, tt.says)
		})
	}
}

// What a sandbox would have to show of the host is not for a tree to say.
// Without one there is nothing to be kept from it.
func TestProgramsOfTheHostAreNotShownToATree(t *testing.T) {
	t.Parallel()
	box, err := sandbox.New(sandbox.BestEffort, sandbox.Options{})
	if err != nil {
		t.Skip(err)
	}
	files := map[string]string{"head/.mcp-lint.json": `{"servers": {"tides": {"command": "/opt/app/bin/python", "args": ["x.py"]}}}`}
	for want, tune := range map[string]func(*Engine, *Request){
		"the command is an absolute path":  func(e *Engine, _ *Request) { e.Sandbox = box },
		"the command could not be started": nil,
	} {
		failure := review(t, trees(t, files), tune).Report.Servers[0].Error
		if failure == nil || !strings.Contains(failure.Message, want) {
			t.Errorf("%+v, want %s", failure, want)
		}
	}
}

func withTip(_ *Engine, r *Request) { r.Tip = filepath.Join(filepath.Dir(r.Head), "tip") }

// A server with more to say than a report may hold costs its own verdict, and
// leaves the others theirs.
func TestOneServerCannotSilenceTheOthers(t *testing.T) {
	t.Parallel()
	var flood strings.Builder
	for i := range 3_000 {
		fmt.Fprintf(&flood, `{"name": "t%d_%s", "inputSchema": {}},`, i, strings.Repeat("n", 3_000))
	}
	rv := review(t, trees(t, map[string]string{
		"head/.mcp-lint.json": `{"servers": {"flood": {"from": "flood.json"}, "tides": {"from": "tools.json"}}}`,
		"head/flood.json":     "[" + strings.TrimSuffix(flood.String(), ",") + "]", "head/tools.json": bad,
		"head/mcp-lint.lock": lockOf(t, "tides", good),
	}), nil)
	if e := rv.Report.Servers[0].Error; e == nil || !strings.Contains(e.Message, "too much to report") {
		t.Errorf("flood: %+v", e)
	}
	if run := rv.LintCheckRun(); run.Conclusion != report.Failure {
		t.Errorf("%s (%s), want the failure of the other server", run.Conclusion, run.Title)
	}
	if size := jsonSize(rv); size > maxReport {
		t.Errorf("%d bytes", size)
	}
}
