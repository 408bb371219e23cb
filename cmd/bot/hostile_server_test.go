package main

import (
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/internal/githubtest"
	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// address is a target of the probe: host, port and what to say.
func address(web string) []any {
	u, err := url.Parse(web)
	if err != nil {
		panic(err)
	}
	port, err := strconv.Atoi(u.Port())
	if err != nil {
		panic(err)
	}
	return []any{u.Hostname(), port, "GET /healthz HTTP/1.0\r\n\r\n"}
}

// targets is what the probe is told to look for.
func (a *arena) targets() githubtest.Entry {
	metadata := "GET /latest/meta-data/ HTTP/1.0\r\n\r\n"
	text, err := json.Marshal(map[string]any{
		"hosts": []any{address(a.bot.url), address(a.gh.WebURL), []any{"169.254.169.254", 80, metadata}, []any{"fd00:ec2::254", 80, metadata}},
		"files": []string{
			filepath.Join(a.dir, "marker.txt"), filepath.Join(a.dir, "key.pem"), filepath.Join(a.dir, "secret"), filepath.Join(a.dir, "bot.db"),
			a.dir, "/etc/shadow", fmt.Sprintf("/proc/%d/environ", a.bot.Process.Pid), filepath.Join(a.dir, "app", "secret.txt"), "/sys/fs/cgroup",
		},
	})
	if err != nil {
		panic(err)
	}
	return githubtest.Entry{Content: text}
}

// markup are texts that must never come alive, wherever a server puts them.
var markup = []string{
	"<img src=x onerror=alert(1)>", "@octocat please merge", "[click](https://evil.example)", "`", "a`b``c```d", "x | y | z",
	"<!-- mcp-lint:comment -->\nResolved", "```\n## Fine\n@octocat\n```", "</details></summary><h1>", "<details><details><details>",
	"\u202egnp.exe", "\U000E0049\U000E0047\U000E004E", "\x1b[2Jx\x07\x00y\r\nz", "closes #1 GH-1 :tada: $x$ www.evil.example",
	"![](https://evil.example/beacon.png)", "{0} [a](1)", "https://evil.example/?q=", strings.Repeat("long ", 3000), "\u200b", "",
}

// serverAttacks are programs that misbehave when they are started.
func (a *arena) serverAttacks() []attack {
	runs := func(name string, lint, lock report.Conclusion, args ...string) attack {
		return attack{name: name, head: tree{".mcp-lint.json": launching(append([]string{"hostile.js"}, args...)...)}, lint: lint, lock: lock}
	}
	// impatient gives up on a program soon.
	impatient := func(name, behaviour, says string) attack {
		return attack{name: name, lint: unchecked, lock: unchecked, says: []string{says},
			head: tree{".mcp-lint.json": launchingFor(2, []string{"hostile.js", behaviour})}}
	}
	reach := runs("looks for everything", passes, fails, "reach")
	reach.open = func(a *arena, repo *githubtest.Repository) (*githubtest.PullRequest, error) {
		reach.head["targets.json"] = a.targets() // now the bot has an address
		return pull(repo, "hostile", reach.head)
	}
	reach.says = []string{"host_0_0", "file_0_0"}
	reach.never = []string{"ANSWER", "instance-id"}
	marks := runs("markup", fails, fails, "markup")
	text, err := json.Marshal(markup)
	if err != nil {
		a.t.Fatal(err)
	}
	marks.head["markup.json"] = githubtest.Entry{Content: text}
	says := func(at attack, parts ...string) attack {
		at.says = parts
		return at
	}
	return []attack{
		reach, marks,
		runs("hidden order", fails, fails, "hidden"),
		says(runs("endless line", unchecked, unchecked, "line"), "Not checked"),
		impatient("endless notifications", "messages", "got no answer in time"),
		impatient("requests to the client", "requests", "Not checked"),
		says(runs("endless pages", unchecked, unchecked, "pages"), "more than 1000"),
		says(runs("100,000 tools", unchecked, unchecked, "many"), "too much to report"),
		runs("50 MB description", fails, fails, "huge"),
		says(runs("stderr flood", unchecked, unchecked, "stderr"), `\[2J\\u{1B}`),
		runs("150 processes", passes, passes, "forks", a.token),
		runs("224 MB", passes, passes, "memory"),
		impatient("silence", "silent", "initialize got no answer in time"),
		says(runs("exits at once", unchecked, unchecked, "exit"), "exit code 0"),
		runs("grandchild that ignores signals", passes, passes, "daemon", a.token),
		runs("orphan that keeps the pipes", unchecked, unchecked, "orphan", a.token),
		impatient("wrong ids", "ids", "got no answer in time"),
	}
}

// ours is the only HTML that we write: the link is that of our own check run.
var ours = regexp.MustCompile(`</?details>|</?summary>|<br>|^<!-- mcp-lint:comment -->$` +
	`|^<a href="http://127\.0\.0\.1:\d+/[\w./-]+/runs/\d+">Full report</a>$`)

// alive is what GitHub's Markdown would act on.
var alive = regexp.MustCompile(`<|\]\(|@[\pL\pN_-]|#\d|(?i:gh-\d)|://|(?i:www\.\w)|:[A-Za-z_+-][A-Za-z0-9_+-]*:|:100:|:1234:|\$`)

// harmless checks one published text.
func (a *arena) harmless(t *testing.T, where, text string) {
	t.Helper()
	for what, secret := range a.secrets() {
		if strings.Contains(text, secret) {
			t.Errorf("%s holds %s", where, what)
		}
	}
	for _, path := range []string{regexp.QuoteMeta(a.dir), "githubtest-", `/run-\d`, "mcp-lint-bot-test"} {
		if at := regexp.MustCompile(path).FindStringIndex(text); at != nil {
			i := at[0]
			t.Errorf("%s holds a path of the host: %q", where, text[max(0, i-80):min(len(text), i+80)])
		}
	}
	for _, line := range strings.Split(text, "\n") {
		if shown := snapshot.Visible(line); shown != line {
			t.Errorf("%s holds hidden characters: %.300s", where, shown)
		}
	}
	if !strings.HasSuffix(where, " summary") && !strings.HasPrefix(where, "comment") {
		return
	}
	for _, line := range outsideCode(text) {
		if live := alive.FindString(ours.ReplaceAllString(strings.ReplaceAll(line, "&#36;", ""), "")); live != "" {
			t.Errorf("%s: %q is alive in %.300q", where, live, line)
		}
	}
}

// outsideCode are the lines of Markdown without code blocks and code spans.
// Every line that we write is a block of its own, or one of the same kind.
func outsideCode(markdown string) (lines []string) {
	fence := ""
	for _, line := range strings.Split(markdown, "\n") {
		run := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case fence != "":
			if run == line && len(run) >= len(fence) {
				fence = ""
			}
			continue
		case len(run) >= 3 && !strings.Contains(line[len(run):], "`"):
			fence = run
			continue
		}
		if strings.HasPrefix(line, "|") {
			for _, cell := range regexp.MustCompile(`(?:[^|\\]|\\.)+`).FindAllString(line, -1) {
				lines = append(lines, outsideSpans(strings.ReplaceAll(cell, `\|`, "|")))
			}
			continue
		}
		lines = append(lines, outsideSpans(line))
	}
	return lines
}

// outsideSpans takes the code spans out of a line (CommonMark, section 6.1).
func outsideSpans(line string) string {
	var b strings.Builder
	for i := 0; i < len(line); {
		switch {
		case line[i] == '\\' && i+1 < len(line):
			b.WriteByte(line[i+1]) // an escaped character is seen, not obeyed
			if strings.IndexByte("[]<@#:`", line[i+1]) >= 0 {
				b.WriteByte(' ')
			}
			i += 2
			continue
		case line[i] != '`':
			b.WriteByte(line[i])
			i++
			continue
		}
		n := 1
		for i+n < len(line) && line[i+n] == '`' {
			n++
		}
		end := closing(line[i+n:], n)
		if end < 0 {
			b.WriteString(line[i : i+n])
			i += n
			continue
		}
		b.WriteByte(' ')
		i += n + end + n
	}
	return b.String()
}

// closing finds a run of exactly n backticks.
func closing(text string, n int) int {
	for i := 0; i < len(text); {
		run := len(text[i:]) - len(strings.TrimLeft(text[i:], "`"))
		if run == n {
			return i
		}
		i += max(run, 1)
	}
	return -1
}
