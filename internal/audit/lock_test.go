package audit

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mcp-lint/mcp-lint/internal/config"
	"github.com/mcp-lint/mcp-lint/internal/launch"
	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/lockfile"
)

// The entry of a configured server, and what is looked up for a key and profile.
func TestLockKey(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ key, profile, want string }{
		{"files", "", "files"},
		{"files", "ci", "files@ci"},
		{"files@ci", "ci", "files@ci"},
		{"files@ci", "", "files@ci"},
		{"files@ci", "night", "files@ci@night"},
		{"@ci", "ci", "@ci@ci"}, // no server has an empty name
		{"@scope/files", "scope", "@scope/files@scope"},
	} {
		if got := LockKey(launch.Server{Key: tt.key, Profile: tt.profile}); got != tt.want {
			t.Errorf("%s under %q: %s, want %s", tt.key, tt.profile, got, tt.want)
		}
	}
}

// What the base's lock holds under the profile is what was known.
func TestReviewUnderAProfile(t *testing.T) {
	t.Parallel()
	const (
		config    = `{"servers": {"tides": {"from": "tools.json", "profile": "ci"}}}`
		unlimited = `{"lockFailOn": "error", "servers": {"tides": {"from": "tools.json", "profile": "ci"}}}`
	)
	locked := func(key, tools string) string {
		text := lockOf(t, key, tools)
		if strings.HasSuffix(key, "@ci") {
			text = strings.Replace(text, `"server": {`, `"profile": "ci",
      "server": {`, 1)
		}
		if _, err := lockfile.Read("", []byte(text)); err != nil {
			t.Fatal(err)
		}
		return text
	}
	for _, tt := range []struct {
		name, config, lock string
		lint, verdict      report.Conclusion
		kinds              []string
	}{
		{"the same", config, locked("tides@ci", bad), report.Success, report.Success, nil},
		{"a change", config, locked("tides@ci", good), report.Failure, report.Failure, []string{lockfile.KindDescriptionChanged}},
		{"another profile", config, locked("tides", bad), report.Failure, report.Failure, []string{lockfile.KindProfileMismatch}},
		{"another profile, of no weight", unlimited, locked("tides", bad), report.Failure, report.Success, []string{lockfile.KindProfileMismatch}},
		{"an entry that lost its profile", unlimited, lockOf(t, "tides@ci", bad), report.Success, report.ActionRequired, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			rv := review(t, trees(t, map[string]string{
				"head/.mcp-lint.json": tt.config, "head/tools.json": bad, "head/mcp-lint.lock": tt.lock, "base/mcp-lint.lock": tt.lock}), nil)
			if lint := rv.LintCheckRun().Conclusion; lint != tt.lint && tt.verdict != report.ActionRequired {
				t.Errorf("lint: %s, want %s", lint, tt.lint)
			}
			if lock := rv.LockCheckRun(); lock.Conclusion != tt.verdict {
				t.Errorf("lock: %s – %s, want %s", lock.Conclusion, lock.Title, tt.verdict)
			}
			var kinds []string
			if l := rv.Report.Servers[0].Lock; l != nil {
				for _, c := range l.Changes {
					kinds = append(kinds, c.Kind)
				}
			}
			if !slices.Equal(kinds, tt.kinds) {
				t.Errorf("changes %q, want %q", kinds, tt.kinds)
			}
			if tt.name == "a change" && rv.Lock.Places[0].Location.Line < 2 {
				t.Errorf("shown at %v", rv.Lock.Places[0])
			}
		})
	}
}

// Progress counts the servers that have answered, whatever they said.
func TestLockAllTellsHowFarItIs(t *testing.T) {
	t.Parallel()
	var servers []string
	for i := range 9 {
		servers = append(servers, fmt.Sprintf(`"s%d": {"from": "%d.json"}`, i, i%2)) // 1.json is not there
	}
	dir := trees(t, map[string]string{".mcp-lint.json": `{"servers": {` + strings.Join(servers, ",") + `}}`, "0.json": good})
	c, err := ReadConfig(dir)
	if err != nil {
		t.Fatal(err)
	}
	var (
		mu    sync.Mutex
		lines []string
	)
	e := &Engine{Version: "test", Progress: func(line string) {
		mu.Lock()
		defer mu.Unlock()
		lines = append(lines, line)
	}}
	o, err := e.LockAll(t.Context(), LockRequest{Path: filepath.Join(dir, "mcp-lint.lock"), Config: c}, dir)
	if err != nil {
		t.Fatal(err)
	}
	if o.Report.Summary.NotChecked != 4 || len(o.Servers) != 9 || !o.Servers[8].Written || o.Servers[7].Written {
		t.Errorf("%+v", o.Servers)
	}
	slices.Sort(lines)
	if len(lines) != 9 || lines[8] != "9 of 9 servers asked" {
		t.Errorf("%q", lines)
	}
}

// Entries that no program wrote are no reason to crash, and no way around a check.
func TestDamagedProfilesAreNeverClean(t *testing.T) {
	t.Parallel()
	locked := lockOf(t, "tides", good)
	damaged := strings.Replace(locked, `"server": {`, `"profile": "ci",
      "server": {`, 1)
	dir := trees(t, map[string]string{".mcp-lint.json": savedServer, "tools.json": good, "mcp-lint.lock": damaged})
	c, err := ReadConfig(dir)
	if err != nil {
		t.Fatal(err)
	}
	r := LockRequest{Path: filepath.Join(dir, "mcp-lint.lock"), Check: true, Config: c}
	o, err := (&Engine{Version: "test"}).LockAll(t.Context(), r, dir)
	if err != nil || o.Report.Summary.NotChecked != 1 {
		t.Errorf("%+v, %v", o, err)
	}
	for _, key := range []string{"", "tides", "tides@ci"} {
		r := LockRequest{Path: r.Path, Key: key, Check: true, Config: config.Default("")}
		if o, err := (&Engine{}).LockSaved(r, Document{Name: "f", Data: []byte(good)}); err == nil {
			t.Errorf("%q: %+v", key, o)
		}
	}
}

// A lock larger than any is refused before it is read.
func TestHugeLockIsRefused(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "mcp-lint.lock")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, maxFile+1); err != nil {
		t.Fatal(err)
	}
	for _, check := range []bool{true, false} {
		_, err := LockRequest{Path: path, Check: check}.read()
		if want := fmt.Sprintf("%s has %d bytes; at most %d are read", path, maxFile+1, maxFile); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
