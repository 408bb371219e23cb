package schemacheck

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// parse reads a schema as the input schema of a tool.
func parse(tb testing.TB, schema string) *snapshot.Node {
	tb.Helper()
	s, err := snapshot.Parse("", []byte(`[{"name":"t","inputSchema":`+schema+`}]`))
	if err != nil {
		tb.Skipf("no JSON: %v", err)
	}
	return s.Tools[0].Get("inputSchema")
}

// library is the library's own verdict on the schema as encoding/json reads
// it, with three rules that we set aside on purpose: see [converter] and
// [acceptPattern].
func library(tb testing.TB, schema []byte, d Dialect) (valid bool) {
	tb.Helper()
	dec := json.NewDecoder(bytes.NewReader(schema))
	dec.UseNumber()
	var doc any
	if err := dec.Decode(&doc); err != nil {
		tb.Skipf("encoding/json cannot read it: %v", err)
	}
	if object, ok := doc.(map[string]any); ok {
		delete(object, "$schema")
	}
	err := compile(tame(doc), d, acceptPattern)
	return err == nil
}

// tame does to a decoded schema what [converter] does to a node.
func tame(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			if _, text := member.(string); text && name == "$schema" {
				delete(v, name)
			} else if _, array := member.([]any); array && name == "enum" {
				v[name] = []any{nil}
			} else {
				v[name] = tame(member)
			}
		}
	case []any:
		for i := range v {
			v[i] = tame(v[i])
		}
	case json.Number:
		return number(string(v)) // the library cannot bear some exponents
	}
	return v
}

// extra reports whether a fault is one that the library does not know.
func extra(f *Fault) bool {
	for _, part := range []string{
		"found an empty array", "keyword id of draft-04", "nullable", "no ECMAScript regular expression",
	} {
		if f != nil && strings.Contains(f.Pointer+" "+f.Reason, part) && !strings.Contains(f.Reason, "schema, found") {
			return true
		}
	}
	return false
}

// agree checks that our pass, where it is sure, says what the library says.
func agree(tb testing.TB, schema []byte, d Dialect) {
	tb.Helper()
	n := parse(tb, string(schema))
	if n.Type() != snapshot.Object {
		return
	}
	c := checker{root: n, dialect: d, repeats: true}
	f := c.run()
	if f == nil && c.doubt != "" || extra(f) {
		return // the library decides, or does not know
	}
	if valid := library(tb, schema, d); valid != (f == nil) {
		tb.Errorf("%s: we say %+v, the library says valid=%v\n%s", d, f, valid, schema)
	}
}

func TestAgreesWithTheLibraryOnRealSchemas(t *testing.T) {
	files, _ := filepath.Glob("../../../../../shared/corpus/*@*.json")
	if len(files) == 0 {
		t.Skip("no ../shared/corpus beside the repository")
	}
	doubts, total := 0, 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s, err := snapshot.Parse(file, data)
		if err != nil {
			t.Fatal(err)
		}
		for _, tool := range s.Tools {
			for _, key := range []string{"inputSchema", "outputSchema"} {
				schema := tool.Get(key)
				if schema == nil {
					continue
				}
				total++
				for _, d := range []Dialect{Draft2020, Draft7} {
					agree(t, schema.Raw(), d)
				}
				c := checker{root: schema, dialect: Declared(schema)}
				if c.run(); c.doubt != "" {
					doubts++
				}
			}
		}
	}
	t.Logf("%d schemas, %d left to the library", total, doubts)
}

func FuzzAgreesWithTheLibrary(f *testing.F) {
	for _, c := range verdicts {
		f.Add(c.schema)
	}
	f.Fuzz(func(t *testing.T, schema string) {
		if len(schema) > 4096 {
			return
		}
		for _, d := range []Dialect{Draft2020, Draft7} {
			agree(t, []byte(schema), d)
			Check(parse(t, schema), d, true)
		}
	})
}
