package config

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mcp-lint/mcp-lint/internal/launch"
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

func known() Known {
	return Known{
		Rules:   []string{"description/missing", "description/too-short", "schema/untyped-param"},
		Options: []string{"descriptionMinWords", "descriptionMinLength"},
		Clients: []string{"claude", "claude-code", "vscode"},
	}
}

func TestParseWholeFile(t *testing.T) {
	t.Parallel()
	got, err := Parse(".mcp-lint.json", []byte(`{
  "$schema": "x", "extends": "recommended",
  "rules": {"description/too-short": "off"},
  "options": {"descriptionMinWords": 12},
  "ignoreTools": ["debug_*"], "lockIgnore": ["icons"], "clients": ["claude", "vscode"],
  "suppress": [{"rule": "schema/untyped-param", "server": "own", "entity": "tool:export", "reason": "known", "until": "2027-03-01"}],
  "failOn": "warning", "lockFailOn": "error", "minScore": 70.5, "failUnder": 20,
  "servers": {
    "own": {"command": "node", "args": ["index.js"], "env": {"A": "${B}"}, "passEnv": ["C"], "startTimeout": 1.5},
    "saved": {"from": "tools.json"},
  },
  "lock": "locks/mcp-lint.lock",
}`), known(), "")
	if err != nil {
		t.Fatal(err)
	}
	want := &Config{
		File: ".mcp-lint.json",
		Linter: linter.Config{
			Preset:      linter.Recommended,
			Rules:       map[string]severity.Level{"description/too-short": severity.Off},
			Options:     map[string]float64{"descriptionMinWords": 12},
			IgnoreTools: []string{"debug_*"},
			Clients:     []string{"claude", "vscode"},
			Suppress:    []linter.Suppression{{Rule: "schema/untyped-param", Server: "own", Entity: "tool:export", Reason: "known", Until: "2027-03-01"}},
		},
		SuppressAt: []snapshot.Location{{File: ".mcp-lint.json", Line: 6, Column: 16}},
		FailOn:     severity.Warning, LockFailOn: severity.Error, MinScore: 70.5, FailUnder: 20,
		LockIgnore: []string{"icons"}, Lock: "locks/mcp-lint.lock",
		Servers: []launch.Server{
			{Key: "own", Command: "node", Args: []string{"index.js"}, Env: map[string]string{"A": "${B}"}, PassEnv: []string{"C"},
				StartTimeout: 1500 * time.Millisecond, Location: snapshot.Location{File: ".mcp-lint.json", Line: 9, Column: 5}},
			{Key: "saved", From: "tools.json", Location: snapshot.Location{File: ".mcp-lint.json", Line: 10, Column: 5}},
		},
	}
	// The places of an entry's words are launch's business.
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(launch.Server{}, "Words", "Settings")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestParseErrorsNamePlaceAndNearestName(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, want string }{
		{"unknown key", `{"failon": "error"}`, `f:1:2: failon: unknown key; did you mean "failOn"?`},
		{"unknown rule", `{"rules": {"description/missin": "off"}}`, `f:1:12: rules.description/missin: unknown rule; did you mean "description/missing"?`},
		{"rule level", `{"rules": {"description/missing": "fatal"}}`, `f:1:35: rules.description/missing: unknown severity "fatal"`},
		{"unknown option", `{"options": {"descriptionMinWord": 1}}`, `did you mean "descriptionMinWords"?`},
		{"negative option", `{"options": {"descriptionMinWords": -1}}`, "expected a number of at least 0"},
		{"preset", `{"extends": "recomended"}`, `f:1:13: extends: unknown preset "recomended"; did you mean "recommended"?`},
		{"score", `{"minScore": 101}`, "f:1:14: minScore: expected a number from 0 to 100"},
		{"unknown client", `{"clients": ["vscode", "claud"]}`, `f:1:24: clients[1]: unknown client "claud"; did you mean "claude"?`},
		{"clients as a text", `{"clients": "claude"}`, "f:1:13: clients: expected an array, found a text"},
		{"type", `{"ignoreTools": "x"}`, "f:1:17: ignoreTools: expected an array, found a text"},
		{"no reason", `{"suppress": [{"rule": "description/missing"}]}`, "f:1:15: suppress[0]: expected the key reason"},
		{"suppressed rule", `{"suppress": [{"rule": "description/mising", "reason": "x"}]}`, `f:1:24: suppress[0].rule: unknown rule "description/mising"`},
		{"until", `{"suppress": [{"rule": "description/missing", "reason": "x", "until": "soon"}]}`, "expected a day as YYYY-MM-DD"},
		{"suppressed entity", `{"suppress": [{"rule": "description/missing", "reason": "x", "entity": "toll:x"}]}`, `f:1:72: suppress[0].entity: expected KIND:NAME with a kind of tool, prompt, resource, resourceTemplate or server, found "toll:x"`},
		{"suppressed path", `{"suppress": [{"rule": "description/missing", "reason": "x", "path": "inputSchema"}]}`, `suppress[0].path: expected a JSON pointer inside the entity, like /inputSchema/properties/path, found "inputSchema"`},
		{"suppressed text", `{"suppress": [{"rule": "description/missing", "reason": "x", "textSha256": "abc"}]}`, "suppress[0].textSha256: expected the 64 hex digits of a SHA-256"},
		{"many rules", `{"rules": {"zzz": "off"}}`, `unknown rule; expected one of description/missing, description/too-short, schema/untyped-param`},
		{"empty file", " \n", "f:1:1: the file is empty; expected a JSON object"},
		{"nameless server", `{"servers": {"": {"command": "x"}}}`, "f:1:14: servers.: expected a name for the server"},
		{"variable with value", `{"servers": {"a": {"command": "x", "passEnv": ["TOKEN=hunter22"]}}}`, "f:1:48: servers.a.passEnv[0]: expected the name of a variable; its value is taken from the environment"},
		{"server key", `{"servers": {"a": {"comand": "x"}}}`, `servers.a.comand: unknown key; did you mean "command"?`},
		{"no way", `{"servers": {"a": {}}}`, "servers.a: expected exactly one of command, url and from; found 0"},
		{"two ways", `{"servers": {"a": {"command": "x", "from": "y"}}}`, "found 2 of them"},
		{"timeout", `{"servers": {"a": {"command": "x", "startTimeout": 0}}}`, "expected seconds"},
		{"from outside", `{"servers": {"a": {"from": "../x"}}}`, "stays in the repository"},
		{"cwd outside", `{"servers": {"a": {"command": "x", "cwd": "/"}}}`, "stays in the repository"},
		{"lock outside", `{"lock": "a/../../x"}`, "stays in the repository"},
		{"lock absolute", `{"lock": "/etc/x"}`, "stays in the repository"},
		{"lock backslash", `{"lock": "a\\..\\..\\x"}`, "stays in the repository"},
		{"not an object", `[]`, "f:1:1: expected an object, found an array"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := Parse("f", []byte(tt.text), known(), "")
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

func TestPresetsBringTheirGates(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text     string
		override linter.Preset
		preset   linter.Preset
		failOn   severity.Level
		minScore float64
	}{
		{`{}`, "", linter.Recommended, severity.Error, 0},
		{`{"extends": "snapshot"}`, "", linter.SnapshotPreset, severity.Off, 70},
		{`{"extends": "snapshot", "minScore": 5}`, "", linter.SnapshotPreset, severity.Off, 5},
		{`{"extends": "snapshot"}`, linter.Agents, linter.Agents, severity.Error, 0},
		{`{}`, linter.SnapshotPreset, linter.SnapshotPreset, severity.Off, 70},
	} {
		c, err := Parse("f", []byte(tt.text), known(), tt.override)
		if err != nil {
			t.Fatal(err)
		}
		if c.Linter.Preset != tt.preset || c.FailOn != tt.failOn || c.MinScore != tt.minScore {
			t.Errorf("%s + %q: %s, failOn %s, minScore %g", tt.text, tt.override, c.Linter.Preset, c.FailOn, c.MinScore)
		}
	}
}
