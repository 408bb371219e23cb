package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcp-lint/mcp-lint/linter/report"
)

// checkConfig runs check-config on one file and returns its JSON report, the
// exit code, and everything that was written, in all formats.
func checkConfig(t *testing.T, file, content string, flags ...string) (r report.Report, code int, everything string) {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, filepath.FromSlash(file))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"check-config"}, flags...)
	for _, format := range []string{"text", "json", "sarif", "markdown", "html", "github"} {
		c, stdout, stderr := mcpLint(t, "", append(args, "--format", format, path)...)
		code, everything = c, everything+stdout+stderr
		if format == "json" {
			if err := json.Unmarshal([]byte(stdout), &r); err != nil {
				t.Fatalf("%v\n%s%s", err, stdout, stderr)
			}
			if err := published(t, "report.schema.json").Validate(decoded(t, stdout)); err != nil {
				t.Errorf("the report is not what the schema says: %v", err)
			}
		}
	}
	return r, code, everything
}

type configResult struct{ Server, Kind, Severity string }

// launchResults are the findings of I1 in the words of the case tables, those of
// one kind for one server once.
func launchResults(t *testing.T, r report.Report) []configResult {
	t.Helper()
	results := []configResult{}
	for _, s := range r.Servers {
		for _, f := range s.Findings {
			kind, isLaunch := strings.CutPrefix(f.Rule, "launch/")
			if !isLaunch {
				continue
			}
			if !slices.Equal(f.Codes, []string{"I1"}) || f.Location.Line == 0 {
				t.Errorf("%s: %+v lacks its code or place", s.Key, f)
			}
			result := configResult{s.Key, strings.ReplaceAll(kind, "-", "_"), f.Severity.String()}
			if !slices.Contains(results, result) {
				results = append(results, result)
			}
		}
	}
	return results
}

func TestConfigCases(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/config-cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		ID, Title, File string
		Content         json.RawMessage
		Expect          []configResult
		NotChecked      []string `json:"not_checked"`
		MustNotAppear   []string `json:"must_not_appear"`
	}
	if err := json.Unmarshal(data, &cases); err != nil || len(cases) < 20 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	for _, c := range cases {
		t.Run(c.ID+" "+c.Title, func(t *testing.T) {
			t.Parallel()
			content := string(c.Content)
			var text string
			if json.Unmarshal(c.Content, &text) == nil {
				content = text
			}
			r, code, everything := checkConfig(t, c.File, content)
			if diff := cmp.Diff(c.Expect, launchResults(t, r)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			remote := []string{}
			for _, s := range r.Servers {
				if s.Error != nil || s.Entry == nil {
					t.Errorf("%s: error %v, entry %v", s.Key, s.Error, s.Entry)
				} else if s.Entry.Remote {
					remote = append(remote, s.Key)
				}
			}
			if !slices.Equal(remote, c.NotChecked) {
				t.Errorf("remote %q, want %q", remote, c.NotChecked)
			}
			for _, marker := range c.MustNotAppear {
				if strings.Contains(everything, marker) {
					t.Errorf("%s is in the output", marker)
				}
			}
			fails := slices.ContainsFunc(c.Expect, func(r configResult) bool { return r.Severity != "info" })
			if want := map[bool]int{true: exitFindings, false: exitClean}[fails]; code != want {
				t.Errorf("exit %d, want %d\n%s", code, want, everything)
			}
			if r, _, _ := checkConfig(t, c.File, content, "--preset", "agents"); len(launchResults(t, r)) != r.Summary.Errors+r.Summary.Warnings+r.Summary.Infos {
				t.Errorf("agents gives what the first program did not: %+v", r.Servers)
			}
		})
	}
}

// What the open cases of client files expect of the whole program: the classes of
// their entries, and what is in no output.
func TestOpenCasesOfClientFiles(t *testing.T) {
	t.Parallel()
	read := func(name string) string {
		data, err := os.ReadFile("testdata/cases/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	part := func(name, file string) string {
		var c struct{ Files map[string]json.RawMessage }
		if err := json.Unmarshal([]byte(read(name)), &c); err != nil {
			t.Fatal(err)
		}
		return string(c.Files[file])
	}
	for _, tt := range []struct {
		file, content string
		want          []configResult
		others        []string // rules of config/*, in order
		code          int
	}{
		{".vscode/mcp.json", read("C070-vscode-mcp.jsonc"), []configResult{{"search", "unpinned", "warning"}}, nil, 1},
		{".claude.json", read("C071-claude-code-user.json"), []configResult{{"maps", "unpinned", "warning"}, {"mail", "unpinned", "info"}}, nil, 1},
		{"settings.json", read("C073-zed-settings.jsonc"), []configResult{{"flat", "unpinned", "warning"}}, nil, 1},
		{"config.yaml", read("C074-continue-config.yaml"), []configResult{{"Docs", "unpinned", "warning"}}, nil, 1},
		{"windsurf/mcp_config.json", part("C076-four-clients.json", "windsurf/mcp_config.json"), []configResult{}, nil, 0},
		{".gemini/settings.json", part("C076-four-clients.json", ".gemini/settings.json"), []configResult{{"tool", "unpinned", "warning"}}, []string{"maps config/auto-approve"}, 1},
		{"opencode.json", part("C076-four-clients.json", "opencode.json"), []configResult{}, nil, 0},
		{"cline_mcp_settings.json", part("C076-four-clients.json", "cline_mcp_settings.json"), []configResult{{"mail", "unpinned", "info"}}, []string{"mail config/auto-approve"}, 0},
		{".mcp.json", read("C077-secrets.json"), []configResult{},
			[]string{"plain config/cleartext-url", "query config/plain-text-secret", "envkey config/plain-text-secret", "argkey config/plain-text-secret"}, 1},
		{".mcp.json", read("C079-bom-crlf-dup.json"), []configResult{{"files#2", "unpinned", "warning"}}, []string{"files#2 config/duplicate-key"}, 1},
		{"server.json", part("C080-not-configs.json", "server.json"), []configResult{}, nil, 0},
	} {
		r, code, everything := checkConfig(t, tt.file, tt.content)
		if diff := cmp.Diff(tt.want, launchResults(t, r)); diff != "" || code != tt.code {
			t.Errorf("%s: exit %d, want %d (-want +got)\n%s", tt.file, code, tt.code, diff)
		}
		var others []string
		for _, s := range r.Servers {
			for _, f := range s.Findings {
				if strings.HasPrefix(f.Rule, "config/") {
					others = append(others, s.Key+" "+f.Rule)
				}
			}
		}
		if !slices.Equal(others, tt.others) {
			t.Errorf("%s: %q, want %q", tt.file, others, tt.others)
		}
		for _, secret := range []string{"sample-oauth-000", "tok-9f8e7d6c5b4a39281706f5e4d3c2", "s3cr3t-sample-value-9f8e7d"} {
			if strings.Contains(everything, secret) {
				t.Errorf("%s: %s is in the output", tt.file, secret)
			}
		}
	}
}

// C070 names the line of the package; the column is that of its literal.
func TestFindingsPointAtTheWord(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/cases/C070-vscode-mcp.jsonc")
	if err != nil {
		t.Fatal(err)
	}
	r, _, _ := checkConfig(t, ".vscode/mcp.json", string(data))
	if f := r.Servers[1].Findings; len(f) != 1 || f[0].Location.Line != 16 || f[0].Location.Column != 40 {
		t.Errorf("%+v, want 16:40", f)
	}
}

// No value of an entry is in any output, whatever the file is written in and
// however the entry is broken.
func TestNoValueOfAnEntryIsShown(t *testing.T) {
	t.Parallel()
	const marker = "Zk3v9QpL2xWm7RtY4bNc"
	for file, content := range map[string]string{
		"good.json": `{"mcpServers": {"a": {"command": "npx", "args": ["-y", "x-mcp", "--token", "MARKER", "MARKER"], "env": {"A_TOKEN": "MARKER", "B": "MARKER"}, "cwd": "/MARKER"},
			"b": {"url": "http://u:MARKER@b.example/MARKER?token=MARKER#MARKER", "headers": {"Authorization": "Bearer MARKER", "X": "MARKER"}}},
			"other": "MARKER"}`,
		"broken.json": `{"mcpServers": {"a": {"command": ["MARKER"]}, "b": {"command": "x", "args": "MARKER"}, "c": "MARKER", "d": {"command": "MARKER", "env": ["MARKER"]},
			"e": {"url": 7, "headers": {"A": "MARKER"}}, "f": {"url": "://MARKER"}, "g": {"url": "MARKER"}, "h": {"command": "sh", "args": ["-c", "x --token MARKER $(MARKER)"]}}}`,
		"half.json":   `{"mcpServers": {"a": {"command": "MARKER" "MARKER"`,
		"a.toml":      "[mcp_servers.a]\ncommand = 'npx'\nargs = ['x-mcp', 'MARKER']\nenv = {A_KEY = \"MARKER\"}\n",
		"half.toml":   "[mcp_servers.a]\ncommand = MARKER\n",
		"config.yaml": "mcpServers:\n- name: a\n  command: npx\n  args: [x-mcp, --key, MARKER]\n  env: {A_KEY: MARKER}\n",
		"half.yaml":   "mcpServers:\n- name: a\n   command: MARKER\n  MARKER: [MARKER\n",
		"server.json": `{"name": "n", "packages": [{"registryType": "npm", "identifier": "x-mcp", "environmentVariables": [{"name": "A_KEY", "value": "MARKER"}]}],
			"remotes": [{"type": "sse", "url": "https://n.example/MARKER"}]}`,
	} {
		_, code, everything := checkConfig(t, file, strings.ReplaceAll(content, "MARKER", marker))
		if strings.Contains(everything, marker) {
			t.Errorf("%s: the value is in the output:\n%s", file, everything)
		}
		if code == exitClean {
			t.Errorf("%s: exit 0", file)
		}
	}
}
