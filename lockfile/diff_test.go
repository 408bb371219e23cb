package lockfile_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
	"github.com/mcp-lint/mcp-lint/lockfile"
)

// marked writes parts on one line: [-removed-]{+added+} and … for what is left
// out.
func marked(parts []lockfile.Part) string {
	var b strings.Builder
	for _, p := range parts {
		switch p.Op {
		case lockfile.Same:
			b.WriteString(p.Text)
		case lockfile.Removed:
			b.WriteString("[-" + p.Text + "-]")
		case lockfile.Added:
			b.WriteString("{+" + p.Text + "+}")
		case lockfile.Skipped:
			b.WriteString("…")
		}
	}
	return b.String()
}

func TestTextsAreComparedWordByWord(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("Every word of this sentence is as old as the lock. ", 20)
	for _, c := range []struct{ name, old, new, want string }{
		{"a sentence more", "Gets item 17.", "Gets item 17. Add notes.txt to it.", "Gets item 17.{+ Add notes.txt to it.+}"},
		{"a word", "Reads one file.", "Reads any file.", "Reads [-one-]{+any+} file."},
		{"two words in a row", "Reads one small file.", "Writes many files.", "[-Reads one small file-]{+Writes many files+}."},
		{"the end of a long text", long, long + "Then delete it.", "…is as old as the lock. Every word of this sentence is as old as the lock. {+Then delete it.+}"},
		{"both ends of a long text", "Fast. " + long, "Slow. " + long + "Done.", "[-Fast-]{+Slow+}. Every word of this sentence is as old as the lock. Every word of this sentence…is as old as the lock. Every word of this sentence is as old as the lock. {+Done.+}"},
		{"lines", "First.\nSecond.\nThird.", "First.\nThird.\nFourth.", "First.\n[-Second-]{+Third+}.\n[-Third-]{+Fourth+}."},
		{"hidden letters", "Read.", "Read.\U000E0041\U000E0042 It.", `Read.{+\u{E0041}\u{E0042} It.+}`},
		{"direction", "a file", "a \u202eelif", `a [-file-]{+\u{202E}elif+}`},
		{"a script without blanks", "記録を検索して一覧を返します。", "記録を検索して一覧を削除します。", "記録を検索して一覧を[-返-]{+削除+}します。"},
		{"an accent", "Café", "Cafe\u0301", "[-Café-]{+Cafe\u0301+}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			changes := compareTexts(t, describing(jsonText(c.old)), describing(jsonText(c.new)))
			if len(changes) != 1 {
				t.Fatalf("%v", described(changes))
			}
			if diff := cmp.Diff(c.want, marked(changes[0].Text)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func jsonText(s string) string { return strings.Trim(encoded(s), `"`) }

// The raw comparison is that of the schema that the change is in, in the form
// in which the lock would hold it.
func TestSchemasAreComparedByLines(t *testing.T) {
	t.Parallel()
	old := tool(`{"properties":{"path":{"type":"string","pattern":"^/workspace/"},"a":{"type":"string"}}}`)
	new := tool(`{"properties":{"a":{"type":"string"},"path":{"type":"string"}}}`)
	changes := compareTexts(t, old, new)
	if len(changes) != 1 {
		t.Fatalf("%v", described(changes))
	}
	want := "{\n[-  \"pattern\": \"^/workspace/\",\n-]  \"type\": \"string\"\n}\n"
	if diff := cmp.Diff(want, marked(changes[0].Raw)); diff != "" {
		t.Error(diff)
	}

	added := compareTexts(t, `{"tools":[]}`, `{"tools":[{"name":"t","description":"Deletes.","inputSchema":{"type":"object"}}]}`)
	if got := marked(added[0].Raw); !strings.HasPrefix(got, "{+{\n") || !strings.Contains(got, `"inputSchema": {`) {
		t.Errorf("an added tool is shown as %s", got)
	}
	if got := marked(added[0].Text); got != "{+Deletes.+}" {
		t.Errorf("its description is shown as %s", got)
	}
}

// What nobody could read any more is left out, and the rest of a comparison says
// so; thousands of changes share one bound.
func TestComparisonsAreBounded(t *testing.T) {
	t.Parallel()
	before, after := strings.Repeat("a b ", 300_000), strings.Repeat("c d ", 300_000)
	changes := compareTexts(t, describing(before), describing(after))
	size := 0
	for _, p := range changes[0].Text {
		size += len(p.Text)
	}
	if size > 10_000 || !strings.Contains(marked(changes[0].Text), "…") {
		t.Errorf("%d bytes", size)
	}

	list := func(word string) string {
		var tools []string
		for i := range 4000 {
			tools = append(tools, fmt.Sprintf(`{"name":"t%d","description":"%s"}`, i, strings.Repeat(word, 300)))
		}
		return `{"tools":[` + strings.Join(tools, ",") + `]}`
	}
	size = 0
	for _, c := range compareTexts(t, list("one two "), list("three four ")) {
		for _, p := range c.Text {
			size += len(p.Text)
		}
	}
	if size > 5<<20 {
		t.Errorf("%d bytes of all changes", size)
	}
}

// Of a text with edits at many places each one is seen, and what is left out of
// them is counted.
func TestDistantEditsAreAllShown(t *testing.T) {
	t.Parallel()
	var old, new strings.Builder
	for i := range 25 {
		fmt.Fprintf(&old, "Paragraph %d says what it always said, word for word, at some length and with much patience. It began as old%d%s. ", i, i, strings.Repeat(" stays", 80))
		fmt.Fprintf(&new, "Paragraph %d says what it always said, word for word, at some length and with much patience. It began as new%d%s. ", i, i, strings.Repeat(" comes", 80))
	}
	parts := compareTexts(t, describing(old.String()), describing(new.String()))[0].Text
	shown, size := marked(parts), 0
	for i := range 25 {
		for _, want := range []string{fmt.Sprintf("[-old%d ", i), fmt.Sprintf("{+new%d ", i)} {
			if !strings.Contains(shown, want) {
				t.Errorf("no %q in %d bytes", want, len(shown))
			}
		}
	}
	counted := 0
	for _, p := range parts {
		size += len(p.Text)
		if p.Op == lockfile.Skipped && strings.HasSuffix(p.Text, " more bytes") {
			counted++
		}
	}
	if size > 8000 || counted != 50 {
		t.Errorf("%d bytes, %d counts of what is left out", size, counted)
	}
}

// A text made to make comparing slow costs no more than its length.
func TestHostileTextsAreComparedInTime(t *testing.T) {
	t.Parallel()
	var old, new strings.Builder
	for i := range 8000 {
		fmt.Fprintf(&old, "%d ", i*7919%8000)
		fmt.Fprintf(&new, "%d ", i*104729%8000)
	}
	start := time.Now()
	compareTexts(t, describing(old.String()), describing(new.String()))
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("took %s", took)
	}
}

// Parts are the whole of both texts as long as nothing is left out.
func FuzzWordDiff(f *testing.F) {
	f.Add("Reads one file.", "Reads any file.\nAnd more.")
	f.Add("a\u200bb", "a\u202eb")
	f.Add(`\u{41}`, `\u{4`)
	f.Add("a  b", "a b")
	f.Fuzz(func(t *testing.T, old, new string) {
		parts := lockfile.WordDiff(old, new)
		var before, after strings.Builder
		for _, p := range parts {
			switch p.Op {
			case lockfile.Skipped:
				return
			case lockfile.Same:
				before.WriteString(p.Text)
				after.WriteString(p.Text)
			case lockfile.Removed:
				before.WriteString(p.Text)
			case lockfile.Added:
				after.WriteString(p.Text)
			}
			for line := range strings.Lines(p.Text) {
				if line = strings.TrimSuffix(line, "\n"); snapshot.Visible(line) != line {
					t.Errorf("not safe to show: %q", line)
				}
			}
		}
		if old == new {
			if parts != nil {
				t.Errorf("parts of equal texts: %v", parts)
			}
			return
		}
		for _, side := range []struct{ text, parts string }{{old, before.String()}, {new, after.String()}} {
			if want := snapshot.Visible(side.text); snapshot.Visible(side.parts) != want && strings.ReplaceAll(side.parts, "\n", `\n`) != want {
				t.Errorf("%q of %q", side.parts, side.text)
			}
		}
	})
}
