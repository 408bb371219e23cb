package lockfile

import (
	"slices"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// typeBits is a set of JSON types.
type typeBits uint8

const (
	nullType typeBits = 1 << iota
	booleanType
	stringType
	numberType // integers, too
	arrayType
	objectType
	anyType = 1<<iota - 1
)

func typeBit(name string) typeBits {
	switch name {
	case "null":
		return nullType
	case "boolean":
		return booleanType
	case "string":
		return stringType
	case "integer", "number":
		return numberType
	case "array":
		return arrayType
	case "object":
		return objectType
	}
	return 0
}

// appliesTo returns the types that a keyword says something about, and false
// for one that is no matter of types.
func appliesTo(keyword string) (typeBits, bool) {
	switch keyword {
	case "minLength", "maxLength", "pattern", "contentSchema":
		return stringType, true
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
		return numberType, true
	case "format":
		return stringType | numberType, true
	case "items", "prefixItems", "additionalItems", "contains", "minContains", "maxContains", "minItems", "maxItems", "uniqueItems":
		return arrayType, true
	case "properties", "patternProperties", "additionalProperties", "propertyNames", "required",
		"dependentRequired", "dependentSchemas", "dependencies", "minProperties", "maxProperties":
		return objectType, true
	}
	return 0, false
}

// byType splits a schema into one for each of its types and values; false
// where a keyword does not belong to a type, or where no type is named.
func (m *meaning) byType(n *snapshot.Node) ([]alternative, bool) {
	limited := typeBits(0)
	for _, member := range n.Members() {
		name := member.Name
		if silent(name) || name == "type" || name == "enum" || name == "const" {
			continue
		}
		bits, ok := appliesTo(name)
		if !ok || name == "required" && member.Value.Type() != snapshot.Array {
			return nil, false
		}
		limited |= bits
	}
	types, ok := typeSet(n.Get("type"))
	if n.Has("type") && (!ok || slices.ContainsFunc(types, func(t string) bool { return typeBit(t) == 0 })) {
		return nil, false
	}
	if values, ok := allowedValues(n); ok {
		return m.valuesByType(n, types, values, limited)
	}
	if len(types) == 0 {
		return nil, false
	}
	var parts []alternative
	for _, t := range types {
		switch bit := typeBit(t); {
		case t == "null":
			parts = append(parts, oneValue("null", bit))
		case t == "boolean":
			parts = append(parts, oneValue("true", bit), oneValue("false", bit))
		case t == "integer" && slices.Contains(types, "number"):
		default:
			parts = append(parts, alternative{sum: m.ofType(n, t), types: bit})
		}
	}
	return parts, true
}

// valuesByType splits a list of values. A type that has further limits keeps
// all its values together.
func (m *meaning) valuesByType(n *snapshot.Node, types []string, values []*snapshot.Node, limited typeBits) ([]alternative, bool) {
	var parts []alternative
	together := map[typeBits][]*snapshot.Node{}
	for _, v := range values {
		bit, integer := valueType(v)
		fits := func(t string) bool { return typeBit(t) == bit && (t != "integer" || integer) }
		switch {
		case n.Has("type") && !slices.ContainsFunc(types, fits):
		case limited&bit != 0:
			together[bit] = append(together[bit], v)
		default:
			parts = append(parts, oneValue(dataOf(v), bit))
		}
	}
	for _, t := range [...]string{"string", "number", "array", "object"} {
		if bit := typeBit(t); together[bit] != nil {
			s := m.ofType(n, t)
			parts = append(parts, alternative{sum: sumOf("values", sumValues(together[bit]), string(s[:])), types: bit})
		}
	}
	return parts, true
}

func oneValue(canonical string, bit typeBits) alternative {
	return alternative{sum: sumOf("one", canonical), types: bit, value: true}
}

// valueType returns the type of a value, and whether it is a whole number.
func valueType(v *snapshot.Node) (bits typeBits, integer bool) {
	switch v.Type() {
	case snapshot.Bool:
		return booleanType, false
	case snapshot.Number:
		d := parseDecimal(v.Number())
		return numberType, d.asIs == "" && int64(len(d.digits)) <= max(d.point, 0)
	case snapshot.String:
		return stringType, false
	case snapshot.Array:
		return arrayType, false
	case snapshot.Object:
		return objectType, false
	}
	return nullType, false
}

// allowedValues returns the values that enum and const allow together, and
// false when neither limits them.
func allowedValues(n *snapshot.Node) ([]*snapshot.Node, bool) {
	enum, one := n.Get("enum"), n.Get("const")
	switch {
	case enum != nil && enum.Type() != snapshot.Array, enum == nil && one == nil:
		return nil, false
	case one == nil:
		return enum.Elements(), true
	case enum == nil || slices.ContainsFunc(enum.Elements(), func(v *snapshot.Node) bool { return sameData(v, one) }):
		return []*snapshot.Node{one}, true
	}
	return nil, true
}
