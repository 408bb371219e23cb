package lockfile_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A tool whose name is spelled in another way is compared with what it was:
// otherwise whatever else has changed hides behind "added" and "removed".
func TestRespelledToolIsCompared(t *testing.T) {
	t.Parallel()
	const (
		old = `{"name":"web-search","description":"Search the web.","inputSchema":{"type":"object","properties":{"q":{"type":"string"}}}}`
		new = `{"name":"web_search","description":"Search it all.","inputSchema":{"type":"object","properties":{"q":{"type":["string","null"]}}}}`
	)
	for _, c := range []struct{ name, old, new, want string }{
		{"with other changes", old, new, "web-search"},
		{"capitals", `{"name":"webSearch","description":"a"}`, `{"name":"web.search","description":"b"}`, "webSearch"},
		{"two that it could be", old + `,{"name":"webSearch"}`, new, ""},
		{"two that could be it", old, new + `,{"name":"webSearch"}`, ""},
		{"other letters", `{"name":"web-search","description":"a"}`, `{"name":"web_searches","description":"b"}`, ""},
		{"letters that only look alike", `{"name":"web-search","description":"a"}`, `{"name":"web_seаrch","description":"b"}`, ""},
		{"no letters", `{"name":"-","description":"a"}`, `{"name":"_","description":"b"}`, ""},
		{"one that goes on under another name", `{"name":"a-b","description":"a"}`, `{"name":"a_b","description":"b"},{"name":"x","description":"a"}`, "a-b"},
		{"one that is the same but for its name", `{"name":"a-b","description":"a"},{"name":"x","description":"b"}`, `{"name":"a_b","description":"b"}`, "x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := ""
			for _, change := range compareTexts(t, `{"tools":[`+c.old+`]}`, `{"tools":[`+c.new+`]}`) {
				got += change.RenamedFrom
			}
			if got != c.want {
				t.Errorf("renamed from %q, want %q", got, c.want)
			}
		})
	}
	// Of a URI every sign counts.
	for _, change := range compareTexts(t, `{"tools":[],"resources":[{"uri":"a-b","name":"a"}]}`, `{"tools":[],"resources":[{"uri":"a_b","name":"b"}]}`) {
		if change.RenamedFrom != "" {
			t.Errorf("%s is said to be %s", change.Entity.Name, change.RenamedFrom)
		}
	}
	want := []string{
		"error risk tool_added : tool added: “Search it all.”; it has the name of \"web-search\", which is gone, in another spelling",
		"error text description_changed /description: description changed; it now reads “Search it all.”",
		"error risk schema_widened /inputSchema/properties/q/type: `q` now accepts null or a string; it accepted a string",
		"info breaking tool_removed : tool removed: the server no longer lists it",
	}
	if diff := cmp.Diff(want, toldOf(t, `{"tools":[`+old+`]}`, `{"tools":[`+new+`]}`)); diff != "" {
		t.Error(diff)
	}
}
