// Package mcplint_test holds the rules of the repository itself: which room may
// import which, and how long a file may be.
package mcplint_test

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/mcp-lint/mcp-lint/"

// rooms says which packages of this module each package may import. A package
// that is not named here fails the test, so that a new room is a decision.
// cmd/* and scripts/* may import everything.
var rooms = map[string][]string{
	"linter/severity": {},
	"linter/snapshot": {},
	"linter":          {"linter/severity", "linter/snapshot"},
	"linter/rules": {"linter", "linter/severity", "linter/snapshot",
		"linter/rules/internal/prose", "linter/rules/internal/schemacheck", "linter/rules/internal/similar"},

	"linter/rules/internal/prose":       {"linter/severity"},
	"linter/rules/internal/schemacheck": {"linter/snapshot"},
	"linter/rules/internal/similar":     {},

	"linter/report": {"linter", "linter/severity", "linter/snapshot", "lockfile"},
	"lockfile":      {"linter/severity", "linter/snapshot"},

	"docs": {},

	"internal/registry":              {"linter/snapshot", "internal/source"},
	"internal/registry/registrytest": {},
	"internal/launch/pin": {"linter/snapshot", "internal/jsonc", "internal/launch", "internal/launch/advisory", "internal/launch/install",
		"internal/registry"},

	"checks":  {"linter/report", "linter/severity", "linter/snapshot", "internal/githubapp"},
	"webhook": {"internal/queue", "internal/store", "internal/trigger"},

	"internal/jsonc":           {"linter", "linter/snapshot"},
	"internal/launch":          {"linter", "linter/snapshot", "internal/jsonc"},
	"internal/launch/advisory": {},
	"internal/launch/install":  {"linter", "linter/severity", "linter/snapshot", "internal/launch/advisory"},
	"internal/config":          {"linter", "linter/severity", "linter/snapshot", "internal/jsonc", "internal/launch"},
	"internal/sandbox":         {},
	"internal/sandbox/fetch":   {"internal/sandbox"},
	"internal/collect":         {"linter/snapshot", "internal/sandbox", "internal/sandbox/fetch"},
	"internal/source":          {},
	"internal/version":         {},
	"internal/audit": {"linter", "linter/rules", "linter/report", "linter/severity", "linter/snapshot", "lockfile",
		"internal/launch", "internal/launch/advisory", "internal/launch/install", "internal/collect", "internal/config", "internal/sandbox"},
	"internal/store":       {},
	"internal/queue":       {},
	"internal/trigger":     {"internal/queue", "internal/store"},
	"internal/githubapp":   {},
	"internal/githubtest":  {},
	"internal/browsertest": {},
	"internal/worker": {"checks", "linter", "linter/report", "linter/rules", "internal/audit", "internal/githubapp",
		"internal/queue", "internal/sandbox", "internal/source", "internal/store", "internal/trigger"},
}

// maxLines is the ceiling for a hand-written file.
const maxLines = 600

func TestRoomsImportOnlyWhatTheyMay(t *testing.T) {
	t.Parallel()
	for line := range strings.Lines(goList(t, "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...")) {
		pkg, imports, _ := strings.Cut(strings.TrimSpace(line), " ")
		room := strings.TrimPrefix(pkg+"/", module)
		room = strings.TrimSuffix(room, "/")
		if room == "" || strings.HasPrefix(room, "cmd/") || strings.HasPrefix(room, "scripts/") || pkg+"/" == module {
			continue
		}
		allowed, known := rooms[room]
		if !known {
			t.Errorf("package %s is in no room: add it to the table with what it may import", room)
			continue
		}
		for _, imported := range strings.Fields(imports) {
			inner, ours := strings.CutPrefix(imported, module)
			if ours && !slices.Contains(allowed, inner) {
				t.Errorf("%s may not import %s", room, inner)
			}
		}
	}
}

// The heart judges values; it must not be able to reach anything else.
func TestPureCoreReachesNoEffects(t *testing.T) {
	t.Parallel()
	core := []string{"./linter", "./linter/snapshot", "./linter/severity", "./linter/rules", "./linter/report", "./lockfile"}
	deps := strings.Fields(goList(t, append([]string{"-deps"}, core...)...))
	for _, effect := range []string{"net/http", "os/exec", "database/sql", "github.com/google/go-github/v66/github"} {
		if slices.Contains(deps, effect) {
			t.Errorf("the core depends on %s", effect)
		}
	}
}

func TestFilesStayShort(t *testing.T) {
	t.Parallel()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata" || d.Name() == "node_modules") {
			return filepath.SkipDir
		}
		if !d.Type().IsRegular() || filepath.Ext(path) != ".go" {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if lines := bytes.Count(data, []byte("\n")); lines > maxLines && !generated(data) {
			t.Errorf("%s has %d lines; the ceiling is %d", path, lines, maxLines)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func generated(src []byte) bool {
	head, _, _ := bytes.Cut(src, []byte("\npackage "))
	return bytes.Contains(head, []byte("// Code generated ")) && bytes.Contains(head, []byte(" DO NOT EDIT."))
}

func goList(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list"}, args...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.String())
	}
	return string(out)
}
