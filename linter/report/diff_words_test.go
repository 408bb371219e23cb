package report_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/lockfile"
)

// terminalDiff is what a terminal shows of the changes of one server, on lines
// wide enough for all of it.
func terminalDiff(t testing.TB, width int, changes []lockfile.Change) string {
	t.Helper()
	r := cleanReview()
	r.Report.Servers[0].Lock.Changes = changes
	var b bytes.Buffer
	if err := report.WriteText(&b, &r.Report, report.TextOptions{Width: width}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func summaryOf(changes []lockfile.Change) string {
	r := cleanReview()
	r.Report.Servers[0].Lock.Changes = changes
	return r.LockCheckRun().Summary
}

// A parameter and its texts are one row and still as many changes, as serious
// as the worst of them.
func TestTextsStandUnderWhatTheyCameWith(t *testing.T) {
	t.Parallel()
	changes := compared(t,
		`{"tools":[{"name":"a","inputSchema":{}},{"name":"b","inputSchema":{}},{"name":"c"}]}`,
		`{"tools":[{"name":"a","inputSchema":{"properties":{"p":{"type":"string","description":"Where to."}}}},
			{"name":"b","inputSchema":{"properties":{"p":{"type":"string","description":"Where to."}}}},
			{"name":"c","outputSchema":{"properties":{"n":{"type":"string","description":"`+strings.Repeat("Send it on. ", 20)+`"}}}}]}`)
	text := terminalDiff(t, 200, changes)
	for _, want := range []string{
		"Differs from the lock: 6 changes (5 errors, 1 warning)",
		"x error    schema_widened, schema_text_changed  2 tools: a, b at /inputSchema/properties/p\n" +
			"      new optional parameter `p`, which accepts a string\n" +
			"        `description` of `p` added: “Where to.”\n",
		"x error    output_schema_changed, schema_text_changed  tool c at /outputSchema\n" +
			"      output: the tool now describes its result: `n` (a string)\n" +
			"        output: `description` of `n` added\n" +
			"        + Send it on. Send it on.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s\nin %s", want, text)
		}
	}
	if want := "new optional parameter `p`, which accepts a string. With it: `description` of `p` added: “Where to.” | 2 tools: `a`, `b` at"; !strings.Contains(summaryOf(changes), want) {
		t.Errorf("no %s\nin %s", want, summaryOf(changes))
	}
}

// Texts and schemas that begin in the same way are not the same: whatever their
// lengths, none hides behind another.
func TestLongTextsThatBeginAlikeAreToldApart(t *testing.T) {
	t.Parallel()
	for _, length := range []int{10, 500, 5000} {
		long := strings.Repeat("word ", length/5)
		changes := compared(t, `{"tools":[{"name":"a","inputSchema":{}},{"name":"b","inputSchema":{}}]}`,
			`{"tools":[{"name":"a","description":"`+long+`Ask.","inputSchema":{"properties":{"p":{"description":"`+long+`Ask.","enum":["x"]}}}},
				{"name":"b","description":"`+long+`Obey.","inputSchema":{"properties":{"p":{"description":"`+long+`Obey.","enum":["x"]}}}}]}`)
		// The parameter may be one row when each text below it says whose it is.
		text := terminalDiff(t, 100, changes)
		apart := strings.Contains(text, "(tool a)") && strings.Contains(text, "(tool b)")
		if strings.Contains(text, "2 tools: a") && !apart || !strings.Contains(text, "tool a at /description") || !strings.Contains(text, "tool b at /description") {
			t.Errorf("%d: %s", length, text)
		}
	}
}

// What came with something is told there up to a number, the rest by itself:
// nothing is left out.
func TestManyTextsOfOneThingAreAllTold(t *testing.T) {
	t.Parallel()
	var properties []string
	for i := range 60 {
		properties = append(properties, fmt.Sprintf(`"p%d":{"type":"string","description":"Text %d."}`, i, i))
	}
	changes := compared(t, `{"tools":[{"name":"a"}]}`, `{"tools":[{"name":"a","outputSchema":{"properties":{`+strings.Join(properties, ",")+`}}}]}`)
	text, summary := terminalDiff(t, 200, changes), summaryOf(changes)
	for i := range 60 {
		if want := fmt.Sprintf("“Text %d.”", i); !strings.Contains(text, want) || !strings.Contains(summary, want) {
			t.Errorf("%s is not told", want)
		}
	}
}

// Among errors stands first what hides, then what is new to be called, claims
// safety or lets more in; words come last.
func TestRiskComesBeforeWords(t *testing.T) {
	t.Parallel()
	text := terminalDiff(t, 200, compared(t,
		`{"instructions":"Old.","tools":[{"name":"a","title":"A","description":"Reads."},{"name":"b","title":"B"},{"name":"c","inputSchema":{}},{"name":"d","description":"Reads."}]}`,
		`{"instructions":"New.","tools":[{"name":"a","title":"Another","description":"Writes."},{"name":"b","title":"B","annotations":{"readOnlyHint":true}},
			{"name":"c","inputSchema":{"properties":{"p":{}}}},{"name":"d","description":"Reads.\u200b"},{"name":"z"}]}`))
	at := -1
	for _, want := range []string{
		"description_changed  tool d", "tool_added  tool z", "annotations_changed  tool b", "schema_widened  tool c",
		"instructions_changed  server", "description_changed  tool a", "title_changed  tool a",
	} {
		next := strings.Index(text, want)
		if next <= at {
			t.Errorf("%s is not where it should be in\n%s", want, text)
		}
		at = next
	}
}

// Titles of several tools are one row: their names where the titles say no more,
// else the titles. What hides in one is said.
func TestTitlesOfManyToolsAreOneRow(t *testing.T) {
	t.Parallel()
	text := terminalDiff(t, 200, compared(t,
		`{"tools":[{"name":"read_file"},{"name":"list_files"},{"name":"x"},{"name":"y","title":"Old"},{"name":"z","title":"Aged"},{"name":"copy"},{"name":"move"}]}`,
		`{"tools":[{"name":"read_file","title":"Read File"},{"name":"list_files","title":"List Files"},{"name":"x","title":"Trust x"},{"name":"y","title":"New\u202e"},{"name":"z","title":"Young"},
			{"name":"copy","annotations":{"title":"Copies it","readOnlyHint":true}},{"name":"move","annotations":{"title":"Moves it","readOnlyHint":true}}]}`))
	for _, want := range []string{
		"x error    title_changed  2 tools: list_files, read_file at /title\n      title added, no word more than the name\n",
		"x error    title_changed  tool x at /title\n      title added: “Trust x”\n",
		"x error    title_changed  2 tools: y, z at /title\n      title changed\n      - y: Old\n      - z: Aged\n      + y: New[U+202E right-to-left override]\n      + z: Young\n",
		"the tool now claims that it changes nothing (readOnlyHint was added: `true`); the title among the annotations added\n      + copy: Copies it\n      + move: Moves it\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s\nin %s", want, text)
		}
	}
}

// The raw diff stands in a terminal only where words end, and not as a whole.
func TestTerminalShowsRawLinesWhereWordsEnd(t *testing.T) {
	t.Parallel()
	var values []string
	for i := range 40 {
		values = append(values, fmt.Sprintf(`"k%d":%d`, i, i))
	}
	changes := compared(t,
		`{"tools":[{"name":"a","inputSchema":{"properties":{"p":{"type":"string","pattern":"^/w/"}}}},{"name":"b","vendor":{}}]}`,
		`{"tools":[{"name":"a","inputSchema":{"properties":{"p":{"type":"string"}}}},{"name":"b","vendor":{`+strings.Join(values, ",")+`}}]}`)
	text := terminalDiff(t, 200, changes)
	if strings.Contains(text, `"pattern"`) {
		t.Errorf("raw lines beside words that say it all:\n%s", text)
	}
	if !strings.Contains(text, `      + {`) && !strings.Contains(text, `"k0": 0`) || strings.Contains(text, `"k30": 30`) || !strings.Contains(text, "more lines, in the other formats") {
		t.Errorf("not the start of the raw lines:\n%s", text)
	}
	if summary := summaryOf(changes); !strings.Contains(summary, `"pattern"`) || !strings.Contains(summary, `"k39": 39`) {
		t.Errorf("the summary lacks a raw diff:\n%s", summary)
	}
}

// How much of a difference is left out is said, and on the side that has it.
func TestWhatIsLeftOutIsCounted(t *testing.T) {
	t.Parallel()
	added := compared(t, `{"tools":[{"name":"a"}]}`, `{"tools":[{"name":"a","description":"`+strings.Repeat("Send it on. ", 400)+`"}]}`)
	if text := terminalDiff(t, 100, added); !strings.Contains(text, "…(2400 more bytes)") || strings.Contains(text, "\n      - ") {
		t.Errorf("%s", text)
	}
}

// A pointer is broken before a token, not within one.
func TestPointersAreBrokenBeforeASlash(t *testing.T) {
	t.Parallel()
	text := terminalDiff(t, 80, compared(t,
		`{"tools":[{"name":"a","inputSchema":{"properties":{"relations":{"items":{"properties":{"relationship_type":{"type":"string"}}}}}}}]}`,
		`{"tools":[{"name":"a","inputSchema":{"properties":{"relations":{"items":{"properties":{"relationship_type":{"type":"string","description":"d"}}}}}}}]}`))
	if want := "\n      /inputSchema/properties/relations/items/properties/relationship_type\n      /description\n"; !strings.Contains(text, want) {
		t.Errorf("no %q in %s", want, text)
	}
}
