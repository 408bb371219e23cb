package schemacheck

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func TestInstancesRefuseOnlyWhatIsWrong(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ schema, value, pointer, reason string }{
		{`{"type":"integer"}`, `"10"`, "", `expected integer, found "10"`},
		{`{"type":"integer"}`, `1.0`, "", ""},
		{`{"type":["string","null"]}`, `null`, "", ""},
		{`{"type":["string","integer"]}`, `null`, "", "expected string or integer, found null"},
		{`{"type":"string","nullable":true}`, `null`, "", ""},
		{`{"type":"number","minimum":0,"exclusiveMinimum":true}`, `0`, "", "0 is outside of minimum 0"},
		{`{"enum":["a","b"]}`, `"c"`, "", `"c" is not among the values of enum`},
		{`{"enum":[1,{"a":[2]}]}`, `{"a":[2.0]}`, "", ""},
		{`{"const":9007199254740993}`, `9007199254740992`, "", ""}, // beyond what a float tells apart
		{`{"maxLength":2}`, `"äöü"`, "", "it has 3 characters, which is outside of maxLength 2"},
		{`{"pattern":"^a"}`, `"b"`, "", ""},
		{`{"anyOf":[{"type":"string"},{"type":"null"}]}`, `7`, "", "7 fits no alternative of anyOf"},
		{`{"anyOf":[{"type":"string","pattern":"x"},{"type":"null"}]}`, `"a"`, "", ""},
		{`{"oneOf":[{"type":"integer"},{"minimum":0}]}`, `7`, "", "7 fits more than one alternative of oneOf"},
		{`{"items":{"type":"string"}}`, `["a",1]`, "/1", "expected string, found 1"},
		{`{"properties":{"a/b":{"items":{"enum":[true]}}}}`, `{"a/b":[true,false]}`, "/a~1b/1", "false is not among the values of enum"},
		{`{"required":["a"]}`, `{}`, "", `the required "a" is missing`},
		{`{"required":["a"],"properties":{"a":{"default":1}}}`, `{}`, "", ""},
		{`{"properties":{"a":{}},"additionalProperties":false}`, `{"b":1}`, "/b", "no value is allowed here"},
		{`{"$ref":"#/$defs/A","$defs":{"A":{"$ref":"#/$defs/B"},"B":{"type":"array"}}}`, `null`, "", "expected array, found null"},
		{`{"$ref":"https://example.com/schema"}`, `null`, "", ""},
		{`{"$ref":"#/$defs/none"}`, `null`, "", ""},
		{`{"$ref":"#"}`, `null`, "", ""},
		{`{"not":{"type":"null"}}`, `null`, "", "null is what the schema excludes"},
		{`{"type":["integer","\u202eslip",7]}`, `null`, "", "expected integer, found null"},
		{"{\"enum\":[\"a\"]}", `"\u202e"`, "", `"\u{202E}" is not among the values of enum`},
	} {
		root := parse(t, `{"schema":`+tt.schema+`,"value":`+tt.value+`}`)
		// The schema is the document: references start at its root.
		c := NewInstances(root.Get("schema"), Draft2020)
		c.Defaulted = true
		got := c.Check(root.Get("value"), root.Get("schema"))
		if got == nil {
			got = &Refusal{}
		}
		if got.Pointer != tt.pointer || got.Reason != tt.reason {
			t.Errorf("%s for %s: %+v; want %q at %q", tt.value, tt.schema, *got, tt.reason, tt.pointer)
		}
	}
}

// What a hostile schema costs is bounded by its size, however often it repeats
// itself.
func TestInstancesAreBounded(t *testing.T) {
	t.Parallel()
	var doubling strings.Builder
	for i := range 60 {
		fmt.Fprintf(&doubling, `"D%d":{"allOf":[{"$ref":"#/$defs/D%d"},{"$ref":"#/$defs/D%d"}]},`, i, i+1, i+1)
	}
	root := parse(t, `{"$ref":"#/$defs/D0","$defs":{`+doubling.String()+`"D60":{"type":"string"}}}`)
	start := time.Now()
	c := NewInstances(root, Draft2020)
	for range 10_000 {
		c.Check(root, root)
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("took %s", took)
	}
}

func TestInstancesAgreeWithTheLibrary(t *testing.T) {
	t.Parallel()
	r := &randomSchema{Rand: rand.New(rand.NewPCG(20261201, 0))}
	values := []string{`null`, `true`, `1`, `-1`, `2.5`, `"a"`, `"text"`, `[]`, `["a",1]`, `{}`, `{"A":1}`, `{"A":"a","B0":null,"type":[]}`}
	answers := map[verdict]int{}
	for range 6_000 {
		r.size = 0
		text := r.schema(3)
		if text[0] != '{' {
			continue
		}
		for _, d := range []Dialect{Draft2020, Draft7} {
			schema := parse(t, text)
			if Check(schema, d, true) != nil {
				continue // what is no schema refuses nothing
			}
			library := compiled(t, text, d)
			if library == nil {
				continue
			}
			for _, value := range values {
				ours := NewInstances(schema, d).judge(parse(t, value), schema, 0, false)
				answers[ours]++
				decoded, err := jsonschema.UnmarshalJSON(strings.NewReader(value))
				if err != nil {
					t.Fatal(err)
				}
				valid := library.Validate(decoded) == nil
				if ours == fits && !valid || ours == refused && valid {
					t.Fatalf("%s for %s (%s): verdict %d, the library says %v", value, text, d, ours, valid)
				}
			}
		}
	}
	if answers[fits] < 1000 || answers[refused] < 1000 {
		t.Errorf("answers %v: the schemas are no test", answers)
	}
	t.Logf("answers %v", answers)
}

// compiled is the library's reading of a schema, nil when it has none.
func compiled(t *testing.T, text string, d Dialect) *jsonschema.Schema {
	t.Helper()
	var doc any
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&doc); err != nil {
		t.Fatal(err)
	}
	if object, ok := doc.(map[string]any); ok {
		delete(object, "$schema")
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft([...]*jsonschema.Draft{jsonschema.Draft2020, jsonschema.Draft2019, jsonschema.Draft7}[d])
	c.UseLoader(refuse{})
	if err := c.AddResource(root, doc); err != nil {
		return nil
	}
	schema, err := c.Compile(root)
	if err != nil {
		return nil
	}
	return schema
}
