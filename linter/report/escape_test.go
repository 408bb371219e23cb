package report

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
	"github.com/mcp-lint/mcp-lint/lockfile"
)

func TestProse(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain words, 3.5 %":         "plain words, 3.5 %",
		"ask @octocat":               "ask @ octocat",
		"see #12 and a/b#3":          `see # 12 and a/b# 3`,
		"GH-7":                       "GH- 7",
		"<b> & </b>":                 "&lt;b&gt; &amp; &lt;/b&gt;",
		"[a](http://x.example)":      `\[a\]\(http: //x.example)`,
		"www.example.com":            "www. example.com",
		"a :tada: b":                 "a : tada: b",
		"f.json:2:1: x :100: y":      "f.json:2:1: x : 100: y",
		"tool:export":                "tool:export",
		"- list":                     `\- list`,
		"1. one":                     `1\. one`,
		"2) two (and more)":          `2\) two (and more)`,
		"# head":                     `\# head`,
		"`x` *y* _z_ ~q~ $m$":        "\\`x\\` \\*y\\* \\_z\\_ \\~q\\~ &#36;m&#36;",
		"a\nb\u202Ec":                `a\\nb\\u{202E}c`,
		"\U000E0048\U000E0069 there": `\[U+E0048… 'Hi'\] there`,
		"x\U000E0041":                `x\[U+E0041 'A'\]`,
	} {
		if got := prose(in); got != want {
			t.Errorf("prose(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestCode(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"a":                      "`a`",
		"":                       "`(empty)`",
		"  ":                     "`(empty)`",
		"a`b":                    "``a`b``",
		"`":                      "`` ` ``",
		"a``b`":                  "``` a``b` ```",
		" a ":                    "`  a  `",
		"@octocat <b>":           "`@octocat <b>`",
		strings.Repeat("x", 301): "`" + strings.Repeat("x", 300) + "… (1 more character)`",
	} {
		if got := code(in); got != want {
			t.Errorf("code(%q) = %q, want %q", in, got, want)
		}
	}
}

var (
	fuzzMention = regexp.MustCompile(`@[\pL\pN_-]`)
	fuzzIssue   = regexp.MustCompile(`#\d|(?i:gh-\d)`)
	fuzzEmoji   = regexp.MustCompile(`:(100|1234|[0-9]*[A-Za-z_+-][A-Za-z0-9_+-]*):`) // of the codes, two are numbers
	unescaped   = regexp.MustCompile("(?:^|[^\\\\])(?:\\\\\\\\)*[`*_\\[\\]~]")
)

func FuzzEscapes(f *testing.F) {
	for _, s := range []string{
		"", "@a", "#1", "a](b)", "<x", "http://a", "www.a.b", "``` a", "`", "\\`", "\\\\@x", "GH-1", ":a:b:", "1. x", "---", "+ a", "= b",
		"\x1b[0m", "\u202e", "\U000E0041\U000E0040\U000E0062", "\xed\xa0\x80", "a\n```\n@b", "|x|\\|", "\\\\|", "\U000E0041|\u200b", "&lt;", "$a$", "@\u200ba", "::::", "::error::x", "###[[", " \u00a0::a,b=c::", ":0:", ":0:tada:", ":1234:5:", "wWw.wWw.",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p := prose(s)
		for _, bad := range []string{"<", ">", "](", "://", "\n", "\r", "\x1b", "\u202e", "\u200b"} {
			if strings.Contains(p, bad) {
				t.Errorf("prose(%q) = %q holds %q", s, p, bad)
			}
		}
		for _, re := range []*regexp.Regexp{fuzzMention, fuzzIssue, fuzzEmoji, unescaped} {
			if m := re.FindString(strings.ReplaceAll(p, "&#36;", "$")); m != "" {
				t.Errorf("prose(%q) = %q holds %q", s, p, m)
			}
		}
		if strings.Contains(strings.ToLower(p), "www.") && regexp.MustCompile(`(?i)www\.[^ ]`).MatchString(p) {
			t.Errorf("prose(%q) = %q holds an address", s, p)
		}

		c := code(s)
		n := len(c) - len(strings.TrimLeft(c, "`"))
		inner := c[n : len(c)-n]
		if strings.ContainsAny(c, "\n\r") || longestRun(inner, '`') >= n || !strings.HasSuffix(c, strings.Repeat("`", n)) {
			t.Errorf("code(%q) = %q can be left", s, c)
		}
		if cells := strings.Count(row(c, p), "|") - strings.Count(row(c, p), `\|`); cells != 3 {
			t.Errorf("row of %q has %d bars", s, cells)
		}
		if strings.Contains(row(c, p), `\\|`) {
			t.Errorf("row of %q has a bar that only some readers see: %s", s, row(c, p))
		}

		var command bytes.Buffer
		writeCommand(&command, &Annotation{Location: snapshot.Location{File: s, Line: 1}, Title: oneLine(s), Message: oneLine(s) + "\n" + oneLine(s)})
		properties, _, _ := strings.Cut(strings.TrimPrefix(command.String(), "::"), "::")
		if strings.Count(command.String(), "\n") != 1 || strings.Count(properties, ",") > 2 || strings.Contains(properties, ":") {
			t.Errorf("%q leaves its command: %q", s, command.String())
		}
		for line := range strings.Lines(string(inert([]byte(s)))) {
			if strings.HasPrefix(strings.TrimLeftFunc(line, unicode.IsSpace), "::") || strings.Contains(line, "##[") {
				t.Errorf("%q is a command still: %q", s, line)
			}
		}
		block := diffFence([]lockfile.Part{{Op: lockfile.Removed, Text: s}, {Op: lockfile.Added, Text: s}})
		open, rest, _ := strings.Cut(block, "\n")
		mark := strings.TrimSuffix(open, "diff")
		if !strings.HasSuffix(rest, mark+"\n") || strings.Contains(strings.TrimSuffix(rest, mark+"\n"), mark) {
			t.Errorf("fence of %q can be left: %q", s, block)
		}
		shown := ""
		for _, sp := range spansOf(s) {
			shown += sp.Text
			if sp.Text == "" {
				t.Errorf("%q has an empty span", s)
			}
		}
		if shown != oneLine(s) && !strings.Contains(s, `\u{E00`) { // which oneLine takes for its own
			t.Errorf("spans of %q show %q, want %q", s, shown, oneLine(s))
		}
		if once := oneLine(s); oneLine(once) != once {
			t.Errorf("oneLine(%q) is not stable: %q", s, once)
		}
	})
}
