package lockfile_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/lockfile"
)

// What generators write in another way from one version to the next, and means
// the same.
func TestGeneratorUpgradesAreEquivalent(t *testing.T) {
	t.Parallel()
	p := func(schema string) string { return `{"type":"object","properties":{"p":` + schema + `}}` }
	for _, c := range []struct{ name, old, new string }{
		{"properties absent and empty", `{"type":"object"}`, `{"type":"object","properties":{}}`},
		{"items absent and free", p(`{"type":"array"}`), p(`{"type":"array","items":{}}`)},
		{"type list of one", p(`{"type":["string"]}`), p(`{"type":"string"}`)},
		{"nullable array with items", p(`{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"null"}],"default":null}`), p(`{"type":["null","array"],"items":{"type":"string"},"default":null}`)},
		{"two types with their own limits", p(`{"anyOf":[{"type":"string","minLength":1},{"type":"integer","minimum":0}]}`), p(`{"type":["integer","string"],"minLength":1,"minimum":0}`)},
		{"oneOf of types that cannot meet", p(`{"oneOf":[{"type":"string"},{"type":"null"}]}`), p(`{"anyOf":[{"type":"string"},{"type":"null"}]}`)},
		{"constants and a list of values", p(`{"oneOf":[{"const":"a"},{"const":"b"}]}`), p(`{"type":"string","enum":["b","a"]}`)},
		{"type beside a constant", p(`{"const":"a"}`), p(`{"const":"a","type":"string"}`)},
		{"type beside values", p(`{"enum":[1,2]}`), p(`{"enum":[1,2.0],"type":"integer"}`)},
		{"constant and list of one together", p(`{"const":"a","enum":["a"],"type":"string"}`), p(`{"const":"a","type":"string"}`)},
		{"nullable values", p(`{"anyOf":[{"enum":["a","b"],"type":"string"},{"type":"null"}]}`), p(`{"enum":["a","b",null]}`)},
		{"never", p(`{"not":{}}`), p(`false`)},
		{"words only", p(`{"description":"d"}`), p(`{"allOf":[{"description":"d"}]}`)},
		{"limits of nothing", p(`{"type":"string","minLength":0}`), p(`{"type":"string"}`)},
		{"reference written out", `{"$defs":{"A":{"type":"string","description":"d"}},"properties":{"p":{"$ref":"#/$defs/A"}}}`, `{"properties":{"p":{"type":"string","description":"d"}}}`},
		{"nullable reference written out", `{"$defs":{"A":{"enum":["x","y"],"type":"string"}},"properties":{"p":{"anyOf":[{"$ref":"#/$defs/A"},{"type":"null"}]}}}`, `{"properties":{"p":{"anyOf":[{"type":"string","enum":["x","y"]},{"type":"null"}]}}}`},
		{"root reference written out", `{"$ref":"#/definitions/In","definitions":{"In":{"type":"object","properties":{"id":{"type":"string"}}}}}`, `{"type":"object","properties":{"id":{"type":"string"}}}`},
		{"a parameter called id beside references", `{"$defs":{"A":{"type":"string"}},"properties":{"id":{"$ref":"#/$defs/A"}}}`, `{"$defs":{"A":{"type":"string"}},"properties":{"id":{"allOf":[{"$ref":"#/$defs/A"}]}}}`},
		{"reference with escapes", `{"$defs":{"A b":{"type":"string"}},"properties":{"p":{"$ref":"#/$defs/A%20b"}}}`, `{"$defs":{"A b":{"type":"string"}},"properties":{"p":{"type":"string"}}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, pair := range [][2]string{{c.old, c.new}, {c.new, c.old}} {
				kinds := kindsOf(t, pair[0], pair[1])
				// Written the other way round a reference needs a new definition,
				// which is a change of its own (D15).
				if pair[0] == c.new && slices.Contains(kinds, lockfile.KindSchemaTextChanged) {
					continue
				}
				if !slices.Equal(slices.Compact(kinds), []string{lockfile.KindSchemaEquivalent}) {
					t.Errorf("%s\n%s\n%v", pair[0], pair[1], kinds)
				}
			}
		})
	}
}

func kindsOf(t *testing.T, old, new string) []string {
	t.Helper()
	var kinds []string
	for _, c := range compareTexts(t, tool(old), tool(new)) {
		kinds = append(kinds, c.Kind)
	}
	return kinds
}

// One upgrade makes one group of changes, whatever the parameters are said to
// be for.
func TestEquivalentChangesLookEqual(t *testing.T) {
	t.Parallel()
	schema := func(typ string) string {
		return `{"properties":{"a":{"description":"One.","type":` + typ + `},"b":{"description":"Two.","type":` + typ + `}}}`
	}
	changes := compareTexts(t, tool(schema(`"string"`)), tool(schema(`["string"]`)))
	if len(changes) != 2 {
		t.Fatalf("%v", described(changes))
	}
	for _, c := range changes {
		if c.Before != `{"type":"string"}` || c.After != `{"type":["string"]}` {
			t.Errorf("%s: %s, %s", c.Path, c.Before, c.After)
		}
	}
}

// A model reads the name of a definition; all else about a new one is proved to
// be as it was.
func TestRenamedDefinitions(t *testing.T) {
	t.Parallel()
	list := func(a, b string) string {
		return `{"$defs":{"` + a + `":{"properties":{"next":{"$ref":"#/$defs/` + b + `"},"text":{"type":"string"}}},"` + b + `":{"anyOf":[{"$ref":"#/$defs/` + a + `"},{"type":"null"}]}},"properties":{"p":{"$ref":"#/$defs/` + a + `"}}}`
	}
	const at = " /inputSchema"
	for _, c := range []schemaCase{
		{"recursive ones", list("A", "B"), list("Node", "Link"), []string{
			"schema_text_changed" + at + "/$defs/Link", "schema_equivalent" + at + "/$defs/Link",
			"schema_text_changed" + at + "/$defs/Node", "schema_equivalent" + at + "/$defs/Node",
			"schema_equivalent" + at + "/properties/p"}},
		{"renamed and edited", `{"$defs":{"A":{"maxLength":1}},"properties":{"p":{"$ref":"#/$defs/A"}}}`, `{"$defs":{"B":{"maxLength":2}},"properties":{"p":{"$ref":"#/$defs/B"}}}`, []string{
			"schema_equivalent" + at + "/$defs/A", "schema_text_changed" + at + "/$defs/B", "schema_changed" + at + "/$defs/B",
			"schema_widened" + at + "/properties/p/$ref"}},
		{"taken out of a parameter", `{"properties":{"p":{"type":"string","description":"Where."}}}`, `{"$defs":{"A":{"type":"string","description":"Where."}},"properties":{"p":{"$ref":"#/$defs/A"}}}`, []string{
			"schema_text_changed" + at + "/$defs/A", "schema_changed" + at + "/$defs/A", "schema_equivalent" + at + "/properties/p"}},
		{"taken out of another parameter", `{"properties":{"p":{"type":"string","description":"One."},"q":{"type":"string","description":"Two."}}}`,
			`{"$defs":{"A":{"type":"string","description":"Two."}},"properties":{"p":{"$ref":"#/$defs/A"},"q":{"$ref":"#/$defs/A"}}}`, []string{
				"schema_text_changed" + at + "/$defs/A", "schema_changed" + at + "/$defs/A",
				"schema_equivalent" + at + "/properties/p", "schema_text_changed" + at + "/$defs/A/description", "schema_text_changed" + at + "/properties/p/description",
				"schema_equivalent" + at + "/properties/q"}},
		{"a reference is left behind", `{"$defs":{"A":{"type":"string"}},"properties":{"p":{"$ref":"#/$defs/A"}}}`, `{"properties":{"p":{"$ref":"#/$defs/A"}}}`, []string{
			"schema_changed" + at + "/$defs/A"}},
	} {
		c.run(t)
	}
}

// A text that is about something else than before is new there, however little
// the schema around it has changed.
func TestTextsMoveInRewrittenSchemas(t *testing.T) {
	t.Parallel()
	const said, other = `"description":"safe"`, `"description":"deletes everything"`
	for _, c := range []struct {
		name, old, new string
		changed        bool
	}{
		{"between parameters",
			`{"anyOf":[{"type":"object","properties":{"a":{` + said + `},"b":{` + other + `}}}]}`,
			`{"type":"object","properties":{"a":{` + other + `},"b":{` + said + `}}}`, true},
		{"between values",
			`{"oneOf":[{"const":"read",` + said + `},{"const":"delete",` + other + `}]}`,
			`{"anyOf":[{"const":"delete",` + said + `},{"const":"read",` + other + `}]}`, true},
		{"between alternatives, within",
			`{"anyOf":[{"type":"string"},{"type":"array","items":{` + said + `}},{"type":"object","properties":{"a":{}},"items":{}}]}`,
			`{"allOf":[{"anyOf":[{"type":"string"},{"type":"array","items":{}},{"type":"object","properties":{"a":{` + said + `}},"items":{}}]}]}`, true},
		{"from all alternatives to one",
			`{"type":["string","object"],` + said + `}`, `{"anyOf":[{"type":"string",` + said + `},{"type":"object"}]}`, true},
		{"to null",
			`{"anyOf":[{"type":"string",` + said + `},{"type":"null"}]}`, `{"oneOf":[{"type":"string"},{"type":"null",` + said + `}]}`, true},
		{"between conditions",
			`{"type":"string","if":{"const":"a"},"then":{"minLength":1,` + said + `},"else":{"minLength":1,` + other + `}}`,
			`{"type":["string"],"if":{"const":"a"},"then":{"minLength":1,` + other + `},"else":{"minLength":1,` + said + `}}`, true},
		{"between exclusions",
			`{"type":"string","allOf":[{"not":{"const":"a",` + said + `}},{"not":{"const":"b",` + other + `}}]}`,
			`{"type":["string"],"allOf":[{"not":{"const":"a",` + other + `}},{"not":{"const":"b",` + said + `}}]}`, true},
		{"between members of a default",
			`{"type":["object","null"],"default":{"mode":"safe","next":"none"}}`, `{"anyOf":[{"type":"object"},{"type":"null"}],"default":{"mode":"none","next":"safe"}}`, true},
		{"to another member of a default",
			`{"type":["object","null"],"default":{"mode":"safe"}}`, `{"anyOf":[{"type":"object"},{"type":"null"}],"default":{"next":"safe"}}`, true},
		{"from a list to an object",
			`{"type":["object","null"],"examples":["safe"]}`, `{"anyOf":[{"type":"object"},{"type":"null"}],"examples":{"0":"safe"}}`, true},
		{"to a keyword with the parameter's path",
			`{"type":"object","properties":{"a":{"type":"string",` + said + `}}}`,
			`{"allOf":[{"type":"object","properties":{"a":{"type":"string"}},"properties/a/description":"safe"}]}`, true},
		{"to the alternative beside null",
			`{"type":["string","null"],` + said + `}`, `{"anyOf":[{"type":"null"},{"type":"string",` + said + `}]}`, false},
		{"out of the only member",
			`{"allOf":[{"type":"string",` + said + `}]}`, `{"type":"string",` + said + `}`, false},
		{"with its alternative",
			`{"oneOf":[{"const":"read",` + said + `},{"const":"delete",` + other + `}]}`,
			`{"anyOf":[{"enum":["delete"],` + other + `},{"const":"read",` + said + `}]}`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kinds := kindsOf(t, `{"properties":{"p":`+c.old+`}}`, `{"properties":{"p":`+c.new+`}}`)
			if !slices.Contains(kinds, lockfile.KindSchemaEquivalent) {
				t.Errorf("got %v: the structure should mean the same", kinds)
			}
			if got := slices.Contains(kinds, lockfile.KindSchemaTextChanged); got != c.changed {
				t.Errorf("got %v: a text changed: %v, want %v", kinds, got, c.changed)
			}
		})
	}
}

// What a validator passes over a model reads: a name or a string by which a
// schema limits values is no other spelling where it is new.
func TestNewWordsAreNoOtherSpelling(t *testing.T) {
	t.Parallel()
	p := func(schema string) string { return `{"properties":{"p":` + schema + `}}` }
	for _, c := range []struct{ name, old, new string }{
		{"a value of another type", p(`{"type":"integer","const":1}`), p(`{"type":"integer","enum":[1,"obey"]}`)},
		{"a value beside all", p(`{}`), p(`{"anyOf":[true,{"const":"obey"}]}`)},
		{"a pattern of a number", p(`{"type":"integer"}`), p(`{"type":["integer"],"pattern":"obey"}`)},
		{"a pattern of null", p(`{"type":["string","null"]}`), p(`{"anyOf":[{"type":"string"},{"type":"null","pattern":"obey"}]}`)},
		{"a parameter of a text", p(`{"type":"string"}`), p(`{"type":["string"],"properties":{"obey":{}}}`)},
		{"a name that a text has to have", p(`{"type":"string"}`), p(`{"type":["string"],"required":["obey"]}`)},
		{"names that come together in a text", p(`{"type":"string"}`), p(`{"type":["string"],"dependencies":{"a":["obey"]}}`)},
		{"a pattern of names of a text", p(`{"type":"string"}`), p(`{"allOf":[{"type":"string","patternProperties":{"obey":true}}]}`)},
		{"a pattern of names that are free", `{"type":"object"}`, `{"type":"object","patternProperties":{"obey":{}}}`},
		{"items of a number", p(`{"type":"integer"}`), p(`{"type":["integer"],"items":{"const":{"obey":1}}}`)},
		{"behind a reference", p(`{"type":"integer"}`), `{"$defs":{"A":{"type":"integer","pattern":"obey"}},"properties":{"p":{"$ref":"#/$defs/A"}}}`},
		{"behind more than is looked at", p(`{"type":"integer","enum":[` + repeat(60_000, "#") + `]}`), p(`{"allOf":[{"type":"integer","enum":[` + repeat(60_000, "#") + `,"obey"]}]}`)},
		{"in a renamed definition", `{"$defs":{"A":{"type":"integer"}},"properties":{"p":{"$ref":"#/$defs/A"}}}`, `{"$defs":{"B":{"type":"integer","pattern":"obey"}},"properties":{"p":{"$ref":"#/$defs/B"}}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kinds := kindsOf(t, c.old, c.new)
			if !slices.Contains(kinds, lockfile.KindSchemaWidened) && !slices.Contains(kinds, lockfile.KindSchemaChanged) {
				t.Errorf("got %v", kinds)
			}
		})
	}
	for _, told := range toldOf(t, tool(`{"$defs":{"A":{"type":"integer"}},"$ref":"#/$defs/A"}`), tool(`{"$defs":{"B":{"type":"integer","pattern":"obey"}},"$ref":"#/$defs/B"}`)) {
		if strings.Contains(told, "means the same") {
			t.Error(told)
		}
	}
}

// Each of these was, or could be, taken for the same. Every one accepts more.
func TestWideningsInDisguise(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, old, new string }{
		{"contains anything", `{"contains":{}}`, `{}`},
		{"contains below not", `{"not":{"type":"array"}}`, `{"not":{"type":"array","contains":true}}`},
		{"contains less", `{"contains":{"enum":[]}}`, `{"contains":{}}`},
		{"empty list of values", `{"properties":{"p":{"type":"string","enum":[]}}}`, `{"properties":{"p":{"anyOf":[{"type":"string"}]}}}`},
		{"empty list of values gone", `{"enum":[]}`, `{}`},
		{"constant outside its list", `{"const":1,"enum":[2]}`, `{"enum":[1]}`},
		{"alternatives that exclude each other, below not", `{"not":true}`, `{"not":{"oneOf":[true,true]}}`},
		{"free position before closed rest", `{"prefixItems":[{"type":"string"}],"items":false}`, `{"prefixItems":[{"type":"string"},{}],"items":false}`},
		{"free position before closed rest, draft 7", `{"$schema":"http://json-schema.org/draft-07/schema#","items":[{}],"additionalItems":false}`, `{"$schema":"http://json-schema.org/draft-07/schema#","items":[{},{}],"additionalItems":false}`},
		{"no list, no rest, draft 7", `{"$schema":"http://json-schema.org/draft-07/schema#","items":[{}],"additionalItems":false}`, `{"$schema":"http://json-schema.org/draft-07/schema#","additionalItems":false}`},
		{"free items are evaluated", `{"unevaluatedItems":{"type":"string"}}`, `{"items":{},"unevaluatedItems":{"type":"string"}}`},
		{"free properties are evaluated", `{"unevaluatedProperties":false}`, `{"additionalProperties":{},"unevaluatedProperties":false}`},
		{"free patterns are evaluated", `{"unevaluatedProperties":false,"allOf":[{"type":"object"}]}`, `{"unevaluatedProperties":false,"allOf":[{"type":"object","patternProperties":{"^a":{}}}]}`},
		{"evaluated behind a reference", `{"$defs":{"A":{"type":"object"},"B":{"type":"object","additionalProperties":{}}},"unevaluatedProperties":false,"$ref":"#/$defs/A"}`, `{"$defs":{"A":{"type":"object"},"B":{"type":"object","additionalProperties":{}}},"unevaluatedProperties":false,"$ref":"#/$defs/B"}`},
		{"described in a closed branch", `{"properties":{"a":{}},"allOf":[{"additionalProperties":false}]}`, `{"properties":{"a":{}},"allOf":[{"additionalProperties":false,"properties":{"a":{}}}]}`},
		{"strings in a container that is referred to", `{"components":{"C":{"type":"integer"}},"properties":{"p":{"$ref":"#/components/C"}}}`, `{"components":{"C":{"type":"string"}},"properties":{"p":{"$ref":"#/components/C"}}}`},
		{"a default that is referred to", `{"properties":{"p":{"$ref":"#/properties/q/default"},"q":{"default":{"type":"integer"}}}}`, `{"properties":{"p":{"$ref":"#/properties/q/default"},"q":{"default":{"type":"string"}}}}`},
		{"a constant of draft 4", `{"$schema":"http://json-schema.org/draft-04/schema#","properties":{"p":{"enum":["a"]}}}`, `{"$schema":"http://json-schema.org/draft-04/schema#","properties":{"p":{"const":"a"}}}`},
		{"recursion to another definition", `{"$defs":{"N":{"properties":{"n":{"$ref":"#/$defs/N"}},"type":"object"}},"$ref":"#/$defs/N"}`, `{"$defs":{"N":{"type":["object","null"]},"M":{"properties":{"n":{"$ref":"#/$defs/N"}},"type":"object"}},"$ref":"#/$defs/M"}`},
		{"oneOf of values that meet", `{"properties":{"p":{"oneOf":[{"const":1},{"type":"integer"}]}}}`, `{"properties":{"p":{"anyOf":[{"const":1},{"type":"integer"}]}}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kinds := kindsOf(t, c.old, c.new)
			if !slices.Contains(kinds, lockfile.KindSchemaWidened) && !slices.Contains(kinds, lockfile.KindSchemaChanged) {
				t.Errorf("got %v", kinds)
			}
		})
	}
}
