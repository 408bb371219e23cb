package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/internal/githubtest"
	"github.com/mcp-lint/mcp-lint/linter/report"
)

const (
	passes    = report.Success
	fails     = report.Failure
	unchecked = report.ActionRequired
	skips     = report.Skipped
)

// clients launches servers in a client's file.
func clients(servers string) githubtest.Entry {
	return file(`{"mcpServers": {` + servers + `}}`)
}

// treeAttacks are pull requests whose files are hostile: configurations, links,
// names, sizes.
func (a *arena) treeAttacks() []attack {
	hidden := `"servers": {"own": {"command": "node", "args": ["hostile.js", "hidden"]}}`
	all := []attack{
		{
			name: "asks for the bot's variables", lint: unchecked, lock: unchecked, says: []string{`HOSTILE\_MARKER`},
			head: tree{".mcp-lint.json": file(`{"servers": {"own": {"command": "node", "args": ["hostile.js", "argv", "${HOSTILE_MARKER}"],
				"env": {"A": "${HOSTILE_MARKER}", "HOSTILE_MARKER": "${HOSTILE_MARKER:-}"}, "passEnv": ["HOSTILE_MARKER", "PATH", "HOME"]}}}`)},
		},
		{
			name: "asks for the bot's variables with a default", lint: passes, lock: fails, says: []string{"there was none"},
			head: tree{".mcp-lint.json": file(`{"servers": {"own": {"command": "node", "args": ["hostile.js", "argv", "${HOSTILE_MARKER:-there was none}"]}}}`)},
		},
		{
			name: "asks for the runner's variables", lint: unchecked, lock: unchecked, says: []string{`UV\_INDEX\_URL`},
			head: tree{".mcp-lint.json": file(`{"servers": {"own": {"command": "node", "args": ["hostile.js", "argv", "${UV_INDEX_URL}"],
				"env": {"A": "${UV_INDEX_URL}"}, "passEnv": ["UV_INDEX_URL"]}}}`)},
		},
		{
			name: "asks for the runner's variables with a default", lint: passes, lock: fails, says: []string{"there was none", "none either"},
			head: tree{".mcp-lint.json": file(`{"servers": {"own": {"command": "node", "args": ["hostile.js", "argv", "${UV_INDEX_URL:-there was none}"],
				"env": {"A": "${UV_INDEX_URL:-none either}"}}}}`)},
		},
		{
			name: "has the runner's variables passed on", lint: unchecked, lock: unchecked, says: []string{`UV\_INDEX\_URL`},
			head: tree{".mcp-lint.json": file(`{"servers": {"own": {"command": "node", "args": ["hostile.js", "argv", "here:"], "passEnv": ["UV_INDEX_URL"]}}}`)},
		},
		{
			name: "a program beside a secret of the host", lint: unchecked, lock: unchecked, says: []string{"absolute path"},
			head: tree{".mcp-lint.json": file(fmt.Sprintf(`{"servers": {"own": {"command": %q, "args": ["hostile.js", "reach"]}}}`, filepath.Join(a.dir, "app/bin/tool"))),
				"targets.json": file(fmt.Sprintf(`{"hosts": [], "files": [%q, %q]}`, filepath.Join(a.dir, "app/secret.txt"), filepath.Join(a.dir, "app")))},
			never: []string{"bin secret.txt"},
		},
		{
			name: "a program beside a secret, by a default", lint: unchecked, lock: unchecked, says: []string{"absolute path"},
			base: tree{".mcp-lint.json": gone, ".mcp.json": clients(`"own": {"command": "node", "args": ["server.js"]}`)},
			head: tree{".mcp.json": clients(fmt.Sprintf(`"own": {"command": "${NONE:-%s}", "args": ["hostile.js", "reach"]}`, filepath.Join(a.dir, "app/bin/tool"))),
				"targets.json": file(fmt.Sprintf(`{"hosts": [], "files": [%q]}`, filepath.Join(a.dir, "app/secret.txt")))},
		},
		{
			name: "thresholds and suppressions of its own", lint: fails, lock: fails, says: []string{"failOn: error → never", "everywhere", "suppress: adds injection/hidden-unicode"},
			head: tree{".mcp-lint.json": file(`{"failOn": "never", "lockFailOn": "never", "rules": {"injection/hidden-unicode": "off"}, "ignoreTools": ["*"],
				"suppress": [{"rule": "injection/hidden-unicode", "reason": "trust @me <b>"}], ` + hidden + `}`)},
		},
		{
			name: "a configuration of 40,000 lines", lint: fails, lock: fails, says: []string{"more changes of the configuration"},
			head: tree{".mcp-lint.json": file(`{"suppress": [` + strings.Repeat(`{"rule": "injection/hidden-unicode", "reason": "x", "path": "/y"},`, 40_000) + `], ` + hidden + `}`)},
		},
		{
			name: "a configuration that launches nothing", lint: fails, lock: skips,
			base: tree{".mcp-lint.json": gone, "mcp-lint.lock": gone, ".mcp.json": clients(`"own": {"command": "node", "args": ["server.js"]}`)},
			head: tree{".mcp-lint.json": file(`{"servers": {}}`), ".mcp.json": clients(`"own": {"command": "node", "args": ["hostile.js", "hidden"]}`)},
		},
		{
			name: "an innocent twin of the same key", lint: fails, lock: skips,
			base: tree{".mcp-lint.json": gone, "mcp-lint.lock": gone, ".mcp.json": clients(`"own": {"command": "node", "args": ["server.js"]}`)},
			head: tree{".mcp-lint.json": launching("server.js"), ".mcp.json": clients(`"own": {"command": "node", "args": ["hostile.js", "hidden"]}`)},
		},
		{
			name: "a saved file in the server's place", lint: passes, lock: passes, says: []string{"servers: own: changes command, args, from"},
			head: tree{".mcp-lint.json": file(`{"servers": {"own": {"from": "tools.json"}}}`), "tools.json": file(goodSnapshot)},
		},
	}
	return append(all, slices.Concat(a.fileAttacks(), a.nameAttacks())...)
}

// odd is what can stand in the place of a file.
func odd() map[string]githubtest.Entry {
	return map[string]githubtest.Entry{
		"link to the host":   link("/etc/passwd"),
		"link upwards":       link("../../../../../../etc/passwd"),
		"link to a link":     link("up/../../etc/passwd"),
		"dangling link":      link("nowhere"),
		"link to itself":     link("SELF"),
		"50 MB":              file(strings.Repeat("[1],\n", 10<<20)),
		"10,000 levels":      file(strings.Repeat(`{"a":`, 10_000) + "1" + strings.Repeat("}", 10_000)),
		"the same key twice": file(`{"a": 1, "a": 2}`),
		"not UTF-8":          file("{\"\xff\xfe\": \"\x80\"}"),
		"NUL and controls":   file("\x00\x1b[31m\u202e{}"),
		"empty":              file(""),
		"submodule":          {Mode: "160000", Content: []byte(strings.Repeat("1", 40))},
		"folder":             file("x"), // one level deeper
	}
}

// put places an odd entry.
func (t tree) put(what, path string, entry githubtest.Entry) {
	switch t[path] = entry; what {
	case "link to itself":
		t[path] = link(path)
	case "folder":
		t[path] = gone
		t[path+"/x"] = entry
	}
}

// fileAttacks put something odd in the place of each file that we read.
func (a *arena) fileAttacks() []attack {
	// Saved snapshots all at once, each a server of its own.
	saved := attack{name: "odd saved snapshots", lint: unchecked, lock: fails, head: tree{}}
	var servers []string
	for what, entry := range odd() {
		path := owner(what) + ".json"
		saved.head.put(what, path, entry)
		servers = append(servers, fmt.Sprintf(`%q: {"from": %q}`, what, path))
	}
	saved.head[".mcp-lint.json"] = file(`{"servers": {"own": {"from": "good.json"}, ` + strings.Join(servers, ", ") + `}}`)
	saved.head["good.json"] = file(strings.ReplaceAll(goodSnapshot, "find_tides", "find_ships"))
	saved.says = []string{fmt.Sprint(len(servers), " servers not checked"), "find_ships"}
	all := []attack{saved}
	for what, entry := range odd() {
		leftOut := strings.HasSuffix(what, "host") || strings.HasSuffix(what, "wards") || strings.HasSuffix(what, "a link") || what == "submodule"
		config := attack{name: what + " as configuration", lint: unchecked, lock: unchecked, head: tree{}}
		if leftOut || what == "dangling link" {
			// There is none then: the server is found nowhere.
			config.says = []string{"no configuration launches it"}
		}
		config.head.put(what, ".mcp-lint.json", entry)
		lock := attack{name: what + " as lock", lint: unchecked, lock: fails, head: tree{}}
		if leftOut {
			lock.lint, lock.says = passes, []string{"removes the lock file"}
		}
		lock.head.put(what, "mcp-lint.lock", entry)
		all = append(all, config, lock)
	}
	for _, what := range []string{"10,000 levels", "folder", "not UTF-8"} {
		client := attack{name: what + " as a client's file", lint: unchecked, lock: unchecked, head: tree{},
			base: tree{".mcp-lint.json": gone, ".mcp.json": clients(`"own": {"command": "node", "args": ["server.js"]}`)}}
		client.head.put(what, ".mcp.json", odd()[what])
		all = append(all, client)
	}
	for i := range all {
		all[i].never, all[i].alone = []string{"root:x:0"}, true
	}
	return all
}

// nameAttacks are names that are hostile wherever they are shown.
func (a *arena) nameAttacks() []attack {
	base := tree{".mcp-lint.json": gone, "mcp-lint.lock": gone, ".mcp.json": clients(`"own": {"command": "node", "args": ["server.js"]}`)}
	names := append([]string{
		"a\nb\r\n\n# c\n```\n", strings.Repeat("k@y ", 40), strings.Repeat("k@y ", 1250), strings.Repeat("k", 1_000_000), strings.Repeat("<details>", 20),
	}, markup...)
	var keys, commands []string
	for i, name := range names {
		if len(name) > 200 {
			name += fmt.Sprint(i)
		}
		keys = append(keys, quoteJSON(name)+`: {"command": "node", "args": ["hostile.js", "hidden"]}`)
		commands = append(commands, fmt.Sprintf(`"s%d": {"command": %s, "args": [%[2]s], "cwd": %[2]s, "env": {"A": %[2]s}}`, i, quoteJSON(name)))
	}
	long := strings.Repeat("d", 200) + "/\u202eslo\not\x1b[31m\u200b `|<b>@octocat.json"
	return []attack{
		{name: "odd names of servers", base: base, lint: fails, lock: skips, says: []string{"expected at most 200"},
			head: tree{".mcp.json": clients(strings.Join(keys, ", "))}},
		{name: "odd commands", base: base, lint: unchecked, lock: skips, head: tree{".mcp.json": clients(strings.Join(commands, ", "))}},
		{name: "odd names of servers with a lock", lint: fails, lock: fails, head: tree{
			".mcp-lint.json": file(`{"servers": {` + strings.Join(keys[:2], ", ") + `}}`)}},
		{name: "a name of 1,000,000 characters", lint: unchecked, lock: unchecked, head: tree{".mcp-lint.json": file(`{"servers": {` + keys[3] + `}}`)}},
		{name: "odd file names", lint: fails, lock: fails, head: tree{
			".mcp-lint.json": file(`{"servers": {"own": {"from": ` + quoteJSON(long) + `}}}`),
			long:             file(`[{"name": "x", "inputSchema": {}}]`), strings.Repeat("p/", 60) + "deep": file("x"), strings.Repeat("n", 250): file("x"),
		}},
	}
}
