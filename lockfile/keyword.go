package lockfile

import "github.com/mcp-lint/mcp-lint/linter/snapshot"

// keywordClass says how a keyword of JSON Schema is compared. The zero value is
// that of unknown keywords: what is below them is text.
type keywordClass int

const (
	textKeyword keywordClass = iota
	typeKeyword
	valuesKeyword  // enum, const
	limitKeyword   // a number, and on which side it limits
	factKeyword    // pattern, format: any other value may accept more
	requiredList   // required
	exactKeyword   // any difference may accept more
	opaqueKeyword  // a sub-schema that works the other way round
	schemaKeyword  // one sub-schema, in the scope of a new value
	inPlaceKeyword // one sub-schema for the same value
	unionKeyword   // anyOf, oneOf
	allOfKeyword
	tupleKeyword // a list of sub-schemas by position
	propertiesKeyword
	patternsKeyword
	definitionsKeyword
	dependentKeyword // a map of sub-schemas for the same value
	plainKeyword     // structure without consequence for what is accepted
)

// classOf knows the keywords of the drafts 4 to 2020-12. The text keywords
// among them are those that a model reads: title, description, default,
// examples and $comment are in the same class as unknown ones.
func classOf(keyword string) keywordClass {
	switch keyword {
	case "type":
		return typeKeyword
	case "enum", "const":
		return valuesKeyword
	case "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
		"minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains",
		"multipleOf", "uniqueItems":
		return limitKeyword
	case "pattern", "format":
		return factKeyword
	case "required":
		return requiredList
	case "$ref", "$dynamicRef", "$recursiveRef", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$id", "dependentRequired":
		return exactKeyword
	case "if", "not":
		return opaqueKeyword
	case "items", "additionalItems", "unevaluatedItems", "contains", "propertyNames",
		"additionalProperties", "unevaluatedProperties", "contentSchema":
		return schemaKeyword
	case "then", "else":
		return inPlaceKeyword
	case "anyOf", "oneOf":
		return unionKeyword
	case "allOf":
		return allOfKeyword
	case "prefixItems":
		return tupleKeyword
	case "properties":
		return propertiesKeyword
	case "patternProperties":
		return patternsKeyword
	case "$defs", "definitions":
		return definitionsKeyword
	case "dependentSchemas", "dependencies":
		return dependentKeyword
	case "$schema", "$vocabulary", "contentEncoding", "contentMediaType", "deprecated", "readOnly", "writeOnly":
		return plainKeyword
	}
	return textKeyword
}

// keyword compares one keyword of two schemas. The path ends with its name.
func (w *schemaWalk) keyword(name string, oldSchema, newSchema *snapshot.Node, sc *scope) {
	old, new := oldSchema.Get(name), newSchema.Get(name)
	switch classOf(name) {
	case textKeyword:
		w.textKey(old, new)
	case typeKeyword:
		w.types(old, new)
	case valuesKeyword:
		w.values(name, oldSchema, newSchema)
	case limitKeyword:
		if !w.movedBound(name, oldSchema, newSchema) {
			w.limit(name, old, new)
		}
	case factKeyword:
		w.fact(name, old, new)
	case requiredList:
		w.required(oldSchema, newSchema, sc)
	case exactKeyword:
		w.exact(name, old, new)
	case opaqueKeyword:
		w.condition(name, old, new)
	case schemaKeyword:
		w.inner(name, oldSchema, newSchema)
	case inPlaceKeyword:
		w.schema(old, new, sc)
	case unionKeyword:
		w.branches(old, new, newSchema, sc, true)
	case allOfKeyword:
		w.branches(old, new, newSchema, sc, false)
	case tupleKeyword:
		w.tuple(oldSchema, newSchema, "prefixItems", "items")
	case propertiesKeyword:
		w.properties(oldSchema, newSchema, sc)
	case patternsKeyword:
		w.patterns(oldSchema, newSchema)
	case definitionsKeyword:
		w.definitions(old, new)
	case dependentKeyword:
		w.dependents(name, old, new, sc)
	case plainKeyword:
		if !same(old, new) {
			w.narrowed(old, new, "`%s` of %s %s", name, w.subject(), changed(old, new))
		}
	}
}
