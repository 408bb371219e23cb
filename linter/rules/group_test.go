package rules_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/rules"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// A grouped finding can be worded again after the run, for all or some of its
// items: a rule must not lend describe what it uses again for the next tool.
func TestGroupsCanBeWordedAgain(t *testing.T) {
	t.Parallel()
	documents := [][]byte{[]byte(`[
		{"name":"a","description":"Books a crane.","inputSchema":{"properties":{"data":{},"harbour":{},"day":{}}}},
		{"name":"b","description":"Frees a crane.","inputSchema":{"properties":{"x":{},"y":{}}}}]`)}
	for _, r := range rules.All() {
		if !r.Last {
			documents = append(documents, []byte("["+r.Bad+"]"), []byte(r.Bad))
		}
	}
	// Real servers, where they are beside the repository.
	files, err := filepath.Glob("../../../shared/corpus/*@*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, data)
	}
	groups := 0
	for _, document := range documents {
		s, err := snapshot.Parse("group.json", document)
		if err != nil {
			continue // an example of another shape
		}
		for _, preset := range linter.Presets() {
			for _, f := range mustLinter(t, linter.Config{Preset: preset}).Lint(s).Findings {
				if len(f.Items) == 0 {
					continue
				}
				groups++
				again := f.Part(f.Items)
				if f.MoreItems == 0 && again.Message != f.Message || again.Severity != f.Severity || again.Fix != f.Fix || again.Fingerprint != f.Fingerprint {
					t.Errorf("%s on %s: %q (%s), then %q (%s)", f.Rule, f.Entity, f.Message, f.Severity, again.Message, again.Severity)
				}
				one := f.Part(f.Items[:1])
				if one.Message == "" || one.Severity == severity.Off || len(one.Items) != 1 {
					t.Errorf("%s on %s: %q for one of %d items", f.Rule, f.Entity, one.Message, len(f.Items))
				}
			}
		}
	}
	if groups < 2 {
		t.Errorf("%d groups tried", groups)
	}
}
