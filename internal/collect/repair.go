package collect

import (
	"encoding/json"

	expjson "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// object is a JSON object with its values as they were written; of duplicate
// names the last one counts.
type object map[string]jsontext.Value

// decode reads an object leniently: what it holds is judged later.
func decode(raw []byte) object {
	var o object
	if err := expjson.Unmarshal(raw, &o, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)); err != nil {
		return nil
	}
	return o
}

// text is a member that is a text, else "".
func (o object) text(name string) string {
	var s string
	if err := expjson.Unmarshal(o[name], &s, jsontext.AllowInvalidUTF8(true)); err != nil {
		return ""
	}
	return s
}

// has reports whether a member is there and neither null nor false.
func (o object) has(name string) bool {
	v, ok := o[name]
	return ok && v.Kind() != 'n' && v.Kind() != 'f'
}

// list is a member that is an array, split into its elements as written. ok is
// false when it is anything else.
func (o object) list(name string) (elements [][]byte, ok bool) {
	raw, present := o[name]
	if !present || raw.Kind() != '[' {
		return nil, false
	}
	var values []jsontext.Value
	if err := expjson.Unmarshal(raw, &values, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)); err != nil {
		return nil, false
	}
	elements = make([][]byte, 0, len(values))
	for _, v := range values {
		elements = append(elements, v)
	}
	return elements, true
}

// listKey is the key of a list method's list, "" for other methods.
func listKey(method string) string {
	switch method {
	case "tools/list":
		return "tools"
	case "prompts/list":
		return "prompts"
	case "resources/list":
		return "resources"
	case "resources/templates/list":
		return "resourceTemplates"
	}
	return ""
}

// repair gives the typed layer a result that it cannot refuse: an answer to
// initialize or server/discover of the shape it knows, and list results without
// entities and cache hints but with the same cursor.
func repair(method string, raw json.RawMessage) json.RawMessage {
	if key := listKey(method); key != "" {
		o := decode(raw)
		repaired := map[string]any{key: []any{}}
		if cursor, ok := o["nextCursor"]; ok && cursor.Kind() == '"' {
			repaired["nextCursor"] = o.text("nextCursor")
		}
		return encode(repaired)
	}
	switch method {
	case "initialize":
		return encode(map[string]any{
			"protocolVersion": preferredVersion,
			"capabilities":    map[string]any{},
			"serverInfo":      map[string]any{"name": "server", "version": ""},
		})
	case "server/discover":
		versions, ok := decode(raw)["supportedVersions"]
		if !ok {
			return raw // no answer to that question; initialize is tried
		}
		return encode(map[string]any{"supportedVersions": versions, "capabilities": map[string]any{}})
	}
	return raw
}

// encode cannot fail: its argument is made of texts, maps and empty lists.
func encode(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return raw
}
