package audit

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcp-lint/mcp-lint/internal/config"
	"github.com/mcp-lint/mcp-lint/internal/launch"
	"github.com/mcp-lint/mcp-lint/internal/sandbox"
	"github.com/mcp-lint/mcp-lint/linter/report"
)

// A tool that recommended has nothing to say about, one whose description is
// missing (an error), and one with another description.
const (
	good  = `[{"name":"find_tides","description":"Find the times of high and low water for one harbour and day, as a table with heights in metres.","inputSchema":{"type":"object","properties":{}},"annotations":{"readOnlyHint":true}}]`
	bad   = `[{"name":"find_tides","inputSchema":{"type":"object","properties":{}},"annotations":{"readOnlyHint":true}}]`
	other = `[{"name":"find_tides","description":"Find the times of high and low water for one harbour and month, as a table with heights in metres.","inputSchema":{"type":"object","properties":{}},"annotations":{"readOnlyHint":true}}]`
)

// trees writes folders from a map of path to content and returns their root.
func trees(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// lockOf is the lock that holds a saved snapshot under a key.
func lockOf(t *testing.T, key, tools string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lock")
	e := &Engine{Version: "test"}
	_, err := e.LockSaved(LockRequest{Path: path, Key: key, Config: config.Default("")}, Document{Name: "tools.json", Data: []byte(tools)})
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func review(t *testing.T, dir string, tune func(*Engine, *Request)) *report.Review {
	t.Helper()
	box, err := sandbox.New(sandbox.None, sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e := &Engine{
		Version: "test",
		Env:     func(string) (string, bool) { return "", false },
		Host:    os.LookupEnv,
		Sandbox: box,
	}
	r := Request{Head: filepath.Join(dir, "head"), Now: time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)}
	for name, field := range map[string]*string{"base": &r.Base, "policy": &r.Policy} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			*field = filepath.Join(dir, name)
		}
	}
	if tune != nil {
		tune(e, &r)
	}
	rv, err := e.Review(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return rv
}

const savedServer = `{"servers": {"tides": {"from": "tools.json"}}}`

func TestVerdicts(t *testing.T) {
	t.Parallel()
	locked := lockOf(t, "tides", good)
	for _, tt := range []struct {
		name       string
		files      map[string]string
		tune       func(*Engine, *Request)
		lint, lock report.Conclusion
		check      func(*testing.T, *report.Review)
	}{
		{
			name: "nothing on either side", files: map[string]string{"head/README": "x", "base/README": "x"},
			lint: report.Skipped, lock: report.Skipped,
		},
		{
			name: "clean, without a lock", files: map[string]string{"head/.mcp-lint.json": savedServer, "head/tools.json": good},
			lint: report.Success, lock: report.Skipped,
		},
		{
			name: "clean, with its lock", files: map[string]string{
				"head/.mcp-lint.json": savedServer, "head/tools.json": good, "head/mcp-lint.lock": locked, "base/mcp-lint.lock": locked},
			lint: report.Success, lock: report.Success,
		},
		{
			name: "a new finding", files: map[string]string{"head/.mcp-lint.json": savedServer, "head/tools.json": bad, "base/.mcp-lint.json": savedServer, "base/tools.json": good},
			lint: report.Failure, lock: report.Skipped,
		},
		{
			name: "a finding that the base has in its tree", files: map[string]string{"head/.mcp-lint.json": savedServer, "head/tools.json": bad, "base/.mcp-lint.json": savedServer, "base/tools.json": bad},
			lint: report.Success, lock: report.Skipped,
		},
		{
			name: "a finding that the base has in its lock", files: map[string]string{
				"head/.mcp-lint.json": savedServer, "head/tools.json": bad, "head/mcp-lint.lock": lockOf(t, "tides", bad),
				"base/.mcp-lint.json": savedServer, "base/tools.json": good, "base/mcp-lint.lock": lockOf(t, "tides", bad)},
			lint: report.Success, lock: report.Success,
		},
		{
			name: "a base that cannot be collected: all is new", files: map[string]string{"head/.mcp-lint.json": savedServer, "head/tools.json": bad, "base/.mcp-lint.json": savedServer},
			lint: report.Failure, lock: report.Skipped,
		},
		{
			name: "one more item in a grouped finding", files: map[string]string{
				"head/.mcp-lint.json": savedServer, "head/tools.json": undescribed("harbour", "day"),
				"base/.mcp-lint.json": savedServer, "base/tools.json": undescribed("harbour")},
			lint: report.Success, lock: report.Skipped,
			check: func(t *testing.T, r *report.Review) {
				grouped(t, r, 2, true)
				f := r.Report.Servers[0].Findings[0]
				if f.Message != `1 parameter without description: "day"; 1 more known` || f.Items[0].New || !f.Items[1].New {
					t.Errorf("%q %+v", f.Message, f.Items)
				}
			},
		},
		{
			name: "a grouped finding whose items the base has", files: map[string]string{
				"head/.mcp-lint.json": savedServer, "head/tools.json": undescribed("harbour", "day"),
				"base/.mcp-lint.json": savedServer, "base/tools.json": undescribed("harbour", "day")},
			lint: report.Success, lock: report.Skipped,
			check: func(t *testing.T, r *report.Review) { grouped(t, r, 2, false) },
		},
		{
			name: "one item less in a grouped finding", files: map[string]string{
				"head/.mcp-lint.json": savedServer, "head/tools.json": undescribed("harbour"),
				"base/.mcp-lint.json": savedServer, "base/tools.json": undescribed("harbour", "day")},
			lint: report.Success, lock: report.Skipped,
			check: func(t *testing.T, r *report.Review) { grouped(t, r, 1, false) },
		},
		{
			name: "a stale lock", files: map[string]string{
				"head/.mcp-lint.json": savedServer, "head/tools.json": other, "head/mcp-lint.lock": locked, "base/mcp-lint.lock": locked},
			lint: report.Success, lock: report.Failure,
			check: func(t *testing.T, r *report.Review) {
				if len(r.Lock.Accepted) != 0 || len(r.Lock.Places) == 0 || r.Lock.Places[0].Location.Line < 2 {
					t.Errorf("lock %+v", r.Lock)
				}
			},
		},
		{
			name: "a refreshed lock", files: map[string]string{
				"head/.mcp-lint.json": savedServer, "head/tools.json": other, "head/mcp-lint.lock": lockOf(t, "tides", other), "base/mcp-lint.lock": locked},
			lint: report.Success, lock: report.Success,
			check: func(t *testing.T, r *report.Review) {
				if len(r.Lock.Accepted) != 1 || len(r.Report.Servers[0].Lock.Changes) != 0 {
					t.Errorf("accepted %+v, live %+v", r.Lock.Accepted, r.Report.Servers[0].Lock)
				}
			},
		},
		{
			name: "the lock removed", files: map[string]string{
				"head/.mcp-lint.json": savedServer, "head/tools.json": good, "base/mcp-lint.lock": locked},
			lint: report.Success, lock: report.Failure,
		},
		{
			name: "a server that the lock lacks", files: map[string]string{
				"head/.mcp-lint.json": `{"servers": {"tides": {"from": "tools.json"}, "more": {"from": "tools.json"}}}`,
				"head/tools.json":     good, "head/mcp-lint.lock": locked, "base/mcp-lint.lock": locked},
			lint: report.Success, lock: report.Failure,
		},
		{
			name: "a locked server that nothing launches", files: map[string]string{
				"head/.mcp-lint.json": `{"servers": {}}`, "head/mcp-lint.lock": locked, "base/mcp-lint.lock": locked},
			lint: report.ActionRequired, lock: report.ActionRequired,
		},
		{
			name: "a lock that cannot be read", files: map[string]string{
				"head/.mcp-lint.json": savedServer, "head/tools.json": good, "head/mcp-lint.lock": "<<<<<<< ours\n", "base/mcp-lint.lock": locked},
			lint: report.ActionRequired, lock: report.Failure,
		},
		{
			name: "a server that cannot be collected", files: map[string]string{
				"head/.mcp.json": `{"mcpServers": {"gone": {"command": "no-such-program-here"}}}`, "head/mcp-lint.lock": lockOf(t, "gone", good)},
			lint: report.ActionRequired, lock: report.ActionRequired,
		},
		{
			name: "a server that needs a variable", files: map[string]string{
				"head/.mcp.json": `{"mcpServers": {"gone": {"command": "x", "env": {"A": "${TIDES_TOKEN}"}}}}`},
			lint: report.ActionRequired, lock: report.Skipped,
			check: func(t *testing.T, r *report.Review) {
				if e := r.Report.Servers[0].Error; e.Kind != report.ErrNeedsSecret || !strings.Contains(e.Message, "TIDES_TOKEN") {
					t.Errorf("%+v", e)
				}
			},
		},
		{
			name: "a fork whose servers are not started", files: map[string]string{
				"head/.mcp.json": `{"mcpServers": {"own": {"command": "node", "args": ["x.js"]}}}`},
			tune: func(_ *Engine, r *Request) { r.Static = true },
			lint: report.ActionRequired, lock: report.Skipped,
			check: func(t *testing.T, r *report.Review) {
				if e := r.Report.Servers[0].Error; e.Message != "not started: fork" {
					t.Errorf("%+v", e)
				}
			},
		},
		{
			name: "a broken client file", files: map[string]string{"head/.mcp.json": `{"mcpServers": {`},
			lint: report.ActionRequired, lock: report.Skipped,
		},
		{
			name: "a broken config", files: map[string]string{"head/mcp-lint.config.json": `{"failon": 1}`},
			lint: report.ActionRequired, lock: report.Skipped,
			check: func(t *testing.T, r *report.Review) {
				if s := r.Report.Servers[0]; s.Key != "mcp-lint.config.json" || !strings.HasPrefix(s.Error.Message, "mcp-lint.config.json:1:2: failon: ") {
					t.Errorf("%s: %s", s.Key, s.Error.Message)
				}
			},
		},
		{
			name: "no sandbox here: saved lists are checked all the same", files: map[string]string{
				"head/.mcp-lint.json": `{"servers": {"saved": {"from": "tools.json"}, "started": {"command": "node"}}}`, "head/tools.json": good},
			tune: func(e *Engine, _ *Request) { e.Sandbox, e.NoSandbox = nil, errors.New("no bubblewrap; install it") },
			lint: report.ActionRequired, lock: report.Skipped,
			check: func(t *testing.T, r *report.Review) {
				saved, started := r.Report.Servers[0], r.Report.Servers[1]
				if saved.Error != nil || started.Error == nil || started.Error.Kind != report.ErrSandbox || started.Error.Message != "no bubblewrap; install it" {
					t.Errorf("saved: %v, started: %v", saved.Error, started.Error)
				}
			},
		},
		{
			name: "a broken trusted config", files: map[string]string{
				"head/.mcp-lint.json": savedServer, "head/tools.json": good, "policy/.mcp-lint.json": `{"failon": 1}`},
			lint: report.ActionRequired, lock: report.Skipped,
		},
		{
			name: "a head config that switches its own rule off", files: map[string]string{
				"head/.mcp-lint.json": `{"servers": {"tides": {"from": "tools.json"}}, "rules": {"description/missing": "off"}, "failOn": "never", "clients": ["vscode"], "suppress": [{"rule": "description/missing", "reason": "trust me"}]}`,
				"head/tools.json":     bad, "policy/README": "x"},
			lint: report.Failure, lock: report.Skipped,
			check: func(t *testing.T, r *report.Review) {
				said := strings.Join(r.Pending, "\n")
				for _, want := range []string{"failOn: error → never", "clients: all → vscode", "rules: description/missing: as the preset has it → off", "suppress: adds description/missing (everywhere): trust me"} {
					if !strings.Contains(said, want) {
						t.Errorf("pending lacks %q:\n%s", want, said)
					}
				}
			},
		},
		{
			name: "the trusted config's suppression counts", files: map[string]string{
				"head/.mcp-lint.json": savedServer, "head/tools.json": bad,
				"policy/.mcp-lint.json": `{"suppress": [{"rule": "description/missing", "reason": "known"}]}`},
			lint: report.Success, lock: report.Skipped,
		},
		{
			name: "a link out of the tree is not followed", files: map[string]string{"head/.mcp-lint.json": savedServer, "secret.json": good},
			tune: func(_ *Engine, r *Request) { _ = os.Symlink("../secret.json", filepath.Join(r.Head, "tools.json")) },
			lint: report.ActionRequired, lock: report.Skipped,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			rv := review(t, trees(t, tt.files), tt.tune)
			lint, lock := rv.LintCheckRun(), rv.LockCheckRun()
			if lint.Conclusion != tt.lint || lock.Conclusion != tt.lock {
				t.Errorf("%s (%s), %s (%s)\nwant %s, %s\n%s", lint.Conclusion, lint.Title, lock.Conclusion, lock.Title, tt.lint, tt.lock, lint.Summary)
			}
			if tt.check != nil {
				tt.check(t, rv)
			}
		})
	}
}

// undescribed is the good tool with parameters that have no description.
func undescribed(parameters ...string) string {
	var properties []string
	for _, p := range parameters {
		properties = append(properties, `"`+p+`":{"type":"string"}`)
	}
	return strings.Replace(good, `{"type":"object","properties":{}}`, `{"type":"object","properties":{`+strings.Join(properties, ",")+`}}`, 1)
}

// grouped checks the one finding about undescribed parameters.
func grouped(t *testing.T, r *report.Review, items int, isNew bool) {
	t.Helper()
	found := 0
	for _, f := range r.Report.Servers[0].Findings {
		if f.Rule != "schema/missing-param-description" {
			continue
		}
		found++
		if len(f.Items) != items || f.New != isNew {
			t.Errorf("%q: %d items, new %v; want %d, %v", f.Message, len(f.Items), f.New, items, isNew)
		}
	}
	if found != 1 {
		t.Errorf("%d findings about undescribed parameters, want one for the tool", found)
	}
}

// Findings on a live server point at the lock's line, then at the entry, then
// at the config.
func TestPlaces(t *testing.T) {
	t.Parallel()
	e := func(files map[string]string) string {
		rv := review(t, trees(t, files), nil)
		for _, f := range rv.Report.Servers[0].Findings {
			return f.Location.File
		}
		return "no finding"
	}
	if got := e(map[string]string{"head/.mcp-lint.json": savedServer, "head/tools.json": bad}); got != "tools.json" {
		t.Errorf("saved snapshot: %s", got)
	}
	entry := launch.Server{Location: firstLine(".mcp.json")}
	rv := &auditing{}
	if got := rv.placeOf(entry, report.Place{}.Entity).File; got != ".mcp.json" {
		t.Errorf("entry: %s", got)
	}
	if got := rv.placeOf(launch.Server{}, report.Place{}.Entity).File; got != ".mcp-lint.json" {
		t.Errorf("config: %s", got)
	}
}

// What should be known is never lost: the bot, which has no Warn, logs it as
// progress.
func TestWarningsGoToWarnOrProgress(t *testing.T) {
	t.Parallel()
	var warned, told []string
	e := &Engine{Progress: func(line string) { told = append(told, line) }}
	e.warn("tides\u200b", []string{"paging is broken"})
	e.Warn = func(line string) { warned = append(warned, line) }
	e.warn("tides", []string{"standard output is not clean"})
	if len(told) != 1 || told[0] != `tides\u{200B}: paging is broken` || len(warned) != 1 || warned[0] != "tides: standard output is not clean" {
		t.Errorf("progress %q, warnings %q", told, warned)
	}
}

// Progress counts the servers that have answered, whatever they said.
func TestReviewTellsHowFarItIs(t *testing.T) {
	t.Parallel()
	files := map[string]string{"head/.mcp-lint.json": `{"servers": {"a": {"from": "tools.json"}, "b": {"from": "gone.json"}}}`, "head/tools.json": good}
	var (
		mu    sync.Mutex
		lines []string
	)
	review(t, trees(t, files), func(e *Engine, _ *Request) {
		e.Progress = func(line string) {
			mu.Lock()
			defer mu.Unlock()
			lines = append(lines, line)
		}
	})
	slices.Sort(lines)
	if want := []string{"1 of 2 servers asked", "2 of 2 servers asked"}; !slices.Equal(lines, want) {
		t.Errorf("%q, want %q", lines, want)
	}
}

// What a pull request adds to the context of a model is said where the base is
// known: from its lock, or from its saved list. Nothing is started for it.
func TestGrowth(t *testing.T) {
	t.Parallel()
	longer := strings.Replace(good, `{"type":"object","properties":{}}`, `{"type":"object","properties":{},"title":"`+strings.Repeat("x", 390)+`"}`, 1)
	for name, c := range map[string]struct {
		files map[string]string
		grew  int // tokens; -1 for nothing known
	}{
		"a saved list in the base": {map[string]string{"base/.mcp-lint.json": savedServer, "base/tools.json": good}, 100},
		"a lock in the base":       {map[string]string{"base/.mcp-lint.json": savedServer, "base/mcp-lint.lock": lockOf(t, "tides", good)}, 100},
		"the same":                 {map[string]string{"base/.mcp-lint.json": savedServer, "base/tools.json": longer}, 0},
		"a new server":             {map[string]string{"base/README": "x"}, -1},
		"no base":                  {nil, -1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{"head/.mcp-lint.json": savedServer, "head/tools.json": longer}
			maps.Copy(files, c.files)
			got := review(t, trees(t, files), nil).Growth
			if c.grew < 0 {
				if len(got) > 0 {
					t.Errorf("got %+v", got)
				}
				return
			}
			if len(got) != 1 || got[0].Key != "tides" || got[0].After-got[0].Before != c.grew {
				t.Errorf("got %+v, want %d tokens more", got, c.grew)
			}
		})
	}
}
