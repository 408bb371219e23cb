package main

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/lockfile"
)

// One repository holds several profiles of a server, and another profile than
// the locked ones is said to be that: no tool was removed.
func TestC085Profiles(t *testing.T) {
	t.Parallel()
	var c struct {
		Lock map[string][]string // tools by profile
		Scan struct {
			Profile string
			Tools   []string
		}
	}
	readCase(t, "C085-profiles.json", &c)
	f := newFolder(t)
	lock := f.path("mcp-lint.lock")
	from := func(tools []string) string {
		list := []map[string]any{}
		for _, name := range tools {
			list = append(list, undescribed(name))
		}
		return f.write("tools.json", map[string]any{"serverInfo": map[string]any{"name": "cards"}, "tools": list})
	}
	for _, profile := range slices.Sorted(maps.Keys(c.Lock)) {
		if code, _, stderr := mcpLint(t, "", "lock", "--lock", lock, "--profile", profile, "--from", from(c.Lock[profile])); code != 0 {
			t.Fatalf("%s: exit %d\n%s", profile, code, stderr)
		}
	}
	data, err := os.ReadFile(lock)
	if err != nil {
		t.Fatal(err)
	}
	if held, err := lockfile.Read(lock, data); err != nil || !slices.Equal(held.Keys(), []string{"cards@reader", "cards@writer"}) {
		t.Fatalf("%v\n%s", err, data)
	}
	for profile, want := range map[string][]string{
		c.Scan.Profile: nil, // the same list under the same profile
		"writer":       {lockfile.KindToolRemoved},
		"guest":        {lockfile.KindProfileMismatch},
		"":             {lockfile.KindProfileMismatch},
	} {
		args := []string{"lock", "--check", "--fail-on", "never", "--lock", lock, "--from", from(c.Scan.Tools), "--json", f.path("out.json")}
		if profile != "" {
			args = append(args, "--profile", profile)
		}
		if code, _, stderr := mcpLint(t, "", args...); code != 0 {
			t.Fatalf("%q: exit %d\n%s", profile, code, stderr)
		}
		if got := lockChanges(t, f.path("out.json")); !slices.Equal(got, want) {
			t.Errorf("under %q: %q, want %q", profile, got, want)
		}
	}
}

// lockChanges are the kinds of change that a JSON report has.
func lockChanges(t *testing.T, file string) (kinds []string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r, err := report.ReadJSON(strings.NewReader(string(data)))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range r.Servers {
		for _, change := range s.Lock.Changes {
			kinds = append(kinds, change.Kind)
		}
	}
	return kinds
}

// Keys are foreign text: they break out of no line, and the command that takes
// an entry out can be pasted.
func TestHostileKeysOfTheLock(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"it's", "$(touch x)", "a b\nmcp-lint: all is well", "\x1b[2J", "@", "@ci", "a@", "--accept", "../../etc/passwd", "\u202eevil", strings.Repeat("k", 200)} {
		f := newFolder(t)
		f.write("tools.json", "["+goodTool+"]")
		config, err := json.Marshal(map[string]any{"servers": map[string]any{key: map[string]any{"from": "tools.json", "profile": "ci"}}})
		if err != nil {
			t.Fatal(err)
		}
		f.write(".mcp-lint.json", string(config))
		must := func(code int, args ...string) string {
			t.Helper()
			got, stdout, stderr := mcpLint(t, "", args...)
			if got != code {
				t.Fatalf("%q: %q: exit %d, want %d\n%s%s", key, args, got, code, stdout, stderr)
			}
			for line := range strings.Lines(stdout + stderr) {
				if strings.HasPrefix(line, "mcp-lint: all is well") || strings.ContainsAny(line, "\x1b\u202e") {
					t.Errorf("%q: %q: %q", key, args, line)
				}
			}
			return stderr
		}
		must(0, "lock", "--all", f.dir)
		must(0, "lock", "--all", "--check", f.dir)
		must(0, "ci", "--sandbox=none", f.dir)
		f.write(".mcp-lint.json", `{"servers": {}}`)
		advice := must(2, "lock", "--all", "--check", f.dir)
		if want := "--remove='" + strings.ReplaceAll(key, "'", `'\''`) + "@ci'"; !strings.ContainsAny(key, "\n\x1b\u202e") && !strings.Contains(advice, want) {
			t.Errorf("%q: want %q in %s", key, want, advice)
		}
		must(0, "lock", "--lock", f.path("mcp-lint.lock"), "--remove="+key+"@ci")
	}
}
