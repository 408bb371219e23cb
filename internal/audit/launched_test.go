package audit

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/internal/launch/advisory"
	"github.com/mcp-lint/mcp-lint/linter/report"
)

// entry is a client's file with one server that node starts through a launcher
// that is not there, so that it is judged and not collected.
func entry(args string) string {
	return `{
  "mcpServers": {
    "tides": {"command": "/no/such/folder/npx", "args": [` + args + `]}
  }
}`
}

const (
	unpinnedEntry = `"-y", "tide-tables-mcp"`
	badEntry      = `"-y", "postmark-mcp@1.0.16"`
)

// launched is what a review says about how servers are started, with the kinds of
// their errors.
func launched(r *report.Review) string {
	var words []string
	for _, s := range r.Report.Servers {
		for _, f := range s.Findings {
			if strings.HasPrefix(f.Rule, "launch/") {
				words = append(words, f.Rule, f.Package, fmt.Sprintf("%s:%d:%d", f.Location.File, f.Location.Line, f.Location.Column))
			}
		}
		if s.Error != nil {
			words = append(words, string(s.Error.Kind))
		}
	}
	return strings.Join(words, " ")
}

func TestLaunchesAreJudgedWithoutStarting(t *testing.T) {
	t.Parallel()
	static := func(_ *Engine, r *Request) { r.Static = true }
	for name, tt := range map[string]struct {
		files map[string]string
		tune  func(*Engine, *Request)
		want  string
		lint  report.Conclusion
	}{
		"a fork": {
			files: map[string]string{"head/.mcp.json": entry(unpinnedEntry)}, tune: static,
			want: "launch/unpinned tide-tables-mcp .mcp.json:3:64 sandbox", lint: report.ActionRequired,
		},
		"a fork, with a threshold": {
			files: map[string]string{"head/.mcp.json": entry(unpinnedEntry), "head/.mcp-lint.json": `{"failOn": "warning"}`}, tune: static,
			want: "launch/unpinned tide-tables-mcp .mcp.json:3:64 sandbox", lint: report.Failure,
		},
		"known bad in a fork": {
			files: map[string]string{"head/.mcp.json": entry(badEntry)}, tune: static,
			want: "launch/known-bad postmark-mcp .mcp.json:3:64 refused", lint: report.Failure,
		},
		"known bad, whatever the preset": {
			files: map[string]string{"head/.mcp.json": entry(badEntry), "head/.mcp-lint.json": `{"extends": "snapshot", "failOn": "never"}`},
			want:  "refused", lint: report.Failure,
		},
		"known bad and suppressed": {
			files: map[string]string{"head/.mcp.json": entry(badEntry),
				"head/.mcp-lint.json": `{"suppress": [{"rule": "launch/known-bad", "reason": "it is not so bad"}]}`},
			want: "launch/known-bad postmark-mcp .mcp.json:3:64 refused", lint: report.Failure,
		},
		"known bad in the base too": {
			files: map[string]string{"head/.mcp.json": entry(badEntry), "base/.mcp.json": entry(badEntry)},
			want:  "launch/known-bad postmark-mcp .mcp.json:3:64 refused", lint: report.Failure,
		},
		"the same in two clients' files": {
			files: map[string]string{"head/.mcp.json": entry(unpinnedEntry), "head/.cursor/mcp.json": "\n" + entry(unpinnedEntry)}, tune: static,
			want: "launch/unpinned tide-tables-mcp .mcp.json:3:64 launch/unpinned tide-tables-mcp .cursor/mcp.json:4:64 sandbox", lint: report.ActionRequired,
		},
		"known bad by a variable": {
			files: map[string]string{"head/.mcp.json": entry(`"-y", "postmark-mcp@${V:-1.0.16}"`)},
			want:  "launch/known-bad postmark-mcp .mcp.json:3:64 refused", lint: report.Failure,
		},
		"an entry of our own": {
			files: map[string]string{"head/.mcp-lint.json": `{"servers": {"tides": {"command": "uvx", "args": ["litellm==1.82.7"]}}}`},
			want:  "launch/known-bad litellm .mcp-lint.json:1:51 refused", lint: report.Failure,
		},
		"a saved file": {
			files: map[string]string{"head/.mcp-lint.json": savedServer, "head/tools.json": good}, lint: report.Success,
		},
		"an unusable entry": {
			files: map[string]string{"head/.mcp.json": `{"mcpServers": {"tides": {"command": "npx", "args": "postmark-mcp@1.0.16"}}}`},
			want:  "input", lint: report.ActionRequired,
		},
		"records of the operator": {
			files: map[string]string{"head/.mcp.json": entry(`"-y", "tide-tables-mcp@2.4.1"`)},
			tune: func(e *Engine, _ *Request) {
				e.Advisories = advisories(t, `{"id":"T-1","affected":[{"package":{"ecosystem":"npm","name":"tide-tables-mcp"}}]}`)
			},
			want: "launch/known-bad tide-tables-mcp .mcp.json:3:64 refused", lint: report.Failure,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := review(t, trees(t, tt.files), tt.tune)
			if got := launched(r); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
			if got := r.LintCheckRun(); got.Conclusion != tt.lint {
				t.Errorf("%s (%s), want %s", got.Conclusion, got.Title, tt.lint)
			}
		})
	}
}

func advisories(t *testing.T, records string) *advisory.List {
	t.Helper()
	path := filepath.Join(t.TempDir(), "records.json")
	if err := os.WriteFile(path, []byte(records), 0o600); err != nil {
		t.Fatal(err)
	}
	list := &advisory.List{}
	if err := list.Add(path); err != nil {
		t.Fatal(err)
	}
	return list
}

// What the base launches too is known, whether or not the server can be asked;
// another package is new.
func TestLaunchFindingsOfTheBaseAreKnown(t *testing.T) {
	t.Parallel()
	failOn := `{"failOn": "warning"}`
	locked := lockOf(t, "tides", good)
	for name, tt := range map[string]struct {
		files map[string]string
		want  string
	}{
		"the same": {
			files: map[string]string{"head/.mcp.json": entry(unpinnedEntry), "base/.mcp.json": entry(unpinnedEntry), "policy/.mcp-lint.json": failOn},
			want:  "1 known",
		},
		"another tag of the same": {
			files: map[string]string{"head/.mcp.json": entry(`"-y", "tide-tables-mcp@next"`), "base/.mcp.json": entry(unpinnedEntry), "policy/.mcp-lint.json": failOn},
			want:  "1 known",
		},
		"another package": {
			files: map[string]string{"head/.mcp.json": entry(`"-y", "other"`), "base/.mcp.json": entry(unpinnedEntry), "policy/.mcp-lint.json": failOn},
			want:  "0 known, new tides/launch/unpinned",
		},
		"no such server before": {
			files: map[string]string{"head/.mcp.json": entry(unpinnedEntry), "base/README": "x", "policy/.mcp-lint.json": failOn},
			want:  "0 known, new tides/launch/unpinned",
		},
		"a locked server": {
			files: map[string]string{"head/.mcp.json": entry(unpinnedEntry), "head/mcp-lint.lock": locked, "base/.mcp.json": entry(unpinnedEntry), "base/mcp-lint.lock": locked},
			want:  "1 known",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := review(t, trees(t, tt.files), nil)
			if got := baseline(r); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}
