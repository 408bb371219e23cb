package lockfile_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// schemaCase compares two input schemas and expects these changes, each as
// "kind path", in this order.
type schemaCase struct {
	name     string
	old, new string
	want     []string
}

func (c schemaCase) run(t *testing.T) {
	t.Helper()
	t.Run(c.name, func(t *testing.T) {
		t.Parallel()
		var got []string
		changes := compareTexts(t, tool(c.old), tool(c.new))
		for _, change := range changes {
			got = append(got, fmt.Sprintf("%s %s", change.Kind, change.Path))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			for _, change := range changes {
				t.Log(change.Message)
			}
			t.Error(diff)
		}
	})
}

// The decisions that the case table leaves open (D1 to D15, D47, D52).
func TestSchemaDecisions(t *testing.T) {
	t.Parallel()
	const (
		widened = "schema_widened /inputSchema"
		changed = "schema_changed /inputSchema"
		text    = "schema_text_changed /inputSchema"
	)
	for _, c := range []schemaCase{
		{"D1 order of required, enum, type, anyOf",
			`{"required":["a","b"],"type":["object","null"],"enum":[1,2],"anyOf":[{"type":"string"},{"type":"null"}],"allOf":[{"a":1},{"b":2}]}`,
			`{"required":["b","a"],"type":["null","object"],"enum":[2,1.0],"anyOf":[{"type":"null"},{"type":"string"}],"allOf":[{"b":2},{"a":1}]}`, nil},
		{"D2 new parameter with a description", `{"properties":{}}`, `{"properties":{"p":{"type":"string","description":"x"}}}`,
			[]string{widened + "/properties/p", text + "/properties/p/description"}},
		{"D3 parameter description removed", `{"properties":{"p":{"description":"x"}}}`, `{"properties":{"p":{}}}`,
			[]string{text + "/properties/p/description"}},
		{"D3 default removed", `{"properties":{"p":{"default":"x"}}}`, `{"properties":{"p":{}}}`,
			[]string{text + "/properties/p/default"}},
		{"D4 text added where the key was absent", `{"properties":{"p":{"type":"string"}}}`, `{"properties":{"p":{"type":"string","examples":["x"]}}}`,
			[]string{text + "/properties/p/examples/0"}},
		{"D5 rename of a parameter", `{"properties":{"a":{"type":"string"}},"required":["a"]}`, `{"properties":{"b":{"type":"string"}},"required":["b"]}`,
			[]string{changed + "/properties/a", widened + "/properties/b"}},
		{"D5 enum value swapped", `{"properties":{"p":{"enum":["a","b"]}}}`, `{"properties":{"p":{"enum":["a","c"]}}}`,
			[]string{widened + "/properties/p/enum", changed + "/properties/p/enum"}},
		{"D6 unrelated type", `{"properties":{"p":{"type":"integer"}}}`, `{"properties":{"p":{"type":"string"}}}`,
			[]string{widened + "/properties/p/type"}},
		{"D7 another pattern", `{"properties":{"p":{"pattern":"^a$"}}}`, `{"properties":{"p":{"pattern":"^aa$"}}}`,
			[]string{widened + "/properties/p/pattern"}},
		{"D7 multipleOf 4 to 6", `{"properties":{"p":{"multipleOf":4}}}`, `{"properties":{"p":{"multipleOf":6}}}`,
			[]string{widened + "/properties/p/multipleOf"}},
		{"multipleOf 0.1 to 0.30", `{"properties":{"p":{"multipleOf":0.1}}}`, `{"properties":{"p":{"multipleOf":0.30}}}`,
			[]string{changed + "/properties/p/multipleOf"}},
		{"D8 and D52 no longer required", `{"properties":{"p":{}},"required":["p"]}`, `{"properties":{"p":{}},"required":[]}`,
			[]string{changed + "/required"}},
		{"D9 $id added", `{"type":"object"}`, `{"type":"object","$id":"https://x.example/s"}`, []string{widened + "/$id"}},
		{"D9 $anchor removed", `{"type":"object","$anchor":"a"}`, `{"type":"object"}`, []string{widened + "/$anchor"}},
		{"D9 $ref added", `{"properties":{"p":{}},"$defs":{"A":{"type":"string"}}}`, `{"properties":{"p":{"$ref":"#/$defs/A"}},"$defs":{"A":{"type":"string"}}}`,
			[]string{widened + "/properties/p/$ref"}},
		{"D10 keywords without limit", `{"$schema":"a","deprecated":true}`, `{"$schema":"b","readOnly":true}`,
			[]string{changed + "/$schema", changed + "/deprecated", changed + "/readOnly"}},
		{"D11 spelling of numbers and strings, order of keys", `{"properties":{"p":{"maximum":10,"default":"é"}},"type":"object"}`,
			`{"type":"object","properties":{"p":{"default":"\u00e9","maximum":1.0e1}}}`, nil},
		{"D15 new definition", `{"$defs":{}}`, `{"$defs":{"A":{"type":"string","description":"x"}}}`,
			[]string{text + "/$defs/A", changed + "/$defs/A", text + "/$defs/A/description"}},
		{"D15 new dependentSchemas entry that demands", `{}`, `{"dependentSchemas":{"a":{"required":["b"]}}}`,
			[]string{text + "/dependentSchemas/a", widened + "/dependentSchemas/a/required"}},
		{"D47 reordered dependentRequired", `{"dependentRequired":{"a":["b","c"]}}`, `{"dependentRequired":{"a":["c","b"]}}`, nil},
		{"D49 CRLF in a text", `{"properties":{"p":{"description":"a\r\nb"}}}`, `{"properties":{"p":{"description":"a\nb"}}}`, nil},
		{"CRLF in a value", `{"properties":{"p":{"enum":["a\r\nb"]}}}`, `{"properties":{"p":{"enum":["a\nb"]}}}`,
			[]string{widened + "/properties/p/enum", changed + "/properties/p/enum"}},
		{"CRLF in a constant", `{"const":{"a":["\r\n"]}}`, `{"const":{"a":["\n"]}}`, []string{widened + "/const"}},
		{"CRLF in a pattern", `{"pattern":"a\r\nb"}`, `{"pattern":"a\nb"}`, []string{widened + "/pattern"}},
		{"CRLF in a name that another one needs", `{"dependencies":{"a":["b\r\n"]}}`, `{"dependencies":{"a":["b\n"]}}`, []string{widened + "/dependencies/a"}},
		{"CRLF in a required name", `{"required":["a\r\nb"]}`, `{"required":["a\nb"]}`, []string{widened + "/required", changed + "/required"}},
		{"CRLF in a text of a parameter with a keyword's name", `{"properties":{"pattern":{"description":"a\r\nb"},"enum":{"title":"\r\n"}}}`, `{"properties":{"pattern":{"description":"a\nb"},"enum":{"title":"\n"}}}`, nil},
		{"const replaced", `{"const":1}`, `{"const":2}`, []string{widened + "/const"}},
		{"const becomes a longer enum", `{"const":1}`, `{"enum":[1,2]}`, []string{widened + "/const"}},
		{"NaN for a limit", `{"properties":{"p":{"maximum":5}}}`, `{"properties":{"p":{"maximum":"NaN"}}}`, []string{widened + "/properties/p/maximum"}},
		{"beyond a double", `{"properties":{"p":{"maximum":9007199254740992}}}`, `{"properties":{"p":{"maximum":9007199254740993}}}`,
			[]string{widened + "/properties/p/maximum"}},
		{"minContains 0", `{"contains":{"type":"string"}}`, `{"contains":{"type":"string"},"minContains":0}`, []string{widened + "/minContains"}},
		{"a schema of words becomes true", `{"properties":{"p":{"description":"x","deprecated":true}}}`, `{"properties":{"p":true}}`,
			[]string{"schema_equivalent /inputSchema/properties/p", changed + "/properties/p/deprecated", text + "/properties/p/description"}},
		{"input schema gone", `{"type":"object","properties":{"p":{}}}`, `true`, []string{widened}},
		{"input schema is text", `{"type":"object"}`, `"object"`, []string{widened}},
		{"not is weakened", `{"not":{"maximum":5,"minimum":0}}`, `{"not":{"maximum":5,"minimum":3}}`, []string{widened + "/not"}},
		{"text below not", `{"not":{"description":"a"}}`, `{"not":{"description":"b"}}`, []string{text + "/not/description"}},
		{"if added", `{}`, `{"if":{"required":["a"]}}`, []string{widened + "/if"}},
		{"branch edited in one text", `{"properties":{"p":{"anyOf":[{"type":"string","description":"a"},{"type":"null"}]}}}`,
			`{"properties":{"p":{"anyOf":[{"type":"null"},{"type":"string","description":"b"}]}}}`,
			[]string{text + "/properties/p/anyOf/1/description"}},
		{"new alternative brings a text", `{"anyOf":[{"type":"string"}]}`, `{"anyOf":[{"type":"string"},{"type":"object","description":"x"}]}`,
			[]string{widened + "/anyOf/1", text + "/anyOf/1/description"}},
		{"new condition demands a parameter", `{"properties":{"a":{}}}`, `{"properties":{"a":{}},"allOf":[{"required":["a"]}]}`, []string{widened + "/allOf/0/required"}},
		{"new condition only limits a known parameter", `{"properties":{"a":{}}}`, `{"properties":{"a":{}},"allOf":[{"properties":{"a":{"maxLength":5}}}]}`,
			[]string{changed + "/allOf/0/properties/a/maxLength"}},
		{"new condition brings a parameter", `{"properties":{"a":{}}}`, `{"properties":{"a":{}},"allOf":[{"properties":{"b":{}}}]}`,
			[]string{widened + "/allOf/0/properties/b"}},
		{"draft 7 items list", `{"properties":{"p":{"items":[{"type":"string"}]}}}`, `{"properties":{"p":{"items":[{"type":["string","null"]}]}}}`,
			[]string{widened + "/properties/p/items/0/type"}},
		{"additionalProperties gets a schema", `{"additionalProperties":false}`, `{"additionalProperties":{"type":"string","description":"x"}}`,
			[]string{widened + "/additionalProperties", text + "/additionalProperties/description"}},
		{"new pattern in a closed object", `{"additionalProperties":false}`, `{"additionalProperties":false,"patternProperties":{"^x":{}}}`,
			[]string{widened + "/patternProperties/^x"}},
		{"new pattern in an open object", `{}`, `{"patternProperties":{"^x":{"type":"string"}}}`, []string{changed + "/patternProperties/^x/type"}},
		{"properties are no object", `{"properties":{"p":{}}}`, `{"properties":"p"}`, []string{widened + "/properties"}},
		{"a flag under an unknown key next to a text", `{"x":{"a":"t","b":1}}`, `{"x":{"a":"u","b":2}}`, []string{text + "/x/a", changed + "/x"}},
		{"pointer tokens are escaped", `{"properties":{"a/b~c":{"maximum":1}}}`, `{"properties":{"a/b~c":{"maximum":2}}}`, []string{widened + "/properties/a~1b~0c/maximum"}},
		{"draft 4 exclusiveMinimum", `{"minimum":0,"exclusiveMinimum":true}`, `{"minimum":0,"exclusiveMinimum":false}`, []string{widened + "/exclusiveMinimum"}},
		{"draft 3 required", `{"properties":{"p":{}}}`, `{"properties":{"p":{"required":true}}}`, []string{widened + "/properties/p/required"}},
	} {
		c.run(t)
	}
}

func TestEqualMeaningIsInformation(t *testing.T) {
	t.Parallel()
	const (
		same    = "schema_equivalent /inputSchema"
		widened = "schema_widened /inputSchema"
		text    = "schema_text_changed /inputSchema"
	)
	p := func(schema string) string { return `{"properties":{"p":` + schema + `}}` }
	defs := func(schema string) string {
		return `{"$defs":{"A":{"type":"string","minLength":1},"B":{"minLength":1,"type":"string"},"C":{"type":"string"}},"properties":{"p":` + schema + `}}`
	}
	at := "/properties/p"
	for _, c := range []schemaCase{
		{"nullable with a limit", p(`{"anyOf":[{"type":"string","minLength":1},{"type":"null"}],"default":null}`), p(`{"type":["string","null"],"minLength":1,"default":null}`), []string{same + at}},
		{"nullable enum", p(`{"anyOf":[{"type":"string","enum":["a","b"]},{"type":"null"}]}`), p(`{"type":["string","null"],"enum":["b","a",null]}`), []string{same + at}},
		{"nullable enum that forgets null", p(`{"anyOf":[{"type":"string","enum":["a"]},{"type":"null"}]}`), p(`{"type":["string","null"],"enum":["a"]}`),
			[]string{same + at, "schema_changed /inputSchema" + at + "/anyOf/1"}}, // null is listed nowhere, so it is refused
		{"nullable gains a type", p(`{"anyOf":[{"type":"string"},{"type":"null"}]}`), p(`{"type":["string","null","number"]}`),
			[]string{widened + at + "/anyOf", "schema_changed /inputSchema" + at + "/type"}},
		{"anyOf of one", p(`{"anyOf":[{"type":"string"}]}`), p(`{"type":"string"}`), []string{same + at}},
		{"allOf of one reference", defs(`{"allOf":[{"$ref":"#/$defs/A"}],"description":"d"}`), defs(`{"$ref":"#/$defs/A","description":"d"}`), []string{same + at}},
		{"oneOf of one with another limit", p(`{"oneOf":[{"type":"string","maxLength":5}]}`), p(`{"type":"string","maxLength":6}`),
			[]string{"schema_changed /inputSchema" + at + "/maxLength", widened + at + "/oneOf", "schema_changed /inputSchema" + at + "/type"}},
		{"type list of one", p(`{"type":["string"]}`), p(`{"type":"string"}`), []string{same + at}},
		{"const and enum of one", p(`{"const":1.0}`), p(`{"enum":[1]}`), []string{same + at}},
		{"reference to an equal definition", defs(`{"$ref":"#/$defs/A"}`), defs(`{"$ref":"#/$defs/B"}`), []string{same + at}},
		{"reference to another definition", defs(`{"$ref":"#/$defs/A"}`), defs(`{"$ref":"#/$defs/C"}`), []string{widened + at + "/$ref"}},
		{"reference written out", defs(`{"$ref":"#/$defs/A"}`), defs(`{"type":"string","minLength":1}`), []string{same + at}},
		{"reference written out with a new text", defs(`{"$ref":"#/$defs/A"}`), defs(`{"type":"string","minLength":1,"description":"x"}`),
			[]string{same + at, text + at + "/description"}},
		{"text that moves into the union", p(`{"type":["string","null"],"description":"d"}`), p(`{"anyOf":[{"type":"string","description":"d"},{"type":"null"}]}`), []string{same + at}},
		{"reference below an $id is not followed", `{"$defs":{"A":{"$id":"x","type":"string"}},"properties":{"p":{"$ref":"#/$defs/A"}}}`,
			`{"$defs":{"A":{"$id":"x","type":"string"}},"properties":{"p":{"type":"string","$id":"x"}}}`,
			[]string{widened + at + "/$id", widened + at + "/$ref", "schema_changed /inputSchema" + at + "/type"}},
		{"recursive definitions", `{"$defs":{"N":{"properties":{"n":{"$ref":"#/$defs/N"}}}},"properties":{"p":{"$ref":"#/$defs/N"}}}`,
			`{"$defs":{"N":{"properties":{"n":{"$ref":"#/$defs/N"}}}},"properties":{"p":{"allOf":[{"$ref":"#/$defs/N"}]}}}`, []string{same + at}},
		{"a list that a constant empties", p(`{"const":1,"enum":[2]}`), p(`{"const":1,"enum":[3]}`), []string{same + at + "/const"}},
		{"a value listed twice", p(`{"enum":["a","b","a"]}`), p(`{"enum":["a","b"]}`), []string{same + at + "/enum"}},
		{"true and {}", p(`{}`), p(`true`), []string{same + at}},
		{"additionalProperties true and absent", `{"type":"object"}`, `{"type":"object","additionalProperties":true}`, []string{same + "/additionalProperties"}},
		{"empty required and absent", `{"type":"object"}`, `{"type":"object","required":[]}`, []string{same + "/required"}},
		{"empty properties and absent", `{"type":"object","properties":{}}`, `{"type":"object"}`, []string{same + "/properties"}},
		{"uniqueItems false and absent", p(`{"uniqueItems":false}`), p(`{"type":"array"}`), []string{"schema_changed /inputSchema" + at + "/type", same + at + "/uniqueItems"}},
		{"alternative rewritten", p(`{"oneOf":[{"const":"a"},{"const":"b"}]}`), p(`{"oneOf":[{"enum":["b"]},{"const":"a"}]}`), []string{same + at + "/oneOf/0"}},
	} {
		c.run(t)
	}
}
