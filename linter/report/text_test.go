package report_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

func TestTextReport(t *testing.T) {
	t.Parallel()
	r := &hostileReview().Report
	for name, o := range map[string]report.TextOptions{
		"text.golden":          {},
		"text-errors.golden":   {MinSeverity: severity.Error, Width: 60},
		"text-coloured.golden": {Color: true, MinSeverity: severity.Error},
	} {
		var b bytes.Buffer
		if err := report.WriteText(&b, r, o); err != nil {
			t.Fatal(err)
		}
		golden(t, name, b.String())
		plain := b.String()
		if o.Color {
			continue
		}
		if strings.ContainsAny(plain, "\x1b\r\a\u202e\u200b") || strings.ContainsRune(plain, 0xE0041) {
			t.Errorf("%s: raw control or hidden character", name)
		}
	}
}

func TestTextReportFitsTheWidth(t *testing.T) {
	t.Parallel()
	r := cleanReview()
	s := &r.Report.Servers[0]
	s.Server = report.ServerInfo{Name: strings.Repeat("日本", 90), Version: strings.Repeat("1.", 90), Transport: "streamable-http"}
	s.Scores.Tokens.Tools[0] = linter.ToolScore{Name: strings.Repeat("日", 90), Wasted: 1_234_567, Tokens: 1_234_567, Description: 1_234_567, Schema: 1_234_567}
	f := finding("description/too-short", severity.Warning, tool("a"), strings.Repeat("日本語 words ", 60))
	f.Fix = strings.Repeat("x", 300)
	f.Location = at(strings.Repeat("d/", 20)+"tools.json", 120, 17)
	r.Report.Servers[0].Findings = append(r.Report.Servers[0].Findings, f)
	var b bytes.Buffer
	if err := report.WriteText(&b, &r.Report, report.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		columns := 0
		for _, c := range strings.TrimSuffix(line, "\n") {
			columns++
			if c > 0x3000 {
				columns++
			}
		}
		if columns > 80 {
			t.Errorf("%d columns: %s", columns, line)
		}
	}
}

func TestTextReportOfAReview(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]*report.Review{"text-review.golden": hostileReview(), "text-review-clean.golden": cleanReview()} {
		var b bytes.Buffer
		if err := report.WriteReviewText(&b, r, report.TextOptions{}); err != nil {
			t.Fatal(err)
		}
		golden(t, name, b.String())
		if strings.ContainsAny(b.String(), "\x1b\r\a\u202e\u200b") || strings.ContainsRune(b.String(), 0xE0041) {
			t.Errorf("%s: raw control or hidden character", name)
		}
	}
}

func text(t *testing.T, r *report.Report, o report.TextOptions) string {
	t.Helper()
	var b strings.Builder
	if err := report.WriteText(&b, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTextReportSaysAFixOnce(t *testing.T) {
	t.Parallel()
	r := cleanReview()
	for _, name := range []string{"read", "write"} {
		f := finding("description/too-short", severity.Warning, tool(name), "short")
		f.Fix = "Say more."
		r.Report.Servers[0].Findings = append(r.Report.Servers[0].Findings, f)
	}
	if got := text(t, &r.Report, report.TextOptions{}); strings.Count(got, "fix: Say more.") != 1 || strings.Count(got, "  short\n") != 2 {
		t.Errorf("want one fix for both findings:\n%s", got)
	}
}

func TestTextReportClaimsOnlyWhatWasLookedAt(t *testing.T) {
	t.Parallel()
	lockOnly := cleanReview()
	lockOnly.Report.Servers[0].Scores = nil
	noTools := cleanReview()
	noTools.Report.Servers[0].Counts, noTools.Report.Servers[0].Scores.Tokens = report.Counts{}, linter.Tokens{Score: 100, Grade: "A"}
	notChecked := cleanReview()
	notChecked.Report.Servers = []report.Server{{Key: "gone", Error: &report.Error{Kind: report.ErrStart, Message: "no such file"}}}
	for name, c := range map[string]struct {
		review     *report.Review
		want, none string
	}{
		"compared only":    {lockOnly, "lock: no changes\n", "clean"},
		"no tools":         {noTools, "token cost not scored (no tools)\n", "clean"},
		"not checked":      {notChecked, "\n1 server not checked\n", "clean"},
		"linted, compared": {cleanReview(), "0 errors, 0 warnings, 0 info; 2/2 tools clean; lock: no changes\n", "not"},
	} {
		if got := text(t, &c.review.Report, report.TextOptions{}); !strings.Contains(got, c.want) || strings.Contains(got, c.none) {
			t.Errorf("%s: want %q and no %q in\n%s", name, c.want, c.none, got)
		}
	}
}

func TestTextReportSaysWhichScoreFails(t *testing.T) {
	t.Parallel()
	r := cleanReview()
	r.Report.Servers[0].Scores.Quality.Score = 65
	if got := text(t, &r.Report, report.TextOptions{Limits: report.Limits{MinScore: 70}}); !strings.Contains(got, "fails: quality 65 is under 70 (files)\n") {
		t.Errorf("the reason is missing:\n%s", got)
	}
}

func TestTextReportNamesAServerOnce(t *testing.T) {
	t.Parallel()
	r := cleanReview()
	r.Report.Servers[0].Server = report.ServerInfo{Name: "files", Version: "1.0", Transport: "stdio"}
	if got := text(t, &r.Report, report.TextOptions{}); !strings.HasPrefix(got, "files 1.0  stdio\n") {
		t.Errorf("got\n%s", got)
	}
}

func TestItemsThatTheMessageNamesAreNotRepeated(t *testing.T) {
	t.Parallel()
	r := cleanReview()
	f := finding("schema/missing-param-description", severity.Info, tool("read"), `2 parameters without description: "filter.owner", "page"`)
	f.Items = []linter.Item{{Subject: "owner", Path: "/a"}, {Subject: "page", Path: "/b"}}
	r.Report.Servers[0].Findings = []linter.Finding{f}
	if got := text(t, &r.Report, report.TextOptions{}); strings.Contains(got, "(owner") {
		t.Errorf("owner stands twice:\n%s", got)
	}
}

// A member inside of a tool is named with the tool, unless the message names that.
func TestMembersOfAServerAreNamedWithTheirTools(t *testing.T) {
	t.Parallel()
	r := cleanReview()
	f := finding("compat/type-list", severity.Warning, snapshot.Ref{Kind: snapshot.KindServer, Name: "files"}, `3 lists of types in 3 tools ("read" and 2 more)`)
	f.Items = []linter.Item{
		{Subject: "page", Path: "/tools/read/inputSchema/properties/page/type"},
		{Subject: "page", Path: "/tools/a~1b/inputSchema/properties/page/type"},
		{Path: "/tools/list/inputSchema/type"},
		{Subject: "move", Path: "/tools/move"},
	}
	r.Report.Servers[0].Findings = []linter.Finding{f}
	got := strings.Join(strings.Fields(text(t, &r.Report, report.TextOptions{})), " ")
	if want := "(a/b: page, list: /inputSchema/type, move)"; !strings.Contains(got, want) {
		t.Errorf("got\n%s\nwant %s", got, want)
	}
}

// Findings about clients are none of the score's business; a reader is told.
func TestScoresSayWhatTheyLeaveOut(t *testing.T) {
	t.Parallel()
	const note = "quality 100/100 (A), compat findings left out\n"
	r := cleanReview()
	f := finding("compat/tool-name", severity.Error, tool("read"), "m")
	r.Report.Servers[0].Findings = []linter.Finding{f}
	if got := text(t, &r.Report, report.TextOptions{}); !strings.Contains(got, note) {
		t.Errorf("want %q in\n%s", note, got)
	}
	r.Report.Servers[0].Findings[0].Suppressed = &linter.Suppressed{Reason: "x"}
	if got := text(t, &r.Report, report.TextOptions{}); strings.Contains(got, "left out") {
		t.Errorf("nothing is left out:\n%s", got)
	}
}
