package schemacheck

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// verdicts are schemas with what must be said of them: "" for valid, else the
// pointer, a space and a part of the reason.
var verdicts = []struct {
	name, schema string
	dialect      Dialect
	want         string
}{
	{"plain", `{"type":"object","properties":{"a":{"type":["string","null"],"enum":["x",null]}},"required":["a"]}`, Draft2020, ""},
	{"unknown keywords and formats", `{"x-a":{"type":7},"format":"any","properties":{"a":{"format":"my"}}}`, Draft2020, ""},
	{"no object", `"object"`, Draft2020, " expected an object, found a text"},
	{"null", `null`, Draft2020, " found null"},
	{"unknown type", `{"properties":{"a/b":{"type":"int"}}}`, Draft2020, `/properties/a~1b/type "int" is no type`},
	{"type twice", `{"type":["string","string"]}`, Draft2020, "/type type string is listed twice"},
	{"no type at all", `{"type":[]}`, Draft2020, "/type empty array"},
	{"description is a number", `{"properties":{"a":{"description":7}}}`, Draft2020, "/properties/a/description expected a text, found a number"},
	{"required twice", `{"required":["a","b","a"]}`, Draft2020, `/required "a" is listed twice`},
	{"many required, one twice", `{"required":["1","2","3","4","5","6","7","8","9","a","b","c","d","e","f","g","1"]}`, Draft2020, `/required "1" is listed twice`},
	{"required is a flag", `{"properties":{"a":{"required":true}}}`, Draft2020, "/properties/a/required expected an array of names"},
	{"negative length", `{"minLength":-1}`, Draft2020, "/minLength expected a whole number of at least 0, found -1"},
	{"whole number with a point", `{"minLength":1.0,"maxLength":1e2,"minItems":100e-2}`, Draft2020, ""},
	{"fraction", `{"minLength":15e-1}`, Draft2020, "/minLength found 15e-1"},
	{"endless exponent", `{"minLength":1e999999999999999999999,"multipleOf":1e-999999999}`, Draft2020, ""},
	{"multiple of 0", `{"multipleOf":0.0}`, Draft2020, "/multipleOf expected a number above 0, found 0.0"},
	{"boolean exclusiveMinimum", `{"exclusiveMinimum":true}`, Draft2020, "/exclusiveMinimum expected a number"},
	{"array items in 2020-12", `{"items":[{"type":"string"}]}`, Draft2020, "/items expected a schema"},
	{"array items in draft-07", `{"items":[{"type":"string"}],"additionalItems":{"type":"null"}}`, Draft7, ""},
	{"array items in 2019-09", `{"items":[{"type":"string"}]}`, Draft2019, ""},
	{"boolean exclusiveMinimum in draft-04", `{"minimum":0,"exclusiveMinimum":true,"id":"x"}`, Draft4, ""},
	{"bad type in draft-06", `{"type":"any"}`, Draft6, "/type"},
	{"bad pattern in draft-04", `{"pattern":"("}`, Draft4, "/pattern expected a regex"},
	{"empty anyOf", `{"anyOf":[]}`, Draft2020, "/anyOf expected at least one schema"},
	{"text for a schema", `{"properties":{"a":"string"}}`, Draft2020, "/properties/a expected a schema"},
	{"boolean schemas", `{"properties":{"a":true,"b":false}}`, Draft2020, ""},
	{"keyword of a later dialect", `{"prefixItems":7}`, Draft7, ""},

	{"empty enum", `{"properties":{"a":{"enum":[]}}}`, Draft2020, "/properties/a/enum expected at least one value"},
	{"enum twice the same", `{"enum":[1,1]}`, Draft7, ""},
	{"nullable without type", `{"nullable":true}`, Draft2020, "/nullable needs a type"},
	{"nullable with type", `{"type":"string","nullable":true}`, Draft2020, ""},
	{"nullable false and null", `{"type":["string","null"],"nullable":false}`, Draft2020, "/nullable type allows null"},
	{"nullable text", `{"type":"string","nullable":"yes"}`, Draft2020, "/nullable expected true or false"},
	{"id of draft-04", `{"id":"x"}`, Draft2020, "/id not supported"},
	{"a property named id", `{"properties":{"id":{"type":"string"}}}`, Draft2020, ""},
	{"pattern of another flavour", `{"pattern":"(?i)x"}`, Draft2020, `/pattern "(?i)x" is no ECMAScript`},
	{"pattern as a name", `{"patternProperties":{"[":{}}}`, Draft2020, "/patternProperties/[ unterminated character class"},
	{"only used definitions must compile", `{"$defs":{"A":{"enum":[],"pattern":"(","$ref":"#/nowhere"}}}`, Draft2020, ""},
	{"a used definition", `{"$ref":"#/$defs/A","$defs":{"A":{"properties":{"b":{"enum":[]}}}}}`, Draft2020, "/$defs/A/properties/b/enum"},
	{"a definition used by a definition", `{"$ref":"#/$defs/A","$defs":{"A":{"$ref":"#/$defs/B"},"B":{"nullable":true}}}`, Draft2020, "/$defs/B/nullable"},
	{"the form of unused definitions counts", `{"properties":{"x":{"$defs":{"A":{"type":"int"}}}}}`, Draft2020, `/properties/x/$defs/A/type "int"`},

	{"dangling reference", `{"properties":{"a":{"$ref":"#/$defs/Bowl"}}}`, Draft2020, `/properties/a/$ref "#/$defs/Bowl" refers to nothing`},
	{"recursion", `{"properties":{"a":{"$ref":"#"},"b":{"$ref":"#/properties/a"}}}`, Draft2020, ""},
	{"definitions in 2020-12", `{"$ref":"#/definitions/A","definitions":{"A":{}}}`, Draft2020, ""},
	{"reference to an unknown place", `{"$ref":"#/components/A","components":{"A":{"type":"string"}}}`, Draft2020, ""},
	{"invalid at an unknown place", `{"$ref":"#/components/A","components":{"A":{"type":"int"}}}`, Draft2020, "/components/A/type"},
	{"anchor", `{"$ref":"#a","$defs":{"A":{"$anchor":"a"}}}`, Draft2020, ""},
	{"unknown anchor", `{"$ref":"#a"}`, Draft2020, " anchor"},
	{"escaped reference", `{"$ref":"#/$defs/A%20B","$defs":{"A B":{}}}`, Draft2020, ""},
	{"identifier of the root", `{"$id":"https://example.com/a","$ref":"#/$defs/A","$defs":{"A":{}}}`, Draft2020, ""},
	{"identifiers below", `{"properties":{"a":{"$id":"b","$defs":{"C":{}},"$ref":"#/$defs/C"}}}`, Draft2020, ""},
	{"remote reference", `{"$ref":"https://example.com/schema"}`, Draft2020, " nothing is loaded from elsewhere"},
	{"$schema does not matter", `{"$schema":7,"properties":{"a":{"$schema":"mine"}}}`, Draft2020, ""},
	{"siblings of a reference in draft-07", `{"$ref":"#/definitions/A","properties":{"a":{"$ref":"#/nowhere"}},"definitions":{"A":{}}}`, Draft7, ""},
}

func TestVerdicts(t *testing.T) {
	t.Parallel()
	for _, c := range verdicts {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := Check(parse(t, c.schema), c.dialect, false)
			pointer, reason, _ := strings.Cut(c.want, " ")
			switch {
			case c.want == "" && f != nil:
				t.Errorf("invalid at %q: %s", f.Pointer, f.Reason)
			case c.want != "" && f == nil:
				t.Errorf("valid; want a fault at %q: %s", pointer, reason)
			case f != nil && (!strings.HasPrefix(f.Pointer, pointer) || !strings.Contains(f.Reason, reason)):
				t.Errorf("fault at %q: %s; want %q: %s", f.Pointer, f.Reason, pointer, reason)
			}
		})
	}
}

func TestOfRepeatedMembersTheLastCounts(t *testing.T) {
	t.Parallel()
	if f := Check(parse(t, `{"type":"int","type":"object"}`), Draft2020, true); f != nil {
		t.Errorf("invalid: %+v", f)
	}
	if f := Check(parse(t, `{"type":"object","type":"int"}`), Draft2020, true); f == nil {
		t.Error("valid")
	}
}

// The library reads file:// references from the disk unless told otherwise.
func TestNothingIsReadFromTheDisk(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "schema.json")
	if err := os.WriteFile(file, []byte(`{"type":"string"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	f := Check(parse(t, `{"$ref":"file://`+filepath.ToSlash(file)+`"}`), Draft2020, false)
	if f == nil || !strings.Contains(f.Reason, "nothing is loaded from elsewhere") {
		t.Errorf("got %+v", f)
	}
}

func TestFaultsQuoteNothingInvisible(t *testing.T) {
	t.Parallel()
	for _, schema := range []string{
		`{"type":"\u202eint"}`, `{"required":["\u001b[8m","\u001b[8m"]}`, `{"pattern":"(\u202e"}`,
		`{"$ref":"#/\u202e"}`, `{"$ref":"#\u202e"}`, `{"$ref":"https://x/\u202e"}`, `{"$id":"\u202e:"}`,
	} {
		f := Check(parse(t, schema), Draft2020, false)
		if f == nil || strings.ContainsAny(f.Reason, "\u202e\u001b") {
			t.Errorf("%s: %+v", schema, f)
		}
	}
}

// What would take the library minutes is said to be unchecked, at once.
func TestHostileSizes(t *testing.T) {
	t.Parallel()
	repeat := func(n int, f func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(f(i))
		}
		return b.String()
	}
	for name, c := range map[string]struct {
		schema    string
		unchecked bool
	}{
		"wide, with an anchor": {`{"$anchor":"a","properties":{` + repeat(50_000, func(i int) string { return fmt.Sprintf(`"p%d":{},`, i) }) + `"z":{}}}`, true},
		"deep, with an anchor": {`{"$anchor":"a",` + repeat(3_000, func(int) string { return `"not":{` }) + repeat(3_000, func(int) string { return "}" }) + `}`, true},
		"deep":                 {repeat(9_000, func(int) string { return `{"not":` }) + "{}" + repeat(9_000, func(int) string { return "}" }), false},
		"many nested definitions": {`{"properties":{` + repeat(50_000, func(i int) string {
			return fmt.Sprintf(`"p%d":{"$defs":{"A":{}}},`, i)
		}) + `"z":{}}}`, false},
		"chain of references": {`{"$ref":"#/$defs/0","$defs":{` + repeat(50_000, func(i int) string {
			return fmt.Sprintf(`"%d":{"$ref":"#/$defs/%d"},`, i, i+1)
		}) + `"50000":{}}}`, false},
		"references into each other": {`{"$defs":` + repeat(1_000, func(int) string { return `{"A":{"$defs":` }) + "{}" +
			repeat(1_000, func(int) string { return "}}" }) + `,"anyOf":[` + repeat(1_000, func(i int) string {
			return `{"$ref":"#` + strings.Repeat("/$defs/A", i+1) + `"},`
		}) + `{}]}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := parse(t, c.schema)
			start := time.Now()
			f := Check(n, Draft2020, false)
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("took %v", took)
			}
			if unchecked := f != nil && f.Unchecked; unchecked != c.unchecked {
				t.Errorf("got %+v; want unchecked %v", f, c.unchecked)
			}
		})
	}
}
