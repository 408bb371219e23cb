package lockfile_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A bound may be written with either of two keywords: they are compared as the
// one bound that they are.
func TestBoundMovesBetweenKeywords(t *testing.T) {
	t.Parallel()
	p := func(schema string) string { return tool(`{"properties":{"p":` + schema + `}}`) }
	const at = "/inputSchema/properties/p/"
	for _, c := range []struct {
		name, old, new string
		want           []string
	}{
		{
			"of whole numbers", `{"type":"integer","exclusiveMinimum":0,"exclusiveMaximum":1e6}`, `{"type":"integer","minimum":1,"maximum":999999}`,
			[]string{
				"info additive schema_equivalent " + at + "maximum: the bound of `p` is written differently and means the same",
				"info additive schema_equivalent " + at + "minimum: the bound of `p` is written differently and means the same",
			},
		},
		{
			"of whole numbers, back", `{"type":["null","integer"],"minimum":-1}`, `{"type":["integer","null"],"exclusiveMinimum":-2.0}`,
			[]string{"info additive schema_equivalent " + at + "exclusiveMinimum: the bound of `p` is written differently and means the same"},
		},
		{
			"tighter", `{"type":"number","exclusiveMinimum":0}`, `{"type":"number","minimum":1}`,
			[]string{"warning breaking schema_changed " + at + "minimum: `p` accepts less: it is limited to numbers from 1 on now, and was to numbers above 0; review the diff of the lock"},
		},
		{
			"looser by the bound itself", `{"type":"number","exclusiveMaximum":5}`, `{"type":"number","maximum":5}`,
			[]string{"error risk schema_widened " + at + "maximum: `p` now accepts numbers up to 5; it was limited to numbers below 5"},
		},
		{
			"looser by one", `{"type":"integer","exclusiveMinimum":0}`, `{"type":"integer","minimum":0}`,
			[]string{"error risk schema_widened " + at + "minimum: `p` now accepts numbers from 0 on; it was limited to numbers above 0"},
		},
		{
			"the stricter of both counts", `{"type":"integer","exclusiveMinimum":0,"minimum":-5}`, `{"type":"integer","minimum":1}`,
			[]string{"info additive schema_equivalent " + at + "minimum: the bound of `p` is written differently and means the same"},
		},
		{
			"not of whole numbers only", `{"type":["integer","number"],"exclusiveMinimum":0}`, `{"type":["integer","number"],"minimum":0.5}`,
			[]string{"warning breaking schema_changed " + at + "minimum: `p` accepts less: it is limited to numbers from 0.5 on now, and was to numbers above 0; review the diff of the lock"},
		},
		{
			"a dialect in which they are flags", `{"$schema":"http://json-schema.org/draft-04/schema#","type":"integer","exclusiveMinimum":0}`, `{"$schema":"http://json-schema.org/draft-04/schema#","type":"integer","minimum":1}`,
			[]string{
				"error risk schema_widened " + at + "exclusiveMinimum: `p` now accepts smaller numbers too; it was limited to numbers above 0 (exclusiveMinimum)",
				"warning breaking schema_changed " + at + "minimum: `p` accepts less: it is limited to numbers from 1 on now (minimum); review the diff of the lock",
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, toldOf(t, p(c.old), p(c.new))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The excerpts of a bound name the keyword: a number alone says nothing.
func TestExcerptsOfAKeywordNameIt(t *testing.T) {
	t.Parallel()
	changes := compareTexts(t, tool(`{"properties":{"p":{"type":"integer","exclusiveMinimum":0}}}`), tool(`{"properties":{"p":{"type":"integer","minimum":1}},"required":[]}`))
	got := map[string]string{}
	for _, c := range changes {
		got[c.Path] = c.Before + " → " + c.After
	}
	want := map[string]string{
		"/inputSchema/properties/p/minimum": "exclusiveMinimum: 0 → minimum: 1",
		"/inputSchema/required":             " → required: []",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
