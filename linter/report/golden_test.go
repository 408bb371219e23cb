package report_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/linter/report"
)

func TestMarkdownReport(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := report.WriteMarkdown(&b, &hostileReview().Report); err != nil {
		t.Fatal(err)
	}
	golden(t, "markdown.golden", b.String())
	harmless(t, b.String())
}

func TestCheckRuns(t *testing.T) {
	t.Parallel()
	r := hostileReview()
	for name, run := range map[string]report.CheckRun{"checkrun-lint.golden": r.LintCheckRun(), "checkrun-lock.golden": r.LockCheckRun()} {
		var b strings.Builder
		fmt.Fprintf(&b, "%s: %s: %s\n\n%s", run.Name, run.Conclusion, run.Title, run.Summary)
		for _, a := range run.Annotations {
			fmt.Fprintf(&b, "\n%s:%d:%d %s %s\n%s\n", a.Location.File, a.Location.Line, a.Location.Column, a.Severity, a.Title, a.Message)
		}
		golden(t, name, b.String())
		harmless(t, run.Summary)
	}
}

// Merging accepts one thing; a live server differs in another. A reader must
// not take one for the other.
func TestAcceptedAndLiveChangesNeverMix(t *testing.T) {
	t.Parallel()
	r := hostileReview()
	r.Lock.Accepted[0].Changes[0].Message = "ACCEPTED"
	for i := range r.Report.Servers[0].Lock.Changes {
		r.Report.Servers[0].Lock.Changes[i].Message = "LIVE"
	}
	summary := r.LockCheckRun().Summary
	accepted, live, found := strings.Cut(summary, "### Live servers differ from the lock")
	if !found || !strings.Contains(accepted, "### Merging accepts") {
		t.Fatalf("sections are missing:\n%s", summary)
	}
	if strings.Contains(accepted, "LIVE") || strings.Contains(live, "ACCEPTED") {
		t.Errorf("a change is in the wrong section:\n%s", summary)
	}
}

func TestMessagesKeepTheirCode(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"new parameter `a_b` of `c`": "new parameter `a_b` of `c`",
		"`a``b`":                     "`a` `b`",
		"``":                         "\\`\\`",
		"one ` only @octocat":        "one \\` only @ octocat",
		"`a` - `<b>` @octocat":       "`a` - `<b>` @ octocat",
	} {
		if got := report.Message(in); got != want {
			t.Errorf("%q gives %q, want %q", in, got, want)
		}
	}
}

func FuzzMessages(f *testing.F) {
	for _, s := range []string{"`a``b`", "``", "`", "a `@b` @c", "x`](`y", "`a`@octocat", "\\`a`", "` ` `", "```a```", mention + ticks, markup + bidi} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		md := report.Message(s)
		if strings.Contains(md, "\n") || strings.Contains(withoutSpans(md), "<unbalanced>") {
			t.Errorf("%q gives %q", s, md)
		}
		harmless(t, md)
	})
}

// Text that a terminal or GitHub would obey must not be in any Markdown.
func harmless(t *testing.T, md string) {
	t.Helper()
	for _, r := range md {
		if r < ' ' && r != '\n' || r == 0x202E || r == 0x200B || r >= 0xE0000 && r <= 0xE007F {
			t.Errorf("raw %U", r)
		}
	}
	prose := outsideCode(md)
	for _, own := range []string{"<details>", "<summary>", "</summary>", "</details>", "<br>", "<!-- ", " -->", `<a href="https://bot.example/run/1">`, "</a>"} {
		prose = strings.ReplaceAll(prose, own, "")
	}
	prose = strings.ReplaceAll(prose, "&#36;", "¤")
	for _, bad := range []string{"<", "@octocat", "@acme", "@evil", "](", "://", "#12", "#3", "#56", "GH-34", ":tada:", "**bold**", "$x"} {
		if strings.Contains(prose, bad) {
			t.Errorf("outside of code: %q in\n%s", bad, prose)
		}
	}
}

// outsideCode removes code spans and blocks as CommonMark finds them.
func outsideCode(md string) string {
	var out strings.Builder
	block := ""
	for line := range strings.Lines(md) {
		line = strings.TrimSuffix(line, "\n")
		run := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case block != "":
			if len(run) >= len(block) && strings.TrimSpace(line) == run {
				block = ""
			}
		case len(run) >= 3 && !strings.Contains(line[len(run):], "`"):
			block = run
		default:
			out.WriteString(withoutSpans(line) + "\n")
		}
	}
	if block != "" {
		out.WriteString("<unclosed block>")
	}
	return out.String()
}

func withoutSpans(line string) string {
	var out strings.Builder
	for i := 0; i < len(line); {
		if line[i] == '\\' && i+1 < len(line) {
			out.WriteString(line[i : i+2])
			i += 2
			continue
		}
		if line[i] != '`' {
			out.WriteByte(line[i])
			i++
			continue
		}
		n := 1
		for i+n < len(line) && line[i+n] == '`' {
			n++
		}
		end := closing(line, i+n, n)
		if end < 0 {
			out.WriteString("<unbalanced>")
			i += n
			continue
		}
		out.WriteString("CODE")
		i = end
	}
	return out.String()
}

// closing finds the end of a run of exactly n backticks.
func closing(line string, from, n int) int {
	for i := from; i < len(line); {
		if line[i] != '`' {
			i++
			continue
		}
		run := 1
		for i+run < len(line) && line[i+run] == '`' {
			run++
		}
		if run == n {
			return i + run
		}
		i += run
	}
	return -1
}
