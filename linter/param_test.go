package linter_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcp-lint/mcp-lint/linter"
)

const nested = `[{"name":"t","inputSchema":{
	"type":"object",
	"properties":{
		"b":{"type":"object","properties":{"inner":{"type":"string"}}},
		"10":{"type":"string"},
		"a":{"type":"array","items":{"type":"object","properties":{"row":{"type":"array","items":[{"properties":{"cell":{}}}],"prefixItems":[{"properties":{"first":{}}}]}}}},
		"2":{"anyOf":[{"properties":{"branch":{}}},{"$ref":"#/$defs/Bowl"}]},
		"t":true,"f":false,"n":null,
		"map":{"type":"object","additionalProperties":{"properties":{"entry":{}}},"patternProperties":{"^x/":{"properties":{"matched":{}}}}},
		"again":{"$ref":"#/$defs/Bowl"},"own":{"$ref":"#/properties/b"},"odd":{"$ref":"#/components/Lid"}
	},
	"allOf":[{"properties":{"joined":{}}}],
	"$defs":{"Bowl":{"properties":{"size":{},"self":{"$ref":"#/$defs/Bowl"}}},"Spare":{"properties":{"unused":{}}}},
	"components":{"Lid":{"properties":{"colour":{}}}}
}}]`

func paramsOf(t *testing.T, preset linter.Preset, document string) (pointers, labels, top []string) {
	t.Helper()
	inspect(t, preset, document, func(p *linter.Pass) {
		params := p.Tools()[0].Params()
		for i := range params {
			pointers = append(pointers, params[i].Pointer())
			labels = append(labels, params[i].Label())
			if params[i].Top {
				top = append(top, params[i].Name)
			}
			if got := p.Tools()[0].Node().At(params[i].Pointer()); got != params[i].Schema {
				t.Errorf("%s leads elsewhere", params[i].Pointer())
			}
		}
	})
	return pointers, labels, top
}

// ECMAScript order: integer-like names first; objects only; no unions,
// definitions, tuples or maps.
func TestParamsOfPresetSnapshot(t *testing.T) {
	t.Parallel()
	_, labels, _ := paramsOf(t, linter.SnapshotPreset, nested)
	want := []string{"2", "10", "b", "b.inner", "a", "a[].row", "map", "again", "own", "odd"}
	if diff := cmp.Diff(want, labels); diff != "" {
		t.Errorf("params (-want +got):\n%s", diff)
	}
}

// The arguments themselves, whatever their schema, unless it is false.
func TestParamsOfPresetAgents(t *testing.T) {
	t.Parallel()
	_, labels, _ := paramsOf(t, linter.Agents, nested)
	want := []string{"2", "10", "b", "a", "t", "n", "map", "again", "own", "odd"}
	if diff := cmp.Diff(want, labels); diff != "" {
		t.Errorf("params (-want +got):\n%s", diff)
	}
}

// Everything, once each, also what is used twice or refers to itself.
func TestParamsOfPresetRecommended(t *testing.T) {
	t.Parallel()
	pointers, labels, top := paramsOf(t, linter.Recommended, nested)
	want := []string{
		"2", "2.branch", "10", "b", "b.inner", "a", "a[].row", "a[].row[].cell", "a[].row[].first",
		"t", "map", "map.entry", "map.^x/.matched", "again", "own", "odd", "joined",
		"Bowl.size", "Bowl.self", "colour", "Spare.unused",
	}
	if diff := cmp.Diff(want, labels); diff != "" {
		t.Errorf("params (-want +got):\n%s", diff)
	}
	if want := []string{"2", "10", "b", "a", "t", "map", "again", "own", "odd", "joined"}; !slices.Equal(top, want) {
		t.Errorf("arguments %v; want %v", top, want)
	}
	if !slices.Contains(pointers, "/inputSchema/properties/map/patternProperties/^x~1/properties/matched") {
		t.Errorf("pointers are not escaped: %v", pointers)
	}
}

// Branches that say more about an argument do not make it another one; what
// describes it counts. Conditions are no documentation.
func TestParamsInBranchesAreTheSame(t *testing.T) {
	t.Parallel()
	pointers, _, top := paramsOf(t, linter.Recommended, `[{"name":"t","inputSchema":{
		"properties":{"a":{"description":"A."},"b":{}},
		"allOf":[{"if":{"properties":{"a":{},"c":{}}},"then":{"properties":{"a":{},"b":{"description":"B."},"d":{"properties":{"a":{}}}}},"not":{"properties":{"e":{}}}}]}}]`)
	want := []string{
		"/inputSchema/properties/a", "/inputSchema/allOf/0/then/properties/b",
		"/inputSchema/allOf/0/then/properties/d", "/inputSchema/allOf/0/then/properties/d/properties/a",
	}
	if diff := cmp.Diff(want, pointers); diff != "" {
		t.Errorf("params (-want +got):\n%s", diff)
	}
	if !slices.Equal(top, []string{"a", "b", "d"}) {
		t.Errorf("arguments %v", top)
	}
}

func TestParamsBehindTheRootsReferenceAreArguments(t *testing.T) {
	t.Parallel()
	_, _, top := paramsOf(t, linter.Recommended, `[{"name":"t","inputSchema":{"$ref":"#/definitions/Args","definitions":{"Args":{"properties":{"a":{},"b":{}}}}}}]`)
	if !slices.Equal(top, []string{"a", "b"}) {
		t.Errorf("arguments %v", top)
	}
}

func TestOfRepeatedMembersTheLastCounts(t *testing.T) {
	t.Parallel()
	const document = `[{"name":"t","inputSchema":{"properties":{"z":{}},"properties":{"a":{"type":"string"},"b":{},"a":{"properties":{"x":{}}}}}}]`
	for _, preset := range linter.Presets() {
		_, labels, _ := paramsOf(t, preset, document)
		want := []string{"a", "a.x", "b"}
		if preset == linter.Agents {
			want = []string{"a", "b"}
		}
		if !slices.Equal(labels, want) {
			t.Errorf("%s: %v; want %v", preset, labels, want)
		}
	}
}

// A chain of definitions as long as a file allows must not end the process.
func TestParamsOfALongChainOfReferences(t *testing.T) {
	t.Parallel()
	const links = 20_000
	b := []byte(`[{"name":"t","inputSchema":{"$ref":"#/$defs/0","$defs":{`)
	for i := range links {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `"`+itoa(i)+`":{"$ref":"#/$defs/`+itoa(i+1)+`"}`...)
	}
	b = append(b, `,"`+itoa(links)+`":{"properties":{"end":{}}}}}}]`...)
	_, _, top := paramsOf(t, linter.Recommended, string(b))
	if !slices.Equal(top, []string{"end"}) {
		t.Errorf("arguments %v", top)
	}
}
