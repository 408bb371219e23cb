package audit

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What a click on a check run commits is what a laptop writes, to the byte.
func TestRelockIsWhatLockAllWrites(t *testing.T) {
	t.Parallel()
	for name, files := range map[string]map[string]string{
		"one server": {".mcp-lint.json": savedServer, "tools.json": other, "mcp-lint.lock": lockOf(t, "tides", good)},
		"another server is new": {
			".mcp-lint.json": `{"servers":{"tides":{"from":"tools.json"},"more":{"from":"more.json"}}}`,
			"tools.json":     good, "more.json": bad, "mcp-lint.lock": lockOf(t, "tides", good)},
		"in a folder, with ignored fields and a profile": {
			".mcp-lint.json":  `{"servers":{"tides@ci":{"from":"tools.json","profile":"ci"}},"lock":"locks/mcp.lock","lockIgnore":["annotations"]}`,
			"tools.json":      strings.ReplaceAll(other, "true", "false"),
			"locks/mcp.lock":  strings.Replace(lockOf(t, "tides@ci", good), `"server": {}`, `"profile": "ci",`+"\n      "+`"server": {}`, 1),
			"unrelated/x.txt": "x"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all := map[string]string{}
			for file, text := range files {
				all["head/"+file], all["base/"+file], all["policy/"+file] = text, text, text
			}
			dir := trees(t, all)
			rv := review(t, dir, func(_ *Engine, r *Request) { r.Relock = true })
			if rv.Lock.Refreshed == "" {
				t.Fatalf("nothing to accept: %q, %+v", rv.Lock.NoRefresh, rv.Report.Servers)
			}
			head := filepath.Join(dir, "head")
			c, err := ReadConfig(head)
			if err != nil {
				t.Fatal(err)
			}
			e := &Engine{Version: "test"}
			lock := filepath.Join(head, filepath.FromSlash(c.Lock))
			if _, err := e.LockAll(context.Background(), LockRequest{Path: lock, Accept: true, Config: c}, head); err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(lock)
			if err != nil {
				t.Fatal(err)
			}
			if rv.Lock.Refreshed != string(want) {
				t.Errorf("the bot would commit\n%s\na laptop writes\n%s", rv.Lock.Refreshed, want)
			}
			// And what is committed is accepted: nothing differs any more.
			again := review(t, dir, func(_ *Engine, r *Request) { r.Relock = true })
			if again.Lock.Refreshed != "" || again.Lock.NoRefresh != "" {
				t.Errorf("still to accept: %q %q", again.Lock.Refreshed, again.Lock.NoRefresh)
			}
		})
	}
}

func TestNoRelock(t *testing.T) {
	t.Parallel()
	lock := lockOf(t, "tides", good)
	for _, tt := range []struct {
		name  string
		files map[string]string
		after func(t *testing.T, dir string)
		ask   bool
		want  string
	}{
		{name: "nobody asked", files: map[string]string{"head/tools.json": other}},
		{name: "nothing differs", ask: true, files: map[string]string{"head/tools.json": good}},
		{
			name: "a server could not be checked", ask: true, want: "not every server",
			files: map[string]string{"head/tools.json": other, "head/.mcp-lint.json": `{"servers":{"tides":{"from":"tools.json"},"gone":{"from":"gone.json"}}}`},
		},
		{
			name: "a locked server is launched no more", ask: true, want: "not every server",
			files: map[string]string{"head/tools.json": other, "head/.mcp-lint.json": `{"servers":{"waves":{"from":"tools.json"}}}`},
		},
		{
			name: "the head moves the lock", ask: true, want: "moves the lock",
			files: map[string]string{"head/tools.json": other, "head/.mcp-lint.json": `{"servers":{"tides":{"from":"tools.json"}},"lock":"elsewhere.lock"}`},
		},
		{
			name: "a tool twice", ask: true, want: "more than one tool",
			files: map[string]string{"head/tools.json": strings.TrimSuffix(good, "]") + "," + strings.TrimPrefix(good, "[")},
		},
		{
			name: "the lock is a link", ask: true, want: "no plain file",
			files: map[string]string{"head/tools.json": other, "head/real.lock": lock},
			after: func(t *testing.T, dir string) {
				os.Remove(filepath.Join(dir, "head/mcp-lint.lock"))
				if err := os.Symlink("real.lock", filepath.Join(dir, "head/mcp-lint.lock")); err != nil {
					t.Skip(err)
				}
			},
		},
		{
			name: "the head removes a locked server", ask: true, want: "removes locked servers",
			files: map[string]string{"head/tools.json": other, "base/mcp-lint.lock": strings.Replace(lock, `"tides": {`, `"tides": {"tools": {}}, "waves": {`, 1)},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{
				"head/.mcp-lint.json": savedServer, "head/mcp-lint.lock": lock,
				"base/.mcp-lint.json": savedServer, "base/mcp-lint.lock": lock, "base/tools.json": good,
				"policy/.mcp-lint.json": savedServer,
			}
			for name, text := range tt.files {
				files[name] = text
			}
			dir := trees(t, files)
			if tt.after != nil {
				tt.after(t, dir)
			}
			rv := review(t, dir, func(_ *Engine, r *Request) { r.Relock = tt.ask })
			if rv.Lock.Refreshed != "" {
				t.Errorf("offered: %s", rv.Lock.Refreshed)
			}
			if got := rv.Lock.NoRefresh; (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
				t.Errorf("reason %q, want …%s…", got, tt.want)
			}
		})
	}
}
