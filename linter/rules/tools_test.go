package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// toolOf writes a tool with text arguments of these names.
func toolOf(name, description string, arguments ...string) string {
	properties := make([]string, len(arguments))
	for i, argument := range arguments {
		properties[i] = fmt.Sprintf(`%q:{"type":"string","description":"Given."}`, argument)
	}
	return fmt.Sprintf(`{"name":%q,"description":%q,"inputSchema":{"type":"object","properties":{%s}}}`, name, description, strings.Join(properties, ","))
}

func list(tools ...string) string { return "[" + strings.Join(tools, ",") + "]" }

func TestOverlap(t *testing.T) {
	t.Parallel()
	const rule = "tools/overlap"
	const shipText = "Returns what the office knows about one ship: its length, its flag and where it lies now."
	for name, c := range map[string]struct {
		document            string
		recommended, agents []string
	}{
		"a name that says no more": {
			list(toolOf("get_ship", shipText, "ship"), toolOf("get_ship_record", shipText+" Newest first.", "ship")),
			[]string{`warning tool get_ship : reads like "get_ship_record" (likeness 0.89)`},
			[]string{`warning tool get_ship : reads like "get_ship_record" (likeness 0.89)`},
		},
		"verbs of one meaning are told apart by the first seed only": {
			list(toolOf("get_ship", shipText, "ship"), toolOf("fetch_ship", shipText+" Newest first.", "ship")),
			[]string{`warning tool get_ship : reads like "fetch_ship" (likeness 0.85)`}, nil,
		},
		"verbs of two meanings": {list(toolOf("get_ship", shipText, "ship"), toolOf("delete_ship", shipText+" Newest first.", "ship")), nil, nil},
		"two things to do with orders": {
			list(toolOf("order_get", shipText, "ship"), toolOf("order_cancel", shipText+" Newest first.", "ship")), nil, nil,
		},
		"the nearest is named, the rest counted": {
			list(toolOf("get_ship", shipText, "ship"), toolOf("get_ship_old", shipText+" Old.", "ship"), toolOf("get_ship_very_old", shipText+" Old. Old.", "ship")),
			[]string{
				`warning tool get_ship : reads like "get_ship_old" (likeness 0.88)`,
				`warning tool get_ship_old : reads like "get_ship_very_old" (likeness 0.95)`,
			},
			[]string{
				`warning tool get_ship : reads like "get_ship_old" (likeness 0.88) and 1 other tool`,
				`warning tool get_ship_old : reads like "get_ship_very_old" (likeness 0.95)`,
			},
		},
		"nouns tell plugin from theme": {
			list(toolOf("update_plugin", "Brings one plugin of the site to its newest version and says which that is.", "site"),
				toolOf("update_theme", "Brings one theme of the site to its newest version and says which that is.", "site")),
			nil, []string{`warning tool update_plugin : reads like "update_theme" (likeness 0.65)`},
		},
		"one text for three tools, whatever they do": {
			list(toolOf("get_ship", shipText, "ship"), toolOf("update_plugin", " "+shipText), toolOf("get_ship", shipText), toolOf("call", shipText, "radio")),
			[]string{
				`warning tool get_ship : has the same description as "update_plugin" and 1 other tool`,
				`warning tool update_plugin : has the same description as "call"`,
			}, nil,
		},
		"a tool that is there twice has another finding": {
			list(toolOf("get_ship", shipText, "ship"), toolOf("get_ship", shipText, "ship")),
			nil, []string{`warning tool get_ship : reads like "get_ship" (likeness 1.00)`},
		},
		"other arguments": {list(toolOf("get_ship", shipText, "a", "b", "c"), toolOf("get_ship_record", shipText+" Newest first.", "a", "y", "z")), nil, nil},
		"half of the arguments": {
			list(toolOf("get_ship", shipText, "a", "b"), toolOf("get_ship_record", shipText+" Newest first.", "a", "z")),
			[]string{`warning tool get_ship : reads like "get_ship_record" (likeness 0.89)`},
			[]string{`warning tool get_ship : reads like "get_ship_record" (likeness 0.89)`},
		},
		"no texts, no words":     {`[{"name":"_"},{"name":"-"},{"name":""},{"name":"."}]`, nil, nil},
		"one tool, and no tools": {list(toolOf("get_ship", shipText)), nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expectLines(t, lintFor(t, linter.Config{}, rule, c.document), c.recommended...)
			expectLines(t, lintFor(t, linter.Config{Preset: linter.Agents}, rule, c.document), c.agents...)
		})
	}
}

// What a search leaves out is said: at the tool, or at the server when there
// is nothing to say at the tools.
func TestOverlapSaysWhatItDidNotCompare(t *testing.T) {
	t.Parallel()
	lines := lintFor(t, linter.Config{Preset: linter.Agents}, "tools/overlap", string(alikeSnapshot(100, alikeTools["same words"])))
	if len(lines) != 99 || !strings.HasSuffix(lines[0], " and at least 19 other tools; the search ended there") ||
		!strings.HasSuffix(lines[98], `reads like "find_tides_99" (likeness 0.86)`) {
		t.Errorf("%d findings, the first and the last\n%s\n%s", len(lines), lines[0], lines[len(lines)-1])
	}
	lines = lintFor(t, linter.Config{Preset: linter.Agents}, "tools/overlap", string(alikeSnapshot(3_000, alikeTools["half the words"])))
	last := lines[len(lines)-1]
	if !strings.HasPrefix(last, "info server ") || !strings.HasSuffix(last, " tools share so many words with others that not all pairs were compared") {
		t.Errorf("the last of %d findings is %s", len(lines), last)
	}
}

func TestUnboundedLists(t *testing.T) {
	t.Parallel()
	const rule = "tools/unbounded-list"
	const text = "Returns ships with their length and flag."
	warning := func(name string) []string {
		return []string{fmt.Sprintf(`warning tool %s /inputSchema: %q lists everything: no argument limits, pages or filters the result`, name, name)}
	}
	info := func(name string) []string {
		return []string{strings.Replace(warning(name)[0], "warning", "info", 1)}
	}
	for name, c := range map[string]struct {
		tool                string
		recommended, agents []string
	}{
		"a name, and a text that says all": {toolOf("list_ships", "Lists all ships."), warning("list_ships"), warning("list_ships")},
		"only a name":                      {toolOf("list_ships", text), info("list_ships"), warning("list_ships")},
		"few by nature":                    {toolOf("list_pages", "Lists all open pages."), info("list_pages"), warning("list_pages")},
		"with a prefix":                    {toolOf("acme_list_ships", text), info("acme_list_ships"), warning("acme_list_ships")},
		"in camel case":                    {toolOf("listShips", text), info("listShips"), warning("listShips")},
		"get all":                          {toolOf("acmeGetAllShips", "Returns every ship."), warning("acmeGetAllShips"), warning("acmeGetAllShips")},
		"the list stands last":             {toolOf("ships-list", "Returns every ship."), warning("ships-list"), nil},
		"a thing that is a verb elsewhere": {toolOf("order_list", "Returns every order."), warning("order_list"), nil},
		"a noun that ends in list":         {toolOf("packing_list", "Returns the packing list of one ship."), nil, nil},
		"a list as a noun":                 {toolOf("get_list_items", "Returns all."), nil, nil},
		"limited":                          {toolOf("list_ships", "Lists all ships.", "maxResults"), nil, nil},
		"paged":                            {toolOf("list_ships", "Lists all ships.", "next_page_token"), nil, nil},
		"continued":                        {toolOf("list_ships", "Lists all ships.", "nextToken"), nil, nil},
		"a token that is a key":            {toolOf("list_ships", "Lists all ships.", "api_token"), warning("list_ships"), nil},
		"in a folder":                      {toolOf("list_ships", "Lists all ships.", "directory"), nil, warning("list_ships")},
		"filtered, in other words":         {toolOf("list_ships", "Lists all ships.", "flag_prefix"), nil, warning("list_ships")},
		"of a selector":                    {toolOf("list_ships", "Lists all ships.", "fieldSelector"), nil, warning("list_ships")},
		"of an owner":                      {toolOf("list_ships", "Lists all ships.", "ownership"), nil, warning("list_ships")},
		"only more of it":                  {toolOf("list_ships", "Lists all ships.", "includeSold"), warning("list_ships"), warning("list_ships")},
		"a shorter form":                   {toolOf("list_ships", "Lists all ships.", "compact", "sort_by"), warning("list_ships"), warning("list_ships")},
		"in an object of no list": {
			`{"name":"list_ships","description":"Lists all ships.","inputSchema":{"type":"object","properties":{"options":{"type":"object","properties":{"verbose":{"type":"boolean"}}}}}}`,
			warning("list_ships"), warning("list_ships"),
		},
		"unrelated switch": {toolOf("list_ships", "Lists all ships.", "verbose"), warning("list_ships"), warning("list_ships")},
		"bounded below a union": {
			`{"name":"list_ships","description":"Lists all ships.","inputSchema":{"type":"object","properties":{"params":{"anyOf":[{"type":"object","properties":{"page_size":{"type":"integer"}}},{"type":"null"}]}}}}`,
			nil, warning("list_ships"),
		},
		"within something": {
			`{"name":"list_ships","description":"Lists all ships.","inputSchema":{"type":"object","properties":{"harbour":{"type":"string"}},"required":["harbour"]}}`,
			nil, warning("list_ships"),
		},
		"a schema that is none": {`{"name":"list_ships","description":"Lists all ships.","inputSchema":[7]}`, warning("list_ships"), warning("list_ships")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expectLines(t, lintFor(t, linter.Config{}, rule, list(c.tool)), c.recommended...)
			expectLines(t, lintFor(t, linter.Config{Preset: linter.Agents}, rule, list(c.tool)), c.agents...)
		})
	}
}

func TestBudgets(t *testing.T) {
	t.Parallel()
	large := func(name string, tokens int) string { return definition(t, map[string]any{"name": name}, tokens) }
	server := func(options map[string]float64, tools ...string) []string {
		return lintFor(t, linter.Config{Options: options}, "tools/token-budget", list(tools...))
	}
	expectLines(t, server(nil, large("a", 4_000), large("b", 6_000)))
	expectLines(t, server(nil, large("a", 4_000), large("b", 6_001)),
		`warning server server : the definitions of 2 tools cost ~10,001 tokens; expected at most 10,000 (heaviest: "b" ~6,001, "a" ~4,000)`)
	expectLines(t, server(nil, large("a", 24_000), large("b", 1_001)),
		`error server server : the definitions of 2 tools cost ~25,001 tokens; expected at most 25,000 (heaviest: "a" ~24,000, "b" ~1,001)`)
	expectLines(t, server(map[string]float64{"tokenBudget": 500}, large("a", 501)),
		`warning server server : the definitions of 1 tool cost ~501 tokens; expected at most 500 (heaviest: "a" ~501)`)
	expectLines(t, server(map[string]float64{"tokenBudgetError": 500}, large("a", 501)),
		`error server server : the definitions of 1 tool cost ~501 tokens; expected at most 500 (heaviest: "a" ~501)`)

	text, schema := strings.Repeat("x", 9_000), `{"type":"object","x":"`+strings.Repeat("x", 9_000)+`"}`
	one := func(members string) []string {
		return lintFor(t, linter.Config{}, "tools/large-definition", list(`{"name":"a",`+members+`}`))
	}
	expectLines(t, one(`"description":"x"`))
	expectLines(t, one(`"description":"`+text+`","inputSchema":{}`),
		`warning tool a /description: the definition costs ~2,261 tokens, 261 over the budget of 2,000 (description ~2,250, input schema ~0, output schema ~0)`)
	expectLines(t, one(`"inputSchema":`+schema),
		`warning tool a /inputSchema: the definition costs ~2,262 tokens, 262 over the budget of 2,000 (description ~0, input schema ~2,256, output schema ~0)`)
	// Few clients hand on an output schema.
	expectLines(t, one(`"outputSchema":`+schema),
		`info tool a /outputSchema: the definition costs ~2,263 tokens, 263 over the budget of 2,000 (description ~0, input schema ~0, output schema ~2,256)`)
	expectLines(t, one(`"_meta":{"x":"`+text+`"}`),
		`warning tool a : the definition costs ~2,257 tokens, 257 over the budget of 2,000 (description ~0, input schema ~0, output schema ~0)`)
}

// The first seed knows the server's budget only, and no instructions.
func TestBudgetOfASingleToolIsOurs(t *testing.T) {
	t.Parallel()
	document := list(definition(t, map[string]any{"name": "a"}, 9_000))
	for _, preset := range []linter.Preset{linter.Agents, linter.SnapshotPreset} {
		expectLines(t, lintFor(t, linter.Config{Preset: preset}, "tools/large-definition", document))
	}
}

func TestInstructionsThatAreCut(t *testing.T) {
	t.Parallel()
	const rule = "compat/description-length"
	document := func(text string) string { return fmt.Sprintf(`{"tools":[],"instructions":%q}`, text) }
	expectLines(t, lintFor(t, linter.Config{}, rule, document(strings.Repeat("x", 2048))))
	expectLines(t, lintFor(t, linter.Config{}, rule, document(strings.Repeat("x", 2048)+"lost")),
		`warning server server /instructions: the instructions have 2,052 characters: Claude Code cuts after 2,048, and what is lost begins with "lost"`)
	// No character is cut in half.
	expectLines(t, lintFor(t, linter.Config{}, rule, document(strings.Repeat("x", 2047)+"⛵🚢 and more")),
		`warning server server /instructions: the instructions have 2,058 characters: Claude Code cuts after 2,048, and what is lost begins with "🚢 and more"`)
	expectLines(t, lintFor(t, linter.Config{}, rule, document(strings.Repeat("🚢", 1200))))
	expectLines(t, lintFor(t, linter.Config{}, rule, `{"tools":[],"instructions":7}`))

	s := mustParse(t, []byte(document(strings.Repeat("x", 3000))))
	result := mustLinter(t, linter.Config{}).Lint(s)
	if found := only(rule, result.Findings); len(found) != 1 || found[0].Entity.Kind != snapshot.KindServer || result.Quality.Score != 100 {
		t.Errorf("%+v, score %d: what a client does is no fault of the server", found, result.Quality.Score)
	}
}
