package rules_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mcp-lint/mcp-lint/linter"
)

// TestBenignCorpusStaysSilent: what honest servers say, in our own words, of
// the kinds that other linters misjudge. Each file is a snapshot in which
// preset recommended finds nothing at all.
func TestBenignCorpusStaysSilent(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("testdata", "benign", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no benign corpus (%v)", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s := mustParse(t, data)
			s.Key = "benign"
			for _, f := range mustLinter(t, linter.Config{}).Lint(s).Findings {
				t.Errorf("%s %s on %s%s: %s", f.Severity, f.Rule, f.Entity, f.Path, f.Message)
			}
		})
	}
}
