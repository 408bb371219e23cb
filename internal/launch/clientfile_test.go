package launch

import (
	"strings"
	"testing"
)

func TestReadClientFile(t *testing.T) {
	t.Parallel()
	servers, err := ReadClientFile(".mcp.json", []byte(`{
  // comments and trailing commas are what editors leave
  "mcpServers": {
    "files": {"command": "npx", "args": ["-y", "tides@1.0.0"], "env": {"KEY": "${TIDES}"}, "type": "stdio",},
    "remote": {"url": "https://example.com/mcp", "headers": {"A": "b"}},
    "both": {"command": "node", "url": "https://example.com"},
    "neither": {"args": ["x"]},
    "number": {"command": 7},
    "text": "npx",
    "outside": {"command": "node", "cwd": "/etc"},
    "above": {"command": "node", "cwd": "a/../../b"},
    "": {"command": "node"},
    "broken": {"command": "node", "env": {"TOKEN=hunter22": "x"}},
  },
  "other": 1,
}`))
	if err != nil {
		t.Fatal(err)
	}
	if len(servers) != 10 {
		t.Fatalf("%d servers, want all 10: one bad entry must hide none", len(servers))
	}
	files := servers[0]
	if files.Key != "files" || files.Command != "npx" || len(files.Args) != 2 || files.Env["KEY"] != "${TIDES}" || files.Location.Line != 4 {
		t.Errorf("files: %+v", files)
	}
	if servers[1].Transport() != "streamable-http" || servers[1].CommandSHA256() == "" {
		t.Errorf("remote: %+v", servers[1])
	}
	if servers[2].URL != "" || servers[2].Command != "node" {
		t.Errorf("both: clients start the command: %+v", servers[2])
	}
	for i := 6; i <= 7; i++ {
		if servers[i].Invalid != nil {
			t.Errorf("%s: %v; outside a repository any folder is right", servers[i].Key, servers[i].Invalid)
		}
		got := servers[i].InRepository().Invalid
		if want := servers[i].Key + ".cwd: expected a folder of the repository"; got == nil || !strings.Contains(got.Error(), want) {
			t.Errorf("%s: %v, want %q", servers[i].Key, got, want)
		}
	}
	for i, want := range map[int]string{
		3: "neither: expected command or url",
		4: "number.command: expected a text, found a number",
		5: "text: expected an object, found a text",
		8: "expected a name for the server",
		9: "broken.env: expected names of variables as keys",
	} {
		if got := servers[i].Invalid; got == nil || !strings.Contains(got.Error(), want) {
			t.Errorf("%s: %v, want %q", servers[i].Key, got, want)
		}
	}
}

func TestReadClientFileErrors(t *testing.T) {
	t.Parallel()
	many := `{"mcpServers": {` + strings.Repeat(`"a": {}, `, MaxServers+1) + `}}`
	for text, want := range map[string]string{
		`[]`:                  ".mcp.json:1:1: expected an object with the key mcpServers",
		`{"tools": {}}`:       ".mcp.json:1:1: expected the key mcpServers",
		`{"mcpServers": []}`:  ".mcp.json:1:16: mcpServers: expected an object, found an array",
		many:                  "201 servers; at most 200 of one file are checked",
		`{"mcpServers": {"a"`: "not JSON",
	} {
		if _, err := ReadClientFile(".mcp.json", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func TestExpand(t *testing.T) {
	t.Parallel()
	values := map[string]string{"A": "1", "EMPTY": ""}
	lookup := func(name string) (string, bool) { v, ok := values[name]; return v, ok }
	for _, tt := range []struct{ text, want, missing string }{
		{"plain $A", "plain $A", ""},
		{"${A}/${A}", "1/1", ""},
		{"${B}", "", "B"},
		{"${B:-two}", "two", ""},
		{"${EMPTY:-two}", "two", ""},
		{"${EMPTY}", "", ""},
		{"${A", "${A", ""},
		{"${1A} ${A-B}", "${1A} ${A-B}", ""},
		{"${${A}}", "${1}", ""},
		{"${env:A} {env:A} {A}", "1 1 {A}", ""},
		{"{env:B}", "", "B"},
		{"${input:key}${user_config.key}", "", "input:key,user_config.key"},
		{"{{A}} {env:A", "{{A}} {env:A", ""},
	} {
		var missing []string
		got := Expand(tt.text, lookup, func(name string) { missing = append(missing, name) })
		if got != tt.want || strings.Join(missing, ",") != tt.missing {
			t.Errorf("Expand(%q) = %q, missing %v; want %q, %q", tt.text, got, missing, tt.want, tt.missing)
		}
	}
}

func TestCommandHashKeepsWordsApart(t *testing.T) {
	t.Parallel()
	a := Server{Command: "npx", Args: []string{"a", "b"}}
	b := Server{Command: "npx", Args: []string{"a b"}}
	if a.CommandSHA256() == b.CommandSHA256() || len(a.CommandSHA256()) != 64 {
		t.Errorf("hashes %s, %s", a.CommandSHA256(), b.CommandSHA256())
	}
}
