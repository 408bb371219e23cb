package schemacheck

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// randomSchema writes a schema out of all keywords, mostly with values of the
// right type: blind mutation of bytes hardly gets past the parser.
type randomSchema struct {
	*rand.Rand
	size int
}

func (r *randomSchema) pick(from ...string) string { return from[r.IntN(len(from))] }

func (r *randomSchema) schema(depth int) string {
	if depth <= 0 || r.IntN(20) == 0 {
		return r.pick("true", "false", "{}", `{"type":"string"}`, "7")
	}
	var members []string
	for range r.IntN(5) {
		if r.size++; r.size > 60 {
			break
		}
		name, value := r.keyword(depth)
		members = append(members, strconv.Quote(name)+":"+value)
	}
	return "{" + strings.Join(members, ",") + "}"
}

func (r *randomSchema) keyword(depth int) (name, value string) {
	one := func() string { return r.schema(depth - 1) }
	list := func() string {
		var items []string
		for range r.IntN(3) {
			items = append(items, one())
		}
		return "[" + strings.Join(items, ",") + "]"
	}
	named := func() string {
		var members []string
		for i := range r.IntN(4) {
			members = append(members, fmt.Sprintf("%q:%s", r.pick("A", "B", "a/b", "type", "$ref", "$id")+r.pick("", "", strconv.Itoa(i)), one()))
		}
		return "{" + strings.Join(members, ",") + "}"
	}
	names := func() string { return r.pick(`["A"]`, `["A","B"]`, `["A","A"]`, `[7]`, `[]`, `"A"`) }
	if r.IntN(25) == 0 {
		value = r.pick("null", "true", "7", "-1", "0.5", `"x"`, "[]", "{}", `["A"]`)
	}
	name = r.pick(
		"type", "enum", "const", "title", "description", "$comment", "default", "examples", "format", "pattern",
		"properties", "properties", "patternProperties", "additionalProperties", "required", "dependencies", "dependentRequired",
		"dependentSchemas", "items", "items", "prefixItems", "additionalItems", "contains", "minContains", "unevaluatedItems",
		"unevaluatedProperties", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "$defs", "definitions", "$ref", "$ref", "$ref",
		"minLength", "maximum", "multipleOf", "uniqueItems", "readOnly", "deprecated", "contentSchema", "contentEncoding",
		"propertyNames", "$id", "$anchor", "$dynamicRef", "$schema", "nullable", "unknown",
	)
	if value != "" {
		return name, value
	}
	switch name {
	case "type":
		return name, r.pick(`"string"`, `"object"`, `["null","integer"]`, `"int"`, `["array","array"]`, `[]`)
	case "enum", "examples":
		return name, r.pick(`["a",1]`, `[]`, `[1,1]`)
	case "title", "description", "$comment", "format", "contentEncoding", "$schema":
		return name, `"text"`
	case "pattern":
		return name, `"^a+$"`
	case "properties", "patternProperties", "dependentSchemas", "$defs", "definitions":
		return name, named()
	case "dependencies", "dependentRequired":
		return name, `{"A":` + r.pick(names(), one()) + `}`
	case "required":
		return name, names()
	case "allOf", "anyOf", "oneOf", "prefixItems":
		return name, list()
	case "items":
		return name, r.pick(one(), list())
	case "$ref", "$dynamicRef":
		return name, strconv.Quote(r.pick("#", "#/$defs/A", "#/definitions/A", "#/properties/A", "#/properties", "#/items", "#/items/0",
			"#/anyOf/0", "#/$defs/A/properties/B", "#/$defs/a~1b", "#/not", "#/required", "#/unknown", "#here", "other", "#/$defs/A%31", "#/properties/type", "#/definitions/$ref"))
	case "$id":
		return name, strconv.Quote(r.pick("https://example.com/a", "b", "#c", "urn:x:y"))
	case "$anchor":
		return name, `"here"`
	case "minLength", "minContains", "maximum", "multipleOf":
		return name, r.pick("0", "1", "2.0", "-1", "1.5", "1e2", "25e-1", "-0", "0.0")
	case "uniqueItems", "readOnly", "deprecated", "nullable":
		return name, r.pick("true", "false")
	case "const", "default", "unknown":
		return name, r.pick(`{"$ref":"#/nowhere"}`, "null", one())
	}
	return name, one()
}

func TestAgreesWithTheLibraryOnRandomSchemas(t *testing.T) {
	t.Parallel()
	const seed = 20261130
	r := &randomSchema{Rand: rand.New(rand.NewPCG(seed, 0))}
	clear := map[bool]int{}
	for range 3_000 {
		r.size = 0
		schema := r.schema(4)
		if schema[0] != '{' {
			continue
		}
		for _, d := range []Dialect{Draft2020, Draft7} {
			agree(t, []byte(schema), d)
			c := checker{root: parse(t, schema), dialect: d, repeats: true}
			if f := c.run(); f != nil || c.doubt == "" {
				clear[f == nil]++
			}
		}
		if t.Failed() {
			return
		}
	}
	if clear[true] < 500 || clear[false] < 500 {
		t.Errorf("%v clear verdicts: the schemas are no test", clear)
	}
	t.Logf("%v clear verdicts", clear)
}
