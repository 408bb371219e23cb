package install_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/internal/launch/advisory"
	"github.com/mcp-lint/mcp-lint/internal/launch/install"
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/rules"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

func builtin(t testing.TB) *advisory.List {
	t.Helper()
	bad, err := advisory.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return bad
}

// readJSON decodes a file of testdata.
func readJSON(t testing.TB, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// expected is one entry of a case of the table: what it leaves out is open.
type expected struct{ Kind, Severity, Package string }

func (e expected) matches(f finding) bool {
	return e.Kind == f.kind && e.Severity == f.severity && (e.Package == "" || loose(e.Package) == loose(f.pkg))
}

type finding struct{ kind, severity, pkg string }

// judge is what is found of a command line under the default preset.
func judge(t testing.TB, argv []string, bad *advisory.List) []finding {
	t.Helper()
	return judgeUnder(t, linter.Recommended, argv, bad)
}

func judgeUnder(t testing.TB, preset linter.Preset, argv []string, bad *advisory.List) []finding {
	t.Helper()
	l, err := linter.New(rules.All(), linter.Config{Preset: preset})
	if err != nil {
		t.Fatal(err)
	}
	var found []finding
	for _, f := range l.Observe("server", install.Judge(argv, bad)...).Findings {
		kind := strings.ReplaceAll(strings.TrimPrefix(f.Rule, "launch/"), "-", "_")
		found = append(found, finding{kind, f.Severity.String(), f.Package})
		if !slices.Equal(f.Codes, []string{"I1"}) || f.Entity.Kind != snapshot.KindServer {
			t.Errorf("%+v", f)
		}
	}
	return found
}

func loose(name string) string {
	return strings.NewReplacer("-", "", "_", "", ".", "").Replace(strings.ToLower(name))
}

// The table of the first seed: every expected entry must be found, and nothing
// that is neither expected nor allowed.
func TestTableOfLaunchCases(t *testing.T) {
	t.Parallel()
	bad := builtin(t)
	var cases []struct {
		ID          string
		Command     []string
		Expect, May []expected
		Refused     bool
	}
	readJSON(t, "launch-cases.json", &cases)
	if len(cases) < 100 {
		t.Fatalf("%d cases", len(cases))
	}
	for _, c := range cases {
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			if found := judgeUnder(t, linter.SnapshotPreset, c.Command, bad); len(found) > 0 {
				t.Errorf("%q: the second seed finds nothing of this, but %+v", c.Command, found)
			}
			found := judgeUnder(t, linter.Agents, c.Command, bad)
			if ours := judge(t, c.Command, bad); !slices.Equal(ours, found) {
				t.Errorf("%q: recommended finds %+v, agents %+v", c.Command, ours, found)
			}
			for _, e := range c.Expect {
				if !slices.ContainsFunc(found, e.matches) {
					t.Errorf("%q: expected %+v, found %+v", c.Command, e, found)
				}
			}
			for _, f := range found {
				allowed := func(e expected) bool { return e.matches(f) }
				if !slices.ContainsFunc(c.Expect, allowed) && !slices.ContainsFunc(c.May, allowed) {
					t.Errorf("%q: %+v is not expected", c.Command, f)
				}
			}
			if reason, refused := install.Refused(c.Command, bad); refused != c.Refused {
				t.Errorf("%q: refused %t (%s)", c.Command, refused, reason)
			}
		})
	}
}

// The open cases: every server of a configuration, with its class and the
// packages that the finding must name.
func TestOpenCases(t *testing.T) {
	t.Parallel()
	bad := builtin(t)
	var all map[string]map[string]string
	readJSON(t, "cases/classes.json", &all)
	for file, classes := range all {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			var config struct {
				MCPServers map[string]struct {
					Command string
					Args    []string
				} `json:"mcpServers"`
			}
			readJSON(t, "cases/"+file, &config)
			if len(config.MCPServers) != len(classes) {
				t.Errorf("%d servers, %d classes", len(config.MCPServers), len(classes))
			}
			for key, server := range config.MCPServers {
				argv := append([]string{server.Command}, server.Args...)
				found := judge(t, argv, bad)
				class, wanted, _ := strings.Cut(classes[key], " ")
				ok := false
				for option := range strings.SplitSeq(class, "|") {
					switch option {
					case "fine":
						ok = ok || len(found) == 0
					case "info":
						ok = ok || len(found) == 1 && found[0].kind == "unparsed"
					default:
						ok = ok || len(found) > 0 && !slices.ContainsFunc(found, func(f finding) bool { return f.kind != option })
					}
				}
				for pkg := range strings.FieldsSeq(wanted) {
					ok = ok && slices.ContainsFunc(found, func(f finding) bool { return f.pkg == pkg })
				}
				if !ok {
					t.Errorf("%s: %q: found %+v, want %s", key, argv, found, classes[key])
				}
			}
		})
	}
}
