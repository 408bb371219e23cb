package rules_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

const longEnough = `"description":"Returns the newest water level of the harbour basin, in centimetres above the local chart datum."`

// lint gives the findings of preset recommended, one a line.
func lint(t *testing.T, document string) []string {
	t.Helper()
	s := mustParse(t, []byte(document))
	s.Key = "key"
	var lines []string
	for _, f := range mustLinter(t, linter.Config{}).Lint(s).Findings {
		lines = append(lines, strings.Join([]string{
			f.Severity.String(), f.Rule, strings.Join(f.Codes, "+"), f.Path, f.Message,
		}, " | "))
	}
	return lines
}

// withoutClients leaves out what is said about clients: the schema may be right.
func withoutClients(lines []string) []string {
	return slices.DeleteFunc(lines, func(line string) bool { return strings.Contains(line, " | compat/") })
}

func expectLines(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestUndescribedParametersAreOneFindingATool(t *testing.T) {
	t.Parallel()
	expectLines(t, lint(t, `[{"name":"t",`+longEnough+`,"inputSchema":{"type":"object","properties":{
		"basin":{"type":"string"},"filter":{"type":"object","description":"F.","properties":{"since":{"type":"string"}}},
		"rows":{"type":"array","description":"R.","items":{"type":"object","properties":{"gauge":{"$ref":"#/$defs/Gauge"}}}}},
		"$defs":{"Gauge":{"type":"object","properties":{"number":{"type":"integer"}}}}}}]`),
		`info | schema/missing-param-description | S3 | /inputSchema | 4 parameters without description: "basin", "filter.since", "rows[].gauge", "Gauge.number"`,
		`info | compat/ref |  |  | 1 reference in the input schemas of 1 tool ("t"): Codex showed the model a text in place of the object; Copilot CLI calls the tool without the parameter; Gemini CLI found no tool of such servers`)
	expectLines(t, lint(t, `[{"name":"t",`+longEnough+`,"inputSchema":{"type":"object","properties":{
		"basin":{"type":"string"},"x":{"type":"number"},"y":{"type":"number"},"ID":{"type":"string"}}}}]`),
		`warning | schema/missing-param-description | S2+S3 | /inputSchema | 4 parameters without description: "basin", "x", "y", "ID" (vague)`)
}

func TestGroupedParametersHavePlacesAndFingerprints(t *testing.T) {
	t.Parallel()
	s := mustParse(t, []byte("[{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\n\"a\":{\"type\":\"string\"},\n\"b\":{\"type\":\"string\"}}}}]"))
	for _, f := range mustLinter(t, linter.Config{}).Lint(s).Findings {
		if f.Rule != "schema/missing-param-description" {
			continue
		}
		if len(f.Items) != 2 || f.Items[0].Subject != "a" || f.Items[0].Location.Line != 2 || f.Items[1].Location.Line != 3 ||
			f.Items[1].Path != "/inputSchema/properties/b" || len(f.Items[0].Fingerprint) != 64 {
			t.Errorf("items %+v", f.Items)
		}
		return
	}
	t.Error("no finding")
}

func TestShortDescriptionIsOneFinding(t *testing.T) {
	t.Parallel()
	schema := `,"inputSchema":{"type":"object","properties":{}}`
	expectLines(t, lint(t, `[{"name":"t","description":"Waters plants"`+schema+`}]`),
		`warning | description/too-short | S1 | /description | the description has 13 characters; expected at least 20`)
	expectLines(t, lint(t, `[{"name":"t","description":"Waters the plants of one room and says which are dry"`+schema+`}]`),
		`info | description/too-short | S1 | /description | the description has 11 words; expected at least 15`)
	expectLines(t, lint(t, `[{"name":"t","description":"Waters the plants of one cold room"`+schema+`}]`),
		`warning | description/too-short | S1 | /description | the description has 7 words; expected at least 15`)
	// Fifteen words of two letters each, written without spaces.
	expectLines(t, lint(t, `[{"name":"t","description":"港の水位を返します単位はセンチメートルで基準面からの高さです。"`+schema+`}]`))
	expectLines(t, lint(t, `[{"name":"t"`+schema+`}]`),
		`error | description/missing | S1 | /description | the tool has no description`)
}

func TestSchemaFaultsNameThePlace(t *testing.T) {
	t.Parallel()
	expectLines(t, lint(t, `[{"name":"t",`+longEnough+`,"inputSchema":{"type":"object","properties":{"a":{"type":"int","description":"A."}}}}]`),
		`error | schema/invalid-input-schema |  | /inputSchema/properties/a/type | the input schema is invalid at "/properties/a/type": "int" is no type; expected array, boolean, integer, null, number, object or string`)
	expectLines(t, lint(t, `[{"name":"t",`+longEnough+`,"inputSchema":{"$schema":"http://json-schema.org/draft-04/schema#","type":"object","properties":{"a":{"type":"number","minimum":0,"exclusiveMinimum":true,"description":"A."}}}}]`),
		`warning | compat/dialect |  | /inputSchema | boolean bounds of draft-04 in "a": Claude API reads every schema as 2020-12 and refuses the request with all its tools`)
	expectLines(t, lint(t, `[{"name":"t",`+longEnough+`,"inputSchema":{"type":"object","required":["b"],"properties":{"a":{"type":"string","description":"A."}}}}]`),
		`error | schema/unknown-required |  | /inputSchema/required/0 | "b" is required but not among the properties`)
	expectLines(t, withoutClients(lint(t, `[{"name":"t",`+longEnough+`,"inputSchema":{"type":"object","required":["b"],"allOf":[{"properties":{"b":{"type":"string","description":"B."}}}]}}]`)))
	expectLines(t, lint(t, `[{"name":"t",`+longEnough+`,"inputSchema":{"type":["object","null"]}}]`),
		`error | schema/invalid-input-schema |  | /inputSchema/type | the root type of the input schema must be "object", found ["object","null"]; clients built on the TypeScript SDK refuse the whole list of tools for it`)
}

func TestFaultsOfTheTextAreFindings(t *testing.T) {
	t.Parallel()
	expectLines(t, lint(t, `{"serverInfo":{"name":"s","name":"s"},"tools":[{"name":"t",`+longEnough+`,"inputSchema":{"type":"object","title":"\ud83c","type":"object","properties":{}}}]}`),
		`warning | schema/duplicate-key |  | /inputSchema/type | the object has two members named "type"`,
		`warning | schema/lone-surrogate |  | /inputSchema/title | the text has "\ud83c" without its other half`,
		`warning | schema/duplicate-key |  | /serverInfo/name | the object has two members named "name"`)
}

func TestSuppressionsAreJudged(t *testing.T) {
	t.Parallel()
	s := mustParse(t, []byte(`[{"name":"t","description":"Short","inputSchema":{"type":"object","properties":{}}}]`))
	s.Key = "key"
	short := func(change func(*linter.Suppression)) linter.Suppression {
		s := linter.Suppression{Rule: "description/too-short", Reason: "r"}
		change(&s)
		return s
	}
	l := mustLinter(t, linter.Config{Today: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC), Suppress: []linter.Suppression{
		short(func(s *linter.Suppression) { s.Until = "2026-11-30" }),
		short(func(s *linter.Suppression) { s.TextSHA256 = strings.Repeat("0", 64) }),
		short(func(s *linter.Suppression) { s.Server, s.Entity = "key", "tool:\u202e" }),
		short(func(s *linter.Suppression) { s.Entity = "tool:of another server" }),
		short(func(s *linter.Suppression) { s.Server = "other" }),
	}})
	result := l.Lint(s)
	var got []string
	for _, f := range result.Findings {
		if f.Entity.Kind == "server" {
			got = append(got, f.Severity.String()+" "+f.Rule+" "+f.Message)
		}
	}
	expectLines(t, got,
		`warning config/expired-suppression suppress[0] (description/too-short) ended on 2026-11-30; 1 finding counts again`,
		`warning config/unused-suppression suppress[1] (description/too-short) was written for another text; 1 finding counts again`,
		`warning config/unused-suppression suppress[2] (description/too-short on "tool:\u{202E}") silences nothing`)
	if result.Quality.Score != 92 {
		t.Errorf("score %d: the configuration's faults count", result.Quality.Score)
	}
	for _, preset := range []linter.Preset{linter.SnapshotPreset, linter.Agents} {
		c := linter.Config{Preset: preset, Suppress: []linter.Suppression{{Rule: "description/too-short", Server: "key", Entity: "tool:x", Reason: "r"}}}
		for _, f := range mustLinter(t, c).Lint(s).Findings {
			if strings.HasPrefix(f.Rule, "config/") {
				t.Errorf("%s has %s", preset, f.Rule)
			}
		}
	}
}

func TestOptions(t *testing.T) {
	t.Parallel()
	s := mustParse(t, []byte(`[{"name":"t","description":"Waters the plants of one room.","inputSchema":{"type":"object","properties":{}}}]`))
	for name, c := range map[string]linter.Config{
		"fewer words":      {Options: map[string]float64{"descriptionMinWords": 6}},
		"seed, characters": {Preset: linter.SnapshotPreset, Options: map[string]float64{"descriptionMinLength": 30, "descriptionMaxLength": 30}},
		"other, words":     {Preset: linter.Agents, Options: map[string]float64{"descriptionMinWords": 6}},
	} {
		for _, f := range mustLinter(t, c).Lint(s).Findings {
			t.Errorf("%s: %s", name, f.Message)
		}
	}
	c := linter.Config{Preset: linter.SnapshotPreset, Options: map[string]float64{"descriptionMinLength": 31, "descriptionMaxLength": 29}}
	if found := mustLinter(t, c).Lint(s).Findings; len(found) != 2 {
		t.Errorf("%d findings; want too short and too long", len(found))
	}
}

// The usage items of the first seed's score (agents-lint, section 8).
func TestWasteOfFindings(t *testing.T) {
	t.Parallel()
	s := mustParse(t, []byte(`[{"name":"t","description":"Short","inputSchema":{"type":"object","properties":{
		"id":{"type":"string"},"a":{"description":"A."},"b":{"type":"object","properties":{"inner":{}},"description":"B."}}}}]`))
	for _, preset := range []linter.Preset{linter.Recommended, linter.Agents} {
		got := mustLinter(t, linter.Config{Preset: preset}).Lint(s).Tokens.Tools[0].Wasted
		// Short 500, vague 300, undescribed 100, untyped 300; inner is no argument.
		if got != 1200 {
			t.Errorf("%s: wasted %d; want 1200", preset, got)
		}
	}
}

func TestPresetAgentsKnowsNoPrompts(t *testing.T) {
	t.Parallel()
	s := mustParse(t, []byte(`{"prompts":[{"name":"p\u202e"}]}`))
	for _, f := range mustLinter(t, linter.Config{Preset: linter.Agents}).Lint(s).Findings {
		t.Errorf("%s: %s", f.Rule, f.Message)
	}
	found := mustLinter(t, linter.Config{}).Lint(s).Findings
	if len(found) != 2 || found[1].Rule != "description/missing" || found[1].Severity != severity.Warning {
		t.Errorf("recommended has %+v", found)
	}
}
