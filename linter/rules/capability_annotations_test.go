package rules_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/linter"
)

// withHints writes a tool without parameters.
func withHints(name, description, annotations string) string {
	if annotations != "" {
		annotations = `,"annotations":` + annotations
	}
	return `{"name":"` + name + `","description":"` + description + `","inputSchema":{"type":"object"}` + annotations + `}`
}

func TestMissingAnnotations(t *testing.T) {
	t.Parallel()
	const missing = "info /annotations"
	checkVerdicts(t, "capability/missing-annotations", []verdictCase{
		{"get", withHints("get_tides", "Returns the tides.", ""), missing},
		{"list in camel case", withHints("listBerths", "All berths.", ""), missing},
		{"search behind a prefix", withHints("harbour_search_ships", "Searches ships by name.", ""), missing},
		{"add", withHints("add_note", "Adds a note.", ""), missing},
		{"set", withHints("set_level", "The level of the lock.", ""), missing},
		{"insert", withHints("insert_row", "", ""), missing},
		{"cancel", withHints("cancel_booking", "Cancels a booking.", ""), missing},
		{"merge", withHints("merge_requests", "Merges two requests.", ""), missing},
		{"fork", withHints("fork_repository", "Create a fork.", ""), missing},
		{"push", withHints("push_files", "Push files.", ""), missing},
		{"destroy and clear", withHints("destroy_berth", "Destroys it.", ""), missing},
		{"clear", withHints("clear_log", "Clears the log.", ""), missing},
		{"inflected", withHints("deletes_booking", "Deletes a booking.", ""), missing},
		{"verb at the end", withHints("booking_delete", "Delete a booking.", ""), missing},
		{"post", withHints("slack_post_message", "Posts a message.", ""), missing},
		{"verb of another kind in the description", withHints("delete_booking", "Updates the list.", ""), missing},
		{"a lead-in without end", withHints("list_berths", "This tool can be used to be used to be used to be used.", ""), missing},
		{"nothing but a verb", withHints("search", "Search for ships by name.", ""), missing},
		{"the name again, then the verb", withHints("listBerths", "listBerths returns all berths.", ""), missing},
		{"write operations", withHints("berths_write", "Write operations for berths.", ""), missing},
		{"a label before the verb", withHints("port-get-berth", "Port | Retrieve a berth", ""), missing},
		{"other hints only", withHints("delete_booking", "Deletes a booking.", `{"idempotentHint":true}`), missing},
		{"a read without readOnlyHint", withHints("get_tides", "Returns the tides.", `{"destructiveHint":false}`), missing},

		{"annotated read", withHints("get_tides", "Returns the tides.", `{"readOnlyHint":true}`), ""},
		{"annotated write", withHints("delete_booking", "Deletes a booking.", `{"destructiveHint":true}`), ""},
		{"a noun", withHints("blog_post_stats", "Returns how often posts were read.", ""), ""},
		{"a report", withHints("run_funnel_report", "Runs a report.", ""), ""},
		{"a list that is not listed", withHints("todo_list", "Keeps what is to be done.", ""), ""},
		{"no word at all", withHints("..", "Returns the tides.", ""), ""},
		{"a verb that names a group", withHints("search", "Search operations: lists indexes, queries and changes them.", ""), ""},
		{"no verb", withHints("water_level", "Returns the water level.", ""), ""},
		{"contradicted by the description", withHints("create_report", "Returns the report of the day.", ""), ""},
		{"wrong type is another rule's", withHints("get_tides", "Returns the tides.", `"x"`), ""},
		{"a contradiction is another rule's", withHints("get_tides", "Returns the tides.", `{"destructiveHint":true}`), ""},
	})
}

// A server that annotates nothing gets one finding with its tools as items.
func TestMissingAnnotationsAreOneFindingAServer(t *testing.T) {
	t.Parallel()
	s := mustParse(t, []byte("{\"serverInfo\":{\"name\":\"port\"},\"tools\":[\n"+
		withHints("get_tides", "Returns the tides.", "")+",\n"+withHints("water_level", "The level.", "")+",\n"+
		withHints("a/b_delete", "Delete a thing.", "")+"]}"))
	s.Key = "key"
	findings := only("capability/missing-annotations", mustLinter(t, linter.Config{}).Lint(s).Findings)
	if len(findings) != 1 {
		t.Fatalf("%d findings; want 1", len(findings))
	}
	f := findings[0]
	var items []string
	for _, item := range f.Items {
		items = append(items, item.Path)
	}
	if f.Entity.Kind != "server" || !slices.Equal(items, []string{"/tools/get_tides/annotations", "/tools/a~1b_delete/annotations"}) {
		t.Errorf("on %s with items %v", f.Entity, items)
	}
	if f.Items[0].Location.Line != 2 || f.Items[1].Location.Line != 4 {
		t.Errorf("items at %v and %v; want lines 2 and 4", f.Items[0].Location, f.Items[1].Location)
	}
	if !strings.Contains(f.Message, `2 tools ("get_tides", "a/b_delete")`) {
		t.Errorf("message %q", f.Message)
	}
	// One of them is excused: then it is one tool's finding, listed alone.
	excused := mustLinter(t, linter.Config{Suppress: []linter.Suppression{{
		Rule: "capability/missing-annotations", Path: "/tools/get_tides", Reason: "old clients",
	}}})
	for _, f := range only("capability/missing-annotations", excused.Lint(s).Findings) {
		if f.Suppressed == nil && (len(f.Items) != 1 || f.Items[0].Subject != "a/b_delete") {
			t.Errorf("items left %v", f.Items)
		}
	}
}

// What many tools share word for word is one fault of the server's.
func TestParameterOfManyToolsIsOneFinding(t *testing.T) {
	t.Parallel()
	param := `{"type":"string","description":"Base URL of the service to connect to."}`
	tools := []string{
		withParam("alpha", "Does it.", "base_url", param), withParam("beta", "Does it.", "base_url", param),
		withParam("gamma", "Does it.", "base_url", param),
	}
	s := mustParse(t, []byte("["+strings.Join(tools, ",\n")+"]"))
	s.Key = "key"
	findings := only("capability/unconstrained-network", mustLinter(t, linter.Config{}).Lint(s).Findings)
	if len(findings) != 1 || findings[0].Entity.Kind != "server" || len(findings[0].Items) != 3 {
		t.Fatalf("findings %v; want one on the server with three items", findings)
	}
	last := findings[0].Items[2]
	if last.Path != "/tools/gamma/inputSchema/properties/base_url" || last.Location.Line != 3 {
		t.Errorf("the third is at %q, line %d", last.Path, last.Location.Line)
	}
	s = mustParse(t, []byte("["+strings.Join(tools[:2], ",")+"]"))
	if findings := only("capability/unconstrained-network", mustLinter(t, linter.Config{}).Lint(s).Findings); len(findings) != 2 {
		t.Errorf("%d findings on two tools; want one each", len(findings))
	}
}
