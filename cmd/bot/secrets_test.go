package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mcp-lint/mcp-lint/internal/githubtest"
	"github.com/mcp-lint/mcp-lint/linter/report"
)

// loose says whatever it was started with: in its instructions and its tools, on
// standard error, and in its last words when it is told to end.
const loose = `"use strict";
const { serve, tool } = require("./mcp.js");
const all = JSON.stringify([process.argv.slice(2), process.env]);
process.stderr.write("started with " + all + "\n");
if (process.argv.includes("--end")) process.exit(3);
serve(() => ({ instructions: "Use it like " + all, tools: [tool("find_tides", "Find the tides with " + all),
	{ name: "find_ships", description: all, inputSchema: { type: "object", properties: { a: { type: "string", default: all, enum: [all] } } } }] }));
`

// Secrets that a pull request's files hold in plain text are found, and are in
// nothing that is published, logged or stored, whoever repeats them; neither are
// those of the bot, nor what people write into pull requests and comments.
func TestSecretsArePublishedLoggedAndStoredNowhere(t *testing.T) {
	t.Parallel()
	needsSandbox(t)
	s := newSite(t)
	permissions := githubtest.DefaultPermissions()
	permissions["contents"], permissions["issues"] = "write", "read"
	s.gh.SetPermissions("acme", permissions)
	s.repo.AddCollaborator("writer", "write")
	where := map[string]string{}
	mark := func(what string) string {
		m := "sekret" + rand.Text()
		where[m] = what
		return m
	}
	// The lock holds a server that said nothing bad; its offer would be stored.
	config := func(servers map[string]any) string {
		text, err := json.MarshalIndent(map[string]any{"mcpServers": servers}, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	s.commit("main", "", map[string]string{
		".mcp.json": config(map[string]any{"own": map[string]any{"command": "node", "args": []string{"server.js"}}}), "mcp-lint.lock": locked(t, "own", goodSnapshot),
		"server.js": string(hostileFile(t, "server.js").Content), "mcp.js": string(hostileFile(t, "mcp.js").Content),
	})
	bot := s.start("BOT_SECRET="+mark("the bot's environment"), "UV_INDEX_URL=https://me:"+mark("the index for packages")+"@127.0.0.1/",
		"MCP_LINT_LOG_LEVEL=debug", "MCP_LINT_ALLOW_HOST=docs.example.com")
	program := func(end ...string) map[string]any {
		return map[string]any{
			"command": "node", "args": append([]string{"loose.js", "--api-key", mark("an argument"), "--token=" + mark("an option"),
				"--header", "Authorization: Bearer " + mark("a header in an argument"), "postgres://me:" + mark("an address in an argument") + "@db.example.com/x",
				"https://docs.example.com/mcp?api_key=" + mark("a query in an argument")}, end...),
			"env": map[string]string{"API_TOKEN": mark("an entry's variable"), "DB": "postgres://me:" + mark("an entry's address") + "@db.example.com/x", "A": "${BOT_SECRET:-}"},
		}
	}
	servers := map[string]any{
		"own": program(), "new": program(), "ends": program("--end"),
		"absent": map[string]any{"command": "no-such-program", "args": []string{"--password", mark("an argument of no program")}},
		"docs": map[string]any{
			"url":     "https://me:" + mark("user info") + "@docs.example.com/mcp?api_key=" + mark("a query") + "&x=${BOT_SECRET:-}",
			"headers": map[string]string{"Authorization": "Bearer " + mark("a header"), "X-A": "${BOT_SECRET:-}"},
		},
		"named": map[string]any{"url": "https://docs.example.com/mcp", "headerEnv": map[string]string{"X-A": "BOT_SECRET"}},
	}
	s.commit("change", "main", map[string]string{".mcp.json": config(servers), "loose.js": loose,
		".vscode/mcp.json":   `{"servers": {"code": {"type": "http", "url": "http://docs.example.com/?token=` + mark("a query of VS Code's") + `"}}}`,
		".codex/config.toml": "[mcp_servers.toml]\ncommand = \"node\"\nargs = [\"loose.js\", \"--secret\", \"" + mark("an argument in TOML") + "\"]\n",
		".continue/mcpServers/a.yaml": "mcpServers:\n  - name: yaml\n    command: node\n    args: [loose.js]\n    env:\n      CLIENT_SECRET: " + mark("a variable in YAML") + "\n" +
			"    headers: [" + mark("a broken entry in YAML") + "\n",
	})
	pr, err := s.repo.OpenPull("Title "+mark("a title"), "change", "main", githubtest.PullOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s.wait(bot, pr.HeadSHA())
	pr.Say("writer", mark("a comment")+"\n\n/mcp-lint recheck\n\n"+mark("a comment's end"))
	for deadline := time.Now().Add(30 * time.Second); s.runs(pr.HeadSHA())["mcp-lint failure"] != 2; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("no second pair: %v", s.runs(pr.HeadSHA()))
		}
	}
	s.wait(bot, pr.HeadSHA())
	for deadline := time.Now().Add(10 * time.Second); len(s.gh.Comments(s.repo, pr.Number)) < 2 && time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
	}

	texts := map[string]string{}
	for i, run := range s.gh.CheckRuns(s.repo, pr.HeadSHA()) {
		text, err := json.Marshal(run)
		if err != nil {
			t.Fatal(err)
		}
		texts["check run "+string(rune('1'+i))+" "+run.Name] = string(text)
	}
	comments := 0
	for _, c := range s.gh.Comments(s.repo, pr.Number) {
		if c.Author == s.gh.BotLogin() {
			texts["comment"] += c.Body
			comments++
		}
	}
	for _, up := range s.gh.SARIFs(s.repo) {
		texts["SARIF"] += string(up.Document)
	}
	if err := bot.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-bot.end
	texts["the log"] = bot.log.String()
	err = filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(s.dir, path)
		texts["file "+name] = string(data)
		return err
	})
	if err != nil {
		t.Error(err)
	}
	for place, text := range texts {
		for m, what := range where {
			if at := strings.Index(text, m); at >= 0 {
				t.Errorf("%s holds %s: %q", place, what, text[max(0, at-120):min(len(text), at+len(m))])
			}
		}
	}

	// It was all seen: the secrets are findings, and the server that repeats them
	// was asked.
	all := strings.Join([]string{texts["check run 1 "+report.LintCheck], texts["check run 3 "+report.LintCheck], texts["comment"]}, "\n")
	for _, want := range []string{"config/plain-text-secret", "find_ships", "ends", "redacted"} {
		if !strings.Contains(all, want) {
			t.Errorf("nothing says %q", want)
		}
	}
	if comments != 1 || !bytes.Contains([]byte(texts["file bot.db"]), []byte("SQLite format")) {
		t.Errorf("%d comments; the files: %d", comments, len(texts))
	}
}
