package report_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

func writeGitHub(t *testing.T, r *report.Report, o report.GitHubOptions) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.WriteGitHub(&b, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// commandLines are the lines that a runner takes for commands, in either of its
// two spellings.
func commandLines(log string) (lines []string) {
	for line := range strings.Lines(log) {
		if strings.HasPrefix(strings.TrimLeftFunc(line, unicode.IsSpace), "::") || strings.Contains(line, "##[") {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	return lines
}

func TestGitHubAnnotations(t *testing.T) {
	t.Parallel()
	log := writeGitHub(t, &hostileReview().Report, report.GitHubOptions{})
	golden(t, "github.golden", log)
	if strings.ContainsAny(log, "\x1b\r\a\u202e\u200b") || strings.ContainsRune(log, 0xE0041) {
		t.Error("raw control or hidden character")
	}
}

func TestGitHubCommandsAreEscaped(t *testing.T) {
	t.Parallel()
	r := cleanReview()
	f := finding("a/b", severity.Warning, tool("x,y:z%0A"), "100% of a\nb: c, d")
	f.Fix, f.Location = "Mend it.", at("dir,a/b:c%.json", 3, 7)
	r.Report.Servers[0].Findings = []linter.Finding{f}
	want := "::warning file=dir%2Ca/b%3Ac%25.json,line=3,col=7,title=a/b in tool x%2Cy%3Az%250A::100%25 of a\\nb: c, d%0AFix: Mend it."
	if got := commandLines(writeGitHub(t, &r.Report, report.GitHubOptions{})); len(got) != 1 || got[0] != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// A live server has no file, and what has no name that can be shown is not named.
func TestGitHubAnnotationsWithoutAPlace(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"", "-", "a\nb.json", "\u202ea.json"} {
		r := cleanReview()
		f := finding("a/b", severity.Error, tool("x"), "m")
		f.Location = at(file, 2, 2)
		r.Report.Servers[0].Findings = []linter.Finding{f}
		if got := commandLines(writeGitHub(t, &r.Report, report.GitHubOptions{})); len(got) != 1 || got[0] != "::error title=a/b in tool x::m" {
			t.Errorf("%q: %q", file, got)
		}
	}
}

func TestGitHubSaysWhatItDoesNotShow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ errors, warnings, infos, shown, left int }{
		{10, 10, 9, 29, 0}, {10, 10, 10, 29, 1}, {30, 0, 0, 10, 20}, {0, 0, 9, 9, 0}, {12, 11, 200, 29, 194},
	} {
		r := cleanReview()
		add := func(l severity.Level, n int) {
			for i := range n {
				r.Report.Servers[0].Findings = append(r.Report.Servers[0].Findings, finding("a/b", l, tool(fmt.Sprint("t", i)), "m"))
			}
		}
		add(severity.Info, c.infos)
		add(severity.Error, c.errors)
		add(severity.Warning, c.warnings)
		known := finding("a/b", severity.Error, tool("known"), "m")
		known.New = false
		r.Report.Servers[0].Findings = append(r.Report.Servers[0].Findings, known)
		log := writeGitHub(t, &r.Report, report.GitHubOptions{})
		lines := commandLines(log)
		shown := len(lines)
		if c.left > 0 {
			shown--
			if last := lines[shown]; !strings.HasPrefix(last, fmt.Sprintf("::notice title=mcp-lint::%d more annotation", c.left)) {
				t.Errorf("%+v: the last line is %s", c, last)
			}
		}
		if shown != c.shown || c.errors > 0 && !strings.HasPrefix(lines[0], "::error ") {
			t.Errorf("%+v: %d annotations, the first is %s", c, shown, lines[0])
		}
		if strings.Count(log, "\n    x error    a/b") != c.errors+1 {
			t.Errorf("%+v: the report lacks errors:\n%s", c, log)
		}
	}
}

// In the log of a workflow the text of a server is no command, wherever the
// wrapping of the text puts it.
func TestLogsObeyNoServer(t *testing.T) {
	t.Parallel()
	for _, evil := range []string{
		"::error::x", "##[error]x", "\u00a0::add-mask::x", "\u3000::stop-commands::x",
		strings.Repeat("w ", 40) + "::set-output name=a::b " + strings.Repeat("::error::x ", 40), strings.Repeat("a", 76) + " ##[add-mask]b",
	} {
		r := hostileReview()
		s := &r.Report.Servers[0]
		s.Key, s.Server.Name = evil, evil
		s.Findings[0].Message, s.Findings[0].Fix, s.Findings[0].Path, s.Findings[0].Location = evil, evil, "", at(evil, 0, 0)
		s.Findings[1].Entity.Name = evil
		s.Findings[2].Rule = evil
		s.Scores.Tokens.Tools[0].Name = evil
		c := &s.Lock.Changes[3]
		c.Message, c.Before, c.After, c.Path = evil, evil, evil, evil
		r.Report.Servers[1].Key, r.Report.Servers[1].Error.Message = evil, evil
		r.Report.Baseline = &report.Baseline{Source: evil, Fixed: []report.FixedFinding{{Rule: evil, Entity: tool(evil)}}}
		r.Pending = []string{evil}
		for width := 40; width < 90; width += 3 {
			if got := commandLines(text(t, &r.Report, report.TextOptions{Width: width})); len(got) > 0 {
				t.Fatalf("%q, %d columns: %q", evil, width, got)
			}
		}
		var review strings.Builder
		if err := report.WriteReviewText(&review, r, report.TextOptions{}); err != nil {
			t.Fatal(err)
		}
		if got := commandLines(review.String()); len(got) > 0 {
			t.Fatalf("%q: %q", evil, got)
		}
		ours := 0
		for _, line := range commandLines(writeGitHub(t, &r.Report, report.GitHubOptions{})) {
			ours++
			if !strings.HasPrefix(line, "::error ") && !strings.HasPrefix(line, "::warning ") && !strings.HasPrefix(line, "::notice ") {
				t.Errorf("%q: %q", evil, line)
			}
			properties, _, _ := strings.Cut(line[2:], "::")
			if strings.Count(properties, "=") != strings.Count(properties, ",")+1 && strings.Count(evil, "=") == 0 {
				t.Errorf("%q: properties %q", evil, properties)
			}
		}
		if ours == 0 {
			t.Error("no annotations")
		}
	}
}

// The minimum severity hides annotations like lines of the text; both count.
func TestGitHubMinimumSeverity(t *testing.T) {
	t.Parallel()
	r := cleanReview()
	r.Report.Servers[0].Findings = []linter.Finding{
		finding("a/loud", severity.Warning, tool("x"), "m"), finding("a/quiet", severity.Info, tool("x"), "m"),
	}
	log := writeGitHub(t, &r.Report, report.GitHubOptions{MinSeverity: severity.Warning})
	if lines := commandLines(log); len(lines) != 1 || !strings.Contains(lines[0], "a/loud") {
		t.Errorf("annotations %q", lines)
	}
	if strings.Contains(log, "a/quiet") || !strings.Contains(log, "1 not shown") {
		t.Errorf("text:\n%s", log)
	}
}
