package lockfile_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// schemaSource generates JSON Schemas, pairs of them that differ a little, and
// instances that could tell the two apart.
type schemaSource struct{ *rand.Rand }

type jsonObject = map[string]any

func pick[T any](r schemaSource, from ...T) T { return from[r.IntN(len(from))] }

func (r schemaSource) chance(n int) bool { return r.IntN(n) == 0 }

// root is a whole schema, often with definitions to refer to and sometimes with
// a container that no keyword knows.
func (r schemaSource) root() jsonObject {
	s := jsonObject{}
	if r.chance(2) {
		s["$defs"] = jsonObject{"A": r.schema(1), "B": r.schema(1)}
	}
	if r.chance(6) {
		s["components"] = jsonObject{"C": r.schema(0)}
	}
	if r.chance(4) {
		s["$schema"] = pick(r, draft7, draft2020)
	}
	switch inner := r.schema(2).(type) {
	case jsonObject:
		maps.Copy(s, inner)
	case bool:
		s["not"] = !inner
	}
	return s
}

const (
	draft7    = "http://json-schema.org/draft-07/schema#"
	draft2020 = "https://json-schema.org/draft/2020-12/schema"
)

// schema is a sub-schema of a few keywords.
func (r schemaSource) schema(depth int) any {
	if r.chance(12) {
		return pick[any](r, true, false, jsonObject{})
	}
	s := jsonObject{}
	for range 1 + r.IntN(3) {
		name := pick(r, schemaKeywords()...)
		s[name] = r.value(name, depth)
		if s[name] == nil {
			delete(s, name)
		}
		if strings.HasSuffix(name, "imum") && r.chance(2) {
			s["type"] = "integer" // where bounds have a meaning of their own
		}
	}
	return s
}

func schemaKeywords() []string {
	return []string{
		"type", "type", "type", "properties", "properties", "enum", "const", "required", "additionalProperties",
		"items", "prefixItems", "anyOf", "oneOf", "allOf", "not", "if", "then", "else", "$ref", "$ref", "minimum", "maximum",
		"exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern", "format", "minItems", "maxItems", "uniqueItems",
		"contains", "minContains", "maxContains", "minProperties", "maxProperties", "patternProperties", "propertyNames",
		"dependentRequired", "dependentSchemas", "dependencies", "unevaluatedProperties", "unevaluatedItems", "additionalItems",
		"description", "default", "$comment", "x-note", "title", "deprecated", "$schema", "definitions",
	}
}

// value is a value for a keyword, nil where depth allows none.
func (r schemaSource) value(name string, depth int) any {
	below := func() any { return r.schema(depth - 1) }
	if depth <= 0 {
		below = func() any {
			return pick[any](r, true, false, jsonObject{}, jsonObject{"type": "string"}, jsonObject{"type": "null"}, jsonObject{"minimum": 1})
		}
	}
	list := func(least int) []any {
		out := []any{}
		for range least + r.IntN(3) {
			out = append(out, below())
		}
		return out
	}
	names := func() []any { return distinct([]any{r.name(), r.name()}[:r.IntN(3)]) }
	switch name {
	case "type":
		if r.chance(2) {
			return r.typeName()
		}
		return distinct([]any{r.typeName(), r.typeName(), "null"}[r.IntN(3):])
	case "enum":
		return distinct([]any{r.scalar(), r.scalar(), nil, r.scalar()}[:r.IntN(5)])
	case "const", "default":
		return r.scalar()
	case "required":
		return names()
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "minItems", "maxItems", "minContains",
		"maxContains", "minProperties", "maxProperties":
		return r.IntN(4)
	case "multipleOf":
		return 1 + r.IntN(4)
	case "pattern":
		return pick(r, "^a", "b$", "")
	case "format":
		return pick(r, "date", "email")
	case "uniqueItems", "deprecated":
		return r.chance(2)
	case "properties", "dependentSchemas":
		return jsonObject{r.name(): below(), r.name(): below()}
	case "patternProperties":
		return jsonObject{pick(r, "^a", "b", ""): below()}
	case "dependentRequired":
		return jsonObject{r.name(): names()}
	case "dependencies":
		return jsonObject{r.name(): pick(r, any(names()), below())}
	case "definitions":
		return jsonObject{"A": below()}
	case "prefixItems":
		return list(1)
	case "items":
		if r.chance(8) { // draft 7 only
			return list(0)
		}
		return below()
	case "anyOf", "oneOf", "allOf":
		return list(1)
	case "$ref":
		return pick(r, "#/$defs/A", "#/$defs/A", "#/$defs/B", "#", "#/components/C", "#/properties/a", "#/definitions/A")
	case "$schema":
		return nil
	case "description", "$comment", "x-note", "title":
		return pick(r, "one", "two")
	}
	return below()
}

func (r schemaSource) name() string { return pick(r, "a", "b", "ab", "type") }

func (r schemaSource) typeName() string {
	return pick(r, "string", "integer", "number", "null", "object", "array", "boolean")
}

func (r schemaSource) scalar() any {
	return pick[any](r, "a", "ab", "b", "", 0, 1, 2, 3, 1.5, true, false, []any{}, jsonObject{}, []any{1}, jsonObject{"a": 1}, nil)
}

// distinct drops equal values: a type list with twins is no schema.
func distinct(values []any) []any {
	out := []any{}
	for _, v := range values {
		if !slices.ContainsFunc(out, func(o any) bool { return encoded(o) == encoded(v) }) {
			out = append(out, v)
		}
	}
	return out
}

func encoded(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // only values made above
	}
	return string(b)
}

func clone(v any) any {
	switch v := v.(type) {
	case jsonObject:
		out := make(jsonObject, len(v))
		for k, e := range v {
			out[k] = clone(e)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = clone(e)
		}
		return out
	}
	return v
}

// instance is a value made at random.
func (r schemaSource) instance(depth int) any {
	switch {
	case depth > 0 && r.chance(3):
		o := jsonObject{}
		for range r.IntN(4) {
			o[pick(r, "a", "b", "ab", "type", "z")] = r.instance(depth - 1)
		}
		return o
	case depth > 0 && r.chance(3):
		a := []any{}
		for range r.IntN(4) {
			a = append(a, r.instance(depth-1))
		}
		return a
	}
	return r.scalar()
}

// fitting is a value that a schema may well accept.
func (r schemaSource) fitting(schema any, root jsonObject, depth int) any {
	s, ok := schema.(jsonObject)
	if !ok || depth <= 0 || r.chance(8) {
		return r.instance(1)
	}
	if ref, ok := s["$ref"].(string); ok && r.chance(2) {
		return r.fitting(lookup(root, ref), root, depth-1)
	}
	if c, ok := s["const"]; ok && r.chance(2) {
		return c
	}
	if e, ok := s["enum"].([]any); ok && len(e) > 0 && r.chance(2) {
		return pick(r, e...)
	}
	for _, k := range []string{"anyOf", "oneOf", "allOf"} {
		if e, ok := s[k].([]any); ok && len(e) > 0 && r.chance(2) {
			return r.fitting(pick(r, e...), root, depth-1)
		}
	}
	for _, k := range []string{"then", "else", "if", "not"} {
		if e, ok := s[k]; ok && r.chance(4) {
			return r.fitting(e, root, depth-1)
		}
	}
	typ, _ := s["type"].(string)
	if list, ok := s["type"].([]any); ok && len(list) > 0 {
		typ, _ = pick(r, list...).(string)
	}
	if typ == "" {
		typ = r.typeName()
		if s["properties"] != nil || s["required"] != nil || s["additionalProperties"] != nil || s["patternProperties"] != nil {
			typ = "object"
		} else if s["items"] != nil || s["prefixItems"] != nil || s["contains"] != nil {
			typ = "array"
		}
	}
	return r.typed(typ, s, root, depth)
}

func (r schemaSource) typed(typ string, s, root jsonObject, depth int) any {
	switch typ {
	case "string":
		return pick(r, "", "a", "ab", "b", "abab", "2026-01-01")
	case "integer":
		return r.IntN(6) - 1
	case "number":
		return pick[any](r, 0.5, 1, 1.5, 2, 3, 4)
	case "null":
		return nil
	case "boolean":
		return r.chance(2)
	case "array":
		a := []any{}
		for range r.IntN(4) {
			inner := pick(r, s["items"], s["contains"], s["additionalItems"], s["unevaluatedItems"])
			for _, k := range []string{"prefixItems", "items"} {
				if list, ok := s[k].([]any); ok && len(a) < len(list) {
					inner = list[len(a)]
				}
			}
			a = append(a, r.fitting(inner, root, depth-1))
		}
		return a
	}
	o := jsonObject{}
	properties, _ := s["properties"].(jsonObject)
	required, _ := s["required"].([]any)
	for _, name := range required {
		if !r.chance(6) {
			o[name.(string)] = r.fitting(properties[name.(string)], root, depth-1)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if r.chance(2) {
			o[name] = r.fitting(properties[name], root, depth-1)
		}
	}
	if r.chance(3) {
		o[pick(r, "a", "b", "ab", "z")] = r.fitting(s["additionalProperties"], root, depth-1)
	}
	return o
}

// lookup finds what one of the generated references refers to.
func lookup(root jsonObject, ref string) any {
	var first, second string
	if n, _ := fmt.Sscanf(ref, "#/%s", &first); n == 0 {
		return root
	}
	for i := range first {
		if first[i] == '/' {
			first, second = first[:i], first[i+1:]
			break
		}
	}
	inner, _ := root[first].(jsonObject)
	return inner[second]
}
