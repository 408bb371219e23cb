package report_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// openInput reads an input of the open cases: files that code scanning or its
// users have stumbled over.
func openInput(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "open", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

// C092: one result without a usable place costs the whole upload.
func TestOpenCaseLocations(t *testing.T) {
	t.Parallel()
	var input struct {
		Findings []struct {
			Topic, Server, File string
			Line                int
		}
	}
	openInput(t, "C092-sarif-locations.json", &input)
	r := &report.Report{Version: report.FormatVersion}
	for i, in := range input.Findings {
		f := finding(strings.ReplaceAll(in.Topic, ".", "/"), severity.Warning, snapshot.Ref{Kind: snapshot.KindServer, Name: in.Server}, "m")
		f.Location, f.Fingerprint = at(in.File, in.Line, 0), fmt.Sprint(i)
		r.Servers = append(r.Servers, report.Server{Key: in.Server, Findings: []linter.Finding{f}})
		// The key itself as the place: a command line, an address.
		f.Location.File, f.Fingerprint = in.Server, fmt.Sprint(i, "key")
		r.Servers[i].Findings = append(r.Servers[i].Findings, f)
	}
	text, doc := writeSARIF(t, r, report.SARIFOptions{})
	if got := len(doc.Runs[0].Results); got != 2*len(input.Findings) {
		t.Errorf("%d results", got)
	}
	if strings.Contains(text, "originalUriBaseIds") {
		t.Error("uses originalUriBaseIds")
	}
	for _, res := range doc.Runs[0].Results {
		if len(res.Locations) != 1 {
			t.Fatalf("%s has %d places", res.RuleID, len(res.Locations))
		}
		p := res.Locations[0].PhysicalLocation
		if uri := p.ArtifactLocation.URI; uri == "" || strings.ContainsAny(uri, ` :\`) || strings.HasPrefix(uri, "/") || p.Region.StartLine < 1 {
			t.Errorf("%s is at %q, line %d", res.RuleID, uri, p.Region.StartLine)
		}
	}
}

// checkUpload holds a document against what GitHub takes.
func checkUpload(t *testing.T, text string, doc sarifDoc) {
	t.Helper()
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if packed.Len() > 10_000_000 {
		t.Errorf("%d bytes compressed", packed.Len())
	}
	results := doc.Runs[0].Results
	if len(results) > 5000 {
		t.Errorf("%d results", len(results))
	}
	levels := []string{"error", "warning", "note"}
	if !slices.IsSortedFunc(results, func(a, b sarifResult) int {
		return slices.Index(levels, a.Level) - slices.Index(levels, b.Level)
	}) {
		t.Error("the worst are not the first")
	}
	last := results[len(results)-1]
	if last.RuleID != "mcp-lint/results-cut" || len(doc.Runs[0].Invocations[0].ToolExecutionNotifications) != 1 {
		t.Errorf("does not end with a word about the rest: %+v", last)
	}
	for _, c := range text {
		if c < ' ' && c != '\n' || c == 0x7F || c == 0x202E {
			t.Fatalf("raw %U", c)
		}
	}
}

// C101: many results, with characters that break viewers.
func TestOpenCaseSize(t *testing.T) {
	t.Parallel()
	var input struct {
		Tools        int
		FindingsEach int `json:"findings_each"`
		Description  string
	}
	openInput(t, "C101-sarif-size.json", &input)
	r := &cleanReview().Report
	for i := range input.Tools {
		for j := range input.FindingsEach {
			f := finding(fmt.Sprint("schema/rule-", j), severity.Levels()[j%3], tool(fmt.Sprint("tool_", i)), "the text is "+input.Description)
			r.Servers[0].Findings = append(r.Servers[0].Findings, f)
		}
	}
	text, doc := writeSARIF(t, r, report.SARIFOptions{Rules: testRules})
	checkUpload(t, text, doc)
	if n := strings.Count(text, `"help":`); n != len(doc.Runs[0].Tool.Driver.Rules) {
		t.Errorf("help is there %d times, of %d rules", n, len(doc.Runs[0].Tool.Driver.Rules))
	}
	if got := doc.Runs[0].Results[0].Message.Text; !strings.Contains(got, `a\u{ 7 }b\u{202E}c`) {
		t.Errorf("message %q", got)
	}
}

// Texts that no compression makes small.
func TestSARIFOfIncompressibleTexts(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	r := &cleanReview().Report
	noise := func(n int) string {
		rs := make([]rune, n)
		for i := range rs {
			rs[i] = 0x4E00 + rune(random.IntN(20_000)) // ideographs, which show themselves
		}
		return string(rs)
	}
	for i := range 2500 {
		f := finding("a/b", severity.Warning, tool(fmt.Sprint("tool_", i)), noise(2000))
		f.Fix, f.Fingerprint = noise(2000), fmt.Sprint(i)
		r.Servers[0].Findings = append(r.Servers[0].Findings, f)
	}
	text, doc := writeSARIF(t, r, report.SARIFOptions{})
	checkUpload(t, text, doc)
	if n := len(doc.Runs[0].Results); n < 1000 {
		t.Errorf("only %d results", n)
	}
	for _, res := range doc.Runs[0].Results {
		if len(res.Message.Text) > 20_000 {
			t.Fatalf("a message of %d bytes", len(res.Message.Text))
		}
	}
}

// The second seed's --sarif-uri.
func TestSARIFWithAnotherFile(t *testing.T) {
	t.Parallel()
	_, doc := writeSARIF(t, &hostileReview().Report, report.SARIFOptions{URI: "src/my server.ts", LockPath: "mcp-lint.lock"})
	for _, res := range doc.Runs[0].Results {
		want := "src/my%20server.ts"
		if strings.HasPrefix(res.RuleID, "lock/") {
			want = "mcp-lint.lock"
		}
		if p := res.Locations[0].PhysicalLocation; p.ArtifactLocation.URI != want || p.Region.StartLine != 1 || p.Region.StartColumn != 0 {
			t.Errorf("%s is at %+v", res.RuleID, p)
		}
	}
}

// A file that is not in the repository is named where results have no room.
func TestSARIFNamesFilesOutside(t *testing.T) {
	t.Parallel()
	r := cleanReview()
	f := finding("a/b", severity.Info, tool("x"), "m")
	f.Location = at("/elsewhere/tools.json", 7, 3)
	r.Report.Servers[0].Findings = []linter.Finding{f}
	_, doc := writeSARIF(t, &r.Report, report.SARIFOptions{Root: "/repo"})
	notes := doc.Runs[0].Invocations[0].ToolExecutionNotifications
	if len(notes) != 1 || notes[0].Message.Text != "1 file is not in the repository (/elsewhere/tools.json): the results are at .mcp-lint.json." {
		t.Errorf("notifications %+v", notes)
	}
	if p := doc.Runs[0].Results[0].Locations[0].PhysicalLocation; p.Region.StartLine != 1 || p.Region.StartColumn != 0 {
		t.Errorf("the place keeps a line of another file: %+v", p)
	}
}

func TestSARIFHelpSaysWhatClientsDo(t *testing.T) {
	t.Parallel()
	_, doc := writeSARIF(t, &report.Report{}, report.SARIFOptions{Rules: pageRules})
	help := doc.Runs[0].Tool.Driver.Rules[1].Help
	if !strings.Contains(help.Markdown, "| client | what it does | since | source |\n| --- | --- | --- | --- |\n| Claude API | refuses the whole request | 2025-06 | <https://github.com/example/example/issues/1> |") {
		t.Errorf("Markdown: %s", help.Markdown)
	}
	if !strings.Contains(help.Text, "- Claude API refuses the whole request (since 2025-06): https://github.com/example/example/issues/1") {
		t.Errorf("text: %s", help.Text)
	}
}

// What is reported twice in every word, as of a file that was named twice, is
// one alert.
func TestSARIFTellsEqualResultsOnce(t *testing.T) {
	t.Parallel()
	r := cleanReview()
	f := finding("a/b", severity.Info, tool("x"), "m")
	r.Report.Servers[0].Findings = []linter.Finding{f}
	r.Report.Servers = append(r.Report.Servers, r.Report.Servers[0])
	other := f
	other.Fingerprint = strings.Repeat("f", 64)
	r.Report.Servers[1].Findings = []linter.Finding{f, other}
	_, doc := writeSARIF(t, &r.Report, report.SARIFOptions{})
	if got := len(doc.Runs[0].Results); got != 2 {
		t.Errorf("%d results; want 2", got)
	}
}
