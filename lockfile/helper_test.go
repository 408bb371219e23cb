package lockfile_test

import (
	"fmt"
	"testing"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
	"github.com/mcp-lint/mcp-lint/lockfile"
)

// parse reads a snapshot.
func parse(t testing.TB, text string) *snapshot.Snapshot {
	t.Helper()
	s, err := snapshot.Parse("", []byte(text))
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return s
}

// value parses one JSON value.
func value(t testing.TB, text string) *snapshot.Node {
	t.Helper()
	return parse(t, `{"tools":[],"prompts":[`+text+`]}`).Prompts[0].Node
}

// server captures a snapshot.
func server(t testing.TB, text string) *lockfile.Server {
	t.Helper()
	s, err := lockfile.Capture(parse(t, text), lockfile.Launch{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// reread sends a server through a lock file.
func reread(t testing.TB, s *lockfile.Server) *lockfile.Server {
	t.Helper()
	var f lockfile.File
	f.Set("k", s)
	read, err := lockfile.Read("mcp-lint.lock", f.Encode())
	if err != nil {
		t.Fatal(err)
	}
	return read.Server("k")
}

// compareTexts locks one snapshot and compares it with another one.
func compareTexts(t testing.TB, old, new string) []lockfile.Change {
	t.Helper()
	return lockfile.Compare(reread(t, server(t, old)), lockfile.Live(parse(t, new), lockfile.Launch{}), lockfile.Options{})
}

// tool is a snapshot with one tool that has this input schema.
func tool(inputSchema string) string {
	return fmt.Sprintf(`{"tools":[{"name":"t","description":"d","inputSchema":%s}]}`, inputSchema)
}
