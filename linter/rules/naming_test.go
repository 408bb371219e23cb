package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/linter"
)

// lintFor gives the findings of one rule as "severity kind name path: message".
func lintFor(t *testing.T, c linter.Config, rule, document string) []string {
	t.Helper()
	s := mustParse(t, []byte(document))
	s.Key = "key"
	var lines []string
	for _, f := range only(rule, mustLinter(t, c).Lint(s).Findings) {
		lines = append(lines, fmt.Sprintf("%s %s %s %s: %s", f.Severity, f.Entity.Kind, f.Entity.Name, f.Path, f.Message))
	}
	return lines
}

// named is a list of tools that differ in their names only.
func named(names ...string) string {
	tools := make([]string, len(names))
	for i, name := range names {
		tools[i] = fmt.Sprintf(`{"name":%q}`, name)
	}
	return "[" + strings.Join(tools, ",") + "]"
}

func TestInvalidToolNamesNameTheCharacter(t *testing.T) {
	t.Parallel()
	const rule = "naming/invalid-tool-name"
	expectLines(t, lintFor(t, linter.Config{}, rule, named("a.b_C-9", strings.Repeat("n", 128))))
	expectLines(t, lintFor(t, linter.Config{}, rule, `[{"name":""},{"name":"pegel/süd"},{"name":"tide\u202elevel"},{"name":"tide\n"}]`),
		`error tool  /name: the name "" is empty; expected 1 to 128 letters, digits, _, . and -`,
		`error tool pegel/süd /name: the name "pegel/süd" has "/"; expected 1 to 128 letters, digits, _, . and -`,
		"error tool tide\n /name: the name \"tide\\n\" has \"\\n\"; expected 1 to 128 letters, digits, _, . and -",
		"error tool tide\u202elevel /name: the name \"tide\\u{202E}level\" has \"\\u{202E}\"; expected 1 to 128 letters, digits, _, . and -")
	long := strings.Repeat("n", 129)
	expectLines(t, lintFor(t, linter.Config{}, rule, named(long)),
		fmt.Sprintf(`error tool %s /name: the name "%s…" has 129 characters; expected 1 to 128 letters, digits, _, . and -`, long, long[:120]))
	// Prompts may be called anything.
	expectLines(t, lintFor(t, linter.Config{}, rule, `{"prompts":[{"name":"plan a voyage"}]}`))
}

func TestInvalidToolNamesComeWithAValidOne(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"water level":            "Rename the tool, to water_level for example.",
		"pegel/süd (neu)\u202e":  "Rename the tool, to pegel_s_d_neu for example.",
		"水位":                     "Rename the tool.",
		strings.Repeat("n", 129): "Rename the tool.",
	} {
		found := only("naming/invalid-tool-name", mustLinter(t, linter.Config{}).Lint(mustParse(t, []byte(named(name)))).Findings)
		if len(found) != 1 || found[0].Fix != want {
			t.Errorf("%.20s: %+v; want %s", name, found, want)
		}
	}
}

func TestDuplicateNames(t *testing.T) {
	t.Parallel()
	const rule = "naming/duplicate-name"
	for name, c := range map[string]struct {
		document          string
		recommended, seed []string
	}{
		"tools": {
			named("tides", "ships", "tides", "tides"),
			[]string{`error tool tides : 3 tools have the name "tides"; the first is number 1 of its list`},
			[]string{`error tool tides : 3 tools have the name "tides"; the first is number 1 of its list`},
		},
		"templates": {
			`{"resourceTemplates":[{"uriTemplate":"h://{a}"},{"uriTemplate":"h://{a}"}]}`,
			[]string{`error resourceTemplate h://{a} : 2 resource templates have the uriTemplate "h://{a}"; the first is number 1 of its list`}, nil,
		},
		"arguments, each name once": {
			`{"prompts":[{"name":"p","arguments":[{"name":"a"},{"name":"b"},{"name":"a"},{"name":"a"},null,{"name":7},{"name":7}]}]}`,
			[]string{`error prompt p /arguments/2: arguments 1 and 3 are both named "a"`}, nil,
		},
		"case and separators": {
			named("get_tide", "getTide", "get-tide", "get_tides"),
			[]string{
				`warning tool get-tide /name: only letter case and separators tell "get-tide" from "get_tide"`,
				`warning tool getTide /name: only letter case and separators tell "getTide" from "get_tide"`,
			}, nil,
		},
		"equal and confusable": {
			named("get_tide", "get_tide", "get-tide", "get-tide"),
			[]string{
				`error tool get_tide : 2 tools have the name "get_tide"; the first is number 1 of its list`,
				`error tool get-tide : 2 tools have the name "get-tide"; the first is number 3 of its list`,
				`warning tool get-tide /name: only letter case and separators tell "get-tide" from "get_tide"`,
			},
			[]string{
				`error tool get_tide : 2 tools have the name "get_tide"; the first is number 1 of its list`,
				`error tool get-tide : 2 tools have the name "get-tide"; the first is number 3 of its list`,
			},
		},
		"kinds do not mix, nameless ones are not equal": {
			`{"tools":[{"name":"a"}],"prompts":[{"name":"a"},{},{},null,null],"resources":[{"uri":7},{"uri":7}]}`, nil, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expectLines(t, lintFor(t, linter.Config{}, rule, c.document), c.recommended...)
			expectLines(t, lintFor(t, linter.Config{Preset: linter.SnapshotPreset}, rule, c.document), c.seed...)
		})
	}
}

// The finding stands where the name is repeated.
func TestDuplicateNamesHaveThePlaceOfTheSecond(t *testing.T) {
	t.Parallel()
	s := mustParse(t, []byte("[{\"name\":\"tides\"},\n{\"name\":\"ships\"},\n{\"name\":\"tides\"}]"))
	found := only("naming/duplicate-name", mustLinter(t, linter.Config{}).Lint(s).Findings)
	if len(found) != 1 || found[0].Location.Line != 3 {
		t.Errorf("%+v; want one in line 3", found)
	}
}

func TestStyles(t *testing.T) {
	t.Parallel()
	const rule = "naming/inconsistent-style"
	for name, c := range map[string]struct {
		names []string
		want  []string
	}{
		"a clear majority": {
			[]string{"open_gate", "shut_gate", "openDoor", "list_ships", "weigh", "find_ship", "ShutDoor"},
			[]string{`info server server : 4 of the tools' names are in snake_case, but not "openDoor", "ShutDoor"`},
		},
		"none": {
			[]string{"open_gate", "shutGate", "open-door", "shut.door"},
			[]string{`info server server : the tools' names have 4 styles: snake_case ("open_gate"), camelCase ("shutGate"), kebab-case ("open-door"), dot.case ("shut.door")`},
		},
		"what has no style": {[]string{"open_gate", "Gate", "gate", "GATE", "gate_Open", "9Gate", "gate__open", "_gate", "gate_", "GateX", "a-b_c", "tür_auf"}, nil},
		"camels":            {[]string{"openGateX", "o9G", "shutURL"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expectLines(t, lintFor(t, linter.Config{}, rule, named(c.names...)), c.want...)
		})
	}
}

func TestOddStylesAreItems(t *testing.T) {
	t.Parallel()
	s := mustParse(t, []byte(named("open_gate", "shut_gate", "list_ships", "find_ship", "openDoor", "shutDoor")))
	s.Key = "key"
	found := only("naming/inconsistent-style", mustLinter(t, linter.Config{}).Lint(s).Findings)
	if len(found) != 1 || len(found[0].Items) != 2 || found[0].Items[0].Subject != "openDoor" || found[0].Items[1].Subject != "shutDoor" {
		t.Fatalf("%+v", found)
	}
	if found[0].Codes[0] != "S5" {
		t.Errorf("codes %v", found[0].Codes)
	}
}

func TestServicePrefix(t *testing.T) {
	t.Parallel()
	const rule = "naming/service-prefix"
	harbour := []string{"harbour_tides", "harbour-pilots", "harbour.fuel", "harbourBerths"}
	for name, c := range map[string]struct {
		names               []string
		recommended, agents []string
	}{
		"one lacks it": {
			append(harbour, "weigh_truck"),
			[]string{`warning tool weigh_truck /name: "weigh_truck" lacks the prefix "harbour", which 4 of 5 tools have`},
			[]string{`warning tool weigh_truck /name: "weigh_truck" lacks the prefix "harbour", which 4 of 5 tools have`},
		},
		"two groups": {
			append(harbour, "crane_book", "crane_move"), nil,
			[]string{
				`warning tool crane_book /name: "crane_book" lacks the prefix "harbour", which 4 of 6 tools have`,
				`warning tool crane_move /name: "crane_move" lacks the prefix "harbour", which 4 of 6 tools have`,
			},
		},
		"a thing that is a verb elsewhere": {
			[]string{"order_list", "order_get", "order_cancel", "order_search", "weigh_truck"},
			[]string{`warning tool weigh_truck /name: "weigh_truck" lacks the prefix "order", which 4 of 5 tools have`},
			[]string{`warning tool weigh_truck /name: "weigh_truck" lacks the prefix "order", which 4 of 5 tools have`},
		},
		"the bare prefix lacks nothing":   {append(harbour, "harbour"), nil, nil},
		"no prefix":                       {[]string{"tides", "ships"}, nil, []string{"info server server : the names of the tools share no prefix that tells which service they belong to"}},
		"verbs are none":                  {[]string{"get_tides", "get_ships", "get_fuel"}, nil, []string{"info server server : the names of the tools share no prefix that tells which service they belong to"}},
		"two of two, too few for a third": {[]string{"harbour_tides", "harbour_fuel"}, nil, nil},
		"two of three, too few":           {[]string{"harbour_tides", "harbour_fuel", "ships"}, nil, nil},
		"one tool":                        {[]string{"tides"}, nil, nil},
		"names without a letter":          {[]string{"_", "-", "", "1_2", "1_3"}, nil, []string{"info server server : the names of the tools share no prefix that tells which service they belong to"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expectLines(t, lintFor(t, linter.Config{}, rule, named(c.names...)), c.recommended...)
			expectLines(t, lintFor(t, linter.Config{Preset: linter.Agents}, rule, named(c.names...)), c.agents...)
		})
	}
}
