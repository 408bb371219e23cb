package rules_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// described is a tool without arguments.
func described(name, description string) string {
	return fmt.Sprintf(`{"name":%q,"description":%q,"inputSchema":{"type":"object","properties":{}}}`, name, description)
}

func TestDescriptionsThatAreShortAsAHabit(t *testing.T) {
	t.Parallel()
	const rule = "description/too-short"
	oil, lamp := described("oil", "Fills up the oil of one lamp"), described("lamp", "Lights one lamp of the pier")
	bell, horn := described("bell", "Rings the bell of one buoy until somebody answers"), described("horn", "Sounds the horn of the pier three times, or as often as told")
	find := func(c linter.Config, tools ...string) []string { return lintFor(t, c, rule, list(tools...)) }
	expectLines(t, find(linter.Config{}, oil, bell),
		"info tool bell /description: the description has 9 words; expected at least 15",
		"warning tool oil /description: the description has 7 words; expected at least 15")
	expectLines(t, find(linter.Config{}, oil, bell, lamp, horn),
		`warning server server : the descriptions of 2 tools ("oil", "lamp") have 6 to 7 words; expected at least 15`,
		`info server server : the descriptions of 2 tools ("bell", "horn") have 9 to 13 words; expected at least 15`)
	expectLines(t, find(linter.Config{}, oil, lamp, oil, horn),
		"info tool horn /description: the description has 13 words; expected at least 15",
		`warning server server : the descriptions of 3 tools ("oil", "lamp", "oil") have 6 to 7 words; expected at least 15`)
	// Where words do not matter, characters do.
	expectLines(t, find(linter.Config{Options: map[string]float64{"descriptionMinWords": 0, "descriptionMinLength": 29}}, oil, lamp, oil),
		`warning server server : the descriptions of 3 tools ("oil", "lamp", "oil") have 27 to 28 characters; expected at least 29`)
	// A severity of the user's own makes no difference between them.
	expectLines(t, find(linter.Config{Rules: map[string]severity.Level{rule: severity.Error}}, bell, horn, described("gong", "Strikes the gong of the pier twice or more often")),
		`error server server : the descriptions of 3 tools ("bell", "horn", "gong") have 9 to 13 words; expected at least 15`)
	expectLines(t, find(linter.Config{Preset: linter.Agents}, oil, lamp, horn),
		"warning tool horn /description: the description has 13 words; expected at least 15",
		"warning tool lamp /description: the description has 6 words; expected at least 15",
		"warning tool oil /description: the description has 7 words; expected at least 15")
}

// The third short description must not make the two before it new, and what
// they cost stays what the first seed says.
func TestAGroupKeepsFingerprintsAndWaste(t *testing.T) {
	t.Parallel()
	tools := []string{described("oil", "Fills the oil of one lamp"), described("lamp", "Lights one lamp"), described("wick", "Cuts one wick")}
	run := func(c linter.Config, tools ...string) linter.Result {
		s := mustParse(t, []byte(list(tools...)))
		s.Key = "key"
		return mustLinter(t, c).Lint(s)
	}
	var before, after []string
	for _, f := range only("description/too-short", run(linter.Config{}, tools[:2]...).Findings) {
		before = append(before, f.Fingerprint)
	}
	all := run(linter.Config{}, tools...)
	for _, f := range only("description/too-short", all.Findings) {
		for _, item := range f.Items {
			after = append(after, item.Fingerprint)
		}
	}
	if len(before) != 2 || len(after) != 3 || !slices.Contains(after, before[0]) || !slices.Contains(after, before[1]) {
		t.Errorf("before %v, after %v", before, after)
	}
	agents := run(linter.Config{Preset: linter.Agents}, tools...)
	if all.Tokens.Wasted != 1_500 || agents.Tokens.Wasted != 1_500 {
		t.Errorf("%d tokens wasted, %d in preset agents; expected 500 a tool, for three calls", all.Tokens.Wasted, agents.Tokens.Wasted)
	}
	if all.Quality.Score != 92 {
		t.Errorf("score %d; expected that of three tools with a warning", all.Quality.Score)
	}
}

func TestDescriptionsThatSayNothingAreNotShortAsWell(t *testing.T) {
	t.Parallel()
	pump, valve, tank := described("start_pump", "Start pump."), described("open_valve", "Open Valve"), described("empty_tank", "TODO")
	expectLines(t, lint(t, list(pump)),
		`warning | description/vague | S1 | /description | the description "Start pump." says no more than the name`)
	expectLines(t, lintFor(t, linter.Config{}, "description/vague", list(pump, valve, tank)),
		`warning server server : the descriptions of 3 tools ("start_pump", "open_valve", "empty_tank") say no more than the names`)
	expectLines(t, lintFor(t, linter.Config{}, "description/too-short", list(pump, valve, tank)))
	expectLines(t, lintFor(t, linter.Config{Preset: linter.SnapshotPreset}, "description/vague", list(pump, valve, tank)),
		`warning tool empty_tank /description: the description "TODO" says no more than the name`,
		`warning tool open_valve /description: the description "Open Valve" says no more than the name`,
		`warning tool start_pump /description: the description "Start pump." says no more than the name`)
	expectLines(t, lintFor(t, linter.Config{Preset: linter.SnapshotPreset}, "description/too-short", list(pump)),
		`warning tool start_pump /description: the description has 11 characters; expected at least 20`)
	s := mustParse(t, []byte(list(pump, valve, tank)))
	if wasted := mustLinter(t, linter.Config{}).Lint(s).Tokens.Wasted; wasted != 1_500 {
		t.Errorf("%d tokens wasted; they are short all the same", wasted)
	}
}

func TestArgumentsThatTheDescriptionExplains(t *testing.T) {
	t.Parallel()
	tool := func(text string) string {
		return `[{"name":"t","description":` + quoted(t, "Books one crane of the harbour for a lift and says who holds it until then.\n"+text) +
			`,"inputSchema":{"type":"object","properties":{"start":{"type":"string"},"load":{"type":"number"},"opts":{"type":"object","description":"O.","properties":{"tide":{"type":"string"}}}}}}]`
	}
	for name, c := range map[string]struct{ text, missing string }{
		"nothing":             {"", `"start", "load", "opts.tide"`},
		"Python":              {"\n    Args:\n        start: When the lift begins.\n        load (float, optional): Tonnes.\n", `"opts.tide"`},
		"numpy":               {"Parameters:\nstart : str\n    When.\nload : float\n    Tonnes.", `"opts.tide"`},
		"JSDoc":               {"@param start when the lift begins\n@param load - tonnes", `"opts.tide"`},
		"reStructured text":   {":param start: when it begins\n:param load: tonnes", `"opts.tide"`},
		"a list":              {"- `start` (string): When.\n* **load** – tonnes", `"opts.tide"`},
		"quotes":              {"'start': when\n'load' [number] - tonnes", `"opts.tide"`},
		"one of them":         {"Args:\n  load: Tonnes.", `"start", "opts.tide"`},
		"a nested one stays":  {"tide: High or low.\nstart: When.\nload: Tonnes.", `"opts.tide"`},
		"only named":          {"Give start and load.\nstart\n- load", `"start", "load", "opts.tide"`},
		"nothing said":        {"start:\nload: 7", `"start", "load", "opts.tide"`},
		"an example":          {`{` + "\n" + `"start": "noon",` + "\n" + `"load": "ten"}`, `"start", "load", "opts.tide"`},
		"what comes back":     {"Returns:\n  start: When it began.\n  load: Tonnes.", `"start", "load", "opts.tide"`},
		"after what returns":  {"Returns:\n  start: When.\nArgs:\n  load: Tonnes.", `"start", "opts.tide"`},
		"another word":        {"Load: tonnes\nrestart: when", `"start", "load", "opts.tide"`},
		"a dash in a word":    {"start-up costs: none\nload-bearing: no", `"start", "load", "opts.tide"`},
		"an open parenthesis": {"start (when: noon\nload {: x", `"start", "load", "opts.tide"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := strings.Count(c.missing, ",") + 1
			want := fmt.Sprintf("info tool t /inputSchema: %d parameters without description: %s", n, c.missing)
			if n == 1 {
				want = "info tool t /inputSchema: 1 parameter without description: " + c.missing
			}
			expectLines(t, lintFor(t, linter.Config{}, "schema/missing-param-description", tool(c.text)), want)
		})
	}
	// The seeds look at the schema only.
	for _, preset := range []linter.Preset{linter.SnapshotPreset, linter.Agents} {
		if got := lintFor(t, linter.Config{Preset: preset}, "schema/missing-param-description", tool("start: When.\nload: Tonnes.")); len(got) < 2 {
			t.Errorf("%s: %q", preset, got)
		}
	}
}

func TestDefaultsOfNullAreOneHabit(t *testing.T) {
	t.Parallel()
	tool := func(name, properties string) string {
		return `{"name":"` + name + `",` + longEnough + `,"inputSchema":{"type":"object","properties":{` + properties + `}}}`
	}
	null := `"basin":{"type":"string","default":null,"description":"B."}`
	wrong := `"rows":{"type":"integer","default":"7","description":"R."}`
	find := func(tools ...string) []string {
		return lintFor(t, linter.Config{}, "schema/default-mismatch", list(tools...))
	}
	expectLines(t, find(tool("a", null), tool("b", null)),
		`warning tool a /inputSchema: 1 value that the schema around refuses: default of "basin" (expected string, found null)`,
		`warning tool b /inputSchema: 1 value that the schema around refuses: default of "basin" (expected string, found null)`)
	expectLines(t, find(tool("a", null), tool("b", null+","+wrong), tool("c", null), tool("d", wrong)),
		`warning tool b /inputSchema: 1 value that the schema around refuses: default of "rows" (expected integer, found "7")`,
		`warning tool d /inputSchema: 1 value that the schema around refuses: default of "rows" (expected integer, found "7")`,
		`warning server server : the schemas of 3 tools ("a", "b", "c") have defaults of null that the types beside them exclude`)
	nullable := `"basin":{"type":["string","null"],"default":null,"description":"B."}`
	expectLines(t, find(tool("a", nullable), tool("b", nullable), tool("c", nullable)))

	s := mustParse(t, []byte(list(tool("a", null), tool("b", null+`,"pier":{"type":"string","default":null,"description":"P."}`), tool("c", null), tool("d", ""))))
	alike := map[string]severity.Level{"tools/overlap": severity.Off} // all have one description
	result := mustLinter(t, linter.Config{Rules: alike}).Lint(s)
	found := only("schema/default-mismatch", result.Findings)
	if len(found) != 1 || len(found[0].Items) != 4 || found[0].Items[2].Path != "/tools/b/inputSchema/properties/pier/default" {
		t.Errorf("%+v", found)
	}
	if at := found[0].Location; at.Line == 0 || at != found[0].Items[0].Location {
		t.Errorf("at %+v; expected the place of the first", at)
	}
	if result.Quality.Score != 94 {
		t.Errorf("score %d; expected that of three tools of four with a warning", result.Quality.Score)
	}
}

func TestObjectsThatTheirPropertiesExplain(t *testing.T) {
	t.Parallel()
	const lift = `{"type":"object","properties":{"start":{"type":"string","description":"When."},"load":{"type":"number","description":"Tonnes."}}}`
	half := strings.Replace(lift, `,"description":"Tonnes."`, "", 1)
	for name, c := range map[string]struct{ schema, missing string }{
		"all":                     {lift, ""},
		"not all":                 {half, `2 parameters without description: "input" (vague), "input.load"`},
		"a list of them":          {`{"type":"array","items":` + lift + `}`, ""},
		"a list of texts":         {`{"type":"array","items":{"type":"string"}}`, `1 parameter without description: "input" (vague)`},
		"a definition":            {`{"$ref":"#/$defs/Lift"}`, ""},
		"a list of those":         {`{"type":"array","items":{"$ref":"#/$defs/Lift"}}`, ""},
		"a reference to nothing":  {`{"$ref":"#/$defs/None"}`, `1 parameter without description: "input" (vague)`},
		"a reference elsewhere":   {`{"$ref":"other.json#/Lift"}`, `1 parameter without description: "input" (vague)`},
		"no properties":           {`{"type":"object","properties":{}}`, `1 parameter without description: "input" (vague)`},
		"properties that are odd": {`{"type":"object","properties":[7]}`, `1 parameter without description: "input" (vague)`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			document := `[{"name":"t",` + longEnough + `,"inputSchema":{"type":"object","properties":{"input":` + c.schema + `},"$defs":{"Lift":` + lift + `}}}]`
			var want []string
			if c.missing != "" {
				want = []string{"warning tool t /inputSchema: " + c.missing}
			}
			expectLines(t, lintFor(t, linter.Config{}, "schema/missing-param-description", document), want...)
		})
	}
}

// Whose id it is, the name of the tool says when there is only one.
func TestTheOnlyIDIsClear(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, properties, want string }{
		{"delete_booking", `"id":{"type":"string"}`, `info tool delete_booking /inputSchema: 1 parameter without description: "id"`},
		{"deleteBooking", `"ID":{"type":"string"},"force":{"type":"boolean"}`, `info tool deleteBooking /inputSchema: 2 parameters without description: "ID", "force"`},
		{"booking", `"id":{"type":"string"}`, `warning tool booking /inputSchema: 1 parameter without description: "id" (vague)`},
		{"move_booking", `"id":{"type":"string"},"craneId":{"type":"string","description":"C."}`, `warning tool move_booking /inputSchema: 1 parameter without description: "id" (vague)`},
		{"move_booking", `"at":{"type":"object","properties":{"id":{"type":"string"}}}`, `warning tool move_booking /inputSchema: 2 parameters without description: "at", "at.id" (vague)`},
		{"move_booking", `"id":{"type":"string"},"data":{"type":"object"}`, `warning tool move_booking /inputSchema: 2 parameters without description: "id", "data" (vague)`},
	} {
		document := `[{"name":"` + c.name + `",` + longEnough + `,"inputSchema":{"type":"object","properties":{` + c.properties + `}}}]`
		expectLines(t, lintFor(t, linter.Config{}, "schema/missing-param-description", document), c.want)
		if got := lintFor(t, linter.Config{Preset: linter.Agents}, "schema/vague-param", document); len(got) == 0 && !strings.Contains(c.properties, `"at"`) {
			t.Errorf("%s: preset agents has all vague names of its seed", c.name)
		}
	}
}

func TestUntypedParametersSayWhereTheyAre(t *testing.T) {
	t.Parallel()
	document := `[{"name":"t",` + longEnough + `,"inputSchema":{"type":"object","properties":{"any":{"description":"A."},
		"rules":{"type":"array","description":"R.","items":{"type":"object","properties":{"value":{"description":"V."}}}},
		"flag":{"type":"object","description":"F.","properties":{"value":{"description":"V."}}}}}}]`
	expectLines(t, lintFor(t, linter.Config{}, "schema/untyped-param", document),
		`warning tool t /inputSchema/properties/any: parameter "any" has no type`,
		`warning tool t /inputSchema/properties/rules/items/properties/value: parameter "rules[].value" has no type`,
		`warning tool t /inputSchema/properties/flag/properties/value: parameter "flag.value" has no type`)
}

// What suppressions leave of a group is a sentence about one tool.
func TestWhatIsLeftOfAGroup(t *testing.T) {
	t.Parallel()
	null := `,"inputSchema":{"type":"object","properties":{"basin":{"type":"string","default":null,"description":"B."}}}}`
	tools := list(`{"name":"start_pump","description":"Start pump"`+null, `{"name":"open_valve","description":"Open valve"`+null, `{"name":"oil","description":"Oil"`+null,
		described("lamp", "Lights one lamp"), described("wick", "Cuts one wick"), described("bell", "Rings one bell"))
	for rule, c := range map[string]struct {
		silent []string
		want   string
	}{
		"description/vague":       {[]string{"open_valve", "oil"}, `the description of "start_pump" says no more than the name`},
		"description/too-short":   {[]string{"lamp", "wick"}, `the description of "bell" has 3 words; expected at least 15`},
		"schema/default-mismatch": {[]string{"start_pump", "oil"}, `the schema of "open_valve" has defaults of null that the types beside them exclude`},
	} {
		var suppress []linter.Suppression
		for _, name := range c.silent {
			suppress = append(suppress, linter.Suppression{Rule: rule, Entity: "tool:" + name, Reason: "r"})
		}
		s := mustParse(t, []byte(tools))
		s.Key = "key"
		var live []string
		for _, f := range only(rule, mustLinter(t, linter.Config{Suppress: suppress}).Lint(s).Findings) {
			if f.Suppressed == nil {
				live = append(live, f.Message)
			}
		}
		expectLines(t, live, c.want)
	}
}

// A text without spaces may be one word of megabytes: it is not short.
func TestLongTextsAreNotShort(t *testing.T) {
	t.Parallel()
	describe := func(length int, preset linter.Preset) []string {
		return lintFor(t, linter.Config{Preset: preset}, "description/too-short", `[{"name":"t","description":"`+strings.Repeat("x", length)+`"}]`)
	}
	if got := describe(11_000, linter.Recommended); len(got) != 0 {
		t.Errorf("recommended: %q", got)
	}
	if got := describe(9_000, linter.Recommended); len(got) != 1 {
		t.Errorf("recommended, a shorter one: %q", got)
	}
	if got := describe(11_000, linter.Agents); len(got) != 1 {
		t.Errorf("agents counts words: %q", got)
	}
}
