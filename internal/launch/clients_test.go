package launch

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// summary is a server in one line: key, how it is reached, what is said of it.
func summary(s Server) string {
	parts := []string{s.Key}
	switch {
	case s.Invalid != nil:
		parts = append(parts, "invalid")
	case s.SSE:
		parts = append(parts, "sse", s.URL)
	case s.URL != "":
		parts = append(parts, "http", s.URL)
	default:
		parts = append(parts, strings.Join(s.Argv(), " "))
	}
	if s.Scope != "" {
		parts = append(parts, "in "+s.Scope)
	}
	if s.Disabled {
		parts = append(parts, "disabled")
	}
	return strings.Join(append(parts, fmt.Sprintf("line %d", s.Location.Line)), ", ")
}

func readSummaries(t *testing.T, file, data string) []string {
	t.Helper()
	servers, err := ReadClientFile(file, []byte(data))
	if err != nil {
		t.Fatal(err)
	}
	lines := []string{}
	for _, s := range servers {
		checkWords(t, data, s)
		lines = append(lines, summary(s))
	}
	return lines
}

// checkWords holds what is promised of words: they are those of Argv, and the
// bytes that spell one say what it says.
func checkWords(t *testing.T, data string, s Server) {
	t.Helper()
	argv := s.Argv()
	if s.Invalid == nil && len(argv) != len(s.Words) {
		t.Fatalf("%s: %d words of %q", s.Key, len(s.Words), argv)
	}
	words := append([]Word(nil), s.Words...)
	for i, w := range words {
		if s.Invalid == nil && w.Text != argv[i] {
			t.Errorf("%s: word %q, want %q", s.Key, w.Text, argv[i])
		}
	}
	for _, setting := range s.Settings {
		words = append(words, setting.Word)
	}
	for _, w := range words {
		if w.Location.Line < 1 || w.Location.Column < 1 {
			t.Errorf("%s: %q has no place", s.Key, w.Text)
		}
		if w.Spelled() != (w.Style != Unspelled) {
			t.Errorf("%s: %q: style %d of bytes %d to %d", s.Key, w.Text, w.Style, w.Start, w.End)
		}
		if !w.Spelled() {
			continue
		}
		literal := data[w.Start:w.End]
		if strings.ContainsAny(literal, `\`) {
			continue // an escape
		}
		want := map[Style]string{JSON: `"%s"`, YAMLPlain: "%s", YAMLSingle: "'%s'", YAMLDouble: `"%s"`, TOMLBasic: `"%s"`, TOMLLiteral: "'%s'"}[w.Style]
		text := w.Text
		if w.Style == YAMLSingle {
			text = strings.ReplaceAll(text, "'", "''")
		}
		if literal != fmt.Sprintf(want, text) && literal != text { // a number or boolean stands for itself
			t.Errorf("%s: the bytes of %q are %q", s.Key, w.Text, literal)
		}
	}
}

func TestEveryClientsFile(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, file, data string
		want             []string
	}{
		{"Claude Desktop", "claude_desktop_config.json", `{"mcpServers": {"a": {"command": "npx", "args": ["-y", "a-mcp"]}}, "globalShortcut": ""}`,
			[]string{"a, npx -y a-mcp, line 1"}},
		{"Claude Desktop without servers", "claude_desktop_config.json", `{"globalShortcut": ""}`, []string{}},
		{"null stands for nothing", ".mcp.json", `{"mcpServers": {"a": {"command": "x", "url": null, "args": null, "env": null}}}`, []string{"a, x, line 1"}},
		{"Claude Code's projects", "home/.claude.json", `{
 "mcpServers": {"maps": {"command": "a"}, "own": {"command": "b"}},
 "projects": {
  "/srv/one": {"mcpServers": {"maps": {"command": "c"}}, "history": []},
  "/srv/two": {"mcpServers": {"maps": {"command": "d"}}, "disabledMcpServers": ["maps"]},
  "/srv/three": {}}}`,
			[]string{"maps, a, line 2", "own, b, line 2", "/srv/one#maps, c, in /srv/one, line 4", "/srv/two#maps, d, in /srv/two, disabled, line 5"}},
		{"Windsurf", "mcp_config.json", `{"mcpServers": {"b": {"serverUrl": "https://b.example"}}}`, []string{"b, http, https://b.example, line 1"}},
		{"VS Code", ".vscode/mcp.json", `{"inputs": [{"type": "promptString", "id": "k"}], "servers": {"s": {"type": "sse", "url": "https://s.example"},
			"n": {"command": "npx", "args": [], "env": {"PORT": 80, "KEY": "${input:k}"}}}}`,
			[]string{"s, sse, https://s.example, line 1", "n, npx, line 2"}},
		{"VS Code's settings", "settings.json", `{"editor.tabSize": 2, "mcp": {"inputs": [], "servers": {"s": {"command": "x"}}}}`, []string{"s, x, line 1"}},
		{"VS Code's settings, flat", "User/settings.json", `{"mcp.servers": {"s": {"command": "x"}}}`, []string{"s, x, line 1"}},
		{"a workspace", "a.code-workspace", `{"folders": [], "settings": {"mcp": {"servers": {"s": {"command": "x"}}}}}`, []string{"s, x, line 1"}},
		{"a development container", "devcontainer.json", `{"customizations": {"vscode": {"mcp": {"servers": {"s": {"command": "x"}}}}}}`, []string{"s, x, line 1"}},
		{"settings of an editor", ".zed/settings.json", `{"theme": "x"}`, []string{}},
		{"Zed's extensions", "settings.json", `{"context_servers": {"ext": {"source": "extension", "settings": {}}, "r": {"url": "https://r.example"}}}`,
			[]string{"r, http, https://r.example, line 1"}},
		{"Gemini", ".gemini/settings.json", `{"mcpServers": {"a": {"httpUrl": "https://a.example"}, "b": {"url": "https://b.example"}}}`,
			[]string{"a, http, https://a.example, line 1", "b, sse, https://b.example, line 1"}},
		{"opencode", "opencode.jsonc", `{"$schema": "x", "mcp": {
  "l": {"type": "local", "command": ["bun", "x", "l-mcp"], "enabled": false, "environment": {"K": "v"}},
  "r": {"type": "remote", "url": "https://r.example"},
  "off": {"enabled": false}}}`,
			[]string{"l, bun x l-mcp, disabled, line 2", "r, http, https://r.example, line 3"}},
		{"Continue", ".continue/mcpServers/docs.yaml", "name: x\nmcpServers:\n  - name: Docs\n    command: uvx\n    args:\n      - 'docs-mcp'\n      - \"--n\"\n      - 5\n  - uses: hub/block\n  - command: a b\n",
			[]string{"Docs, invalid, line 3", "mcpServers[2], a b, line 10"}},
		{"Codex", "config.toml", "model = \"x\"\n[mcp_servers.docs]\ncommand = 'npx'\nargs = [\"-y\", 'docs-mcp']\n# gone = 1\n[mcp_servers.docs.env]\nKEY = \"v\"\n[mcp_servers.\"with dot.s\"]\nurl = \"https://x.example\"\nenabled = false\n",
			[]string{"docs, npx -y docs-mcp, line 2", "with dot.s, http, https://x.example, disabled, line 8"}},
		{"Codex in other forms of TOML", "config.toml", "mcp_servers.a.command = \"x\"\nmcp_servers = { }\n"[:28] + "mcp_servers.b = {command = \"y\", args = [\n  \"1\",\n  \"2\", # two\n], env = {A = \"1\"}}\n",
			[]string{"a, x, line 1", "b, y 1 2, line 2"}},
		{"Goose", "config.yaml", "extensions:\n  developer:\n    type: builtin\n    enabled: true\n  git:\n    type: stdio\n    cmd: uvx\n    args: [mcp-server-git]\n    envs: {A: 1}\n    enabled: false\n  web: {type: streamable_http, uri: https://w.example}\n",
			[]string{"git, uvx mcp-server-git, disabled, line 5", "web, http, https://w.example, line 11"}},
		{"the registry's manifest", "server.json", `{"name": "org.example/m", "packages": [
  {"registryType": "npm", "identifier": "@a/m", "version": "1.0.0", "packageArguments": [{"type": "named", "name": "--mode", "value": "x"}]},
  {"registryType": "pypi", "identifier": "m", "runtimeHint": "uvx", "environmentVariables": [{"name": "KEY", "isRequired": true}]},
  {"registryType": "oci", "identifier": "docker.io/a/m:1.0", "runtimeArguments": [{"type": "named", "name": "-i"}]},
  {"registryType": "nuget", "identifier": "A.M", "version": "2.0.0"},
  {"registryType": "mcpb", "identifier": "https://x.example/m.mcpb"},
  {"registryType": "odd", "identifier": "x"}],
 "remotes": [{"type": "sse", "url": "https://m.example/sse"}]}`,
			[]string{"org.example/m:npm, npx -y @a/m@1.0.0 --mode x, line 2", "org.example/m:pypi, uvx m, line 3", "org.example/m:oci, docker run -i docker.io/a/m:1.0, line 4",
				"org.example/m:nuget, dnx A.M@2.0.0, line 5", "org.example/m:odd, invalid, line 7", "org.example/m:remote, sse, https://m.example/sse, line 8"}},
		{"a bundle", "manifest.json", `{"manifest_version": "0.3", "name": "m", "server": {"type": "node", "entry_point": "i.js",
  "mcp_config": {"command": "node", "args": ["${__dirname}/i.js"], "env": {"K": "${user_config.k}"}}}}`,
			[]string{"m, node ${__dirname}/i.js, line 2"}},
		{"any name", "servers.json", `{"servers": {"a": {"command": "x"}}}`, []string{"a, x, line 1"}},
		{"a list in a list in a file twice", ".mcp.json", "{\"mcpServers\": {\"a\": {\"command\": \"x\"}},\n\"mcpServers\": {\"a\": {\"command\": \"y\", \"command\": \"z\"}}}",
			[]string{"a#1, x, line 1", "a#2, z, line 2"}},
		{"keys that look like ours", ".mcp.json", `{"mcpServers": {"a#1": {"command": "x"}, "a": {"command": "y"}, "a": {"command": "z"}}}`,
			[]string{"a#1, x, line 1", "a#2, y, line 1", "a#3, z, line 1"}},
		{"twice in a project", ".claude.json", `{"mcpServers": {"a": {"command": "x"}}, "projects": {"p": {"mcpServers": {"a": {"command": "y"}, "a": {"command": "z"}}}}}`,
			[]string{"a, x, line 1", "p#a#1, y, in p, line 1", "p#a#2, z, in p, line 1"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, readSummaries(t, tt.file, tt.data)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func caseFile(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata/cases", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// caseFiles are the files of a case that has several.
func caseFiles(t *testing.T, name string) map[string]string {
	t.Helper()
	var c struct{ Files map[string]json.RawMessage }
	if err := json.Unmarshal([]byte(caseFile(t, name)), &c); err != nil {
		t.Fatal(err)
	}
	files := make(map[string]string, len(c.Files))
	for file, content := range c.Files {
		files[file] = string(content)
		var text string
		if json.Unmarshal(content, &text) == nil {
			files[file] = text
		}
	}
	return files
}

func TestOpenCasesAreRead(t *testing.T) {
	t.Parallel()
	four, mono := caseFiles(t, "C076-four-clients.json"), caseFiles(t, "C103-monorepo.json")
	for _, tt := range []struct {
		name, file, data string
		want             []string
	}{
		{"C070", ".vscode/mcp.json", caseFile(t, "C070-vscode-mcp.jsonc"), []string{"board, http, https://board.example.org/mcp, line 12", "search, npx -y search-mcp, line 14"}},
		{"C071", ".claude.json", caseFile(t, "C071-claude-code-user.json"),
			[]string{"notes, npx -y notes-mcp@2.0.1, line 7", "maps, npx -y maps-mcp, in work/alpha, line 25", "mail, uvx mail-mcp, in work/beta, disabled, line 36"}},
		{"C073", "settings.json", caseFile(t, "C073-zed-settings.jsonc"), []string{"flat, npx -y flat-mcp, line 5", "nested, npx -y nested-mcp@3.1.0, line 6"}},
		{"C074", "config.yaml", caseFile(t, "C074-continue-config.yaml"), []string{"Docs, npx -y docs-mcp, line 7", "Files, uvx files-mcp==1.0.4, line 11"}},
		{"C076 windsurf", "windsurf/mcp_config.json", four["windsurf/mcp_config.json"], []string{"board, http, https://board.example.org/mcp, line 3"}},
		{"C076 gemini", ".gemini/settings.json", four[".gemini/settings.json"],
			[]string{"maps, http, https://maps.example.org/mcp, line 4", "news, sse, https://news.example.org/sse, line 8", "tool, npx -y tool-mcp, line 11"}},
		{"C076 opencode", "opencode.json", four["opencode.json"], []string{"design, npx -y design-mcp@0.5.5 proxy, line 3", "web, http, https://web.example.org/mcp, line 15"}},
		{"C076 cline", "cline_mcp_settings.json", four["cline_mcp_settings.json"], []string{"mail, npx -y mail-mcp, disabled, line 3"}},
		{"C079", ".mcp.json", caseFile(t, "C079-bom-crlf-dup.json"), []string{"files#1, npx -y files-mcp@1.0.0, line 3", "files#2, npx -y files-mcp, line 4"}},
		{"C103 a", "apps/a/.mcp.json", mono["apps/a/.mcp.json"], []string{"files, npx -y files-mcp, line 3"}},
		{"C103 b", "apps/b/.cursor/mcp.json", mono["apps/b/.cursor/mcp.json"], []string{"files, npx -y files-mcp@2.0.0, line 3"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, readSummaries(t, tt.file, tt.data)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestAnchorsAreFollowed(t *testing.T) {
	t.Parallel()
	servers, err := ReadClientFile("config.yaml", []byte(caseFile(t, "C074-continue-config.yaml")))
	if err != nil || servers[0].Env["LOG"] != "1" {
		t.Errorf("%+v, %v; want the variable of the anchor", servers, err)
	}
}

// C080: what looks like a configuration and is none.
func TestLookAlikesAreNoConfigurations(t *testing.T) {
	t.Parallel()
	files := caseFiles(t, "C080-not-configs.json")
	files["web/manifest.json"] = `{"name": "App", "manifest_version": 3, "icons": []}`
	files["server.json"] = `{"host": "x", "port": 80}`
	for file, data := range files {
		if strings.HasPrefix(file, "node_modules/") {
			continue // a configuration, of a place that nobody is asked to look at
		}
		if servers, err := ReadClientFile(file, []byte(data)); err == nil || len(servers) > 0 {
			t.Errorf("%s: %d servers, %v", file, len(servers), err)
		}
	}
	registry := caseFiles(t, "C080-not-configs.json")["server.json"]
	if got := readSummaries(t, "server.json", registry); len(got) != 1 || !strings.HasPrefix(got[0], "org.example/mcp, npx -y @acme/mcp@0.3.1") {
		t.Errorf("%q", got)
	}
}

// C095: line and column of a value's start, in UTF-16 units, BOM and all.
func TestPositionsOfWords(t *testing.T) {
	t.Parallel()
	files := caseFiles(t, "C095-positions.json")
	for _, tt := range []struct {
		file, data string
		word       string
		line, col  int
		style      Style
	}{
		{"emoji.jsonc", files["emoji.jsonc"], "x-mcp", 3, 54, JSON},
		{"min.json", `{"mcpServers":{"🚀":{"args":["x-mcp"],"command":"npx"}}}`, "x-mcp", 1, 30, JSON},
		{"crlf.yaml", "\ufeffmcpServers:\r\n  # 🚀\r\n  - name: é🚀\r\n    command: npx\r\n    args: ['🚀', x-mcp ]\r\n", "x-mcp", 5, 18, YAMLPlain},
		{"a.yaml", "mcpServers:\n- {name: a, command: 'npx', args: [\"x-mcp\"]}\n", "x-mcp", 2, 36, YAMLDouble},
		{"b.yaml", "a: |\n  text\n\n  more\nb: >-\n  x\nmcpServers:\n- name: a\n  command: npx\n  args:\n  - 'x-mcp' # c\n", "x-mcp", 11, 5, YAMLSingle},
		{"c.yaml", "a: one\n  two\nb: \"x\n  y\"\nmcpServers:\n- name: a\n  command: npx\n  args:\n  - >-\n    x-mcp\n", "x-mcp", 9, 5, Unspelled},
		{"a.toml", "\ufeff# é🚀\r\n[mcp_servers.'🚀']\r\ncommand = \"npx\"\r\nargs = ['🚀', 'x-mcp']\r\n", "x-mcp", 4, 15, TOMLLiteral},
		{"b.toml", "[mcp_servers.a]\ncommand = \"npx\"\nargs = [\n  \"\"\"x-mcp\"\"\",\n]\n", "x-mcp", 4, 3, Unspelled},
	} {
		servers, err := ReadClientFile(tt.file, []byte(tt.data))
		if err != nil || len(servers) != 1 || servers[0].Invalid != nil {
			t.Errorf("%s: %+v, %v", tt.file, servers, err)
			continue
		}
		checkWords(t, tt.data, servers[0])
		found := false
		for _, w := range servers[0].Words {
			if w.Text != tt.word {
				continue
			}
			found = true
			if w.Location.File != tt.file || w.Location.Line != tt.line || w.Location.Column != tt.col || w.Style != tt.style {
				t.Errorf("%s: %+v, want %d:%d", tt.file, w, tt.line, tt.col)
			}
		}
		if !found {
			t.Errorf("%s: no word %s in %+v", tt.file, tt.word, servers[0].Words)
		}
	}
}

// Claude Code keeps the history of every project in the file of its servers.
func TestLargeStateOfAUser(t *testing.T) {
	t.Parallel()
	history := strings.Repeat(`{"display": "what was asked", "pastedContents": {}},`+"\n", 100_000)
	data := `{"projects": {"/srv/app": {"history": [` + history + `{}], "mcpServers": {"a": {"command": "x"}}}}}`
	if got := readSummaries(t, ".claude.json", data); len(got) != 1 || got[0] != "a, x, in /srv/app, line 100001" {
		t.Errorf("%q", got)
	}
	if _, err := ReadClientFile(".mcp.json", []byte(data)); err == nil || !strings.Contains(err.Error(), "at most 4194304") {
		t.Errorf("%v; another file has no history", err)
	}
}
