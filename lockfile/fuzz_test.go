package lockfile_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
	"github.com/mcp-lint/mcp-lint/lockfile"
)

// FuzzCompare compares two schemas that anybody could send: whatever they are,
// every message can be shown, nothing is reported about equal ones, and an
// instance that only the new one accepts is never passed over.
func FuzzCompare(f *testing.F) {
	for _, c := range wordCases() {
		var old, new struct {
			Tools []struct {
				InputSchema json.RawMessage `json:"inputSchema"`
			} `json:"tools"`
		}
		if json.Unmarshal([]byte(c.old), &old) == nil && json.Unmarshal([]byte(c.new), &new) == nil && len(old.Tools) > 0 && len(new.Tools) > 0 {
			f.Add(string(old.Tools[0].InputSchema), string(new.Tools[0].InputSchema), `{"path":"a"}`)
		}
	}
	f.Fuzz(func(t *testing.T, old, new, instance string) {
		before, err := snapshot.Parse("", []byte(tool(old)))
		if err != nil {
			return
		}
		after, err := snapshot.Parse("", []byte(tool(new)))
		if err != nil || len(before.Tools) != 1 || len(after.Tools) != 1 {
			return
		}
		locked, live := lockfile.Live(before, lockfile.Launch{}), lockfile.Live(after, lockfile.Launch{})
		if changes := lockfile.Compare(locked, locked, lockfile.Options{}); len(before.Problems) == 0 && len(changes) > 0 {
			t.Errorf("a schema differs from itself: %v\n%s", described(changes), old)
		}
		silent := true
		for _, c := range lockfile.Compare(locked, live, lockfile.Options{}) {
			for _, text := range []string{c.Message, c.Before, c.After} {
				if strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r) }) || strings.Contains(text, "%!") {
					t.Errorf("%q cannot be shown", text)
				}
			}
			silent = silent && c.Kind != lockfile.KindSchemaWidened && c.Kind != lockfile.KindSchemaChanged && c.Kind != lockfile.KindDefinitionChanged
		}
		// Escapes are left out: a canonical text has no CRLF, and a judge does.
		if silent && len(before.Problems)+len(after.Problems) == 0 && !strings.Contains(old+new, `\`) && acceptsMore(old, new, instance) {
			t.Errorf("%s is accepted now and was not\n%s\n%s", instance, old, new)
		}
	})
}

// acceptsMore reports whether only the new schema accepts an instance.
func acceptsMore(old, new, instance string) bool {
	var o, n jsonObject
	if json.Unmarshal([]byte(old), &o) != nil || json.Unmarshal([]byte(new), &n) != nil {
		return false
	}
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(instance))
	if err != nil {
		return false
	}
	before, ok := compile(o)
	after, ok2 := compile(n)
	return ok && ok2 && after.Validate(v) == nil && before.Validate(v) != nil
}

// FuzzCanonical reads any value: its canonical form is a JSON value of the same
// canonical form.
func FuzzCanonical(f *testing.F) {
	for _, seed := range []string{`{"b":1.0,"a":[1e1,"é\ud800\r\n"]}`, `{"a":1,"a":2}`, `-0.0e5`, `"\u0000"`, `[1e99999999999999999999,123456789012345678901234567890]`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		read := func(text []byte) *snapshot.Node {
			s, err := snapshot.Parse("", append(append([]byte(`{"tools":[],"prompts":[`), text...), "]}"...))
			if err != nil || len(s.Prompts) != 1 {
				return nil
			}
			return s.Prompts[0].Node
		}
		n := read(data)
		if n == nil {
			return
		}
		once := lockfile.Canonical(n)
		again := read(once)
		if again == nil {
			t.Fatalf("no JSON: %q", once)
		}
		if twice := lockfile.Canonical(again); !bytes.Equal(once, twice) {
			t.Errorf("not stable:\n%q\n%q", once, twice)
		}
	})
}
