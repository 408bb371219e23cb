package rules_test

import (
	"slices"
	"testing"

	"github.com/mcp-lint/mcp-lint/linter"
)

func TestHintContradiction(t *testing.T) {
	t.Parallel()
	hinted := func(name, description, annotations string) string {
		return `{"name":"` + name + `","description":"` + description + `","inputSchema":{"type":"object"},"annotations":` + annotations + `}`
	}
	const readOnly, destructive = "warning /annotations/readOnlyHint", "warning /annotations/destructiveHint"
	checkVerdicts(t, "capability/hint-contradiction", []verdictCase{
		{"delete", hinted("delete_booking", "Deletes a booking.", `{"readOnlyHint":true}`), readOnly},
		{"in camel case behind a prefix", hinted("harbourRemoveBooking", "Removes a booking.", `{"readOnlyHint":true}`), readOnly},
		{"get or create", hinted("get_or_create_berth", "Creates the berth when it is missing.", `{"readOnlyHint":true}`), readOnly},
		{"set", hinted("set_level", "This tool sets the level of the lock.", `{"readOnlyHint":true}`), readOnly},
		{"both hints", hinted("tides", "Tides of the day.", `{"readOnlyHint":true,"destructiveHint":true}`), destructive},
		{"one fault, one finding", hinted("delete_booking", "Deletes a booking.", `{"readOnlyHint":true,"destructiveHint":true}`), readOnly},
		{"a read that destroys", hinted("get_tides", "Returns the tides.", `{"readOnlyHint":false,"destructiveHint":true}`), destructive},
		{"a deletion that does not", hinted("delete_booking", "Deletes a booking.", `{"readOnlyHint":false,"destructiveHint":false}`), destructive},

		{"truthful", hinted("delete_booking", "Deletes a booking.", `{"readOnlyHint":false,"destructiveHint":true}`), ""},
		{"a noun", hinted("blog_post_stats", "Returns how often posts were read.", `{"readOnlyHint":true}`), ""},
		{"a report is run", hinted("run_funnel_report", "Runs a report.", `{"readOnlyHint":true}`), ""},
		{"only the name says it", hinted("create_suggestion", "Tides, as a suggestion.", `{"readOnlyHint":true}`), ""},
		{"an addition", hinted("add_note", "Adds a note.", `{"readOnlyHint":false,"destructiveHint":false}`), ""},
		{"hints of another type", hinted("delete_booking", "Deletes a booking.", `{"readOnlyHint":"true"}`), ""},
	})
}

func TestAnnotationType(t *testing.T) {
	t.Parallel()
	annotated := func(annotations string) string {
		return `{"name":"tides","description":"Tides.","inputSchema":{"type":"object"},"annotations":` + annotations + `}`
	}
	checkVerdicts(t, "schema/annotation-type", []verdictCase{
		{"a text", annotated(`{"readOnlyHint":"true"}`), "error /annotations/readOnlyHint"},
		{"numbers and null", annotated(`{"destructiveHint":1,"openWorldHint":null}`), "error /annotations/destructiveHint,error /annotations/openWorldHint"},
		{"title", annotated(`{"title":7,"idempotentHint":[]}`), "error /annotations/title,error /annotations/idempotentHint"},
		{"no object", annotated(`[true]`), "error /annotations"},
		{"null", annotated(`null`), "error /annotations"},
		{"right", annotated(`{"title":"Tides","readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}`), ""},
		{"empty", annotated(`{}`), ""},
	})
}

func TestUnknownAnnotationsAreOneFindingAServer(t *testing.T) {
	t.Parallel()
	one := withHints("water_level", "The level.", `{"priority":5,"read_only":true,"title":"x"}`)
	two := withHints("basin", "The basin.", `{"priority":1}`)
	for document, want := range map[string]string{
		one: `info /annotations: annotations that no specification has: "priority", "read_only" (did you mean readOnlyHint?)`,
		one + "," + two: `info : annotations that no specification has: "priority", "read_only" (did you mean readOnlyHint?), ` +
			`on 2 tools ("water_level", "basin")`,
		withHints("basin", "The basin.", `{"title":"x"}`): "",
		withHints("basin", "The basin.", `[]`):            "",
	} {
		s := mustParse(t, []byte("["+document+"]"))
		s.Key = "key"
		got := ""
		for _, f := range only("schema/unknown-annotation", mustLinter(t, linter.Config{}).Lint(s).Findings) {
			got += f.Severity.String() + " " + f.Path + ": " + f.Message
		}
		if got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// What a baseline knows of one tool it knows when other tools come or go, and
// when of several parameters one is mended: otherwise mending one fault would
// make another one new.
func TestFaultsStayTheSameWhenOthersComeAndGo(t *testing.T) {
	t.Parallel()
	const url = `{"type":"string","description":"Address of the page to fetch."}`
	tool := func(name, properties, annotations string) string {
		return `{"name":"` + name + `","description":"Fetches pages from the web.","inputSchema":{"type":"object","properties":{` + properties + `}},"annotations":{` + annotations + `}}`
	}
	const draft7 = `,"outputSchema":{"$schema":"http://json-schema.org/draft-07/schema#","type":"object"}}`
	for _, tt := range []struct {
		rule      string
		documents []string // each has what the one before has, and more
	}{
		{"capability/missing-annotations", []string{
			withHints("get_tides", "", ""),
			withHints("get_tides", "", "") + "," + withHints("add_note", "", ""),
		}},
		{"schema/unknown-annotation", []string{
			tool("a", "", `"color":1`), tool("a", "", `"color":1`) + "," + tool("b", "", `"size":1`),
		}},
		{"capability/unconstrained-network", []string{
			tool("a", `"page_url":`+url, ""),
			tool("a", `"page_url":`+url+`,"image_url":`+url, ""),
			tool("a", `"page_url":`+url+`,"image_url":`+url, "") + "," + tool("b", `"page_url":`+url, "") + "," + tool("c", `"page_url":`+url, ""),
		}},
		{"compat/dialect", []string{
			`{"name":"a"` + draft7, `{"name":"a"` + draft7 + `,{"name":"b"` + draft7,
		}},
		{"compat/nullable-union", []string{
			tool("a", `"x":{"anyOf":[{"type":"string"},{"type":"null"}]}`, ""),
			tool("a", `"x":{"anyOf":[{"type":"string"},{"type":"null"}]}`, "") + "," + tool("b", `"x":{"anyOf":[{"type":"string"},{"type":"null"}]}`, ""),
		}},
		{"compat/ref", []string{
			tool("a", `"x":{"$ref":"#/properties/y"},"y":{"type":"string"}`, ""),
			tool("a", `"x":{"$ref":"#/properties/y"},"y":{"type":"string"}`, "") + "," + tool("b", `"x":{"$ref":"#/properties/y"},"y":{"type":"string"}`, ""),
		}},
		{"compat/format", []string{
			tool("a", `"x":{"type":"string","format":"uuid"}`, ""),
			tool("a", `"x":{"type":"string","format":"uuid"}`, "") + "," + tool("b", `"x":{"type":"string","format":"uuid"}`, ""),
		}},
	} {
		var before []string
		for i, document := range tt.documents {
			s := mustParse(t, []byte("["+document+"]"))
			s.Key = "key"
			var faults []string
			for _, f := range only(tt.rule, mustLinter(t, linter.Config{}).Lint(s).Findings) {
				for _, item := range f.Items {
					faults = append(faults, item.Fingerprint)
				}
				if len(f.Items) == 0 {
					faults = append(faults, f.Fingerprint)
				}
			}
			if len(faults) <= len(before) {
				t.Errorf("%s, document %d: %d faults after %d", tt.rule, i, len(faults), len(before))
			}
			for _, fault := range before {
				if !slices.Contains(faults, fault) {
					t.Errorf("%s, document %d: a fault became another one", tt.rule, i)
				}
			}
			before = faults
		}
	}
}
