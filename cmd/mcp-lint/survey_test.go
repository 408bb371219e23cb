package main

import (
	"os"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/internal/audit"
	"github.com/mcp-lint/mcp-lint/internal/config"
	"github.com/mcp-lint/mcp-lint/internal/launch/advisory"
	"github.com/mcp-lint/mcp-lint/internal/launch/install"
)

// Our own survey can be repeated: every server of its list has an exact version
// and stands in its tables.
func TestOurSurveyCanBeRepeated(t *testing.T) {
	t.Parallel()
	const list = "../../docs/survey/servers.json"
	data, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	c, err := config.Parse(list, data, audit.Known(), "")
	if err != nil {
		t.Fatal(err)
	}
	tables, err := os.ReadFile("../../docs/SURVEY.md")
	if err != nil {
		t.Fatal(err)
	}
	bad, err := advisory.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	const least = 40
	if len(c.Servers) < least {
		t.Errorf("%d servers, expected at least %d", len(c.Servers), least)
	}
	for _, s := range c.Servers {
		if !strings.Contains(string(tables), "\n| `"+s.Key+"` | ") {
			t.Errorf("docs/SURVEY.md has no row for %s", s.Key)
		}
		for _, o := range install.Judge(s.Argv(), bad) {
			t.Errorf("%s: %s", s.Key, o.Message)
		}
	}
}
