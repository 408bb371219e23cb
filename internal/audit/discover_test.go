package audit

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcp-lint/mcp-lint/internal/config"
	"github.com/mcp-lint/mcp-lint/internal/jsonc"
	"github.com/mcp-lint/mcp-lint/internal/launch"
	"github.com/mcp-lint/mcp-lint/linter/report"
)

func discovered(t *testing.T, files map[string]string) (found []string, bad []fileError) {
	t.Helper()
	tr, err := openTree(trees(t, files))
	if err != nil {
		t.Fatal(err)
	}
	defer tr.close()
	servers, bad := tr.servers(config.Default(""))
	found = []string{}
	for _, s := range servers {
		line := s.Key + " in " + s.Location.File
		for _, twin := range s.Twins {
			line += " and " + twin.Location.File
		}
		if s.Invalid != nil {
			line += ": " + s.Invalid.Error()
		}
		found = append(found, line)
	}
	return found, bad
}

func TestServersAreFoundInEveryClientsFile(t *testing.T) {
	t.Parallel()
	found, bad := discovered(t, map[string]string{
		".mcp.json":                      `{"mcpServers": {"a": {"command": "a"}}}`,
		".vscode/mcp.json":               `{"servers": {"b": {"command": "b"}}}`,
		".vscode/settings.json":          `{"editor.tabSize": 2, "mcp": {"servers": {"c": {"command": "c"}}}}`,
		".cursor/mcp.json":               `{"mcpServers": {"d": {"command": "d", "cwd": "${workspaceFolder}/srv"}}}`,
		".gemini/settings.json":          `{"mcpServers": {"e": {"command": "e"}}}`,
		".codex/config.toml":             "[mcp_servers.f]\ncommand = \"f\"\n",
		"opencode.json":                  `{"mcp": {"g": {"type": "local", "command": ["g"]}}}`,
		".continue/mcpServers/two.yaml":  "mcpServers:\n- name: i\n  command: i\n",
		".continue/mcpServers/one.yaml":  "mcpServers:\n- name: h\n  command: h\n",
		".continue/mcpServers/other.txt": "none",
		".zed/settings.json":             `{"context_servers": {"j": {"command": "j"}}}`,
		".roo/mcp.json":                  `{"mcpServers": {"k": {"command": "k"}}}`,
		".amazonq/mcp.json":              `{"mcpServers": {"l": {"command": "l", "cwd": "../out"}}}`,
		"server.json":                    `{"name": "org.example/m", "packages": [{"registryType": "npm", "identifier": "m", "version": "1.0.0"}]}`,
		"manifest.json":                  `{"manifest_version": "0.3", "name": "n", "server": {"mcp_config": {"command": "node", "args": ["${__dirname}/i.js"]}}}`,
		"node_modules/dep/.mcp.json":     `{"mcpServers": {"no": {"command": "no"}}}`,
		"schema/config.schema.json":      `{"properties": {"mcpServers": {}}}`,
		"README.md":                      "```json\n{\"mcpServers\": {\"no\": {\"command\": \"no\"}}}\n```",
		"package.json":                   `{"name": "web", "servers": {"no": {"command": "npx"}}}`,
		"apps/a/.mcp.json":               `{"mcpServers": {"no": {"command": "no"}}}`,
	})
	want := []string{"a in .mcp.json", "b in .vscode/mcp.json", "c in .vscode/settings.json", "d in .cursor/mcp.json", "e in .gemini/settings.json",
		"f in .codex/config.toml", "g in opencode.json", "h in .continue/mcpServers/one.yaml", "i in .continue/mcpServers/two.yaml",
		"j in .zed/settings.json", "k in .roo/mcp.json",
		"l in .amazonq/mcp.json: .amazonq/mcp.json:1:17: l.cwd: expected a folder of the repository, relative to its root",
		"org.example/m in server.json", "n in manifest.json"}
	if diff := cmp.Diff(want, found); diff != "" || len(bad) > 0 {
		t.Errorf("%v (-want +got)\n%s", bad, diff)
	}
}

// C080: files of other programs are passed over in silence, broken ones too.
func TestLookAlikesAreNoServers(t *testing.T) {
	t.Parallel()
	found, bad := discovered(t, map[string]string{
		"manifest.json":         `{"manifest_version": 3, "name": "an extension of a browser"}`,
		"server.json":           `{"port": 80,`,
		".vscode/settings.json": `{"editor.tabSize": 2 "x"}`,
		".zed/settings.json":    `{}`,
		".gemini/settings.json": `{"theme": "x"}`,
		".codex/config.toml":    "model = \"x\"\n",
		"opencode.json":         `{"theme": "x"}`,
	})
	if len(found)+len(bad) > 0 {
		t.Errorf("%q, %v", found, bad)
	}
	// One that no client can read either may hide a server.
	for file, text := range map[string]string{".codex/config.toml": "[mcp_servers", ".vscode/settings.json": `{"mcp": {`, ".cursor/mcp.json": "{}"} {
		if found, bad := discovered(t, map[string]string{file: text}); len(found) > 0 || len(bad) != 1 {
			t.Errorf("%s: %q, %v", file, found, bad)
		}
	}
}

func TestOneServerInSeveralFiles(t *testing.T) {
	t.Parallel()
	found, _ := discovered(t, map[string]string{
		".mcp.json":          `{"mcpServers": {"same": {"command": "x", "env": {"A": "${A}"}}, "other": {"command": "x"}, "mode": {"command": "x", "env": {"A": "1"}}}}`,
		".vscode/mcp.json":   `{"servers": {"same": {"type": "stdio", "command": "x", "env": {"A": "${env:A}"}}, "other": {"command": "y"}, "mode": {"command": "x", "env": {"A": "2"}}}}`,
		"opencode.json":      `{"mcp": {"same": {"type": "local", "command": ["x"], "environment": {"A": "{env:A}"}}}}`,
		".codex/config.toml": "[mcp_servers.third]\ncommand = \"z\"\n",
	})
	want := []string{"same in .mcp.json and .vscode/mcp.json and opencode.json", ".mcp.json#other in .mcp.json", ".mcp.json#mode in .mcp.json",
		".vscode/mcp.json#other in .vscode/mcp.json", ".vscode/mcp.json#mode in .vscode/mcp.json", "third in .codex/config.toml"}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// A pull request cannot buy more work with more files.
func TestServersOfARepositoryAreBounded(t *testing.T) {
	t.Parallel()
	list := func(prefix string) string {
		var entries []string
		for i := range launch.MaxServers {
			entries = append(entries, fmt.Sprintf(`"%s%d": {"command": "x"}`, prefix, i))
		}
		return `{"mcpServers": {` + strings.Join(entries, ",") + `}}`
	}
	found, bad := discovered(t, map[string]string{".mcp.json": list("a"), ".cursor/mcp.json": list("b"), ".roo/mcp.json": list("c")})
	if len(found) != launch.MaxServers || len(bad) != 2 || !strings.Contains(bad[0].err.Error(), "more than 200 servers") {
		t.Errorf("%d servers, %v", len(found), bad)
	}
}

// More files of a kind than are read hide nothing: that they are there is said.
func TestFilesThatAreNotReadAreTold(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range maxMatches {
		files[fmt.Sprintf(".continue/mcpServers/a%02d.yaml", i)] = "mcpServers: []\n"
	}
	if _, bad := discovered(t, files); len(bad) != 0 {
		t.Errorf("%d files: %v", maxMatches, bad)
	}
	files[".continue/mcpServers/z.yaml"] = "mcpServers:\n  - {name: bad, command: npx, args: [postmark-mcp@1.0.16]}\n"
	_, bad := discovered(t, files)
	if len(bad) != 1 || bad[0].file != ".continue/mcpServers/*.yaml" || !strings.Contains(bad[0].err.Error(), "1 more files") {
		t.Errorf("%+v", bad)
	}
	head := map[string]string{}
	for name, text := range files {
		head["head/"+name] = text
	}
	if lint := review(t, trees(t, head), nil).LintCheckRun(); lint.Conclusion != report.ActionRequired {
		t.Errorf("%s: %s", lint.Conclusion, lint.Title)
	}
}

// A file that other programs have as well, and that cannot be read, is left alone
// only when no client can find a server in it.
func TestSharedFilesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	long := strings.Repeat(" ", jsonc.MaxSize)
	for name, tt := range map[string]struct {
		file, text string
		told       bool
	}{
		"somebody else's":    {".vscode/settings.json", `{"editor.tabSize": 4}` + long, false},
		"not JSON":           {"server.json", `hello`, false},
		"VS Code's":          {".vscode/settings.json", `{"mcp": {"servers": {"a": {"command": "x"}}}}` + long, true},
		"with a hidden key":  {".vscode/settings.json", `{"\u006dc\u0070": {"servers": {"a": {"command": "x"}}}}` + long, true},
		"Zed's":              {".zed/settings.json", `{"context_servers": {"a": {"command": "x"}}}` + long, true},
		"the registry's own": {"server.json", `{"$schema": "https://static.modelcontextprotocol.io/schemas/x.json", "packages": []}` + long, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, bad := discovered(t, map[string]string{tt.file: tt.text}); (len(bad) == 1) != tt.told {
				t.Errorf("%v", bad)
			}
		})
	}
}

// What an entry holds is judged in a review as check-config does it, at its line;
// what the base has is known, and a server that cannot be asked hides nothing.
func TestEntriesAreJudgedInAReview(t *testing.T) {
	t.Parallel()
	const (
		secret = "9f8e7d6c5b4a39281706f5e4d3c2"
		old    = `{"servers": {"tides": {"command": "no-such-program-here", "env": {"A_TOKEN": "` + secret + `"}}}}`
	)
	now := strings.Replace(old, `"}}}}`, "\",\n\"B_TOKEN\": \""+secret+`"}}}}`, 1)
	rv := review(t, trees(t, map[string]string{"head/.vscode/mcp.json": now, "base/.vscode/mcp.json": old}), nil)
	var got []string
	for _, f := range rv.Report.Servers[0].Findings {
		got = append(got, fmt.Sprintf("%s %s:%d new=%v", f.Rule, f.Location.File, f.Location.Line, f.New))
		if strings.Contains(f.Message+f.Fix, secret) {
			t.Errorf("%+v says the secret", f)
		}
	}
	slices.Sort(got)
	want := []string{"config/plain-text-secret .vscode/mcp.json:1 new=false", "config/plain-text-secret .vscode/mcp.json:2 new=true"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if lint := rv.LintCheckRun().Conclusion; lint != report.Failure {
		t.Errorf("%s, want a failure for the new secret", lint)
	}
}

func TestRootFolderOfClients(t *testing.T) {
	t.Parallel()
	e := &Engine{Env: func(string) (string, bool) { return "", false }}
	for cwd, want := range map[string]string{"": "./x.js", "srv": "../x.js", "./a/b/": "../../x.js", "${workspaceFolder}": "./x.js", "${workspaceFolder}/srv": "../x.js"} {
		s := launch.Server{Command: "node", Args: []string{"${workspaceFolder}/x.js"}, Cwd: cwd}
		c, failure := e.lookups(s).command(s, t.TempDir())
		if failure != nil || c.Argv[1] != want {
			t.Errorf("%q: %q, %v; want %s", cwd, c.Argv, failure, want)
		}
	}
}
