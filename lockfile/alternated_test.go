package lockfile_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A generator that lets a parameter take one more kind of value wraps its
// schema: what is told is the further kind, not the wrapping.
func TestWrappedSchemaGainsAlternatives(t *testing.T) {
	t.Parallel()
	p := func(schema string) string { return tool(`{"type":"object","properties":{"p":` + schema + `}}`) }
	const (
		object      = `{"type":"object","properties":{"id":{"type":"string"}},"required":["id"],"additionalProperties":false}`
		otherObject = `{"type":"object","properties":{"id":{"type":"string"},"n":{"type":"integer"}},"required":["id"],"additionalProperties":false}`
		described   = `{"type":"string","description":"which one"}`
	)
	for _, c := range []struct {
		name, old, new string
		want           []string
	}{
		{
			"one more type", p(object), p(`{"anyOf":[` + object + `,{"type":"string"}]}`),
			[]string{"error risk schema_widened /inputSchema/properties/p/anyOf/1: `p` now accepts a string too: one more alternative in `anyOf`"},
		},
		{
			"the old one is the second", p(object), p(`{"oneOf":[{"type":"string"},` + object + `]}`),
			[]string{"error risk schema_widened /inputSchema/properties/p/oneOf/0: `p` now accepts a string too: one more alternative in `oneOf`"},
		},
		{
			"the text stays outside", p(described), p(`{"anyOf":[{"type":"string"},{"type":"null"}],"description":"which one"}`),
			[]string{"error risk schema_widened /inputSchema/properties/p/anyOf/1: `p` now accepts null too: one more alternative in `anyOf`"},
		},
		{
			"the text goes inside", p(described), p(`{"anyOf":[` + described + `,{"type":"null"}]}`),
			[]string{"error risk schema_widened /inputSchema/properties/p/anyOf/1: `p` now accepts null too: one more alternative in `anyOf`"},
		},
		{
			"a text is new", p(described), p(`{"anyOf":[{"type":"string"},{"type":"null"}],"description":"another one"}`),
			[]string{
				"error risk schema_widened /inputSchema/properties/p/anyOf/1: `p` now accepts null too: one more alternative in `anyOf`",
				"error text schema_text_changed /inputSchema/properties/p/description: `description` of `p` changed; it now reads “another one”",
			},
		},
		{
			"one of its texts stays outside, the other goes inside", p(`{"type":"string","title":"P","description":"which one"}`), p(`{"anyOf":[{"type":"string","description":"which one"},{"type":"null"}],"title":"P"}`),
			[]string{"error risk schema_widened /inputSchema/properties/p/anyOf/1: `p` now accepts null too: one more alternative in `anyOf`"},
		},
		{
			"it differs inside as well", p(object), p(`{"anyOf":[` + otherObject + `,{"type":"string"}]}`),
			[]string{
				"error risk schema_widened /inputSchema/properties/p/anyOf/0/properties/n: new optional parameter `p.n`, which accepts an integer",
				"error risk schema_widened /inputSchema/properties/p/anyOf/1: `p` now accepts a string too: one more alternative in `anyOf`",
			},
		},
		{
			"a reference", tool(`{"$defs":{"D":` + object + `},"properties":{"p":{"$ref":"#/$defs/D"}}}`), tool(`{"$defs":{"D":` + object + `},"properties":{"p":{"anyOf":[{"$ref":"#/$defs/D"},{"type":"string"}]}}}`),
			[]string{"error risk schema_widened /inputSchema/properties/p/anyOf/1: `p` now accepts a string too: one more alternative in `anyOf`"},
		},
		{
			"from anything", p(`{"description":"which one"}`), p(`{"description":"which one","anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}},{"type":"null"}]}`),
			[]string{"warning breaking schema_changed /inputSchema/properties/p: `p` accepts less: it is limited to the alternatives of `anyOf` now: a string, an array, null; review the diff of the lock"},
		},
		{
			"from anything to new parameters", p(`{}`), p(`{"anyOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},{"type":"null"}]}`),
			[]string{
				"error risk schema_widened /inputSchema/properties/p/anyOf/0/properties/a: new required parameter `p.a`, which accepts a string",
				"warning breaking schema_changed /inputSchema/properties/p/anyOf/0/type: `p` accepts less: it is limited to an object now; review the diff of the lock",
				"warning breaking schema_changed /inputSchema/properties/p/anyOf/1/type: `p` accepts less: it is limited to null now; review the diff of the lock",
			},
		},
		{
			"none of the alternatives is the old one", p(`{"type":"number"}`), p(`{"anyOf":[{"type":"string"},{"type":"boolean"}]}`),
			[]string{"error risk schema_widened /inputSchema/properties/p: `p` now accepts a string or a boolean; it accepted a number"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, toldOf(t, c.old, c.new)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The other way round alternatives are gone.
func TestUnwrappedSchemaLosesAlternatives(t *testing.T) {
	t.Parallel()
	p := func(schema string) string { return tool(`{"type":"object","properties":{"p":` + schema + `}}`) }
	for _, c := range []struct {
		name, old, new string
		want           []string
	}{
		{
			"one type fewer", p(`{"anyOf":[{"type":"string","maxLength":9},{"type":"null"}],"title":"x"}`), p(`{"type":"string","maxLength":9,"title":"x"}`),
			[]string{"warning breaking schema_changed /inputSchema/properties/p/anyOf/1: `p` accepts less: null is no longer among the alternatives of `anyOf`; review the diff of the lock"},
		},
		{
			"what is left is wider", p(`{"anyOf":[{"type":"string","maxLength":9},{"type":"null"}]}`), p(`{"type":"string"}`),
			[]string{
				"error risk schema_widened /inputSchema/properties/p/maxLength: `p` now accepts longer strings too; it was limited to strings of at most 9 characters (maxLength)",
				"warning breaking schema_changed /inputSchema/properties/p/anyOf/1: `p` accepts less: null is no longer among the alternatives of `anyOf`; review the diff of the lock",
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, toldOf(t, c.old, c.new)); diff != "" {
				t.Error(diff)
			}
		})
	}
	// What fits two members of oneOf was refused: without the union it may fit.
	told := toldOf(t, p(`{"oneOf":[{"type":"number"},{"type":"integer"}]}`), p(`{"type":"number"}`))
	if len(told) == 0 || !strings.HasPrefix(told[0], "error risk schema_widened") {
		t.Errorf("got %q", told)
	}
}

// toldOf is what a reviewer is told of two snapshots, one line a change.
func toldOf(t *testing.T, old, new string) []string {
	t.Helper()
	var told []string
	for _, c := range compareTexts(t, old, new) {
		told = append(told, c.Severity.String()+" "+string(c.Class)+" "+c.Kind+" "+c.Path+": "+c.Message)
	}
	return told
}
