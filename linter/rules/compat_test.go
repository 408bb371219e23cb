package rules_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/rules"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// toolWith is a tool with an input schema of these properties.
func toolWith(properties string) string {
	return `{"name":"t",` + longEnough + `,"inputSchema":{"type":"object","properties":{` + properties + `}}}`
}

// withSchema is a tool with this input schema.
func withSchema(schema string) string {
	return `{"name":"t",` + longEnough + `,"inputSchema":` + schema + `}`
}

func withOutput(schema string) string {
	return `{"name":"t",` + longEnough + `,"inputSchema":{"type":"object","properties":{}},"outputSchema":` + schema + `}`
}

// lintTool gives the findings of preset recommended on one tool.
func lintTool(t *testing.T, c linter.Config, key, tool string) []linter.Finding {
	t.Helper()
	document := tool
	if !strings.HasPrefix(document, `{"tools"`) {
		document = "[" + tool + "]"
	}
	s := mustParse(t, []byte(document))
	s.Key = key
	return mustLinter(t, c).Lint(s).Findings
}

// places are where a rule spoke: the items, or the finding's own path.
func places(findings []linter.Finding, rule string) []string {
	var list []string
	for _, f := range findings {
		if f.Rule != rule {
			continue
		}
		for _, item := range f.Items {
			list = append(list, f.Severity.String()+" "+item.Path)
		}
		if len(f.Items) == 0 {
			list = append(list, f.Severity.String()+" "+f.Path)
		}
	}
	return list
}

func TestRulesAboutClients(t *testing.T) {
	t.Parallel()
	const in = "/inputSchema/properties/"
	for _, tt := range []struct {
		rule, tool string
		want       []string
	}{
		{"compat/root-combinator", withSchema(`{"type":"object","properties":{},"anyOf":[{"required":["a"]}]}`), []string{"error /inputSchema/anyOf"}},
		{"compat/root-combinator", withSchema(`{"type":"object","properties":{},"not":{"required":["a"]}}`), []string{"warning /inputSchema/not"}},
		{"compat/root-combinator", withSchema(`{"type":"object","properties":{},"if":{"required":["a"]},"then":{}}`), []string{"warning /inputSchema/if"}},
		{"compat/root-combinator", toolWith(`"anyOf":{"type":"string","anyOf":[{"minLength":1}]}`), nil},
		{"compat/output-root-type", withOutput(`{"type":"array","items":{}}`), []string{"error /outputSchema/type"}},
		{"compat/output-root-type", withOutput(`{"anyOf":[{"type":"object"}]}`), []string{"error /outputSchema/type"}},
		{"compat/output-root-type", withOutput(`{"type":["object","null"]}`), []string{"error /outputSchema/type"}},
		{"compat/output-root-type", withOutput(`{"type":"object"}`), nil},
		{"compat/output-root-type", withOutput(`{"type":"objekt"}`), nil}, // schema/invalid-output-schema says it
		{"compat/output-root-type", withOutput(`true`), nil},
		{"compat/array-items", toolWith(`"a":{"type":"array"}`), []string{"error " + in + "a"}},
		{"compat/array-items", toolWith(`"a":{"anyOf":[{"type":["null","array"]},{"type":"string"}]}`), []string{"error " + in + "a/anyOf/0"}},
		{"compat/array-items", toolWith(`"a":{"type":"object","additionalProperties":{"type":"array"}}`), []string{"error " + in + "a/additionalProperties"}},
		{"compat/array-items", toolWith(`"a":{"type":"array","prefixItems":[{"type":"string"}]}`), []string{"warning " + in + "a"}},
		{"compat/array-items", withSchema(`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{"type":"array","items":[{"type":"string"}]}}}`), []string{"warning " + in + "a/items"}},
		{"compat/array-items", toolWith(`"a":{"type":"array","items":[{"type":"string"}]}`), nil}, // invalid in 2020-12
		{"compat/array-items", toolWith(`"a":{"type":"array","items":{}},"b":{"type":"string"},"array":{"type":"string"}`), nil},
		{"compat/array-items", withOutput(`{"type":"object","properties":{"a":{"type":"array"}}}`), nil}, // no model gets it
		{"compat/object-properties", withSchema(`{"type":"object","additionalProperties":false}`), []string{"info /inputSchema"}},
		{"compat/object-properties", withSchema(`{"type":"object","properties":{}}`), nil},
		{"compat/object-properties", withSchema(`{}`), nil},
		{"compat/object-properties", withSchema(`{"type":"object","$ref":"#/$defs/A","$defs":{"A":{"properties":{"a":{"type":"string"}}}}}`), nil}, // they are there
		{"compat/object-properties", withSchema(`{"type":"object","allOf":[{"properties":{"a":{"type":"string"}}}]}`), nil},
		{"compat/object-properties", toolWith(`"a":{"type":"object"}`), nil},
		{"compat/property-key", toolWith(`"a b":{},"$top":{},"a.b-C_1":{}`), []string{"error " + in + "a b", "error " + in + "$top"}},
		{"compat/property-key", toolWith(`"a b":{},"a b":{"type":"string"}`), []string{"error " + in + "a b"}}, // the last one counts
		{"compat/property-key", toolWith(`"` + strings.Repeat("k", 65) + `":{}`), []string{"error " + in + strings.Repeat("k", 65)}},
		{"compat/property-key", toolWith(`"` + strings.Repeat("k", 64) + `":{},"o":{"type":"object","properties":{"a b":{}}}`), nil},
		{"compat/type-list", toolWith(`"a":{"type":["string"]},"b":{"type":"string"}`), []string{"warning " + in + "a/type"}},
		{"compat/type-list", withSchema(`{"type":["object","null"],"properties":{}}`), nil}, // invalid
		{"compat/nullable-union", toolWith(`"a":{"oneOf":[{"type":"null"},{"type":"string"}]}`), []string{"info /tools/t/inputSchema"}},
		{"compat/nullable-union", toolWith(`"a":{"anyOf":[{"type":"integer"},{"type":"string"}]}`), nil},
		{"compat/boolean-schema", toolWith(`"a":true,"b":{"type":"array","items":true},"c":{"anyOf":[false]}`), []string{"warning " + in + "a", "warning " + in + "b/items", "warning " + in + "c/anyOf/0"}},
		{"compat/boolean-schema", toolWith(`"a":{"type":"object","additionalProperties":true,"properties":{},"default":true}`), nil},
		{"compat/enum-not-string", toolWith(`"a":{"enum":["x",null]},"b":{"type":"string","enum":["x"]}`), []string{"warning " + in + "a/enum"}},
		{"compat/enum-not-string", toolWith(`"a":{"type":"string","enum":[1]}`), nil}, // schema/default-mismatch says it
		{"compat/enum-empty-member", toolWith(`"a":{"type":"string","enum":["x",""]}`), []string{"warning " + in + "a/enum/1"}},
		{"compat/enum-empty-member", toolWith(`"a":{"type":"string","enum":[" "],"default":""}`), nil},
		{"compat/enum-without-type", toolWith(`"a":{"enum":["x"]},"b":{"type":"string","enum":["x"]},"c":{"const":"x"}`), []string{"warning " + in + "a/enum"}},
		{"compat/format", toolWith(`"a":{"type":"string","format":"uri"},"b":{"type":"string","format":"path"}`), []string{"warning " + in + "a/format", "warning " + in + "b/format"}},
		{"compat/format", toolWith(`"a":{"type":["string","null"],"format":"path"}`), []string{"info " + in + "a/format"}},
		{"compat/format", toolWith(`"a":{"type":"string","format":"uuid"}`), []string{"info /tools/t/inputSchema"}},
		{"compat/format", toolWith(`"a":{"type":"string","format":"date-time"},"b":{"type":"integer","format":"int64"},"format":{"type":"string"}`), nil},
		{"compat/dialect", withOutput(`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object"}`), []string{"warning /tools/t/outputSchema"}},
		{"compat/dialect", withOutput(`{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object"}`), nil},
		{"compat/dialect", withSchema(`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{}}`), nil},
		{"compat/dialect", withSchema(`{"$schema":"http://json-schema.org/draft-04/schema#","type":"object","properties":{"a":{"type":"number","maximum":1,"exclusiveMaximum":false}}}`), []string{"warning " + in + "a/exclusiveMaximum"}},
		{"compat/recursive-ref", withSchema(`{"type":"object","properties":{"a":{"$ref":"#"}}}`), []string{"warning " + in + "a/$ref"}},
		{"compat/recursive-ref", withSchema(`{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":{"items":{"$ref":"#/$defs/B"}},"B":{"items":{"$ref":"#/$defs/A"}}}}`), []string{"warning /inputSchema/$defs/B/items/$ref"}},
		{"compat/recursive-ref", withOutput(`{"type":"object","properties":{"a":{"$ref":"#"}}}`), []string{"warning /outputSchema/properties/a/$ref"}},
		{"compat/recursive-ref", withSchema(`{"type":"object","properties":{"a":{"$ref":"#/$defs/A"},"b":{"$ref":"#/$defs/A"}},"$defs":{"A":{"$ref":"#/$defs/B"},"B":{}}}`), nil},
		{"compat/ref", withSchema(`{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":{"type":"string"}}}`), []string{"info /tools/t/inputSchema"}},
		{"compat/ref", withSchema(`{"type":"object","properties":{"a":{"$ref":"#"}}}`), nil},
		{"compat/ref", withSchema(`{"type":"object","properties":{"a":{"$ref":"#/$defs/none"},"$ref":{"type":"string"}}}`), nil},
		{"compat/header-annotation", toolWith(`"a":{"type":"string","x-mcp-header":"A"},"o":{"type":"object","properties":{"b":{"type":"boolean","x-mcp-header":"B"}}}`), nil},
		{"compat/header-annotation", toolWith(`"a":{"type":"number","x-mcp-header":"A"}`), []string{"warning " + in + "a/x-mcp-header"}},
		{"compat/header-annotation", toolWith(`"a":{"type":"array","items":{"type":"string","x-mcp-header":"A"}}`), []string{"warning " + in + "a/items/x-mcp-header"}},
		{"compat/header-annotation", toolWith(`"a":{"oneOf":[{"type":"string","x-mcp-header":"A"}]}`), []string{"warning " + in + "a/oneOf/0/x-mcp-header"}},
		{"compat/header-annotation", toolWith(`"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"a"}`), []string{"warning " + in + "b/x-mcp-header"}},
		{"compat/header-annotation", toolWith(`"a":{"type":"string","x-mcp-header":"A B"},"b":{"type":"string","x-mcp-header":7},"c":{"type":"string","x-mcp-header":""}`),
			[]string{"warning " + in + "a/x-mcp-header", "warning " + in + "b/x-mcp-header", "warning " + in + "c/x-mcp-header"}},
		{"compat/header-annotation", withSchema(`{"type":"object","x-mcp-header":"A","properties":{}}`), []string{"warning /inputSchema/x-mcp-header"}},
		{"schema/openapi-keyword", toolWith(`"a":{"type":"string","example":"x"},"example":{"type":"string"}`), []string{"info " + in + "a/example"}},
		{"schema/openapi-keyword", toolWith(`"a":{"nullable":true}`), nil}, // schema/invalid-input-schema says it
		{"schema/default-mismatch", toolWith(`"a":{"type":"string","enum":["x",1],"default":"y"}`), []string{"warning " + in + "a/enum", "warning " + in + "a/default"}},
		{"schema/default-mismatch", toolWith(`"a":{"type":"integer","examples":[1,"2"],"const":null}`), []string{"warning " + in + "a/examples", "warning " + in + "a/const"}},
		{"schema/default-mismatch", toolWith(`"a":{"type":"string","nullable":true,"default":null,"enum":["x",null]}`), nil},
		{"schema/default-mismatch", toolWith(`"a":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null},"b":{"pattern":"^x","default":"y"},"default":{"type":"integer"}`), nil},
		{"schema/default-mismatch", withOutput(`{"type":"object","properties":{"a":{"type":"array","default":null}}}`), []string{"warning /outputSchema/properties/a/default"}},
		// Values are no schemas, whatever is in them.
		{"compat/array-items", toolWith(`"a":{"type":"object","default":{"type":"array"},"examples":[{"type":"array"}],"enum":[{"type":"array"}]}`), nil},
		{"compat/boolean-schema", withSchema(`{"type":"object","properties":{"a":{"type":"string"}},"not":{"properties":{"a":false}}}`), nil},
	} {
		got := places(lintTool(t, linter.Config{}, "key", tt.tool), tt.rule)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s on %s\ngot  %q\nwant %q", tt.rule, tt.tool, got, tt.want)
		}
	}
}

// One fault gives one finding: a schema that is none is not also one that
// clients do not take, and a valid one is never called invalid.
func TestInvalidAndUnportableAreTwoThings(t *testing.T) {
	t.Parallel()
	for tool, want := range map[string]string{
		toolWith(`"a":{"type":"array","items":[{"type":"string"}]}`): "schema/invalid-input-schema",
		toolWith(`"a":{"type":"string","enum":[]}`):                  "schema/invalid-input-schema",
		toolWith(`"a":{"type":"string","format":7}`):                 "schema/invalid-input-schema",
		withSchema(`{}`):   "schema/invalid-input-schema",
		withSchema(`null`): "schema/invalid-input-schema",
		withSchema(`true`): "schema/invalid-input-schema",
		withSchema(`{"type":"object","properties":{"a":{"$ref":"#/$defs/none"}}}`): "schema/invalid-input-schema",
		withOutput(`[]`): "schema/invalid-output-schema",
		withSchema(`{"type":"object","properties":{},"anyOf":[{"required":["a"]}]}`): "compat/root-combinator",
		withSchema(`{"type":"object"}`):                                              "compat/object-properties",
		toolWith(`"a":{"type":["string","null"]}`):                                   "compat/type-list",
		toolWith(`"a":true`):                                                         "compat/boolean-schema",
		withOutput(`{"type":"array","items":{"type":"string"}}`):                     "compat/output-root-type",
	} {
		var about []string
		for _, f := range lintTool(t, linter.Config{}, "key", tool) {
			if f.Rule != "schema/missing-param-description" && f.Rule != "schema/untyped-param" {
				about = append(about, f.Rule)
			}
		}
		if !slices.Equal(about, []string{want}) {
			t.Errorf("%s: %q; want %s alone", tool, about, want)
		}
	}
}

func TestNamesOfTools(t *testing.T) {
	t.Parallel()
	long := func(n int) string { return strings.Repeat("n", n) }
	for _, tt := range []struct {
		name, key, level string
		says             []string
	}{
		{"a.b", "k", "warning", []string{"Claude Desktop", "Copilot CLI", "Codex"}},
		{long(58), "", "", nil},
		{long(59), "", "warning", []string{"at least 60 characters", "Cursor"}},
		{long(59), "some/where.json", "warning", []string{"at least 60 characters"}},
		{long(40), "a-server-with-a-name", "warning", []string{"60 characters", "Cursor"}},
		{long(39), "a-server-with-a-name", "info", []string{"as mcp__a-server-with-a-name__… the name has 66 characters ("}},
		{long(37), "a-server-with-a-name", "", nil},
		{long(37), ".mcp.json#a-server-with-a-longer-name", "warning", []string{"Cursor"}},
		{long(50), ".mcp.json#k", "", nil}, // the file's name is no part of the key
		{long(65), "", "warning", []string{"has 65 characters", "OpenAI API"}},
		{long(116), "server", "warning", []string{"has 129 characters", "Claude Code"}},
		{long(129), "k", "", nil}, // no name by MCP either
		{long(40), "Häfenübersichtsdienst", "warning", []string{"has 61 characters"}},
		{"a b", "k", "", nil},
		{"", "k", "", nil},
	} {
		tool := strings.Replace(toolWith(""), `"t"`, `"`+tt.name+`"`, 1)
		level, message := "", ""
		for _, f := range lintTool(t, linter.Config{}, tt.key, tool) {
			if f.Rule == "compat/tool-name" {
				level, message = f.Severity.String(), f.Message
			}
		}
		if level != tt.level {
			t.Errorf("%s of %q: %q, %s; want %q", tt.name, tt.key, level, message, tt.level)
		}
		for _, want := range tt.says {
			if !strings.Contains(message, want) {
				t.Errorf("%s of %q: %s; want %q", tt.name, tt.key, message, want)
			}
		}
	}
	c := linter.Config{Options: map[string]float64{"toolNameMaxLength": 10}}
	if got := places(lintTool(t, c, "k", strings.Replace(toolWith(""), `"t"`, `"elevenchars"`, 1)), "compat/tool-name"); !slices.Equal(got, []string{"warning /name"}) {
		t.Errorf("over the budget: %q", got)
	}
}

func TestPropertyKeysGetAnotherName(t *testing.T) {
	t.Parallel()
	tool := toolWith(`"filter[name]":{},"filter.name":{},"accounts[]":{},"$top":{},"größe":{},"日":{},"":{},"a b":{}`)
	for _, f := range lintTool(t, linter.Config{}, "key", tool) {
		if f.Rule != "compat/property-key" {
			continue
		}
		for _, want := range []string{
			`"filter[name]" (better filter.name_2)`, `"accounts[]" (better accounts)`, `"$top" (better top)`,
			`"größe" (better gre)`, `"日" (better value)`, `"" (better value_2)`, `"a b" (better a_b)`,
		} {
			if !strings.Contains(f.Message, want) {
				t.Errorf("%s; want %s", f.Message, want)
			}
		}
		return
	}
	t.Error("no finding")
}

func TestLengthsOfDescriptions(t *testing.T) {
	t.Parallel()
	text := func(n int, character string) string {
		return strings.Repeat("Tells the level. ", 200)[:16] + strings.Repeat(character, n-16)
	}
	for _, tt := range []struct {
		description, want, says string
	}{
		{text(1024, "ä"), "", ""},
		{text(1025, "ä"), "info /description", "1,025 characters"},
		{text(2048, "😀"), "info /description", "2,048 characters"},
		{text(2048, "x") + " Never pass a date.", "warning /description", `what is lost begins with "Never pass a date."`},
	} {
		tool := `{"name":"t","description":"` + tt.description + `","inputSchema":{"type":"object","properties":{}}}`
		findings := lintTool(t, linter.Config{}, "key", tool)
		if got := strings.Join(places(findings, "compat/description-length"), ","); got != tt.want {
			t.Errorf("%d characters: %q; want %q", len(tt.description), got, tt.want)
		}
		for _, f := range findings {
			if f.Rule == "compat/description-length" && !strings.Contains(f.Message, tt.says) {
				t.Errorf("%s; want %s", f.Message, tt.says)
			}
			if f.Rule == "description/too-long" {
				t.Error("one fault gives two findings")
			}
		}
	}
	c := linter.Config{Options: map[string]float64{"descriptionMaxLength": 50}}
	if got := places(lintTool(t, c, "key", toolWith("")), "description/too-long"); len(got) != 1 {
		t.Errorf("the user's own limit: %q", got)
	}
	document := `{"tools":[` + toolWith("") + `],"instructions":"` + text(2049, "x") + `"}`
	if got := places(lintTool(t, linter.Config{}, "key", document), "compat/description-length"); !slices.Equal(got, []string{"warning /instructions"}) {
		t.Errorf("instructions: %q", got)
	}
}

// The configuration's clients decide what is said and how grave it is.
func TestClientsDecideSeverity(t *testing.T) {
	t.Parallel()
	union := withSchema(`{"type":"object","properties":{},"anyOf":[{"required":["a"]}]}`)
	many := func(n int) string {
		return `{"tools":[` + strings.Repeat(toolWith("")+",", n-1) + toolWith("") + `]}`
	}
	for _, tt := range []struct {
		rule, tool string
		clients    []string
		want       string
	}{
		{"compat/root-combinator", union, []string{"claude"}, "error"},
		{"compat/root-combinator", union, []string{"claude-code"}, "error"}, // it sends to the API
		{"compat/root-combinator", union, []string{"vscode"}, ""},
		{"compat/array-items", toolWith(`"a":{"type":"array"}`), []string{"openai"}, "error"},
		{"compat/array-items", toolWith(`"a":{"type":"array"}`), []string{"vscode"}, "warning"},
		{"compat/array-items", toolWith(`"a":{"type":"array"}`), []string{"gemini"}, ""},
		{"compat/format", toolWith(`"a":{"type":"string","format":"uuid"}`), []string{"openai"}, ""},
		{"compat/format", toolWith(`"a":{"type":"string","format":"uri"}`), []string{"claude"}, ""},
		{"compat/tool-count", many(129), []string{"vscode"}, "warning"},
		{"compat/tool-count", many(129), []string{"jetbrains", "cursor"}, "warning"},
		{"compat/tool-count", many(129), []string{"cursor"}, "info"},
		{"compat/tool-count", many(129), []string{"claude"}, ""},
		{"compat/tool-count", many(128), []string{"vscode"}, ""},
		{"compat/tool-count", many(41), nil, "info"},
		{"compat/tool-count", many(40), nil, ""},
		{"compat/format", toolWith(`"a":{"type":"string","format":"uri"}`), []string{"gemini"}, "info"},
		{"compat/type-list", toolWith(`"a":{"type":["string","null"]}`), []string{"gemini"}, "warning"},
		{"compat/type-list", toolWith(`"a":{"type":["string","null"]}`), []string{"cursor"}, "info"},
		{"compat/type-list", toolWith(`"a":{"type":["string","null"]}`), []string{"copilot-cli"}, ""},
		{"compat/type-list", toolWith(`"a":{"type":"array","items":{"type":["object","null"]}}`), []string{"copilot-cli"}, "warning"},
		{"compat/description-length", strings.Replace(toolWith(""), longEnough, `"description":"`+strings.Repeat("x", 3000)+`"`, 1), []string{"claude"}, "warning"},
		{"compat/description-length", strings.Replace(toolWith(""), longEnough, `"description":"`+strings.Repeat("x", 3000)+`"`, 1), []string{"openai"}, "info"},
		{"compat/dialect", withOutput(`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object"}`), []string{"claude-code"}, ""},
		{"compat/recursive-ref", toolWith(`"a":{"$ref":"#"}`), []string{"openai"}, ""},
		{"compat/recursive-ref", toolWith(`"a":{"$ref":"#"}`), []string{"claude-code"}, ""},
		{"compat/ref", toolWith(`"a":{"$ref":"#"}`), []string{"openai"}, "info"},
		{"compat/header-annotation", toolWith(`"a":{"type":"number","x-mcp-header":"A"}`), []string{"typescript-sdk"}, ""},
	} {
		var got string
		for _, f := range lintTool(t, linter.Config{Clients: tt.clients}, "key", tt.tool) {
			if f.Rule == tt.rule {
				got = f.Severity.String()
			}
		}
		if got != tt.want {
			t.Errorf("%s for %q: %q; want %q", tt.rule, tt.clients, got, tt.want)
		}
	}
}

// Each client stands alone: no rule speaks without naming somebody, and none
// falls over.
func TestEveryClientAlone(t *testing.T) {
	t.Parallel()
	var documents []string
	for _, rule := range rules.All() {
		if len(rule.Clients) > 0 {
			documents = append(documents, rule.Bad)
		}
	}
	for _, client := range linter.Clients(rules.All()) {
		for _, document := range documents {
			for _, f := range lintTool(t, linter.Config{Clients: []string{client}}, "example", document) {
				if strings.HasPrefix(f.Rule, "compat/") && (strings.HasSuffix(f.Message, ": ") || strings.Contains(f.Message, "()") || strings.Contains(f.Message, ": ;")) {
					t.Errorf("%s alone: %s", client, f.Message)
				}
			}
		}
	}
}

// A message names no client that the configuration left out.
func TestMessagesNameClientsInForceOnly(t *testing.T) {
	t.Parallel()
	facts := map[string][]linter.ClientFact{}
	var documents []string
	for _, rule := range rules.All() {
		if len(rule.Clients) > 0 {
			facts[rule.ID] = rule.Clients
			documents = append(documents, rule.Bad)
		}
	}
	named := 0
	for _, client := range linter.Clients(rules.All()) {
		family, _, _ := strings.Cut(client, "-")
		for _, document := range documents {
			for _, f := range lintTool(t, linter.Config{Clients: []string{client}}, "example", document) {
				for _, fact := range facts[f.Rule] {
					if !strings.Contains(f.Message, fact.Name+" "+fact.Does) {
						continue
					}
					named++
					if fact.Client != client && fact.Client != family && !strings.HasPrefix(fact.Client, client+"-") {
						t.Errorf("%s for %s: %s", f.Rule, client, f.Message)
					}
				}
			}
		}
	}
	if named < len(facts) {
		t.Errorf("%d facts named in messages of %d rules", named, len(facts))
	}
}

func TestFactsAboutClientsHaveSources(t *testing.T) {
	t.Parallel()
	for _, rule := range rules.All() {
		if (rule.Category() == "compat") != (len(rule.Clients) > 0) {
			t.Errorf("%s: only and all rules about clients have facts", rule.ID)
		}
		for _, fact := range rule.Clients {
			if fact.Name == "" || fact.Does == "" || strings.HasSuffix(fact.Does, ".") || !strings.HasPrefix(fact.Source, "https://") {
				t.Errorf("%s: incomplete fact %+v", rule.ID, fact)
			}
		}
	}
}

func TestFindingsAboutClientsCostNoScore(t *testing.T) {
	t.Parallel()
	s := mustParse(t, []byte("["+withSchema(`{"type":"object"}`)+"]"))
	result := mustLinter(t, linter.Config{}).Lint(s)
	if len(result.Findings) != 1 || result.Quality.Score != 100 {
		t.Errorf("%d findings, score %d; want 1 and 100", len(result.Findings), result.Quality.Score)
	}
}

// Groups stay short and pointers too, whatever a server sends.
func TestGroupsAreBounded(t *testing.T) {
	t.Parallel()
	name := strings.Repeat("n", 5_000)
	tool := toolWith(`"` + name + `":{"type":"object","properties":{` + members(5_000, `"p#":true`) + `}}`)
	found := false
	for _, f := range lintTool(t, linter.Config{}, "key", tool) {
		if f.Rule != "compat/boolean-schema" {
			continue
		}
		found = true
		if len(f.Items) > 100 || !strings.Contains(f.Message, "4,900 places not listed") {
			t.Errorf("%d items: %s", len(f.Items), f.Message)
		}
		for _, item := range f.Items {
			if len(item.Path) > 1024 || item.Location == (snapshot.Location{}) {
				t.Errorf("item at %d bytes of pointer, %+v", len(item.Path), item.Location)
			}
		}
	}
	if !found {
		t.Error("no finding")
	}
}

// What a generator writes into every tool is one finding on the server, with
// the place in each tool; what stands in one or two is one of those.
func TestFaultsOfManyToolsAreOneFinding(t *testing.T) {
	t.Parallel()
	server := func(tools int, properties string) string {
		list := make([]string, tools)
		for i := range list {
			list[i] = strings.Replace(toolWith(properties), `"t"`, fmt.Sprintf(`"tool_%d"`, i), 1)
		}
		return `{"tools":[` + strings.Join(list, ",") + `]}`
	}
	for _, tt := range []struct{ rule, properties, says, at string }{
		{"compat/type-list", `"a":{"type":["string","null"]}`, `type is a list in 3 tools ("tool_0", "tool_1", "tool_2"): Gemini API`, "/inputSchema/properties/a/type"},
		{"compat/enum-not-string", `"a":{"type":"integer","enum":[1,3]}`, "3 enums with values that are not all strings in 3 tools", "/inputSchema/properties/a/enum"},
		{"compat/enum-empty-member", `"a":{"type":"string","enum":["","x"]}`, "the enum has the empty string in 3 tools", "/inputSchema/properties/a/enum/0"},
		{"compat/enum-without-type", `"a":{"enum":["x"]}`, "enum without a type in 3 tools", "/inputSchema/properties/a/enum"},
		{"compat/boolean-schema", `"a":true`, "3 schemas are a boolean in 3 tools", "/inputSchema/properties/a"},
		{"compat/array-items", `"a":{"type":"array"}`, "3 arrays without items in 3 tools", "/inputSchema/properties/a"},
		{"compat/format", `"a":{"type":"string","format":"uri"}`, "3 texts with a format that clients refuse (uri) in 3 tools", "/inputSchema/properties/a/format"},
		{"schema/openapi-keyword", `"a":{"type":"string","example":"x"}`, "OpenAPI keywords in 3 tools", "/inputSchema/properties/a/example"},
	} {
		var many []linter.Finding
		for _, f := range lintTool(t, linter.Config{}, "key", server(3, tt.properties)) {
			if f.Rule == tt.rule {
				many = append(many, f)
			}
		}
		if len(many) != 1 || many[0].Entity.Kind != snapshot.KindServer || !strings.Contains(many[0].Message, tt.says) {
			t.Errorf("%s on three tools: %+v; want %q", tt.rule, many, tt.says)
			continue
		}
		for i, item := range many[0].Items {
			if want := fmt.Sprintf("/tools/tool_%d%s", i, tt.at); item.Path != want || item.Location.Line == 0 {
				t.Errorf("%s: item at %q, %+v; want %q", tt.rule, item.Path, item.Location, want)
			}
		}
		few := 0
		for _, f := range lintTool(t, linter.Config{}, "key", server(2, tt.properties)) {
			if f.Rule == tt.rule && f.Entity.Kind == snapshot.KindTool {
				few++
			}
		}
		if few != 2 {
			t.Errorf("%s on two tools: %d findings on tools", tt.rule, few)
		}
	}
	long := `"description":"` + strings.Repeat("x", 1500) + `"`
	document := strings.ReplaceAll(server(2, ""), longEnough, long)
	if got, want := places(lintTool(t, linter.Config{}, "key", document), "compat/description-length"), []string{"info /tools/tool_0/description", "info /tools/tool_1/description"}; !slices.Equal(got, want) {
		t.Errorf("long descriptions: %q; want %q", got, want)
	}
	bare := strings.ReplaceAll(server(2, ""), `,"properties":{}`, "")
	if got, want := places(lintTool(t, linter.Config{}, "key", bare), "compat/object-properties"), []string{"info /tools/tool_0/inputSchema", "info /tools/tool_1/inputSchema"}; !slices.Equal(got, want) {
		t.Errorf("no properties: %q; want %q", got, want)
	}
}

// The faults that a baseline knows on two tools are the same ones when a third
// tool makes all of them one finding.
func TestMembersKeepTheirFingerprints(t *testing.T) {
	t.Parallel()
	tool := func(name string) string {
		return strings.Replace(toolWith(`"a":{"type":["string","null"]}`), `"t"`, `"`+name+`"`, 1)
	}
	members := func(document string) (prints []string) {
		for _, f := range lintTool(t, linter.Config{}, "key", document) {
			for _, item := range f.Items {
				if f.Rule == "compat/type-list" {
					prints = append(prints, item.Fingerprint)
				}
			}
		}
		return prints
	}
	few := members(`{"tools":[` + tool("a/b~c") + "," + tool("d") + `]}`)
	many := members(`{"tools":[` + tool("a/b~c") + "," + tool("d") + "," + tool("e") + `]}`)
	if len(few) != 2 || len(many) != 3 || !slices.Equal(few, many[:2]) {
		t.Errorf("two tools: %q, three: %q", few, many)
	}
}

// A flood over many tools stays as small as one over a single tool.
func TestGroupsOfServersAreBounded(t *testing.T) {
	t.Parallel()
	tool := toolWith(members(60, `"`+strings.Repeat("n", 200)+`#":true`))
	document := `{"tools":[` + strings.Repeat(tool+",", 200) + tool + `]}`
	for _, f := range lintTool(t, linter.Config{}, "key", document) {
		if f.Rule == "compat/boolean-schema" {
			if len(f.Items)+f.MoreItems > 5_000 || !strings.Contains(f.Message, "places not listed") {
				t.Errorf("%d items and %d more: %s", len(f.Items), f.MoreItems, f.Message)
			}
			return
		}
	}
	t.Error("no finding")
}

func TestSuppressedItemsLeaveTheGroup(t *testing.T) {
	t.Parallel()
	c := linter.Config{Suppress: []linter.Suppression{{Rule: "compat/type-list", Path: "/inputSchema/properties/b/type", Reason: "known"}}}
	tool := toolWith(`"a":{"type":["string","null"]},"b":{"type":["integer","string"]}`)
	var got []string
	for _, f := range lintTool(t, c, "key", tool) {
		if f.Rule == "compat/type-list" {
			got = append(got, strings.SplitN(f.Message, ":", 2)[0]+map[bool]string{true: " (known)"}[f.Suppressed != nil])
		}
	}
	if want := []string{`type is a list in "a"`, `type is a list in "b" (known)`}; !slices.Equal(got, want) {
		t.Errorf("%q; want %q", got, want)
	}
}

func TestPresetsOfTheSeedsKnowNoClients(t *testing.T) {
	t.Parallel()
	for _, rule := range rules.All() {
		if rule.Category() == "compat" && (rule.Severity.Snapshot != severity.Off || rule.Severity.Agents != severity.Off) {
			t.Errorf("%s is in a preset of a seed", rule.ID)
		}
	}
}
