package audit

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcp-lint/mcp-lint/linter/report"
)

// A lock that moves, and a server that is locked under another key, are neither
// removed nor new.
func TestMovedAndRenamedSaySo(t *testing.T) {
	t.Parallel()
	locked := lockOf(t, "tides", good)
	named := func(key, lock string) string {
		return `{"servers": {"` + key + `": {"from": "tools.json"}}, "lock": "` + lock + `"}`
	}
	for _, tt := range []struct {
		name       string
		files      map[string]string
		conclusion report.Conclusion
		want       string // in the summary
		renamed    []report.RenamedServer
		removed    []string
	}{
		{
			name: "renamed", files: map[string]string{
				"base/.mcp-lint.json": named("tides", "l"), "base/tools.json": good, "base/l": locked,
				"head/.mcp-lint.json": named("water", "l"), "head/tools.json": good, "head/l": lockOf(t, "water", good)},
			conclusion: report.Success, want: "**This pull request renames locked servers** in `l`",
			renamed: []report.RenamedServer{{From: "tides", To: "water"}},
		},
		{
			name: "renamed, but the old name is still launched", files: map[string]string{
				"base/.mcp-lint.json": named("tides", "l"), "base/tools.json": good, "base/l": locked,
				"head/.mcp-lint.json": named("tides", "l"), "head/tools.json": good, "head/l": lockOf(t, "water", good)},
			conclusion: report.Failure, want: "**This pull request removes locked servers** from `l`", removed: []string{"tides"},
		},
		{
			name: "another server under another name", files: map[string]string{
				"base/.mcp-lint.json": named("tides", "l"), "base/tools.json": good, "base/l": locked,
				"head/.mcp-lint.json": named("water", "l"), "head/tools.json": other, "head/l": lockOf(t, "water", other)},
			conclusion: report.Failure, want: "### Merging accepts", removed: []string{"tides"},
		},
		{
			name: "moved, under the configuration of the base", files: map[string]string{
				"policy/.mcp-lint.json": named("tides", "l"),
				"base/.mcp-lint.json":   named("tides", "l"), "base/tools.json": good, "base/l": locked,
				"head/.mcp-lint.json": named("tides", "m"), "head/tools.json": other, "head/m": lockOf(t, "tides", other)},
			conclusion: report.Failure, want: "**This pull request moves the lock file** from `l` to `m`. The configuration that counts",
		},
		{
			name: "moved, under the configuration of the head", files: map[string]string{
				"base/.mcp-lint.json": named("tides", "l"), "base/tools.json": good, "base/l": locked,
				"head/.mcp-lint.json": named("tides", "m"), "head/tools.json": other, "head/m": lockOf(t, "tides", other)},
			conclusion: report.Success, want: "**This pull request moves the lock file** from `l` to `m`.",
		},
		{
			name: "removed", files: map[string]string{
				"base/.mcp-lint.json": named("tides", "l"), "base/tools.json": good, "base/l": locked,
				"head/.mcp-lint.json": named("tides", "l"), "head/tools.json": good},
			conclusion: report.Failure, want: "**This pull request removes the lock file** `l`.", removed: []string{"tides"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := review(t, trees(t, tt.files), nil)
			run := r.LockCheckRun()
			if run.Conclusion != tt.conclusion || !strings.Contains(run.Summary, tt.want) {
				t.Errorf("%s: %s\n%s", run.Conclusion, run.Title, run.Summary)
			}
			if diff := cmp.Diff(tt.renamed, r.Lock.RenamedServers); diff != "" || !slices.Equal(tt.removed, r.Lock.RemovedServers) {
				t.Errorf("removed %q\n%s", r.Lock.RemovedServers, diff)
			}
			if strings.HasPrefix(tt.name, "moved") && (len(r.Lock.Accepted) != 1 || r.Lock.Accepted[0].Changes[0].Kind != "description_changed") {
				t.Errorf("a moved lock accepts %+v", r.Lock.Accepted)
			}
			comment, wanted := r.Comment(report.CommentOptions{})
			if !wanted || !strings.Contains(comment, tt.want) {
				t.Errorf("comment: %v\n%s", wanted, comment)
			}
		})
	}
}
