package lockfile_test

import (
	"maps"
	"slices"
)

// schemaPlace is a sub-schema inside a schema, and how to replace it.
type schemaPlace struct {
	schema any
	set    func(any)
}

// places lists all sub-schemas of a schema, itself first.
func places(s any, set func(any)) []schemaPlace {
	out := []schemaPlace{{s, set}}
	o, ok := s.(jsonObject)
	if !ok {
		return out
	}
	for _, k := range slices.Sorted(maps.Keys(o)) {
		switch v := o[k].(type) {
		case bool:
			switch k {
			case "uniqueItems", "deprecated", "const", "default":
				continue
			}
			out = append(out, schemaPlace{v, func(n any) { o[k] = n }})
		case []any:
			switch k {
			case "anyOf", "oneOf", "allOf", "prefixItems", "items":
				for i := range v {
					out = append(out, places(v[i], func(n any) { v[i] = n })...)
				}
			}
		case jsonObject:
			switch k {
			case "const", "default", "dependentRequired":
			case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "components":
				for _, name := range slices.Sorted(maps.Keys(v)) {
					out = append(out, places(v[name], func(n any) { v[name] = n })...)
				}
			default:
				if k == "dependencies" {
					continue
				}
				out = append(out, places(v, func(n any) { o[k] = n })...)
			}
		}
	}
	return out
}

// edited is a copy of a schema with a few edits: those that generators make
// without meaning, those that change a little, and pure chance.
func (r schemaSource) edited(old jsonObject) jsonObject {
	root := clone(old).(jsonObject)
	for range 1 + r.IntN(3) {
		all := places(root, func(n any) {
			if o, ok := n.(jsonObject); ok {
				root = o
			}
		})
		r.edit(pick(r, all...), root)
	}
	return root
}

func (r schemaSource) edit(at schemaPlace, root jsonObject) {
	s, ok := at.schema.(jsonObject)
	if !ok {
		at.set(pick[any](r, true, false, jsonObject{}, jsonObject{"not": jsonObject{}}, r.schema(1)))
		return
	}
	keys := slices.Sorted(maps.Keys(s))
	switch r.IntN(17) {
	case 0, 1: // one keyword more or other
		name := pick(r, schemaKeywords()...)
		if v := r.value(name, 1); v != nil {
			s[name] = v
		}
	case 2: // one keyword fewer
		if len(keys) > 0 {
			delete(s, pick(r, keys...))
		}
	case 3: // wrap, alone or beside others
		inner := clone(s)
		if len(s) > 0 && s["$defs"] == nil && s["components"] == nil {
			clear(s)
			list := []any{inner}
			for range r.IntN(3) {
				list = append(list, r.schema(1))
			}
			r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			s[pick(r, "anyOf", "oneOf", "allOf")] = list
		}
	case 4: // unwrap, with or without what is beside
		for _, k := range []string{"anyOf", "oneOf", "allOf"} {
			if list, ok := s[k].([]any); ok && len(list) > 0 && (len(list) == 1 || r.chance(3)) {
				if inner, ok := list[0].(jsonObject); ok {
					delete(s, k)
					maps.Copy(s, inner)
					return
				}
			}
		}
	case 5: // reorder
		for _, k := range keys {
			if list, ok := s[k].([]any); ok {
				r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			}
		}
	case 6: // move into the definitions
		defs, ok := root["$defs"].(jsonObject)
		if !ok {
			defs = jsonObject{}
			root["$defs"] = defs
		}
		if s["$defs"] == nil && s["components"] == nil {
			name := pick(r, "A", "B", "N")
			defs[name] = clone(s)
			clear(s)
			s["$ref"] = "#/$defs/" + name
		}
	case 7: // write a reference out
		if ref, ok := s["$ref"].(string); ok {
			delete(s, "$ref")
			if target, ok := clone(lookup(root, ref)).(jsonObject); ok && ref != "#" {
				maps.Copy(s, target)
			}
		}
	case 8: // rename a definition with all references, or with some
		if defs, ok := root["$defs"].(jsonObject); ok && defs["A"] != nil {
			defs["N"] = defs["A"]
			delete(defs, "A")
			for _, p := range places(root, nil) {
				if o, ok := p.schema.(jsonObject); ok && o["$ref"] == "#/$defs/A" && !r.chance(10) {
					o["$ref"] = "#/$defs/N"
				}
			}
		}
	case 9: // type lists
		switch t := s["type"].(type) {
		case string:
			s["type"] = pick[any](r, []any{t}, []any{t, "null"})
			if t == "null" {
				s["type"] = []any{t}
			}
		case []any:
			if len(t) == 1 {
				s["type"] = t[0]
			} else if len(t) > 0 {
				rest := clone(s).(jsonObject)
				rest["type"] = t[0]
				clear(s)
				s["anyOf"] = []any{rest, jsonObject{"type": t[1]}}
			}
		}
	case 10: // const and enum
		if c, ok := s["const"]; ok {
			delete(s, "const")
			s["enum"] = []any{c}
		} else if e, ok := s["enum"].([]any); ok && len(e) > 0 {
			delete(s, "enum")
			s["const"] = e[0]
		}
	case 11: // what says nothing, sometimes
		for name, v := range pick(r,
			jsonObject{"properties": jsonObject{}}, jsonObject{"required": []any{}}, jsonObject{"items": jsonObject{}}, jsonObject{"items": true},
			jsonObject{"additionalProperties": true}, jsonObject{"additionalProperties": jsonObject{}}, jsonObject{"patternProperties": jsonObject{}},
			jsonObject{"contains": jsonObject{}}, jsonObject{"contains": true}, jsonObject{"minContains": 0}, jsonObject{"minContains": 1}, jsonObject{"minLength": 0}, jsonObject{"minItems": 0},
			jsonObject{"allOf": []any{jsonObject{}}}, jsonObject{"anyOf": []any{true}}, jsonObject{"oneOf": []any{true, true}}, jsonObject{"prefixItems": []any{jsonObject{}}},
			jsonObject{"if": true}, jsonObject{"then": true}, jsonObject{"not": false}, jsonObject{"dependentSchemas": jsonObject{"a": true}}, jsonObject{"enum": []any{}},
			jsonObject{"patternProperties": jsonObject{"^a": true}}, jsonObject{"uniqueItems": false}, jsonObject{"unevaluatedProperties": true}, jsonObject{"$schema": draft2020}) {
			if _, ok := s[name]; ok && r.chance(2) {
				delete(s, name)
			} else {
				s[name] = v
			}
		}
	case 12: // another branch, twice the same one, or one fewer
		for _, k := range []string{"anyOf", "oneOf", "allOf", "prefixItems"} {
			if list, ok := s[k].([]any); ok && len(list) > 0 {
				switch r.IntN(3) {
				case 0:
					s[k] = append(list, r.schema(0))
				case 1:
					s[k] = append(list, clone(list[0]))
				default:
					s[k] = list[1:]
				}
			}
		}
	case 13:
		at.set(pick[any](r, true, false, jsonObject{}, r.schema(1)))
	case 14: // flatten
		if list, ok := s["allOf"].([]any); ok {
			delete(s, "allOf")
			for _, e := range list {
				if o, ok := e.(jsonObject); ok {
					maps.Copy(s, o)
				}
			}
		}
	case 15: // bounds, with the last number that is let through or the first that is not
		for _, k := range [][2]string{{"minimum", "exclusiveMinimum"}, {"exclusiveMinimum", "minimum"}, {"maximum", "exclusiveMaximum"}, {"exclusiveMaximum", "maximum"}} {
			if n, ok := s[k[0]].(int); ok {
				delete(s, k[0])
				s[k[1]] = n + r.IntN(3) - 1
				return
			}
		}
	case 16:
		root["$schema"] = pick(r, draft7, draft2020)
		if r.chance(2) {
			delete(root, "$schema")
		}
	}
}
