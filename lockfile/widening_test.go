package lockfile_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mcp-lint/mcp-lint/lockfile"
)

// Whatever the old schema refuses and the new one accepts is reported as
// schema_widened or schema_changed: never as nothing, as information or as a
// change of text. What is reported as neither means the same on both sides, so
// there no value is looked for that one of them accepts alone. The judge of
// what a schema accepts is another program's.
//
// LOCK_PAIRS=100000 looks at as many pairs as that, LOCK_SEED=2 at others.
func TestNoWideningIsSilent(t *testing.T) {
	t.Parallel()
	c := pairs{seed: fromEnvironment(t, "LOCK_SEED", 1)}
	want := fromEnvironment(t, "LOCK_PAIRS", 2000)
	for n := uint64(0); c.compared < want && c.faults < 20; n++ {
		r := schemaSource{rand.New(rand.NewPCG(c.seed, n))}
		c.look(t, r, n, r.root())
	}
	if c.quiet < c.compared/10 || c.wider < c.compared/40 {
		t.Errorf("%+v: the test looks at too little", c)
	}
	t.Logf("%+v", c)
}

// The same for edits of schemas that real servers send.
func TestNoWideningOfRealSchemasIsSilent(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../shared/corpus/*@*.json")
	if err != nil || len(files) == 0 {
		t.Skip("the collection of real servers is not beside this repository")
	}
	var schemas []jsonObject
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, tool := range parse(t, string(data)).Tools {
			var schema jsonObject
			if json.Unmarshal(tool.Node.Get("inputSchema").Raw(), &schema) == nil && len(encoded(schema)) < 10_000 {
				schemas = append(schemas, schema)
			}
		}
	}
	c := pairs{seed: fromEnvironment(t, "LOCK_SEED", 1)}
	want := fromEnvironment(t, "LOCK_PAIRS", 2000) / 5
	for n := uint64(0); c.compared < want && c.faults < 20; n++ {
		r := schemaSource{rand.New(rand.NewPCG(c.seed, n))}
		c.look(t, r, n, clone(pick(r, schemas...)).(jsonObject))
	}
	t.Logf("%+v of %d schemas", c, len(schemas))
}

// pairs counts what was looked at: pairs that a judge could compare, those
// that are said to mean the same, and those where a value was found that only
// the new schema accepts.
type pairs struct {
	seed                   uint64
	compared, quiet, wider uint64
	faults                 int
}

// look edits a schema and judges what is reported about it.
func (c *pairs) look(t *testing.T, r schemaSource, n uint64, old jsonObject) {
	t.Helper()
	new := r.edited(old)
	if encoded(old) == encoded(new) {
		return
	}
	before, ok := compile(old)
	after, ok2 := compile(new)
	if !ok || !ok2 {
		return // not a schema; there is no judge
	}
	c.compared++
	report, silent := silentAbout(t, encoded(old), encoded(new))
	if !silent {
		if _, found := r.witness(30, old, new, before, after); found {
			c.wider++
		}
		return
	}
	c.quiet++
	witness, found := r.witness(150, old, new, before, after)
	if !found {
		witness, found = r.witness(150, new, old, after, before)
	}
	if found {
		c.faults++
		t.Errorf("seed %d, pair %d: %s is accepted by one schema only, and reported is\n%sold %s\nnew %s", c.seed, n, encoded(witness), report, encoded(old), encoded(new))
	}
}

func fromEnvironment(t *testing.T, name string, otherwise uint64) uint64 {
	t.Helper()
	v := os.Getenv(name)
	if v == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(v, 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// witness looks for a value that only the new schema accepts.
func (r schemaSource) witness(tries int, old, new jsonObject, before, after *jsonschema.Schema) (any, bool) {
	for i := range tries {
		var v any
		switch i % 4 {
		case 0:
			v = r.instance(2)
		case 1:
			v = r.fitting(old, old, 4)
		default:
			v = r.fitting(new, new, 4)
		}
		read, err := jsonschema.UnmarshalJSON(strings.NewReader(encoded(v)))
		if err != nil {
			panic(err) // it was encoded just now
		}
		if after.Validate(read) == nil && before.Validate(read) != nil {
			return v, true
		}
	}
	return nil, false
}

func compile(schema jsonObject) (*jsonschema.Schema, bool) {
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(encoded(schema)))
	if err != nil {
		return nil, false
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("mem:///s.json", doc); err != nil {
		return nil, false
	}
	s, err := c.Compile("mem:///s.json")
	return s, err == nil
}

// silentAbout returns what is reported about two schemas, and whether neither a
// widening nor another change of structure is among it.
func silentAbout(t *testing.T, old, new string) (report string, silent bool) {
	t.Helper()
	locked := server(t, tool(old))
	live := lockfile.Live(parse(t, tool(new)), lockfile.Launch{})
	for _, c := range lockfile.Compare(locked, live, lockfile.Options{}) {
		if c.Kind == lockfile.KindSchemaWidened || c.Kind == lockfile.KindSchemaChanged {
			return "", false
		}
		report += fmt.Sprintf("%s %s: %s\n", c.Kind, c.Path, c.Message)
	}
	return report, true
}
