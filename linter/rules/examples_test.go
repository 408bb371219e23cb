package rules_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcp-lint/mcp-lint/internal/launch"
	"github.com/mcp-lint/mcp-lint/internal/launch/advisory"
	"github.com/mcp-lint/mcp-lint/internal/launch/install"
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/rules"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// exampleServer is what an example of configuration is tried on: one tool with
// a description that is too short.
const exampleServer = `[{"name":"water_level","description":"Water level of the basin","inputSchema":{"type":"object","properties":{}}}]`

// lintExample runs an example of a rule: a tool, a snapshot, or configuration.
func lintExample(t *testing.T, preset linter.Preset, example string) []linter.Finding {
	t.Helper()
	var keys map[string]json.RawMessage
	if err := json.Unmarshal([]byte(example), &keys); err != nil {
		t.Fatalf("example is no JSON object: %v\n%s", err, example)
	}
	config, document := linter.Config{Preset: preset, Today: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)}, example
	switch {
	case keys["command"] != nil, keys["url"] != nil:
		return lintEntry(t, config, example)
	case keys["suppress"] != nil:
		if err := json.Unmarshal(keys["suppress"], &config.Suppress); err != nil {
			t.Fatal(err)
		}
		document = exampleServer
	case keys["options"] != nil:
		if err := json.Unmarshal(keys["options"], &config.Options); err != nil {
			t.Fatal(err)
		}
	case !isSnapshot(keys):
		document = "[" + example + "]"
	}
	s := mustParse(t, []byte(document))
	s.Key = "example"
	var live []linter.Finding
	for _, f := range mustLinter(t, config).Lint(s).Findings {
		if f.Suppressed == nil {
			live = append(live, f)
		}
	}
	return live
}

// lintEntry judges an entry of a client's configuration file by how it starts a
// server and how it is written.
func lintEntry(t *testing.T, config linter.Config, entry string) []linter.Finding {
	t.Helper()
	servers, err := launch.ReadClientFile(".mcp.json", []byte(`{"mcpServers":{"example":`+entry+`}}`))
	if err != nil {
		t.Fatal(err)
	}
	bad, err := advisory.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	seen := launch.Observe(servers[0])
	if servers[0].Invalid == nil {
		seen = append(seen, install.Judge(servers[0].Argv(), bad)...)
	}
	return mustLinter(t, config).Observe("example", seen...).Findings
}

func isSnapshot(keys map[string]json.RawMessage) bool {
	return keys["tools"] != nil || keys["prompts"] != nil || keys["resources"] != nil || keys["resourceTemplates"] != nil
}

// playedElsewhere names, by category, the tests that run the examples of rules
// without a check, whose findings come from what others saw.
func playedElsewhere() map[string]string {
	return map[string]string{"server": "TestExamplesOfServerRules of internal/collect"}
}

func TestExamplesOfEveryRule(t *testing.T) {
	t.Parallel()
	for _, rule := range rules.All() {
		if playedElsewhere()[rule.Category()] != "" {
			continue
		}
		t.Run(rule.ID, func(t *testing.T) {
			t.Parallel()
			preset := linter.Recommended
			switch {
			case rule.Severity.Recommended == severity.Off:
				preset = linter.Agents
			case rule.ID == "description/too-long":
				preset = linter.SnapshotPreset // recommended has it for a limit of the user's
			}
			fired := false
			for _, f := range lintExample(t, preset, rule.Bad) {
				// Where an example is about configuration, what it lets through is
				// there as well; where it is for agents, S3 comes with S2.
				beside := rule.Last && f.Rule == "description/too-short" ||
					rule.ID == "schema/vague-param" && f.Rule == "schema/missing-param-description"
				fired = fired || f.Rule == rule.ID
				if f.Rule != rule.ID && !beside {
					t.Errorf("the bad example also gives %s: %s", f.Rule, f.Message)
				}
			}
			if !fired {
				t.Error("the bad example does not fire")
			}
			for _, f := range lintExample(t, preset, rule.Good) {
				t.Errorf("the good example gives %s: %s", f.Rule, f.Message)
			}
		})
	}
}

func TestMetadataIsComplete(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, r := range rules.All() {
		switch {
		case seen[r.ID]:
			t.Errorf("%s is there twice", r.ID)
		case r.Category() == "" || r.Category() == r.ID || strings.ToLower(r.ID) != r.ID:
			t.Errorf("%s is no category/name", r.ID)
		case r.Title == "" || strings.HasSuffix(r.Title, ".") || r.Why == "" || r.Since == "" || len(r.References)+len(r.Clients) == 0:
			t.Errorf("%s lacks title, why, since or references, or its title ends with a stop", r.ID)
		case r.Severity == (linter.Severities{}):
			t.Errorf("%s is in no preset", r.ID)
		case (r.CheckTool == nil && r.Check == nil) != (playedElsewhere()[r.Category()] != "" || rules.IsAboutEntries(r.ID)):
			t.Errorf("%s checks nothing itself, or its category is one of rules that do not", r.ID)
		case r.Category() == "injection" && r.SecuritySeverity == 0:
			t.Errorf("%s is a security rule without security severity", r.ID)
		}
		seen[r.ID] = true
		for _, ref := range r.References {
			if !strings.HasPrefix(ref, "https://") {
				t.Errorf("%s: reference %q is no https URL", r.ID, ref)
			}
			if slices.ContainsFunc(r.Clients, func(fact linter.ClientFact) bool { return fact.Source == ref }) {
				t.Errorf("%s: %s is the source of a fact and a reference", r.ID, ref)
			}
		}
	}
}

// The order decides ties between findings of the second seed.
func TestRegistryStartsInTheSecondSeedsOrder(t *testing.T) {
	t.Parallel()
	var ids []string
	for _, r := range rules.All() {
		if r.Severity.Snapshot != severity.Off {
			ids = append(ids, r.ID)
		}
	}
	want := []string{
		"schema/missing-input-schema", "schema/invalid-input-schema", "schema/invalid-output-schema",
		"schema/missing-param-description", "schema/untyped-param", "schema/unknown-required",
		"description/missing", "description/too-short", "description/too-long", "description/vague",
		"injection/instruction-phrases", "injection/hidden-unicode", "injection/hidden-markup", "injection/sensitive-reference",
		"capability/shell-exec", "capability/unconstrained-file-write",
		"capability/unconstrained-network", "capability/missing-annotations",
		"naming/invalid-tool-name", "naming/duplicate-name", "naming/inconsistent-style",
	}
	if !slices.Equal(ids, want) {
		t.Errorf("order %v; want %v", ids, want)
	}
}
