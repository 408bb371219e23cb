package lockfile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
	"github.com/mcp-lint/mcp-lint/lockfile"
)

// locked is a lock of one server, read from its own bytes.
func locked(t *testing.T, document string) (*lockfile.File, []string) {
	t.Helper()
	s, err := snapshot.Parse("x.json", []byte(document))
	if err != nil {
		t.Fatal(err)
	}
	server, err := lockfile.Capture(s, lockfile.Launch{})
	if err != nil {
		t.Fatal(err)
	}
	var f lockfile.File
	f.Set("key", server)
	text := f.Encode()
	read, err := lockfile.Read("mcp-lint.lock", text)
	if err != nil {
		t.Fatal(err)
	}
	return read, strings.Split(string(text), "\n")
}

// Every change of a lock is shown at a line that the change of the file has
// changed; what is gone, at a line beside it.
func TestChangedAtIsAChangedLine(t *testing.T) {
	t.Parallel()
	const (
		before = `{"serverInfo":{"name":"n","version":"1"},"instructions":"old","tools":[
			{"name":"a","description":"one","inputSchema":{"type":"object","properties":{"p":{"type":"string","pattern":"^x"},"q":{"type":"string"}},"required":["p"]}},
			{"name":"b","description":"two","inputSchema":{"type":"object"}},
			{"name":"c","description":"three","inputSchema":{"type":"object"}}]}`
		sha = `"sha256": "`
	)
	for name, c := range map[string]struct {
		replace, by string
		want        map[string]string // kind → the line
	}{
		"description":     {`"one"`, `"ONE"`, map[string]string{"description_changed": `"description": "ONE",`}},
		"instructions":    {`"old"`, `"new"`, map[string]string{"instructions_changed": `"instructions": "new",`}},
		"version":         {`"version":"1"`, `"version":"2"`, map[string]string{"server_changed": `"version": "2"`}},
		"pattern gone":    {`,"pattern":"^x"`, ``, map[string]string{"schema_widened": sha}},
		"pattern changed": {`"^x"`, `"^y"`, map[string]string{"schema_widened": `"pattern": "^y",`}},
		"property added":  {`"q":{`, `"r":{"type":"string"},"q":{`, map[string]string{"schema_widened": `"r": {`}},
		"required grows":  {`["p"]`, `["p","q"]`, map[string]string{"schema_widened": `"q"`}},
		"tool added":      {`{"name":"b"`, `{"name":"aa","inputSchema":{"type":"object"}},{"name":"b"`, map[string]string{"tool_added": `"aa": {`}},
		"tool gone, another follows": {`{"name":"b","description":"two","inputSchema":{"type":"object"}},`, ``,
			map[string]string{"tool_removed": `"c": {`}},
		"last tool gone": {`,
			{"name":"c","description":"three","inputSchema":{"type":"object"}}`, ``, map[string]string{"tool_removed": `}`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			old, oldLines := locked(t, before)
			head, lines := locked(t, strings.Replace(before, c.replace, c.by, 1))
			known := map[string]int{}
			for _, l := range oldLines {
				known[l]++
			}
			found := map[string]bool{}
			for _, change := range lockfile.Compare(old.Server("key"), head.Server("key"), lockfile.Options{}) {
				at := head.ChangedAt("key", old.Server("key"), change)
				if at.Line < 1 || at.Line > len(lines) {
					t.Fatalf("%s: line %d of %d", change.Kind, at.Line, len(lines))
				}
				line := lines[at.Line-1]
				want, ok := c.want[change.Kind]
				if !ok {
					continue // what comes with it
				}
				found[change.Kind] = true
				if got := strings.TrimSpace(line); got != want && !(want == sha && strings.HasPrefix(got, sha)) {
					t.Errorf("%s at %s is shown at %q, want %q", change.Kind, change.Path, got, want)
				}
				// The gap before another tool is the one line that did not change.
				if known[line] > 0 && strings.TrimSpace(line) != `"c": {` && strings.TrimSpace(line) != "}" && strings.TrimSpace(line) != `"q"` {
					t.Errorf("%s is shown at %q, which the base has too", change.Kind, line)
				}
			}
			if len(found) != len(c.want) {
				t.Errorf("found %v, want %v in %v", found, c.want, listOf(lockfile.Compare(old.Server("key"), head.Server("key"), lockfile.Options{})))
			}
		})
	}
}

func listOf(changes []lockfile.Change) (kinds []string) {
	for _, c := range changes {
		kinds = append(kinds, fmt.Sprintf("%s %s", c.Kind, c.Path))
	}
	return kinds
}

// Without a base, or without a file, the entity's own line has to do.
func TestChangedAtWithoutABase(t *testing.T) {
	t.Parallel()
	head, lines := locked(t, `{"tools":[{"name":"a","inputSchema":{"type":"object"}}]}`)
	change := lockfile.Change{Kind: "tool_added", Entity: snapshot.Ref{Kind: snapshot.KindTool, Name: "a"}}
	if at := head.ChangedAt("key", nil, change); strings.TrimSpace(lines[at.Line-1]) != `"a": {` {
		t.Errorf("line %d: %s", at.Line, lines[at.Line-1])
	}
	if at := head.ChangedAt("gone", nil, change); at.Line != 0 || at.File != "mcp-lint.lock" {
		t.Errorf("%+v", at)
	}
}
