package snapshot_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// counts are the lengths of the lists in order of reports; -1 is a list that
// the document does not have.
func counts(s *snapshot.Snapshot) [4]int {
	var c [4]int
	for i, list := range [][]*snapshot.Entity{s.Tools, s.Prompts, s.Resources, s.ResourceTemplates} {
		c[i] = len(list)
		if list == nil {
			c[i] = -1
		}
	}
	return c
}

func TestAcceptedDocuments(t *testing.T) {
	t.Parallel()
	const tool = `{"name":"t"}`
	for _, tt := range []struct {
		name, text string
		want       [4]int
	}{
		{"bare array", `[` + tool + `]`, [4]int{1, -1, -1, -1}},
		{"empty bare array", `[]`, [4]int{0, -1, -1, -1}},
		{"tools/list result", `{"tools":[` + tool + `],"nextCursor":"x","_meta":{"a":1}}`, [4]int{1, -1, -1, -1}},
		{"prompts only", `{"prompts":[{"name":"p"}]}`, [4]int{-1, 1, -1, -1}},
		{"resources only", `{"resources":[{"uri":"a:b"}]}`, [4]int{-1, -1, 1, -1}},
		{"templates only", `{"resourceTemplates":[{"uriTemplate":"a:{b}"}]}`, [4]int{-1, -1, -1, 1}},
		{"JSON-RPC response", `{"jsonrpc":"2.0","id":1,"result":{"tools":[` + tool + `]}}`, [4]int{1, -1, -1, -1}},
		{"any value of jsonrpc", `{"jsonrpc":null,"result":{"tools":[]}}`, [4]int{0, -1, -1, -1}},
		{"result that is no object is not unwrapped", `{"jsonrpc":"2.0","result":[],"tools":[` + tool + `]}`, [4]int{1, -1, -1, -1}},
		{"saved snapshot", `{"tools":[],"resources":[],"resourceTemplates":[],"prompts":[],"serverInfo":{"name":"s"}}`, [4]int{0, 0, 0, 0}},
		{"prompts may hold anything", `{"prompts":[1,null,"x",[]]}`, [4]int{-1, 4, -1, -1}},
		{"byte order mark", "\ufeff[" + tool + "]", [4]int{1, -1, -1, -1}},
		{"white space around", "\r\n\t [] \n", [4]int{0, -1, -1, -1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s, err := snapshot.Parse("f.json", []byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			if got := counts(s); got != tt.want {
				t.Errorf("tools, prompts, resources, templates = %v, want %v", got, tt.want)
			}
			if len(s.Problems) > 0 {
				t.Errorf("problems: %+v", s.Problems)
			}
		})
	}
}

func TestServerIsReadFromEitherName(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, server, version string }{
		{"serverInfo", `{"tools":[],"serverInfo":{"name":"a","version":"1"}}`, "a", "1"},
		{"server", `{"tools":[],"server":{"name":"b","version":"2"}}`, "b", "2"},
		{"serverInfo wins", `{"tools":[],"server":{"name":"b"},"serverInfo":{"name":"a"}}`, "a", ""},
		{"serverInfo that is no object is passed over", `{"tools":[],"server":{"name":"b"},"serverInfo":"a"}`, "b", ""},
		{"no text", `{"tools":[],"server":{"name":1,"version":null}}`, "", ""},
		{"no object", `{"tools":[],"server":"x"}`, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := mustParse(t, []byte(tt.text))
			if s.Name != tt.server || s.Version != tt.version {
				t.Errorf("got %q %q, want %q %q", s.Name, s.Version, tt.server, tt.version)
			}
		})
	}
}

func TestInstructionsKnown(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text  string
		want  string
		known bool
	}{
		{`{"tools":[]}`, "", false},
		{`[]`, "", false},
		{`{"tools":[],"instructions":"Do."}`, "Do.", true},
		{`{"tools":[],"instructions":""}`, "", true},
		{`{"tools":[],"instructions":null}`, "", true},
		{`{"tools":[],"instructions":5}`, "", false},
		{`{"jsonrpc":"2.0","instructions":"outside","result":{"tools":[]}}`, "", false},
	} {
		s := mustParse(t, []byte(tt.text))
		if s.InstructionsKnown != tt.known || s.Instructions.Text() != tt.want {
			t.Errorf("%s: known %v text %q", tt.text, s.InstructionsKnown, s.Instructions.Text())
		}
	}
}

func TestEntitiesInOrderOfReports(t *testing.T) {
	t.Parallel()
	s := mustParse(t, []byte(`{
		"resourceTemplates":[{"uriTemplate":"f:{x}","name":"n"}], "prompts":[{"name":"p"},7],
		"resources":[{"uri":"f:a","name":"n"},{"name":"no uri"}],
		"tools":[{"name":"t2","inputSchema":{"a":[{}]}},{"name":"t1","description":"d\n"}]}`))
	var got []string
	for e := range s.Entities() {
		got = append(got, string(e.Kind)+" "+e.Name)
	}
	want := "tool t2,tool t1,prompt p,prompt ,resource f:a,resource ,resourceTemplate f:{x}"
	if strings.Join(got, ",") != want {
		t.Errorf("got %q", got)
	}
	if d := s.Tools[0].Depth; d != 4 {
		t.Errorf("depth = %d, want 4", d)
	}
	if s.Prompts[1].Depth != 0 || s.Prompts[1].Index != 1 {
		t.Errorf("scalar prompt: %+v", s.Prompts[1])
	}
	if got := s.Tools[1].Text("description"); got != "d\n" {
		t.Errorf("description = %q", got)
	}
	if s.Tools[1].Get("inputSchema") != nil || s.Tools[0].Text("inputSchema") != "" || s.Prompts[1].Text("name") != "" {
		t.Error("absent members must be nil and empty")
	}
}

func TestErrorsNamePlaceAndExpectation(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, want string }{
		{"empty", "", `f.json:1:1: the file is empty; expected a JSON object or an array of tools`},
		{"blank", " \n", `f.json:2:1: the file is empty`},
		{"only a byte order mark", "\ufeff", `f.json:1:1: the file is empty`},
		{"missing value", `{"tools":[}`, `f.json:1:11: not JSON: invalid character '}' at start of value`},
		{"on a later line", "{\n  \"tools\": [\n    {\"name\": \"é\" 5}\n", `f.json:3:18: not JSON: invalid character '5'`},
		{"bad escape", `{"tools":[{"name":"a\q"}]}`, "f.json:1:21: not JSON: invalid escape sequence"},
		{"raw line feed", "[\"a\n\"]", `f.json:1:4: not JSON: invalid character '\n' in string`},
		{"leading zero", `[01]`, `f.json:1:3: not JSON`},
		{"comment", "// x\n[]", `f.json:1:1: not JSON: invalid character '/'`},
		{"trailing value", `{"tools":[]} {}`, `f.json:1:14: unexpected text after the JSON value; expected the end of the file`},
		{"trailing bracket", `[]]`, `f.json:1:3: unexpected text after the JSON value`},
		{"NUL", "[\"\x00\"]", `f.json:1:3: a NUL byte; expected JSON in UTF-8`},
		{"UTF-16 without mark", "{\x00}\x00", `f.json:1:2: a NUL byte; expected JSON in UTF-8`},
		{"UTF-16 LE", "\xff\xfe[\x00]\x00", `f.json:1:1: UTF-16 text; expected JSON in UTF-8`},
		{"UTF-16 BE", "\xfe\xff\x00[\x00]", `f.json:1:1: UTF-16 text; expected JSON in UTF-8`},
		{"Latin-1", "[\"\xe9\"]", `f.json:1:3: byte 0xE9 is no valid UTF-8; expected JSON in UTF-8`},
		{"raw surrogate bytes", "[\"\xed\xa0\x80\"]", `f.json:1:3: byte 0xED is no valid UTF-8`},
		{"cut in a text", `{"tools":[{"name":"x`, `f.json:1:21: the text ends before the JSON value does; the file seems to be cut off`},
		{"cut in a character", "[\"\xe2\x82", `f.json:1:3: the text ends in the middle of a character`},
		{"too deep for any reader", strings.Repeat("[", 10_001), `f.json:1:10001: objects and arrays nest deeper than 10000 levels`},
		{"neither object nor array", ` "x"`, `f.json:1:2: expected an object or an array of tools; found a text`},
		{"no list", `{"mcpServers":{}}`, `found; expected an array "tools", "prompts", "resources" or "resourceTemplates"; the keys are "mcpServers"`},
		{"no list, hostile keys", "{\"\u202ea\\u001b[2J\":1}", "the keys are \"\\u{202E}a"},
		{"empty object", `{}`, `f.json:1:1: an empty object: no tools, prompts or resources were found`},
		{"JSON-RPC error", `{"jsonrpc":"2.0","id":1,"error":{"code":1}}`, `f.json:1:1: a JSON-RPC error response: no tools`},
		{"result without jsonrpc", `{"result":{"tools":[]}}`, `f.json:1:1: an object with "result" but without "jsonrpc"`},
		{"null list", `{"tools":null}`, `f.json:1:10: "tools" must be an array; found null`},
		{"lists are checked in order", `{"prompts":1,"resourceTemplates":2,"resources":{},"tools":[5]}`, `"resources" must be an array; found an object`},
		{"prompts last", `{"prompts":"x","resourceTemplates":true}`, `"resourceTemplates" must be an array; found a boolean`},
		{"tool is no object", "[{\"name\":\"a\"},\n null]", `f.json:2:2: tools[1] must be an object; found null`},
		{"tool without name", `{"tools":[{"title":"x"}]}`, `f.json:1:11: tools[0] must have a text "name"; found nothing`},
		{"tool name no text", `{"tools":[{"name":["x"]}]}`, `f.json:1:19: tools[0] must have a text "name"; found an array`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s, err := snapshot.Parse("f.json", []byte(tt.text))
			if err == nil {
				t.Fatalf("accepted: %+v", s)
			}
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got  %s\nwant %s", err, tt.want)
			}
			if strings.ContainsAny(err.Error(), "\n\x1b\x00") {
				t.Errorf("not one printable line: %q", err)
			}
			var place *snapshot.ParseError
			if !errors.As(err, &place) || place.Position.Line == 0 {
				t.Errorf("no place in %#v", err)
			}
		})
	}
}

func TestErrorOfALiveServerHasNoFile(t *testing.T) {
	t.Parallel()
	_, err := snapshot.Parse("", []byte(`{`))
	if err == nil || !strings.HasPrefix(err.Error(), "1:2: ") {
		t.Errorf("got %v", err)
	}
}

func TestTruncationAtEveryByteIsOneError(t *testing.T) {
	t.Parallel()
	const whole = `{"tools":[{"name":"é\ud83d\ude00","n":[1.5e3,true,null,{}]}],"instructions":"a\\b"}`
	for i := range whole {
		if _, err := snapshot.Parse("f", []byte(whole[:i])); err == nil {
			t.Errorf("accepted %q", whole[:i])
		}
	}
	mustParse(t, []byte(whole))
}

func TestCallerMayReuseItsBuffer(t *testing.T) {
	t.Parallel()
	data := []byte(`[{"name":"before"}]`)
	s := mustParse(t, data)
	copy(data, `[{"name":"after!"}]`)
	if got := s.Tools[0].Node.Get("name").Text(); got != "before" {
		t.Errorf("name = %q", got)
	}
}
