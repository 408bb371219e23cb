package pin_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Every way to write a text stays that way, wherever it can hold the new one.
// What else stands in the file, and how, is the same byte for byte.
func TestFormats(t *testing.T) {
	t.Parallel()
	_, p := start(t)
	for _, tt := range []struct{ name, file, before, after string }{
		{"an escape in another part of the word", "mcp.json",
			`{"mcpServers": {"a": {"command": "npx", "args": ["--package=\u0074ides"]}}}`,
			`{"mcpServers": {"a": {"command": "npx", "args": ["--package=tides@1.4.0"]}}}`},
		{"what JSON need not escape", "mcp.json",
			`{"mcpServers": {"a": {"command": "sh", "args": ["-c", "npx tides 'é\" \u2028<&>'"]}}}`,
			`{"mcpServers": {"a": {"command": "sh", "args": ["-c", "npx tides@1.4.0 'é\" \u2028<&>'"]}}}`},
		{"a byte order mark and old line ends", "mcp.json",
			"\ufeff{\r\n\t\"mcpServers\": {\"a\": {\"command\": \"npx\", // x\r\n\t\t\"args\": [\"tides\"]}}}\r\n",
			"\ufeff{\r\n\t\"mcpServers\": {\"a\": {\"command\": \"npx\", // x\r\n\t\t\"args\": [\"tides@1.4.0\"]}}}\r\n"},
		{"several packages in one word", "mcp.json",
			`{"mcpServers": {"a": {"command": "uvx", "args": ["--with", "epochs,orchard-mcp<1", "orchard-mcp"]}}}`,
			`{"mcpServers": {"a": {"command": "uvx", "args": ["--with", "epochs==1!1.0,orchard-mcp==0.9.2", "orchard-mcp==1.0.0"]}}}`},
		{"a whole command in one text", "mcp.json",
			`{"mcpServers": {"a": {"command": "npx -y tides@latest"}}}`,
			`{"mcpServers": {"a": {"command": "npx -y tides@1.4.0"}}}`},
		{"VS Code's key", ".vscode/mcp.json",
			`{"servers": {"a": {"command": "npx", "args": ["tides"]}}, "inputs": []}`,
			`{"servers": {"a": {"command": "npx", "args": ["tides@1.4.0"]}}, "inputs": []}`},
		{"YAML's ways", "goose/config.yaml",
			"extensions:\n  a: {type: stdio, cmd: npx, args: [-p, tides, --package=tides, '@harbor/berths', \"tides@next\"]}\n",
			"extensions:\n  a: {type: stdio, cmd: npx, args: [-p, tides@1.4.0, --package=tides@1.4.0, '@harbor/berths', \"tides@next\"]}\n"},
		{"one text of YAML in two entries", "goose/config.yaml",
			"x: &words [-y, tides]\nextensions:\n  a:\n    type: stdio\n    cmd: npx\n    args: *words\n  b:\n    type: stdio\n    cmd: npx\n    args: *words # b\n",
			"x: &words [-y, tides@1.4.0]\nextensions:\n  a:\n    type: stdio\n    cmd: npx\n    args: *words\n  b:\n    type: stdio\n    cmd: npx\n    args: *words # b\n"},
		{"TOML's ways", "config.toml",
			"[mcp_servers.a]\r\ncommand = 'npx'\r\nargs = [ 'tides' , \"x\" ] # c\r\n\r\n[mcp_servers.b]\r\ncommand = \"uvx\"\r\nargs = [\"orchard-mcp[cli]\", \"a\\tb\"]\r\n",
			"[mcp_servers.a]\r\ncommand = 'npx'\r\nargs = [ 'tides@1.4.0' , \"x\" ] # c\r\n\r\n[mcp_servers.b]\r\ncommand = \"uvx\"\r\nargs = [\"orchard-mcp[cli]==1.0.0\", \"a\\tb\"]\r\n"},
	} {
		result, err := p.File(t.Context(), tt.file, []byte(tt.before))
		if err != nil || len(result.Left)+len(result.Failures) > 0 {
			t.Errorf("%s: %v, left %+v, failures %+v", tt.name, err, result.Left, result.Failures)
			continue
		}
		if diff := cmp.Diff(tt.after, string(result.Data)); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
		again, err := p.File(t.Context(), tt.file, result.Data)
		if err != nil || len(again.Changes) > 0 {
			t.Errorf("%s: a second time: %+v, %v", tt.name, again.Changes, err)
		}
	}
}

// A text that no single literal spells is left as it is.
func TestUnspelledWords(t *testing.T) {
	t.Parallel()
	_, p := start(t)
	for file, text := range map[string]string{
		"config.toml":       "[mcp_servers.a]\ncommand = 'npx'\nargs = [\"\"\"\\\n  tides\"\"\"]\n",
		"goose/config.yaml": "extensions:\n  a:\n    type: stdio\n    cmd: npx\n    args:\n      - >-\n        tides\n",
	} {
		result, err := p.File(t.Context(), file, []byte(text))
		if err != nil || len(result.Left) != 1 || !strings.Contains(result.Left[0].Reason, "no single text of the file spells its word") || string(result.Data) != text {
			t.Errorf("%s: %+v, %v", file, result, err)
		}
	}
}
