package audit

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/linter/report"
)

const short = `[{"name":"find_tides","description":"Finds the tides of a harbour.","inputSchema":{"type":"object","properties":{}},"annotations":{"readOnlyHint":true}}]`

// baseline is what a review says about known and fixed findings, and which
// findings are new.
func baseline(r *report.Review) string {
	var b strings.Builder
	if r.Report.Baseline == nil {
		return "no comparison"
	}
	fmt.Fprintf(&b, "%d known", r.Report.Baseline.Known)
	for _, f := range r.Report.Baseline.Fixed {
		fmt.Fprintf(&b, ", fixed %s/%s", f.Key, f.Rule)
	}
	for _, s := range r.Report.Servers {
		for _, f := range s.Findings {
			if f.New && f.Suppressed == nil {
				fmt.Fprintf(&b, ", new %s/%s", s.Key, f.Rule)
			}
		}
	}
	return b.String()
}

func TestComparisonWithTheBase(t *testing.T) {
	t.Parallel()
	hash := sha256.Sum256([]byte("Finds the tides of a harbour."))
	const two = `{"servers": {"tides": {"from": "tools.json"}, "more": {"from": "more.json"}}}`
	for _, tt := range []struct {
		name  string
		files map[string]string
		tune  func(*Engine, *Request)
		want  string
	}{
		{
			name: "without a base", want: "no comparison",
			files: map[string]string{"head/.mcp-lint.json": savedServer, "head/tools.json": bad},
		},
		{
			name: "what the head mends is fixed", want: "0 known, fixed tides/description/missing",
			files: map[string]string{
				"head/.mcp-lint.json": savedServer, "head/tools.json": good,
				"base/.mcp-lint.json": savedServer, "base/tools.json": bad},
		},
		{
			name: "a server that only the head has is new, one that only the base has is not fixed",
			want: "0 known, new more/description/missing",
			files: map[string]string{
				"head/.mcp-lint.json": `{"servers": {"more": {"from": "more.json"}}}`, "head/more.json": bad,
				"base/.mcp-lint.json": savedServer, "base/tools.json": bad},
		},
		{
			name: "one that cannot be collected has fixed nothing", want: "1 known",
			files: map[string]string{
				"head/.mcp-lint.json": two, "head/tools.json": bad, "head/more.json": "{",
				"base/.mcp-lint.json": two, "base/tools.json": bad, "base/more.json": bad},
		},
		{
			name: "a rule that the trusted configuration turns off has fixed nothing", want: "0 known",
			files: map[string]string{
				"head/.mcp-lint.json": savedServer, "head/tools.json": good, "policy/.mcp-lint.json": `{"rules": {"description/missing": "off"}}`,
				"base/.mcp-lint.json": savedServer, "base/tools.json": bad},
		},
		{
			name: "a suppression that is bound to a text ends with it", want: "1 known, new tides/description/too-short",
			files: map[string]string{
				"head/.mcp-lint.json": savedServer, "head/tools.json": strings.Replace(short, "harbour", "port", 1),
				"base/.mcp-lint.json": savedServer, "base/tools.json": short,
				"policy/.mcp-lint.json": fmt.Sprintf(`{"suppress": [{"rule": "description/too-short", "reason": "read it", "textSha256": "%x"}]}`, hash)},
		},
		{
			// Only the base branch can mend its configuration.
			name: "what is wrong with the configuration is known", want: "2 known",
			files: map[string]string{
				"head/.mcp-lint.json": savedServer, "head/tools.json": good, "base/.mcp-lint.json": savedServer, "base/tools.json": good,
				"policy/.mcp-lint.json": `{"suppress": [{"rule": "description/missing", "reason": "r"}, {"rule": "description/missing", "server": "gone", "reason": "r"}]}`},
		},
		{
			name: "and it is said where there is nothing to compare with", want: "no comparison",
			files: map[string]string{
				"head/.mcp-lint.json": `{"servers": {"tides": {"from": "tools.json"}}, "suppress": [{"rule": "description/missing", "server": "gone", "reason": "r"}]}`,
				"head/tools.json":     good},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			rv := review(t, trees(t, tt.files), tt.tune)
			if got := baseline(rv); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if tt.name == "and it is said where there is nothing to compare with" {
				f := rv.Report.Servers[0].Findings
				if len(f) != 1 || f[0].Message != `suppress[0] (description/missing) silences nothing: there is no server "gone"` {
					t.Errorf("%+v", f)
				}
			}
		})
	}
}

// A base that cannot be asked makes everything new, and that is told.
func TestBaseThatCannotBeAskedIsTold(t *testing.T) {
	t.Parallel()
	var told []string
	files := map[string]string{
		"head/.mcp-lint.json": savedServer, "head/tools.json": bad,
		"base/.mcp-lint.json": savedServer, "base/tools.json": "{"}
	rv := review(t, trees(t, files), func(e *Engine, r *Request) {
		e.Warn = func(line string) { told = append(told, line) }
		r.BaseName = "main"
	})
	if len(told) != 1 || !strings.HasPrefix(told[0], "tides: that of the base cannot be asked, so all findings are new: tools.json:1:") {
		t.Errorf("told %q", told)
	}
	if got := baseline(rv); got != "0 known, new tides/description/missing" || rv.Report.Baseline.Source != "main" {
		t.Errorf("%s since %s", got, rv.Report.Baseline.Source)
	}
}

// An earlier report stands for the base, and counts with everything else that
// a review says.
func TestEarlierReport(t *testing.T) {
	t.Parallel()
	dir := trees(t, map[string]string{"head/.mcp-lint.json": savedServer, "head/tools.json": bad})
	earlier := review(t, dir, nil).Report
	rv := review(t, dir, func(_ *Engine, r *Request) { r.Earlier, r.BaseName = &earlier, "base.json" })
	lint := rv.LintCheckRun()
	if baseline(rv) != "1 known" || lint.Conclusion != report.Success || lint.Title != "No new findings (known: 1 error)" || !rv.Report.Summary.Passed {
		t.Errorf("%s, %s: %s", baseline(rv), lint.Conclusion, lint.Title)
	}
	if !strings.Contains(lint.Summary, "(1 known)") {
		t.Errorf("summary:\n%s", lint.Summary)
	}
}

// C100: a pull request from a fork turns all rules off and adds a command. The
// configuration of the base counts, and the command is not run.
func TestC100Fork(t *testing.T) {
	t.Parallel()
	var c struct {
		Fork    bool     `json:"head_repo_fork"`
		Changes []string `json:"head_changes"`
	}
	data, err := os.ReadFile("testdata/cases/C100-fork.json")
	if err == nil {
		err = json.Unmarshal(data, &c)
	}
	if want := []string{".mcp-lint.json turns all rules off", ".mcp.json adds command: bash -c id"}; err != nil || !c.Fork || !slices.Equal(c.Changes, want) {
		t.Fatalf("%v, %+v", err, c)
	}
	off := map[string]string{}
	for _, id := range Known().Rules {
		off[id] = "off"
	}
	rules, err := json.Marshal(off)
	if err != nil {
		t.Fatal(err)
	}
	ran := filepath.Join(t.TempDir(), "ran")
	command, err := json.Marshal([]string{"-c", "id >" + ran})
	if err != nil {
		t.Fatal(err)
	}
	dir := trees(t, map[string]string{
		"head/.mcp-lint.json": `{"rules": ` + string(rules) + `, "servers": {"tides": {"from": "tools.json"}}}`, "head/tools.json": bad,
		"head/.mcp.json":        `{"mcpServers": {"evil": {"command": "bash", "args": ` + string(command) + `}}}`,
		"base/tools.json":       good,
		"policy/.mcp-lint.json": `{}`, // the base branch's
	})
	rv := review(t, dir, func(_ *Engine, r *Request) { r.Static = true })
	if _, err := os.Stat(ran); err == nil {
		t.Error("the fork's command was run")
	}
	keys := map[string]bool{}
	for _, s := range rv.Report.Servers {
		keys[s.Key] = s.Error != nil
	}
	if notChecked, found := keys["evil"]; !found || !notChecked {
		t.Errorf("servers %v: expected evil, not checked", keys)
	}
	if lint := rv.LintCheckRun(); lint.Conclusion != report.Failure {
		t.Errorf("%s: %s", lint.Conclusion, lint.Title)
	}
	if !strings.Contains(strings.Join(rv.Pending, "\n"), "rules: description/missing: as the preset has it → off") {
		t.Errorf("pending: %q", rv.Pending)
	}
}
