package main

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
)

// textMarker stands in the texts of the tools. It is no secret: reports and
// locks are about it.
const textMarker = "Vx7QTEXT9kZ"

// secretPlaces are the places from which a secret could get out.
func secretPlaces() []string {
	return []string{
		"passed", "given", "expanded", "dsn", "option", "equals", "argheader", "argurl", "plain", "unpassed",
		"headerenv", "header", "query", "user", "password", "path", "input", "registry",
	}
}

// secretOf is the secret at a place. Its characters are written differently in
// JSON, URLs and HTML.
func secretOf(place string) string { return secretCore(place) + `/+"<x` }

// secretCore is the part of it that every form but an encoding keeps.
func secretCore(place string) string { return "Vx7Q" + place + "9kZ4bT2" }

// handed are the places of tattling and its environment.
func handed() []string {
	return []string{"passed", "option", "equals", "argheader", "argurl", "plain"}
}

// tattling is the command line of a server over stdio.
func tattling(way string) []string {
	return []string{
		"tattler", way, "$HEARD", "--api-key", secretOf("option"), "--token=" + secretOf("equals"),
		"--header", "Authorization: Bearer " + secretOf("argheader"),
		"postgres://tides:" + url.QueryEscape(secretOf("argurl")) + "@db.example/tides", "plain-" + secretOf("plain"),
	}
}

// started is a command that starts such a server.
func started(way string, words ...string) []string {
	return append(append(words, "--pass-env", "MK_PASSED", "--request-timeout", "400ms", "--"), tattling(way)...)
}

// allFiles asks for every file that a report can go to.
func allFiles(words ...string) []string {
	return append(words, "--json", "out/r.json", "--sarif", "out/r.sarif", "--markdown", "out/r.md", "--html", "out/r.html")
}

// tattlingURL is the address of a remote server.
func tattlingURL(way string) string {
	return "http://" + secretCore("user") + ":" + url.QueryEscape(secretOf("password")) + "@$REMOTE_HOST/" + way +
		"/" + secretCore("path") + "?token=" + url.QueryEscape(secretOf("query"))
}

var reportFormats = []string{"text", "json", "sarif", "markdown", "html", "github"}

// failedWays are those in which a server over stdio tells its secrets instead
// of answering, with a word of what the report then says.
func failedWays() [][2]string {
	return [][2]string{
		{"crash", "exit code 3"}, {"refuse", "was refused"}, {"refuselist", "was refused"}, {"notalist", "no list"},
		{"hang", "no answer in time"}, {"garbage", "no answer in time"},
	}
}

// quickWays is how many of the failedWays are no waiting for a time to pass.
const quickWays = 4

func remoteFailures() [][2]string {
	return [][2]string{
		{"status", "status 400"}, {"login", "needs authorization"}, {"away", "another origin"}, {"page", "no MCP message"},
		{"refuse", "was refused"}, {"refuselist", "was refused"},
	}
}

func runSecretCases() (cases []secretCase) {
	for _, format := range reportFormats {
		cases = append(cases,
			secretCase{args: started("texts", allFiles("run", "--fail-on=never", "--format", format)...), reached: handed(), says: "[redacted]"},
			secretCase{
				args:    allFiles("run", "--fail-on=never", "--format", format, "--url", tattlingURL("texts"), "--header-env", "X-Secret=MK_PASSED", "-H", "X-Api-Key: "+secretOf("header")),
				reached: []string{"passed", "header", "query", "user", "password", "path"}, says: "[redacted]",
			})
	}
	for _, way := range []string{"noise", "version", "cursor"} {
		cases = append(cases, secretCase{args: started(way, allFiles("run", "--fail-on=never")...), reached: handed(), says: "server/"})
	}
	for _, way := range failedWays() {
		cases = append(cases, secretCase{
			args: slices.Insert(started(way[0], allFiles("run")...), 1, "--start-timeout", "1s"), reached: handed(), codes: []int{exitError}, says: way[1],
		})
	}
	for _, way := range remoteFailures() {
		cases = append(cases, secretCase{
			args:    allFiles("run", "--url", tattlingURL(way[0]), "--header-env", "X-Secret=MK_PASSED", "-H", "X-Api-Key: "+secretOf("header")),
			reached: []string{"passed", "header", "query", "user", "password", "path"}, codes: []int{exitError}, says: way[1],
		})
	}
	for _, way := range []string{"type", "stream"} {
		cases = append(cases, secretCase{
			args:    allFiles("run", "--fail-on=never", "--request-timeout", "1s", "--url", tattlingURL(way), "--header-env", "X-Secret=MK_PASSED"),
			reached: []string{"passed", "query", "path"}, says: "server/malformed-http",
		})
	}
	usage := []int{exitError}
	return append(cases,
		secretCase{args: started("texts", "run", "--save", "out/saved.json"), reached: handed(), codes: usage, says: "nothing is written", silent: true},
		secretCase{args: started("calm", "run", "--fail-on=never", "--save", "out/saved.json"), reached: handed(), says: textMarker},
		// What is wrong with the command line is said without its values.
		secretCase{args: []string{"run", "--pass-env", "MK_TOKEN=" + secretOf("given"), "--", "tattler"}, codes: usage, says: "--pass-env"},
		secretCase{args: []string{"run", "--header-env", "X-Secret=" + secretOf("header"), "--url", "https://tides.example"}, codes: usage, says: "reads like a value"},
		secretCase{args: []string{"run", "--pass-env", "ghp_" + secretCore("given") + "0123456789abcdefghij", "--", "tattler"}, codes: usage, says: "reads like a value"},
		secretCase{args: []string{"run", "-H", secretOf("header"), "--url", "https://tides.example"}, codes: usage, says: "--header"},
		secretCase{args: []string{"run", "--url", "tides.example/" + secretOf("path") + "?q=" + secretOf("query")}, codes: usage, says: "--url"},
		secretCase{args: []string{"run", "--url", "https://me:" + secretOf("password") + "%zz@tides.example/"}, codes: usage, says: "--url"},
		secretCase{args: []string{"run", "--url", "http://127.0.0.1:9/" + secretOf("path") + "?q=" + url.QueryEscape(secretOf("query"))}, codes: usage, says: "cannot be reached"},
		secretCase{args: []string{"run", "--url", "http://" + secretCore("password") + "@tides.example/", "--header-env", "X-Secret=MK_PASSED"}, codes: usage, says: "plain http"},
		secretCase{args: append([]string{"run", "--"}, "no-such-program", secretOf("plain")), codes: usage, says: "no program of that name"},
	)
}

func shortSecretCases() []secretCase {
	text := make([]string, 0, 10)
	for _, word := range tattling("texts") {
		text = append(text, "'"+word+"'")
	}
	return []secretCase{
		{
			args:    started("texts", allFiles("--env", "MK_TOKEN="+secretOf("given"), "-e", "MK_DSN=postgres://u:"+secretCore("dsn")+"@db/x")...),
			reached: append(handed(), "given", "dsn"), says: "[redacted]",
		},
		{args: allFiles("--stdio", strings.Join(text, " "), "--pass-env", "MK_PASSED"), reached: handed(), says: "[redacted]"},
		{
			args:    allFiles("--url", tattlingURL("texts"), "--header-env", "X-Secret=MK_PASSED", "-H", "Authorization: Bearer "+secretOf("header")),
			reached: []string{"passed", "header", "query", "path"}, says: "[redacted]",
		},
		{args: []string{"--env", "MK " + secretOf("given"), "--", "tattler"}, codes: []int{exitError}, says: "--env"},
		{args: []string{"--stdio", "'tattler " + secretOf("plain")}, codes: []int{exitError}, says: "--stdio"},
		{args: []string{"--url", "ftp://me:" + secretOf("password") + "@h/"}, codes: []int{exitError}, says: "--url"},
		{args: []string{"--file", "saved.json"}, files: map[string]string{"saved.json": "[" + goodTool + "]"}},
	}
}

func checkSecretCases() (cases []secretCase) {
	for _, format := range reportFormats {
		cases = append(cases, secretCase{
			args:  []string{"check", "--fail-on=never", "--format", format, "tools.json"},
			files: withFiles(clientFiles(), "tools.json", "["+goodTool+"]"),
		})
	}
	return append(cases, secretCase{args: []string{"check", "-"}, stdin: "[" + goodTool + "]"})
}

// lockSecretCases: a lock that would hold a secret is not written, and the
// refusal says nothing of what the server says.
func lockSecretCases() (cases []secretCase) {
	remote := []string{"--url", "", "--header-env", "X-Secret=MK_PASSED"}
	with := func(way string, words ...string) []string {
		remote := slices.Clone(remote)
		remote[1] = tattlingURL(way)
		return append(words, remote...)
	}
	own := ownFiles("texts")
	calm := ownFiles("calm")
	cases = append(cases,
		secretCase{args: started("texts", "lock", "--json", "out/l.json"), reached: handed(), codes: []int{exitError}, says: "cannot lock", silent: true},
		secretCase{args: started("texts", "lock", "--accept"), files: map[string]string{"mcp-lint.lock": lockOf("tides")}, reached: handed(), codes: []int{exitError}, says: "cannot lock", silent: true},
		secretCase{args: started("calm", "lock", "--json", "out/l.json"), reached: handed(), says: textMarker},
		secretCase{args: started("texts", "lock", "--check", "--json", "out/l.json", "--name", "tides"), files: map[string]string{"mcp-lint.lock": lockOf("tides")}, reached: handed(), says: "[redacted]"},
		secretCase{args: with("texts", "lock", "--json", "out/l.json"), reached: []string{"passed", "query", "path"}, codes: []int{exitError}, says: "cannot lock", silent: true},
		secretCase{args: with("calm", "lock", "--json", "out/l.json"), reached: []string{"passed", "query", "path"}, says: textMarker},
		secretCase{args: with("texts", "lock", "--check", "--name", "tides", "--json", "out/l.json"), files: map[string]string{"mcp-lint.lock": lockOf("tides")}, reached: []string{"passed", "query"}, says: "[redacted]"},
		secretCase{args: []string{"lock", "--all", "--sandbox=none", "--json", "out/l.json"}, files: own, reached: configured(), codes: []int{exitError}, says: "cannot lock", silent: true},
		secretCase{args: []string{"lock", "--all", "--sandbox=none", "--json", "out/l.json"}, files: calm, reached: configured(), says: textMarker},
		secretCase{args: []string{"lock", "--all", "--check", "--sandbox=none", "--json", "out/l.json"}, files: withFiles(own, "mcp-lint.lock", lockOf("own", "far")), reached: configured(), says: "[redacted]"},
		secretCase{args: []string{"lock", "--name", "own", "--sandbox=none"}, files: own, reached: []string{"given", "expanded"}, codes: []int{exitError}, says: "cannot lock", silent: true},
		secretCase{args: []string{"lock", "--remove", "tides"}, files: withFiles(own, "mcp-lint.lock", lockOf("tides")), says: "Removed tides"},
	)
	for _, way := range failedWays()[:quickWays] {
		cases = append(cases, secretCase{
			args: slices.Insert(started(way[0], "lock", "--json", "out/l.json"), 1, "--start-timeout", "1s"), reached: handed(), codes: []int{exitError}, says: way[1], silent: true,
		})
	}
	for _, way := range remoteFailures() {
		cases = append(cases, secretCase{args: with(way[0], "lock", "--json", "out/l.json"), reached: []string{"passed", "query", "path"}, codes: []int{exitError}, says: way[1], silent: true})
	}
	return append(cases, secretCase{
		args: []string{"lock", "--from", "tools.json"}, files: withFiles(clientFiles(), "tools.json", "["+goodTool+"]"), says: "tides",
	})
}

func ciSecretCases() (cases []secretCase) {
	for _, format := range reportFormats {
		cases = append(cases,
			secretCase{args: allFiles("ci", "--sandbox=none", "--format", format), files: ownFiles("texts"), reached: configured(), codes: []int{1, 2, 3}, says: textMarker})
	}
	cases = append(cases,
		secretCase{args: allFiles("ci", "--sandbox=best-effort", "--format=github"), files: offline(clientFiles()), codes: []int{1, 2, 3}, says: "config/plain-text-secret"},
		secretCase{args: allFiles("ci", "--sandbox=none", "--base", "before"), files: basedFiles(), reached: configured(), codes: []int{0, 1, 2, 3}, says: "server/"},
		secretCase{args: allFiles("ci", "--sandbox=none", "--base", "main"), files: basedFiles(), codes: []int{1, 2, 3}, says: "--base main"},
	)
	for _, way := range failedWays()[:quickWays] {
		cases = append(cases, secretCase{args: allFiles("ci", "--sandbox=none"), files: ownFiles(way[0]), reached: []string{"given"}, codes: []int{1, 2, 3}, says: way[1]})
	}
	return cases
}

func surveySecretCases() (cases []secretCase) {
	for _, format := range []string{"markdown", "json"} {
		cases = append(cases, secretCase{
			args:  []string{"survey", "--sandbox=none", "--format", format, "--json", "out/s.json", "--markdown", "out/s.md", ".mcp-lint.json"},
			files: ownFiles("texts"), reached: configured(), says: "tides",
		})
	}
	for _, way := range failedWays()[:quickWays] {
		cases = append(cases, secretCase{
			args:  []string{"survey", "--sandbox=none", "--json", "out/s.json", "--markdown", "out/s.md", ".mcp-lint.json"},
			files: ownFiles(way[0]), codes: []int{exitError, exitPartial}, reached: []string{"given"}, says: "own",
		})
	}
	return cases
}

func checkConfigSecretCases() (cases []secretCase) {
	files := clientFiles()
	for _, format := range reportFormats {
		args := allFiles("check-config", "--format", format)
		for name := range files {
			args = append(args, name)
		}
		cases = append(cases, secretCase{args: args, files: files, says: "config/plain-text-secret"})
	}
	// Broken files: what is wrong is said without what stands there.
	for name, text := range map[string]string{
		"a.json": `{"mcpServers": {"a": {"command": "x", "env": {"A": "` + secretCore("input") + `" "` + secretCore("input") + `"}}}}`,
		"b.json": `{"mcpServers": {"a": "` + secretCore("input") + `", "b": {"command": ["` + secretCore("input") + `"]}}}`,
		"c.toml": "[mcp_servers.a]\ncommand = \"x\"\nenv = { A = " + secretCore("input") + " }\n",
		"d.yaml": "mcpServers:\n  - name: a\n    command: x\n    env: {A: [" + secretCore("input") + "\n",
		"e.json": `{"mcpServers": {"a": {"url": "ht!tp://me:` + secretCore("input") + `@x/y?z=` + secretCore("input") + `"}}}`,
		"f.json": `{"mcpServers": {"a": {"command": "x", "headers": {"A": 1}, "env": ["A=` + secretCore("input") + `"]}}}`,
	} {
		cases = append(cases, secretCase{args: []string{"check-config", name}, files: map[string]string{name: text}, codes: []int{0, 1, 2}, says: name})
	}
	return append(cases, secretCase{
		args: []string{"check-config", "--config", ".mcp-lint.json", "x.json"}, codes: []int{exitError}, says: ".mcp-lint.json",
		files: map[string]string{"x.json": "{}", ".mcp-lint.json": `{"servers": {"a": {"command": "x", "env": {"A": ["` + secretCore("input") + `"]}, "headers": "` + secretCore("input") + `"}}}`},
	})
}

// pinSecretCases: the files keep the user's secrets, what is said has none.
func pinSecretCases() []secretCase {
	var names []string
	files := clientFiles()
	for name := range files {
		names = append(names, name)
	}
	return []secretCase{
		{args: append([]string{"pin", "--json", "out/p.json"}, names...), files: files, codes: []int{0, 1, 2}, says: "tides@1.4.0", pinned: names},
		{args: append([]string{"pin", "--check", "--json", "out/p.json"}, names...), files: files, codes: []int{0, 1, 2}, says: "1.4.0"},
		{args: []string{"pin", "a.json"}, codes: []int{0, 1, 2}, says: "a.json", files: map[string]string{
			"a.json": `{"mcpServers": {"a": {"command": "npx", "args": ["git+https://me:` + secretCore("input") + `@git.example/x.git"]}, "b": {"command": "npx", "args": ["unknown-package", "--token", "` + secretCore("input") + `"]}}}`,
		}},
	}
}

// configured are the places of ownFiles.
func configured() []string {
	return []string{"given", "expanded", "option", "header", "query", "headerenv"}
}

// ownFiles is a configuration of ours with servers that tattle.
func ownFiles(way string) map[string]string {
	remote := way
	if !slices.Contains([]string{"texts", "calm", "refuse"}, way) {
		remote = "status"
	}
	args := append(tattling(way)[1:], "--dsn", "${DSN}")
	config := map[string]any{"servers": map[string]any{
		"own": map[string]any{
			"command": "tattler", "args": args, "passEnv": []string{"MK_PASSED"}, "startTimeout": 1, "requestTimeout": 0.4,
			"env": map[string]string{"MK_TOKEN": secretOf("given"), "MK_EXPANDED": "pre ${EXPANDED}", "MK_URL": "postgres://u:" + secretCore("dsn") + "@db/x"},
		},
		"far": map[string]any{
			"url":       "$REMOTE_URL/" + remote + "/" + secretCore("path") + "?token=" + url.QueryEscape(secretOf("query")),
			"headers":   map[string]string{"X-Api-Key": secretOf("header"), "Authorization": "Bearer ${EXPANDED}"},
			"headerEnv": map[string]string{"X-Secret": "HEADER_VALUE"},
		},
	}}
	raw, _ := json.Marshal(config)
	return map[string]string{".mcp-lint.json": string(raw)}
}

// basedFiles is the same with an earlier state in the folder before, in which the
// entries are as they are now where it matters for their variables.
func basedFiles() map[string]string {
	files := ownFiles("texts")
	return withFiles(files, "before/.mcp-lint.json", strings.ReplaceAll(files[".mcp-lint.json"], `"startTimeout":1`, `"startTimeout":2`))
}

// clientFiles are the files of clients, with secrets wherever there is room.
func clientFiles() map[string]string {
	s := secretCore("input")
	return map[string]string{
		".mcp.json": `{"mcpServers": {
  "local": {"command": "npx", "args": ["tides", "--api-key", "` + s + `", "--token=` + s + `", "https://me:` + s + `@x.example/?key=` + s + `", "--header", "Authorization: Bearer ` + s + `"],
    "env": {"API_TOKEN": "` + s + `", "DATABASE_URL": "postgres://u:` + s + `@db/x", "PASSWORD": "` + s + `"}},
  "far": {"type": "http", "url": "http://me:` + s + `@tides.example/` + s + `?token=` + s + `", "headers": {"Authorization": "Bearer ` + s + `", "X-Api-Key": "` + s + `"}},
  "shell": {"command": "sh", "args": ["-c", "API_TOKEN=` + s + ` npx tides --password ` + s + ` | tee ` + s + `"]}
}}`,
		".codex/config.toml": "[mcp_servers.local]\ncommand = \"npx\"\nargs = [\"tides\", \"--api-key\", \"" + s + "\"]\nenv = { API_TOKEN = \"" + s + "\" }\n" +
			"[mcp_servers.far]\nurl = \"https://me:" + s + "@tides.example/" + s + "?token=" + s + "\"\nhttp_headers = { Authorization = \"Bearer " + s + "\" }\n",
		".continue/mcpServers/tides.yaml": "name: tides\nversion: 0.0.1\nschema: v1\nmcpServers:\n  - name: local\n    command: npx\n    args: [tides, --api-key, " + s + "]\n    env:\n      API_TOKEN: " + s + "\n" +
			"  - name: far\n    type: streamable-http\n    url: https://me:" + s + "@tides.example/" + s + "?token=" + s + "\n    requestOptions:\n      headers:\n        Authorization: Bearer " + s + "\n",
		".vscode/mcp.json": `{"inputs": [{"id": "k", "type": "promptString", "default": "` + s + `"}], "servers": {"far": {"type": "http", "url": "https://tides.example/?api_key=` + s + `", "headers": {"X-Api-Key": "` + s + `"}}}}`,
	}
}

// offline are the same files with nothing to fetch.
func offline(files map[string]string) map[string]string {
	all := map[string]string{}
	for name, text := range files {
		all[name] = strings.ReplaceAll(text, "npx", "no-such-program")
	}
	return all
}

func withFiles(files map[string]string, name, text string) map[string]string {
	all := map[string]string{name: text}
	for name, text := range files {
		all[name] = text
	}
	return all
}

// lockOf is a lock that knows servers, and no tool of them.
func lockOf(keys ...string) string {
	servers := map[string]any{}
	for _, key := range keys {
		servers[key] = map[string]any{"server": map[string]any{"name": key, "version": "1.0"}, "tools": map[string]any{}}
	}
	raw, _ := json.Marshal(map[string]any{"lockfileVersion": 1, "clientCapabilities": map[string]any{}, "servers": servers})
	return string(raw)
}
