package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/lockfile"
)

// sarifDoc is what the tests read of a document.
type sarifDoc struct {
	Schema  string `json:"$schema"`
	Version string
	Runs    []struct {
		Tool struct {
			Driver struct {
				Name, Version, InformationURI string
				Rules                         []sarifRule
			}
		}
		AutomationDetails *struct{ ID string }
		ColumnKind        string
		Invocations       []struct {
			ExecutionSuccessful        bool
			ToolExecutionNotifications []struct {
				Level   string
				Message struct{ Text string }
			}
		}
		Results []sarifResult
	}
}

type sarifRule struct {
	ID, Name, HelpURI                 string
	ShortDescription, FullDescription struct{ Text string }
	Help                              struct{ Text, Markdown string }
	DefaultConfiguration              struct{ Level string }
	Properties                        map[string]any
}

type sarifResult struct {
	RuleID    string
	RuleIndex int
	Level     string
	Message   struct{ Text string }
	Locations []struct {
		PhysicalLocation struct {
			ArtifactLocation struct{ URI string }
			Region           struct{ StartLine, StartColumn int }
		}
	}
	PartialFingerprints map[string]string
	Suppressions        []struct{ Kind, Status, Justification string }
}

func writeSARIF(t *testing.T, r *report.Report, o report.SARIFOptions) (string, sarifDoc) {
	t.Helper()
	var b bytes.Buffer
	if err := report.WriteSARIF(&b, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String(), readSARIF(t, b.Bytes())
}

func readSARIF(t *testing.T, data []byte) (doc sarifDoc) {
	t.Helper()
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatalf("%v in\n%s", err, data)
	}
	if len(doc.Runs) != 1 {
		t.Fatalf("%d runs, want 1", len(doc.Runs))
	}
	return doc
}

var testRules = []linter.Rule{
	{
		ID: "injection/hidden-unicode", Codes: []string{"S8", "a", "b", "c", "d", "e", "f", "g", "h", "i"}, Title: "Hidden characters", Why: strings.Repeat("They hide. ", 200),
		Bad: "{\n  \"a\": \"```\"\n}", Good: "{}", Severity: linter.Severities{Recommended: severity.Error}, SecuritySeverity: 8.5,
		References: []string{"https://www.unicode.org/reports/tr36/"},
	},
	{ID: "schema/root-type", Title: "Root is no object.", Why: "Clients reject it", Severity: linter.Severities{Agents: severity.Warning}},
	{ID: "schema/root-type", Title: "again"},
}

func TestSARIFHasWhatGitHubDemands(t *testing.T) {
	t.Parallel()
	text, doc := writeSARIF(t, &hostileReview().Report, report.SARIFOptions{
		Category: "mcp-lint/app/", Rules: testRules, IncludeSuppressed: true, Indent: true, LockPath: "mcp-lint.lock",
	})
	golden(t, "sarif.golden", text)
	if strings.Contains(text, "null") {
		t.Error("a null in the document")
	}
	run := doc.Runs[0]
	if doc.Version != "2.1.0" || run.Tool.Driver.Name != "mcp-lint" || run.AutomationDetails.ID != "mcp-lint/app/" || run.ColumnKind != "utf16CodeUnits" {
		t.Errorf("head: %+v %+v", doc.Version, run.AutomationDetails)
	}
	ids := map[string]bool{}
	for _, r := range run.Tool.Driver.Rules {
		if ids[r.ID] {
			t.Errorf("rule %s twice", r.ID)
		}
		ids[r.ID] = true
		if n := len([]rune(r.ShortDescription.Text)); n == 0 || n > 1024 {
			t.Errorf("%s: short description of %d", r.ID, n)
		}
		if n := len([]rune(r.FullDescription.Text)); n == 0 || n > 1024 {
			t.Errorf("%s: full description of %d", r.ID, n)
		}
		if r.Name == "" || len(r.Name) > 255 || r.Help.Text == "" || r.Help.Markdown == "" || r.DefaultConfiguration.Level == "" {
			t.Errorf("%s: something is missing: %+v", r.ID, r)
		}
		if tags := r.Properties["tags"].([]any); len(tags) == 0 || len(tags) > 10 {
			t.Errorf("%s: %d tags", r.ID, len(tags))
		}
		if _, security := r.Properties["security-severity"]; security != (r.ID == "injection/hidden-unicode") {
			t.Errorf("%s: security-severity %v", r.ID, security)
		}
	}
	for _, r := range run.Results {
		if run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID {
			t.Errorf("%s: rule index %d is %s", r.RuleID, r.RuleIndex, run.Tool.Driver.Rules[r.RuleIndex].ID)
		}
		if len(r.Locations) != 1 {
			t.Fatalf("%s: %d locations", r.RuleID, len(r.Locations))
		}
		at := r.Locations[0].PhysicalLocation
		if at.ArtifactLocation.URI == "" || strings.HasPrefix(at.ArtifactLocation.URI, "/") || at.Region.StartLine < 1 {
			t.Errorf("%s: place %+v", r.RuleID, at)
		}
		if !strings.Contains(r.PartialFingerprints["primaryLocationLineHash"], ":") {
			t.Errorf("%s: fingerprint %v", r.RuleID, r.PartialFingerprints)
		}
		if strings.Contains(r.Message.Text, "](") || r.Level == "" {
			t.Errorf("%s: %s %q", r.RuleID, r.Level, r.Message.Text)
		}
	}
	if len(run.Results) != 5+6 {
		t.Errorf("%d results, want 5 findings and 6 lock changes", len(run.Results))
	}
}

func TestSARIFOfNothingHasAnEmptyList(t *testing.T) {
	t.Parallel()
	text, doc := writeSARIF(t, &report.Report{}, report.SARIFOptions{})
	if !strings.Contains(text, `"results":[]`) || !strings.Contains(text, `"rules":[]`) || strings.Contains(text, "automationDetails") {
		t.Errorf("got %s", text)
	}
	if !doc.Runs[0].Invocations[0].ExecutionSuccessful {
		t.Error("nothing failed, but the run says so")
	}
}

func TestSARIFSuppressions(t *testing.T) {
	t.Parallel()
	r := &hostileReview().Report
	count := func(o report.SARIFOptions) (n int) {
		_, doc := writeSARIF(t, r, o)
		for _, res := range doc.Runs[0].Results {
			if res.RuleID != "compat/format" {
				continue
			}
			n++
			if s := res.Suppressions; len(s) != 1 || s[0].Kind != "external" || s[0].Justification != "client not supported" {
				t.Errorf("suppressions %+v", s)
			}
		}
		return n
	}
	if n := count(report.SARIFOptions{}); n != 0 {
		t.Error("an upload holds a suppressed finding")
	}
	if n := count(report.SARIFOptions{IncludeSuppressed: true}); n != 1 {
		t.Errorf("%d suppressed findings in a file, want 1", n)
	}
}

func TestSARIFPlaces(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"":                       ".mcp-lint.json",
		"-":                      ".mcp-lint.json",
		".mcp.json":              ".mcp.json",
		"./a/../b.json":          "b.json",
		`conf\my servers\a.json`: "conf/my%20servers/a.json",
		"a:b#c?d%.json":          "a%3Ab%23c%3Fd%25.json",
		"日/é.json":               "%E6%97%A5/%C3%A9.json",
		"/repo/sub/a b.json":     "sub/a%20b.json",
		"/repository/a.json":     ".mcp-lint.json",
		"/tmp/a b.json":          ".mcp-lint.json",
		`C:\x\y.json`:            ".mcp-lint.json",
		"../a.json":              ".mcp-lint.json",
		"a/../../b.json":         ".mcp-lint.json",
		"..a.json":               "..a.json",
		"https://a.example/b?c":  "https%3A/a.example/b%3Fc",
		"npx -y a-server":        "npx%20-y%20a-server",
	} {
		r := cleanReview()
		f := finding("a/b", severity.Info, tool("x"), "m")
		f.Location = at(file, 0, 0)
		r.Report.Servers[0].Findings = []linter.Finding{f}
		_, doc := writeSARIF(t, &r.Report, report.SARIFOptions{Root: "/repo/"})
		p := doc.Runs[0].Results[0].Locations[0].PhysicalLocation
		if p.ArtifactLocation.URI != want || p.Region.StartLine != 1 {
			t.Errorf("%q: %s line %d, want %s line 1", file, p.ArtifactLocation.URI, p.Region.StartLine, want)
		}
	}
}

func TestSARIFTellsIdenticalResultsOnce(t *testing.T) {
	t.Parallel()
	r := cleanReview()
	f := finding("a/b", severity.Info, tool("x"), "m")
	other := f
	other.Message = "same fingerprint, other words"
	r.Report.Servers[0].Findings = []linter.Finding{f, f, other}
	_, doc := writeSARIF(t, &r.Report, report.SARIFOptions{})
	got := doc.Runs[0].Results
	if len(got) != 2 {
		t.Fatalf("%d results, want 2", len(got))
	}
	for i, want := range []string{f.Fingerprint + ":1", f.Fingerprint + ":2"} {
		if fp := got[i].PartialFingerprints["primaryLocationLineHash"]; fp != want {
			t.Errorf("fingerprint %s, want %s", fp, want)
		}
	}
}

// An alert must stay the same alert when the words change again.
func TestSARIFLockFingerprintIsNotOfTheText(t *testing.T) {
	t.Parallel()
	fingerprint := func(edit func(*lockfile.Change)) string {
		r := cleanReview()
		c := change("description_changed", severity.Error, tool("x"), "m")
		edit(&c)
		r.Report.Servers[0].Lock.Changes = []lockfile.Change{c}
		_, doc := writeSARIF(t, &r.Report, report.SARIFOptions{})
		return doc.Runs[0].Results[0].PartialFingerprints["primaryLocationLineHash"]
	}
	first := fingerprint(func(*lockfile.Change) {})
	if fingerprint(func(c *lockfile.Change) { c.Message, c.After = "other", "other" }) != first {
		t.Error("depends on the text")
	}
	if fingerprint(func(c *lockfile.Change) { c.Path = "/description" }) == first || fingerprint(func(c *lockfile.Change) { c.Entity = tool("y") }) == first {
		t.Error("does not depend on the place")
	}
}

func TestSARIFKeepsTheWorstOfTooMany(t *testing.T) {
	t.Parallel()
	r := cleanReview()
	for i := range 5200 {
		level := severity.Info
		if i >= 5190 {
			level = severity.Error
		}
		r.Report.Servers[0].Findings = append(r.Report.Servers[0].Findings, finding("a/b", level, tool(fmt.Sprint(i)), "m"))
	}
	_, doc := writeSARIF(t, &r.Report, report.SARIFOptions{})
	run := doc.Runs[0]
	if len(run.Results) != 5000 || run.Results[9].Level != "error" || run.Results[10].Level != "note" {
		t.Errorf("%d results, the tenth is %s", len(run.Results), run.Results[9].Level)
	}
	const said = "201 less serious results were left out: GitHub keeps 5,000 of one run."
	notes := run.Invocations[0].ToolExecutionNotifications
	if len(notes) != 1 || notes[0].Message.Text != said {
		t.Errorf("notifications %+v", notes)
	}
	if last := run.Results[4999]; last.RuleID != "mcp-lint/results-cut" || last.Level != "note" || !strings.HasSuffix(last.Message.Text, said) {
		t.Errorf("the last result is %+v", last)
	}
}

func TestSARIFSaysWhatWasNotChecked(t *testing.T) {
	t.Parallel()
	_, doc := writeSARIF(t, &hostileReview().Report, report.SARIFOptions{})
	inv := doc.Runs[0].Invocations[0]
	if inv.ExecutionSuccessful || len(inv.ToolExecutionNotifications) != 1 || !strings.Contains(inv.ToolExecutionNotifications[0].Message.Text, "Server docs was not checked") {
		t.Errorf("invocation %+v", inv)
	}
}

func TestReviewSARIFPointsLockChangesAtTheLock(t *testing.T) {
	t.Parallel()
	r := hostileReview()
	r.Lock.Places = []report.Place{{Key: "files`|<b>", Entity: tool("a"), Location: at("mcp-lint.lock", 40, 9)}}
	var b bytes.Buffer
	if err := r.WriteSARIF(&b, report.SARIFOptions{}); err != nil {
		t.Fatal(err)
	}
	lines := map[string]int{}
	for _, res := range readSARIF(t, b.Bytes()).Runs[0].Results {
		at := res.Locations[0].PhysicalLocation
		if strings.HasPrefix(res.RuleID, "lock/") {
			if at.ArtifactLocation.URI != "mcp-lint.lock" {
				t.Errorf("%s is at %s", res.RuleID, at.ArtifactLocation.URI)
			}
			lines[strings.SplitAfter(res.Message.Text, ":")[0]] = at.Region.StartLine
		}
	}
	if lines["tool a:"] != 40 || lines["tool export:"] != 12 || lines["tool b:"] != 1 {
		t.Errorf("lines %v", lines)
	}
}
