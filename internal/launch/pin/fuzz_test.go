package pin_test

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/internal/launch"
	"github.com/mcp-lint/mcp-lint/internal/launch/pin"
	"github.com/mcp-lint/mcp-lint/internal/registry"
)

// anything has a version of every package.
type anything struct{}

func (anything) Resolve(_ context.Context, p registry.Package) (registry.Exact, error) {
	return map[registry.Ecosystem]registry.Exact{
		registry.EcosystemNPM: "1.4.0", registry.EcosystemPyPI: "1!1.0.post1", registry.EcosystemGo: "v1.2.0",
		registry.EcosystemOCI: registry.Exact("sha256:" + strings.Repeat("4b", 32)), registry.EcosystemGit: registry.Exact(strings.Repeat("4b", 20)),
	}[p.Ecosystem], nil
}

// Whatever the file: the changed one can be read, its entries are the same but
// for the words that changed, the bytes between those are the same, and there is
// nothing to change in it any more.
func FuzzFile(f *testing.F) {
	for _, seed := range []struct {
		format byte
		text   string
	}{
		{0, `{"mcpServers": {"a": {"command": "npx", "args": ["-y", "tides@\u006catest"], "env": {"A": "tides"}}, /* c */}}`},
		{0, "\ufeff{\r\n\"servers\": {\"a\": {\"command\": \"bash\", \"args\": [\"-c\", \"npx 'tides@^1' && docker run x/y:1\"]}}}"},
		{0, `{"mcpServers": {"a": {"command": "uvx", "args": ["--with", "a,b>1;x", "--from", "git+https://g.example/o/r@a/b#egg=x", "x"]}}}`},
		{0, `{"mcpServers": {"a": {"command": "docker", "args": ["run", "x/y"]}, "b": {"command": "go", "args": ["run", "example.com/x@latest"]}}}`},
		{1, "extensions:\n  a: {type: stdio, cmd: npx, args: [-y, tides, 'x', \"tides\"]}\n  b: &b\n    type: stdio\n    cmd: uvx\n    args:\n      - tides # x\n  c: *b\n"},
		{1, "extensions:\n a:\n    type: stdio\n    cmd: uvx\n    args:\n    - A"},
		{1, "mcpServers:\n  - name: a\n    command: npx\n    args: ['it''s', \"t\\x69des\"]\n"},
		{2, "[mcp_servers.a]\ncommand = 'npx'\nargs = [\"ti\\u0064es\", '''x''', 'y']\n[mcp_servers.\"b c\"]\ncommand = \"uvx tides\"\n"},
	} {
		f.Add(seed.format, []byte(seed.text))
	}
	p := &pin.Pinner{Registries: anything{}, Read: launch.ReadClientFile}
	f.Fuzz(func(t *testing.T, format byte, data []byte) {
		file := []string{"mcp.json", "goose/config.yaml", "config.toml"}[int(format)%3]
		before, err := launch.ReadClientFile(file, data)
		if err != nil {
			return
		}
		result, err := p.File(t.Context(), file, data)
		if err != nil {
			return // it says that it cannot; nothing is written
		}
		after, err := launch.ReadClientFile(file, result.Data)
		if err != nil || len(after) != len(before) {
			t.Fatalf("%q became %q: %d entries, %v", data, result.Data, len(after), err)
		}
		changed := make(map[[2]int]bool) // places of words in the old file
		for i := range before {
			if !maps.Equal(before[i].Env, after[i].Env) || before[i].Cwd != after[i].Cwd || before[i].URL != after[i].URL || before[i].Key != after[i].Key {
				t.Fatalf("%q became %q", data, result.Data)
			}
			was, is := before[i].Argv(), after[i].Argv()
			if len(was) != len(is) {
				t.Fatalf("%q became %q", data, result.Data)
			}
			for n := range was {
				if was[n] == is[n] {
					continue
				}
				told := slices.ContainsFunc(result.Changes, func(c pin.Change) bool {
					return c.Server == before[i].Key && strings.Contains(was[n], c.Before) && strings.Contains(is[n], c.After)
				})
				if !told {
					t.Fatalf("%q became %q, which is not told: %+v", was[n], is[n], result.Changes)
				}
				changed[[2]int{before[i].Words[n].Start, before[i].Words[n].End}] = true
			}
		}
		between(t, data, result.Data, changed)
		again, err := p.File(t.Context(), file, result.Data)
		if err != nil || len(again.Changes) > 0 {
			t.Fatalf("%q became %q; then %+v, %v", data, result.Data, again.Changes, err)
		}
	})
}

// between checks that what is not in one of the words stands in both files, in
// the same order.
func between(t *testing.T, before, after []byte, words map[[2]int]bool) {
	t.Helper()
	places := slices.SortedFunc(maps.Keys(words), func(a, b [2]int) int { return a[0] - b[0] })
	at, rest := 0, after
	for _, place := range places {
		kept := before[at:place[0]]
		i := bytes.Index(rest, kept)
		if i < 0 || at == 0 && i > 0 {
			t.Fatalf("%q is not in %q, which was %q", kept, after, before)
		}
		rest, at = rest[i+len(kept):], place[1]
	}
	if !bytes.HasSuffix(rest, before[at:]) || len(places) == 0 && !bytes.Equal(before, after) {
		t.Fatalf("%q does not end %q, which was %q", before[at:], after, before)
	}
}
