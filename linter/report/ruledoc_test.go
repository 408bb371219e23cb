package report

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

func TestExampleLines(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		layout     exampleLayout
		want       string
	}{
		{"fits", `{"a":1,"b":[true,null],"c":{}}`, exampleLayout{width: 40}, `{"a": 1, "b": [true, null], "c": {}}`},
		{"too wide", `{"a":1,"b":[true,null]}`, exampleLayout{width: 20}, "{\n  \"a\": 1,\n  \"b\": [true, null]\n}"},
		{"the comma counts", `{"a":[1,2],"b":1}`, exampleLayout{width: 13}, "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": 1\n}"},
		{"array around one value", `{"a":[[{"b":1,"c":2}]]}`, exampleLayout{width: 12}, "{\n  \"a\": [[{\n    \"b\": 1,\n    \"c\": 2\n  }]]\n}"},
		{"spelling", `{"a":1.0e2,"a":"\u0041\/","\ud800":"x"}`, exampleLayout{width: 60}, `{"a": 1.0e2, "a": "\u0041\/", "\ud800": "x"}`},
		{"hidden characters", "{\"a\":\"x\u200by\U000e0041\"}", exampleLayout{width: 60}, `{"a": "x\u200by\udb40\udc41"}`},
		{"long text", `{"a":"one two three four"}`, exampleLayout{width: 14}, "{\n  \"a\": \"one two three four\"\n}"},
		{"long text, folded", `{"a":"one two three four"}`, exampleLayout{width: 14, fold: true}, "{\n  \"a\": \"one\n    two three\n    four\"\n}"},
		{"several blanks stay", `["one  two   three"]`, exampleLayout{width: 6, fold: true}, "[\n  \"one  two   three\"\n]"},
		{"no JSON", "npx x\nnpx \u200by", exampleLayout{width: 60}, "npx x\nnpx \\u{200B}y"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			lines, shortened := exampleLines(tt.text, tt.layout)
			if diff := cmp.Diff(tt.want, strings.Join(lines, "\n")); diff != "" || shortened {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// A long example is cut where it says so, and never inside an escape.
func TestLongExamplesAreShortened(t *testing.T) {
	t.Parallel()
	for shift := range 12 {
		tool := `{"name":"a","description":"` + strings.Repeat("x", shift) + strings.Repeat(`\ud83d\ude00`, 100) + `"}`
		text := `{"tools":[` + strings.Repeat(tool+",", 40) + tool + `]}`
		lines, shortened := exampleLines(text, exampleLayout{width: 80})
		got := strings.Join(lines, "\n")
		if !shortened || len(got) > exampleWhole || !strings.Contains(got, "… 38 more") || !strings.Contains(got, " more characters)") {
			t.Errorf("%d bytes:\n%s", len(got), got)
		}
		if cut := regexp.MustCompile(`\\(?:u[0-9a-f]{0,3})?…|\\ud83d…`).FindString(got); cut != "" {
			t.Errorf("cut inside an escape: %s", cut)
		}
	}
}

// What is printed is what was given: folds are blanks, and nothing else differs.
func FuzzExampleLines(f *testing.F) {
	f.Add(`{"a":[1,{"b":"one two  three\n"}],"a":""}`, 20, true)
	f.Add(`[[[["x"]]],[]]`, 0, false)
	fold := regexp.MustCompile(`\n +`)
	f.Fuzz(func(t *testing.T, text string, width int, folded bool) {
		if !jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true)) || len(text) > exampleWhole {
			return
		}
		lines, _ := exampleLines(text, exampleLayout{width: width % 200, fold: folded})
		got := strings.Join(lines, "\n")
		if folded {
			got = fold.ReplaceAllString(got, " ")
		}
		if compact(t, got) != string(escapeHidden([]byte(compact(t, text)))) {
			t.Errorf("%q became\n%s", text, got)
		}
	})
}

func compact(t *testing.T, text string) string {
	t.Helper()
	v := jsontext.Value(text)
	if err := v.Compact(jsontext.AllowDuplicateNames(true), jsontext.PreserveRawStrings(true), jsontext.CanonicalizeRawInts(false), jsontext.CanonicalizeRawFloats(false)); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return string(v)
}

func documentedRule() linter.Rule {
	return linter.Rule{
		ID: "compat/pipes", Codes: []string{"C1", "C2"}, Title: "Pipe | in <name>", Why: "A `|` breaks *tables* <!-- and hides.",
		Bad: `{"name":"a|b"}`, Good: `{"name":"` + strings.Repeat("long ", 20) + `"}`,
		Severity: linter.Severities{Recommended: severity.Warning, Agents: severity.Error},
		Options:  []string{"pipesMost"}, References: []string{"https://example.com/a", "https://example.com/b"}, Since: "0.1.0",
		Clients: []linter.ClientFact{
			{Client: "claude", Name: "Claude | API", Does: "refuses the whole request", Since: "2025-06", Source: "https://example.com/claude"},
			{Client: "vscode", Name: "VS Code", Does: "drops the tool without a word in any of its logs or views", Source: "https://example.com/code"},
		},
	}
}

func documentedOptions() RuleOptions {
	return RuleOptions{"pipesMost": {Name: "pipesMost", Default: ptr(2.5), Means: "Pipes that a name may have."}}
}

func TestWriteRuleText(t *testing.T) {
	t.Parallel()
	rule := documentedRule()
	var b strings.Builder
	if err := WriteRuleText(&b, &rule, documentedOptions(), TextOptions{Width: 50}); err != nil {
		t.Fatal(err)
	}
	const want = `compat/pipes (C1, C2)
Pipe | in <name>

A ` + "`|`" + ` breaks *tables* <!-- and hides.

Severity: recommended warning, snapshot off,
          agents error
Option:   pipesMost (default 2.5): Pipes that a
          name may have.
Since:    0.1.0

Bad:
  {"name": "a|b"}

Good:
  {
    "name": "long long long long long long long
      long long long long long long long long long
      long long long long "
  }

Clients:
  Claude | API (claude) refuses the whole
    request, since 2025-06.
    https://example.com/claude
  VS Code (vscode) drops the tool without a word
    in any of its logs or views.
    https://example.com/code

References:
  https://example.com/a
  https://example.com/b
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestWriteRulesMarkdown(t *testing.T) {
	t.Parallel()
	other := linter.Rule{ID: "naming/x", Title: "X", Why: "Y.", Bad: `{"a":"` + "```" + `"}`, Since: "0.2.0",
		Good: "[" + strings.Repeat(`"a line of its own that is long enough",`, 40) + "1]"}
	var b strings.Builder
	if err := WriteRulesMarkdown(&b, []linter.Rule{other, documentedRule()}, documentedOptions()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\n| [compat/pipes](#compatpipes) | C1, C2 | warning | – | error | Pipe \\| in &lt;name&gt; |\n",
		"\n## naming\n\n### naming/x\n\n**X.** Y.\n\nSeverity: recommended off, snapshot off, agents off; since 0.2.0.\n",
		"\n## compat\n\n### compat/pipes\n\n",
		"A `|` breaks \\*tables\\* &lt;!-- and hides.",
		"; code C1, C2; since 0.1.0.",
		"\n- option `pipesMost` (default 2.5): Pipes that a name may have.\n\nBad:",
		"\n````json\n{\"a\": \"```\"}\n````\n",
		"<details><summary>Good (43 lines)</summary>\n\n```json\n[\n",
		"\n| Claude \\| API (`claude`) | refuses the whole request | 2025-06 | <https://example.com/claude> |\n",
		"\nSee <https://example.com/a>, <https://example.com/b>\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, &b)
		}
	}
	long := linter.Rule{ID: "x/long", Bad: `{"a":"` + strings.Repeat("x ", exampleWhole) + `"}`}
	b.Reset()
	if err := WriteRuleText(&b, &long, nil, TextOptions{}); err != nil || !strings.Contains(b.String(), "\n  (shortened; --format json has all of it)\n") {
		t.Errorf("%v; what is left out is not told:\n%s", err, &b)
	}
	b.Reset()
	if err := WriteRulesMarkdown(&b, []linter.Rule{long}, nil); err != nil || !strings.Contains(b.String(), "\n(Shortened; `--format json` has all of it.)\n") {
		t.Errorf("%v; what is left out is not told:\n%s", err, &b)
	}
	b.Reset()
	if err := WriteRulesMarkdown(&b, []linter.Rule{documentedRule()}, documentedOptions()); err != nil || !strings.HasPrefix(b.String(), "### compat/pipes\n") {
		t.Errorf("%v; one rule has no page around it:\n%s", err, &b)
	}
}

func TestWriteRulesJSON(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := WriteRulesJSON(&b, []linter.Rule{documentedRule(), {ID: "a/b"}}, documentedOptions()); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "null") {
		t.Errorf("lists are never null:\n%s", &b)
	}
	var got []struct {
		ID       string
		Severity map[string]string
		Options  []RuleOption
		Clients  []map[string]string
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[0].Severity["snapshot"] != "off" || *got[0].Options[0].Default != 2.5 || got[0].Clients[1]["name"] != "VS Code" {
		t.Errorf("got %+v", got)
	}
}

func TestWriteRuleList(t *testing.T) {
	t.Parallel()
	rules := []linter.Rule{documentedRule(), {ID: "a/b", Title: "Short with so many words", Severity: linter.Severities{Agents: severity.Info}}}
	for _, tt := range []struct {
		options RuleListOptions
		want    string
	}{
		{RuleListOptions{Preset: linter.Agents}, "compat/pipes  error    Pipe | in <name>\na/b           info     Short with so many words\n"},
		{RuleListOptions{Preset: linter.Agents, Codes: true, Width: 80}, "compat/pipes  C1 C2  error    Pipe | in <name>\na/b                  info     Short with so many words\n"},
		{RuleListOptions{Preset: linter.Recommended, Width: 30}, "compat/pipes  warning  Pipe | in <name>\na/b           off      Short with so many\n                       words\n"},
	} {
		var b strings.Builder
		if err := WriteRuleList(&b, rules, tt.options); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, b.String()); diff != "" {
			t.Errorf("%+v (-want +got)\n%s", tt.options, diff)
		}
	}
}
