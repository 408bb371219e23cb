// Package schemacheck says whether a JSON Schema is one: whether it validates
// against its meta-schema and compiles.
//
// The judge is github.com/santhosh-tekuri/jsonschema, but compiling costs many
// times what reading the file did. So a pass of our own over the tree settles
// the clear cases, and the library is asked only where that pass has doubts:
// identifiers, anchors, references to anything but a plain local pointer.
//
// Beyond the meta-schema a schema that Ajv 8 (what most clients and the second
// seed use) refuses to compile is no good: an empty enum, nullable without a
// type, the draft-04 keyword id, a pattern that is no regular expression of
// ECMAScript's unicode mode. Like Ajv this looks for these only where the
// schema is used, not in definitions that nothing refers to.
package schemacheck

import (
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// Dialect is the version of JSON Schema by which a schema is judged. The zero
// value is 2020-12, the default of MCP.
type Dialect uint8

// The dialects.
const (
	Draft2020 Dialect = iota
	Draft2019
	Draft7
	Draft6
	Draft4
)

// String is the dialect's name as messages use it.
func (d Dialect) String() string {
	return [...]string{"2020-12", "2019-09", "draft-07", "draft-06", "draft-04"}[d]
}

// Declared returns the dialect that the root's $schema names, 2020-12 when it
// names none that is known.
func Declared(schema *snapshot.Node) Dialect {
	uri := schema.Get("$schema").Text()
	uri = strings.TrimPrefix(strings.TrimPrefix(uri, "https://"), "http://")
	for prefix, d := range map[string]Dialect{
		"json-schema.org/draft/2019-09/schema": Draft2019,
		"json-schema.org/draft-07/schema":      Draft7,
		"json-schema.org/draft-06/schema":      Draft6,
		"json-schema.org/draft-04/schema":      Draft4,
	} {
		if strings.HasPrefix(uri, prefix) {
			return d
		}
	}
	return Draft2020
}

// Fault is the first reason why a schema is none.
type Fault struct {
	// Pointer is a JSON pointer inside the schema.
	Pointer string
	// Reason completes "the schema is invalid: ". It may quote the schema, with
	// everything unprintable escaped.
	Reason string
	// Unchecked means that nobody could tell: the schema needs the library and
	// is too large for it.
	Unchecked bool
}

// under moves a fault to the member or element of that name.
func (f *Fault) under(token string) *Fault {
	f.Pointer = snapshot.AppendPointer("", token) + f.Pointer
	return f
}

// Check judges a schema; nil means that it is one. repeats tells that objects
// in it may have two members of one name (the last one counts). The root's
// $schema is ignored: the caller has chosen the dialect.
func Check(schema *snapshot.Node, d Dialect, repeats bool) *Fault {
	if schema.Type() != snapshot.Object {
		return &Fault{Reason: "expected an object, found " + schema.Type().String()}
	}
	if d != Draft2020 && d != Draft7 {
		// Our pass knows the keywords of two dialects only.
		return judge(schema, d, checkedPattern)
	}
	c := checker{root: schema, dialect: d, repeats: repeats}
	fault := c.run()
	if fault == nil && c.doubt != "" {
		return judge(schema, d, acceptPattern)
	}
	return fault
}
