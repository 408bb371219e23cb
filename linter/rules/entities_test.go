package rules_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/linter"
)

// quoted writes a text as JSON.
func quoted(t *testing.T, text string) string {
	t.Helper()
	data, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestInvalidDefinitions(t *testing.T) {
	t.Parallel()
	const rule = "schema/invalid-definition"
	for name, c := range map[string]struct {
		document string
		want     []string
	}{
		"a tool whose description is a number": {
			`[{"name":"t","description":7,"title":["T"],"inputSchema":{"type":"object"}}]`,
			[]string{
				`error tool t /title: "title" of the tool must be a text; found an array`,
				`error tool t /description: "description" of the tool must be a text; found a number`,
			},
		},
		"null is no way to leave something out": {
			`{"tools":[{"name":"t","description":null}],"prompts":[{"name":"p","arguments":null}],"resources":[{"uri":"h://a","name":"a","mimeType":null}]}`,
			[]string{
				`error tool t /description: "description" of the tool must be a text; found null`,
				`error prompt p /arguments: "arguments" of the prompt must be an array; found null`,
				`error resource h://a /mimeType: "mimeType" of the resource must be a text; found null`,
			},
		},
		"prompts that are none": {
			`{"prompts":[null,7,"p",[],{"description":"D."}]}`,
			[]string{
				`error prompt  : the prompt must be an object; found null`,
				`error prompt  : the prompt must be an object; found a number`,
				`error prompt  : the prompt must be an object; found a text`,
				`error prompt  : the prompt must be an object; found an array`,
				`error prompt  /name: the prompt has no "name"; expected a text`,
			},
		},
		"arguments": {
			`{"prompts":[{"name":"p","description":"D.","arguments":[{"name":"a","required":"yes"},null,{},{"name":" "},{"name":"b","description":{}}]}]}`,
			[]string{
				`error prompt p /arguments/0/required: "required" of argument 1 must be a boolean; found a text`,
				`error prompt p /arguments/1: argument 2 must be an object; found null`,
				`error prompt p /arguments/2/name: argument 3 has no "name"; expected a text`,
				`error prompt p /arguments/3/name: "name" of argument 4 is blank`,
				`error prompt p /arguments/4/description: "description" of argument 5 must be a text; found an object`,
			},
		},
		"arguments as an object": {
			`{"prompts":[{"name":"p","description":"D.","arguments":{"a":{"type":"string"}}}]}`,
			[]string{`error prompt p /arguments: "arguments" of the prompt must be an array; found an object`},
		},
		"resources": {
			`{"resources":[{"name":"a"},{"uri":"h://a"},{"uri":"h://b","name":"b","size":"10","annotations":[]}],"resourceTemplates":[{"uriTemplate":7,"name":"c"}]}`,
			[]string{
				`error resource  /uri: the resource has no "uri"; expected a text`,
				`error resource h://a /name: the resource has no "name"; expected a text`,
				`error resource h://b /size: "size" of the resource must be a number; found a text`,
				`error resource h://b /annotations: "annotations" of the resource must be an object; found an array`,
				`error resourceTemplate  /uriTemplate: "uriTemplate" of the resource template must be a text; found a number`,
			},
		},
		"what is right": {
			`{"tools":[{"name":"t","title":"T","description":"D.","icons":[],"_meta":{}}],"prompts":[{"name":"p","arguments":[]}],` +
				`"resources":[{"uri":"h://a","name":"a","size":0}],"resourceTemplates":[{"uriTemplate":"h://{a}","name":"b","x":null}]}`, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expectLines(t, lintFor(t, linter.Config{}, rule, c.document), c.want...)
			for _, preset := range []linter.Preset{linter.SnapshotPreset, linter.Agents} {
				expectLines(t, lintFor(t, linter.Config{Preset: preset}, rule, c.document))
			}
		})
	}
}

// One fault gives one finding: what is no text is not missing as well.
func TestInvalidDescriptionsAreNotMissingAsWell(t *testing.T) {
	t.Parallel()
	expectLines(t, lint(t, `{"tools":[{"name":"t","description":7,"inputSchema":{"type":"object","properties":{}}}],"prompts":[null,{"name":"p","description":null,"arguments":[{"name":"a","description":7}]}],`+
		`"resources":[{"uri":"h://a","name":"a","description":[]},null]}`),
		`error | schema/invalid-definition |  | /description | "description" of the tool must be a text; found a number`,
		`error | schema/invalid-definition |  |  | the prompt must be an object; found null`,
		`error | schema/invalid-definition |  | /description | "description" of the prompt must be a text; found null`,
		`error | schema/invalid-definition |  | /arguments/0/description | "description" of argument 1 must be a text; found a number`,
		`error | schema/invalid-definition |  |  | the resource must be an object; found null`,
		`error | schema/invalid-definition |  | /description | "description" of the resource must be a text; found an array`)
	for _, preset := range []linter.Preset{linter.SnapshotPreset, linter.Agents} {
		found := lintFor(t, linter.Config{Preset: preset}, "description/missing", `[{"name":"t","description":7}]`)
		expectLines(t, found, `error tool t /description: the tool has no description`)
	}
}

func TestOneEntityCannotFillTheReport(t *testing.T) {
	t.Parallel()
	arguments := strings.Repeat(`{"name":"a","required":"yes"},`, 1000) + "null"
	found := lintFor(t, linter.Config{}, "schema/invalid-definition", `{"prompts":[{"name":"p","arguments":[`+arguments+`]}]}`)
	if len(found) != 20 || !strings.HasSuffix(found[19], "(and 981 faults not listed)") {
		t.Errorf("%d findings, the last %s", len(found), found[len(found)-1])
	}
	// Exactly as many as fit are no cut list.
	found = lintFor(t, linter.Config{}, "schema/invalid-definition", `{"prompts":[{"name":"p","arguments":[`+strings.Repeat("null,", 19)+`null]}]}`)
	if len(found) != 20 || strings.Contains(found[19], "not listed") {
		t.Errorf("%d findings, the last %s", len(found), found[len(found)-1])
	}
}

func TestResourceAddresses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"harbour://pilots/today":       "",
		"file:///C:/a%20b":             "",
		"embedded:info":                "",
		"urn:isbn:0451450523":          "",
		"test://static/resource/1?a#b": "",
		"http://[::1]:8080/~a":         "",
		"h://küste/ü":                  "",
		"ui://a+b.c/d@e":               "",
		"pilots/today":                 "has no scheme; expected an absolute URI",
		"/pilots:today":                "has no scheme; expected an absolute URI",
		"://pilots":                    "has no scheme; expected an absolute URI",
		"1h://a":                       "has no scheme; expected an absolute URI",
		"ü://a":                        "has no scheme; expected an absolute URI",
		"harbour:":                     "has nothing after the scheme",
		`C:\tides.txt`:                 `looks like a Windows path; expected file:///C:/…`,
		"h://a b":                      `has " ", which must be percent-encoded`,
		"h://a%2":                      `has a "%" without two hex digits after it`,
		"h://a%zz":                     `has a "%" without two hex digits after it`,
		"h://{berth}":                  `has a brace; expected a template among the "resourceTemplates"`,
		"h://a\u0000":                  `has "\u{0}", which must be percent-encoded`,
		"h://a:b/c":                    "is no URI: its host or port cannot be read",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			got := lintFor(t, linter.Config{}, "resources/invalid-uri", fmt.Sprintf(`{"resources":[{"uri":%s}]}`, quoted(t, text)))
			switch {
			case want == "":
				expectLines(t, got)
			case len(got) != 1 || !strings.HasPrefix(got[0], "warning resource ") || !strings.HasSuffix(got[0], `" `+want):
				t.Errorf("%q; want %s", got, want)
			}
		})
	}
}

func TestResourceTemplates(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"harbour://berths/{berth}":                   "",
		"harbour://berths{/berth}{?from,to*}":        "",
		"{+base}/berths":                             "",
		"harbour{x}://a":                             "has no scheme; expected an absolute URI",
		"harbour://berths":                           "",
		"/berths/{berth}":                            "has no scheme; expected an absolute URI",
		"berths/{berth}":                             "has no scheme; expected an absolute URI",
		"harbour://{berth":                           "is no RFC 6570 template: incomplete expression",
		"harbour://{}":                               "is no RFC 6570 template: unacceptable variable name",
		"harbour://{berth id}":                       "is no RFC 6570 template: unacceptable variable name",
		"harbour://{=berth}":                         "is no RFC 6570 template: unimplemented operator (op-reserved)",
		"harbour://a b":                              "is no RFC 6570 template: unacceptable character (hint",
		"harbour://" + strings.Repeat("{a}", 30_000): "has 90,010 characters; expected an address",
	} {
		t.Run(text[:min(len(text), 40)], func(t *testing.T) {
			t.Parallel()
			got := lintFor(t, linter.Config{}, "resources/invalid-uri", fmt.Sprintf(`{"resourceTemplates":[{"uriTemplate":%s}]}`, quoted(t, text)))
			switch {
			case want == "":
				expectLines(t, got)
			case len(got) != 1 || !strings.HasPrefix(got[0], "warning resourceTemplate ") || !strings.Contains(got[0], want):
				t.Errorf("%.200q; want %s", got, want)
			}
		})
	}
}

func TestUndescribedResourcesAreOneFinding(t *testing.T) {
	t.Parallel()
	const rule = "resources/missing-description"
	expectLines(t, lintFor(t, linter.Config{}, rule, `{"resources":[{"uri":"h://a","name":"a"},{"uri":"h://b","name":"b","description":" "},{"uri":"h://c","name":"c","description":"C."},`+
		`{"uri":"ui://panel","name":"panel"}],"resourceTemplates":[{"uriTemplate":"h://{x}","name":"x"}]}`),
		`info server server : 2 of 3 resources without description: "h://a", "h://b"`,
		`info server server : 1 resource template without description: "h://{x}"`)
	expectLines(t, lintFor(t, linter.Config{}, rule, `{"resources":[null,7,[]],"resourceTemplates":[{"description":7}]}`))
}

func TestUndescribedArgumentsAreOneFindingAPrompt(t *testing.T) {
	t.Parallel()
	const rule = "prompts/missing-argument-description"
	expectLines(t, lintFor(t, linter.Config{}, rule, `{"prompts":[{"name":"p","arguments":[{"name":"from"},{"name":"to","description":"T."},{"name":"on\u202e","description":""},{},null,7]},{"name":"q","arguments":{"a":{}}},null]}`),
		`info prompt p /arguments: 2 arguments without description: "from", "on\u{202E}"`)
}

// A title of some words says what a description would.
func TestResourcesThatTheirTitleDescribes(t *testing.T) {
	t.Parallel()
	resource := func(title string) []string {
		return lintFor(t, linter.Config{}, "resources/missing-description", `{"resources":[{"uri":"h://pilots","name":"pilots","title":"`+title+`"}]}`)
	}
	expectLines(t, resource("Pilots on duty today, with boat"))
	expectLines(t, resource("Pilots on duty today"), `info server server : 1 resource without description: "h://pilots"`)
}
