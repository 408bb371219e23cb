package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// upgrade is a step in the history of a real server, from a version that is
// locked to one that is checked. testdata/history has what both said.
type upgrade struct{ server, from, to string }

func (u upgrade) golden() string { return u.path(u.from + "-to-" + u.to + ".txt") }

func (u upgrade) path(name string) string {
	return filepath.Join("testdata", "history", u.server, name)
}

// upgrades are in the order of docs/verdicts.md, where each is judged.
func upgrades() []upgrade {
	return []upgrade{
		{"filesystem", "2025.8.21", "2025.11.25"},
		{"filesystem", "2025.8.21", "2025.8.21-reinstalled"},
		{"filesystem", "2025.11.25", "2026.8.31"},
		{"memory", "2025.8.4", "2025.11.25"},
		{"git", "0.6.2", "2025.9.25"},
		{"git", "2025.9.25", "2026.10.19"},
		{"time", "2025.9.25", "2026.10.19"},
		{"fetch", "2025.4.7", "2026.10.24"},
		{"notion", "2.2.1", "2.5.2"},
		{"playwright", "0.0.40", "0.0.70"},
		{"playwright", "0.0.70", "0.0.83"},
		{"chrome-devtools", "0.10.2", "1.11.0"},
		{"context7", "1.0.33", "2.1.8"},
		{"context7", "2.1.8", "4.1.1"},
		{"tavily", "0.2.10", "0.2.22"},
		{"duckduckgo", "0.1.1", "0.7.0"},
		{"awsdocs", "1.1.0", "1.2.3"},
		{"desktop-commander", "0.2.10", "0.2.52"},
	}
}

// TestHistory locks an old version of each server, checks a newer one, and
// compares what a reviewer reads with the golden files, and their numbers with
// the table in docs/verdicts.md.
//
// When the words change, "go test ./cmd/mcp-lint -run TestHistory -update"
// writes all of that again; read the diff, and the verdicts beside the table.
func TestHistory(t *testing.T) {
	t.Parallel()
	var table strings.Builder
	for _, u := range upgrades() {
		words, changes := u.check(t)
		compareGolden(t, u.golden(), words)
		fmt.Fprintf(&table, "| %s | %s → %s | %d | %d | %d | %d | %d |\n", u.server, u.from, u.to,
			changes[severity.Error]+changes[severity.Warning]+changes[severity.Info],
			changes[severity.Error], changes[severity.Warning], changes[severity.Info], strings.Count(words, "\n"))
	}
	compareTable(t, "../../docs/verdicts.md", table.String())
}

// check returns what is printed about an upgrade, and its changes counted.
func (u upgrade) check(t *testing.T) (words string, changes map[severity.Level]int) {
	t.Helper()
	f := newFolder(t)
	lock, out := f.path("mcp-lint.lock"), f.path("out.json")
	if code, _, stderr := mcpLint(t, "", "lock", "--lock", lock, "--name", u.server, "--from", u.path(u.from+".json")); code != exitClean {
		t.Fatalf("%v: locking: exit %d\n%s", u, code, stderr)
	}
	code, words, stderr := mcpLint(t, "", "lock", "--check", "--lock", lock, "--name", u.server, "--from", u.path(u.to+".json"), "--json", out)
	if code != exitFindings {
		t.Fatalf("%v: checking: exit %d\n%s", u, code, stderr)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	r, err := report.ReadJSON(strings.NewReader(string(data)))
	if err != nil {
		t.Fatal(err)
	}
	changes = map[severity.Level]int{}
	for _, c := range r.Servers[0].Lock.Changes {
		changes[c.Severity]++
	}
	return words, changes
}

// compareGolden compares a text with a golden file.
func compareGolden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s: run with -update if this is wanted, -want +got:\n%s", file, diff)
	}
}

// compareTable compares the rows of the table of upgrades in a page.
func compareTable(t *testing.T, file, rows string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	place := regexp.MustCompile(`(?m)^(\| server \| from → to \|.*\n\|[-| ]*\|\n)((?:\|.*\n)*)`).FindStringSubmatchIndex(page)
	if place == nil {
		t.Fatalf("%s has no table of upgrades", file)
	}
	start, end := place[4], place[5]
	if page[start:end] == rows {
		return
	}
	if !*update {
		t.Errorf("%s: run with -update, -want +got:\n%s", file, cmp.Diff(page[start:end], rows))
		return
	}
	if err := os.WriteFile(file, []byte(page[:start]+rows+page[end:]), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Nothing lies in testdata/history that no upgrade uses.
func TestHistoryFilesAreUsed(t *testing.T) {
	t.Parallel()
	used := []string{filepath.Join("testdata", "history", "README.md")}
	for _, u := range upgrades() {
		used = append(used, u.path(u.from+".json"), u.path(u.to+".json"), u.golden())
	}
	err := filepath.WalkDir(filepath.Join("testdata", "history"), func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !slices.Contains(used, path) {
			t.Errorf("%s is used by no upgrade", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
