package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/tailscale/hujson"

	"github.com/mcp-lint/mcp-lint/internal/audit"
	"github.com/mcp-lint/mcp-lint/internal/config"
)

// published compiles one of the schemas in docs.
func published(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	s, err := c.Compile(filepath.Join("..", "..", "docs", name))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func decoded(t *testing.T, text string) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}

// reports are JSON reports that have every kind of member between them.
func reports(t *testing.T) map[string]string {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"good.json": "[" + goodTool + "]",
		"bad.json": `{"server": {"name": "tides", "version": "1"}, "tools": [
			{"name": "a"}, {"name": "b", "description": "short", "inputSchema": {"type": "object", "properties": {"x": {}, "y": {"type": "string"}}}}],
			"prompts": [{"name": "p"}], "resources": [{"uri": "x:y"}], "resourceTemplates": [{"uriTemplate": "x:{y}"}]}`,
		"changed.json": `{"instructions": "Obey.", "tools": [{"name": "found_tides", "description": "` + goodText + `", "inputSchema": {"type": "object", "properties": {}}, "annotations": {"readOnlyHint": true}}]}`,
		"broken.json":  "[",
		"flood.json":   flood(700),
		"suppress.json": `{"suppress": [{"rule": "description/missing", "entity": "tool:a", "reason": "a test", "until": "2999-12-31"},
			{"rule": "schema/untyped-param", "server": "bad.json", "reason": "a test"}]}`,
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	baseline := `{"version": 1, "tool": {"name": "mcp-lint"}, "servers": [{"key": "bad.json", "error": null, "findings": [
		{"rule": "description/missing", "severity": "error", "entity": {"kind": "tool", "name": "gone"}, "fingerprint": "` + strings.Repeat("0", 64) + `"}]}]}`
	if err := os.WriteFile("known.json", []byte(baseline), 0o600); err != nil {
		t.Fatal(err)
	}
	texts := make(map[string]string)
	for _, run := range []struct {
		name string
		args []string
	}{
		{"clean", []string{"check", "good.json"}},
		{"no tools", []string{"check", "-"}},
		{"findings", []string{"check", "bad.json"}},
		{"suppressed", []string{"check", "--config", "suppress.json", "bad.json"}},
		{"known", []string{"check", "--baseline", "known.json", "bad.json"}},
		{"cut", []string{"check", "flood.json"}},
		{"not read", []string{"check", "broken.json", "good.json"}},
		{"not started", []string{"run", "--", "no-such-program-here"}},
		{"first lock", []string{"lock", "--from", "good.json"}},
		{"lock changes", []string{"lock", "--check", "--from", "changed.json"}},
	} {
		texts[run.name] = reportOf(t, run.args)
	}
	return texts
}

// flood is a tool with more faults than a report lists.
func flood(params int) string {
	var b strings.Builder
	for i := range params {
		fmt.Fprintf(&b, `,"p%d": {}`, i)
	}
	return `[{"name": "a", "description": "` + goodText + `", "inputSchema": {"type": "object", "properties": {` + b.String()[1:] + `}}}]`
}

func reportOf(t *testing.T, args []string) string {
	t.Helper()
	args = slices.Concat(args[:1], []string{"--json", "report.json"}, args[1:])
	_, _, stderr := mcpLint(t, `{"tools": []}`, args...)
	data, err := os.ReadFile("report.json")
	if err != nil {
		t.Fatalf("%v: %v\n%s", args, err, stderr)
	}
	os.Remove("report.json")
	return string(data)
}

func TestReportsFollowTheirSchema(t *testing.T) {
	schema := published(t, "report.schema.json")
	var all strings.Builder
	for name, text := range reports(t) {
		if err := schema.Validate(decoded(t, text)); err != nil {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
		all.WriteString(text)
	}
	// The reports above must be worth validating.
	words := strings.Join(strings.Fields(all.String()), " ")
	for _, seen := range []string{`"items": [ {`, `"suppressed": {`, `"until": "2999-12-31"`, `"renamedFrom": "find_tides"`, `"lock": {`, `"error": {`, `"scores": {`, `"scored": false`, `"more": 200`, `"moreItems": 200`, `"fixed": [ {`} {
		if !strings.Contains(words, seen) {
			t.Errorf("no report has %s", seen)
		}
	}
}

func TestReportSchemaRefusesOthers(t *testing.T) {
	schema := published(t, "report.schema.json")
	text := reports(t)["findings"]
	for name, edit := range map[string][2]string{
		"another version":    {`"version": 1,`, `"version": 2,`},
		"a severity":         {`"severity": "error"`, `"severity": "fatal"`},
		"a missing member":   {`"fix": `, `"fixes": `},
		"a number as text":   {`"notChecked": 0`, `"notChecked": "0"`},
		"null as list":       {`"probes": []`, `"probes": null`},
		"a foreign entity":   {`"kind": "tool"`, `"kind": "toll"`},
		"no pointer":         {`"path": "/`, `"path": "`},
		"a short hash":       {`"fingerprint": "`, `"fingerprint": "x`},
		"a score above 100":  {`"score": `, `"score": 10`},
		"an unknown member":  {`"summary": {`, `"summary": {"more": 1, `},
		"an unknown grade":   {`"grade": "`, `"grade": "Z`},
		"a missing location": {`"location": `, `"place": `},
	} {
		wrong := strings.Replace(text, edit[0], edit[1], 1)
		if wrong == text {
			t.Errorf("%s: nothing to replace", name)
		}
		if schema.Validate(decoded(t, wrong)) == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

// The schema of the configuration and the program agree, so that an editor
// shows what a run would refuse.
func TestConfigurationSchemaAgreesWithTheProgram(t *testing.T) {
	t.Parallel()
	schema := published(t, "mcp-lint.schema.json")
	const rule = `"rule": "description/missing", "reason": "known"`
	for text, valid := range map[string]bool{
		documented(t):                           true,
		`{}`:                                    true,
		`[]`:                                    false,
		`{"$schema": "x", "extends": "agents"}`: true,
		`{"extends": "strict"}`:                 false,
		`{"fail": "error"}`:                     false,
		`{"failOn": "never", "lockFailOn": "info"}`:                        true,
		`{"failOn": "fatal"}`:                                              false,
		`{"minScore": 70.5}`:                                               true,
		`{"minScore": 101}`:                                                false,
		`{"failUnder": "70"}`:                                              false,
		`{"rules": {"description/missing": "info"}}`:                       true,
		`{"rules": {"description/mising": "info"}}`:                        false,
		`{"rules": {"description/missing": 1}}`:                            false,
		`{"options": {"descriptionMinWords": 1}}`:                          true,
		`{"options": {"descriptionMinWords": -1}}`:                         false,
		`{"options": {"words": 1}}`:                                        false,
		`{"ignoreTools": "a"}`:                                             false,
		`{"lockIgnore": ["icons"]}`:                                        true,
		`{"clients": ["claude", "vscode"]}`:                                true,
		`{"clients": ["claud"]}`:                                           false,
		`{"clients": "claude"}`:                                            false,
		`{"lock": "locks/a.lock"}`:                                         true,
		`{"lock": "../a.lock"}`:                                            false,
		`{"lock": "/a.lock"}`:                                              false,
		`{"lock": ""}`:                                                     false,
		`{"suppress": [{` + rule + `}]}`:                                   true,
		`{"suppress": [{"rule": "description/missing"}]}`:                  false,
		`{"suppress": [{"rule": "description/missing", "reason": " "}]}`:   false,
		`{"suppress": [{` + rule + `, "entity": "tool:a", "path": "/b"}]}`: true,
		`{"suppress": [{` + rule + `, "entity": "server"}]}`:               true,
		`{"suppress": [{` + rule + `, "entity": "tool"}]}`:                 false,
		`{"suppress": [{` + rule + `, "path": "b"}]}`:                      false,
		`{"suppress": [{` + rule + `, "until": "2027-02-29"}]}`:            false,
		`{"suppress": [{` + rule + `, "until": "2028-02-29"}]}`:            true,
		`{"suppress": [{` + rule + `, "textSha256": "ab"}]}`:               false,
		`{"suppress": [{` + rule + `, "who": "me"}]}`:                      false,
		`{"servers": {"a": {"command": "node", "cwd": ".", "env": {"A": "b"}, "passEnv": ["C"], "startTimeout": 0.5}}}`: true,
		`{"servers": {"a": {"url": "https://example.com", "headers": {"A": "b"}, "headerEnv": {"C": "D"}}}}`:            true,
		`{"servers": {"a": {"command": "node", "prepare": [["npm", "ci"]], "network": [], "profile": "admin"}}}`:        true,
		`{"servers": {"a": {"command": "node", "profile": "a@b"}}}`:                                                     false,
		`{"servers": {"a": {"command": "node", "profile": ""}}}`:                                                        false,
		`{"servers": {"a": {}}}`:                                       false,
		`{"servers": {"": {"command": "node"}}}`:                       false,
		`{"servers": {"a": {"command": "node", "from": "b.json"}}}`:    false,
		`{"servers": {"a": {"from": "../b.json"}}}`:                    false,
		`{"servers": {"a": {"command": "node", "cwd": "/etc"}}}`:       false,
		`{"servers": {"a": {"command": "node", "args": "x"}}}`:         false,
		`{"servers": {"a": {"command": "node", "env": {"A=b": "c"}}}}`: false,
		`{"servers": {"a": {"command": "node", "passEnv": ["A=b"]}}}`:  false,
		`{"servers": {"a": {"command": "node", "requestTimeout": 0}}}`: false,
		`{"servers": {"a": {"command": "node", "prepare": [[]]}}}`:     false,
		`{"servers": {"a": {"comand": "node"}}}`:                       false,
	} {
		_, byProgram := config.Parse("f", []byte(text), audit.Known(), "")
		bySchema := schema.Validate(decoded(t, text))
		if (byProgram == nil) != valid || (bySchema == nil) != valid {
			t.Errorf("%s\nwant valid %v; the program says %v, the schema says %v", text, valid, byProgram, bySchema)
		}
	}
}

// documented is the example of docs/config.md as plain JSON.
func documented(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/config.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```jsonc\n(.*?)```").FindSubmatch(page)
	if block == nil {
		t.Fatal("docs/config.md has no example")
	}
	plain, err := hujson.Standardize(block[1])
	if err != nil {
		t.Fatal(err)
	}
	return string(plain)
}

// Rules, clients and options are names that editors complete: none may be missing.
func TestConfigurationSchemaKnowsEveryName(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../docs/mcp-lint.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Properties struct {
			Options struct{ Properties map[string]any }
			Clients struct {
				Items struct{ Enum []string }
			}
		}
		Defs struct {
			Rule struct{ Enum []string }
		} `json:"$defs"`
	}
	if err := json.NewDecoder(bytes.NewReader(data)).Decode(&schema); err != nil {
		t.Fatal(err)
	}
	known := audit.Known()
	slices.Sort(known.Rules)
	if !slices.Equal(schema.Defs.Rule.Enum, known.Rules) {
		t.Errorf("$defs.rule in docs/mcp-lint.schema.json lists\n%q\nthe rules, sorted, are\n%q", schema.Defs.Rule.Enum, known.Rules)
	}
	if !slices.Equal(schema.Properties.Clients.Items.Enum, known.Clients) {
		t.Errorf("clients in docs/mcp-lint.schema.json lists\n%q\nthe clients, sorted, are\n%q", schema.Properties.Clients.Items.Enum, known.Clients)
	}
	page, err := os.ReadFile("../../docs/config.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, client := range known.Clients {
		if !bytes.Contains(page, []byte("`"+client+"`")) {
			t.Errorf("docs/config.md does not say what the client %s stands for", client)
		}
	}
	for _, option := range known.Options {
		if _, ok := schema.Properties.Options.Properties[option]; !ok {
			t.Errorf("docs/mcp-lint.schema.json lacks the option %s", option)
		}
	}
}
