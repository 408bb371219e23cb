package linter_test

import (
	"testing"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// seenOnly is a rule whose findings come from elsewhere.
func seenOnly(id string, l severity.Level) linter.Rule {
	return linter.Rule{ID: id, Severity: everywhere(l), Codes: []string{"I1"}}
}

var unpinned = linter.Observation{
	Rule: "launch/unpinned", Message: "tides has no exact version", Fix: "Write tides@1.0.0.", Package: "tides", Subject: "tides",
	Location: snapshot.Location{File: ".mcp.json", Line: 3, Column: 7},
}

func TestObservationsAreJudgedLikeFindings(t *testing.T) {
	t.Parallel()
	const document = `{"serverInfo":{"name":"harbor"},"tools":[{"name":"a"}]}`
	rule := seenOnly("launch/unpinned", severity.Warning)
	seen := []linter.Observation{unpinned, {Rule: "launch/unpinned", Entity: snapshot.Ref{Kind: snapshot.KindTool, Name: "a"}, Message: "odd"}}

	result := newLinter(t, linter.Config{}, rule).Lint(parse(t, document), seen...)
	if len(result.Findings) != 2 || result.Quality.Score != 100 {
		t.Fatalf("%+v, quality %d; want two findings, which cost no score", result.Findings, result.Quality.Score)
	}
	onServer := result.Findings[1]
	if onServer.Severity != severity.Warning || onServer.Codes[0] != "I1" || onServer.Package != "tides" ||
		onServer.Location.File != ".mcp.json" || onServer.Location.Line != 3 || onServer.Entity.Name != "harbor" || !onServer.New {
		t.Errorf("%+v", onServer)
	}
	if at := result.Findings[0].Location; at.File != "test.json" {
		t.Errorf("without a place of its own it is that of the entity: %+v", at)
	}

	alone := newLinter(t, linter.Config{}, rule).Observe("key", unpinned)
	if len(alone.Findings) != 1 || alone.Findings[0].Fingerprint != onServer.Fingerprint {
		t.Errorf("%+v: the fingerprint must not depend on whether the server could be asked", alone.Findings)
	}
}

func TestTheConfigurationDecidesAboutObservations(t *testing.T) {
	t.Parallel()
	rule := seenOnly("launch/unpinned", severity.Warning)
	for name, c := range map[string]struct {
		config     linter.Config
		found      int
		level      severity.Level
		suppressed bool
	}{
		"off":        {linter.Config{Rules: map[string]severity.Level{rule.ID: severity.Off}}, 0, 0, false},
		"error":      {linter.Config{Rules: map[string]severity.Level{rule.ID: severity.Error}}, 1, severity.Error, false},
		"suppressed": {linter.Config{Suppress: []linter.Suppression{{Rule: rule.ID, Server: "key", Reason: "ours"}}}, 1, severity.Warning, true},
		"ignored":    {linter.Config{IgnoreTools: []string{"a"}}, 1, severity.Warning, false},
	} {
		tool := linter.Observation{Rule: "launch/unknown", Message: "no such rule"}
		got := newLinter(t, c.config, rule).Observe("key", unpinned, tool).Findings
		if len(got) != c.found {
			t.Fatalf("%s: %+v", name, got)
		}
		if c.found > 0 && (got[0].Severity != c.level || (got[0].Suppressed != nil) != c.suppressed) {
			t.Errorf("%s: %+v", name, got[0])
		}
	}
	ignoring := newLinter(t, linter.Config{IgnoreTools: []string{"a"}}, rule)
	if got := ignoring.Observe("key", linter.Observation{Rule: rule.ID, Entity: snapshot.Ref{Kind: snapshot.KindTool, Name: "a"}}).Findings; len(got) != 0 {
		t.Errorf("an ignored tool: %+v", got)
	}
}

// What is about something that is switched off is one level less severe, unless
// the configuration has given the rule a severity.
func TestObservationsOfWhatIsSwitchedOff(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ preset, own, config, want severity.Level }{
		{severity.Error, severity.Off, severity.Off, severity.Warning},
		{severity.Warning, severity.Off, severity.Off, severity.Info},
		{severity.Info, severity.Off, severity.Off, severity.Info},
		{severity.Warning, severity.Error, severity.Off, severity.Warning},
		{severity.Warning, severity.Off, severity.Error, severity.Error},
	} {
		var config linter.Config
		if tt.config != severity.Off {
			config.Rules = map[string]severity.Level{"launch/unpinned": tt.config}
		}
		seen := unpinned
		seen.Severity, seen.Lower = tt.own, true
		got := newLinter(t, config, seenOnly("launch/unpinned", tt.preset)).Observe("key", seen).Findings
		if len(got) != 1 || got[0].Severity != tt.want {
			t.Errorf("%+v: %+v", tt, got)
		}
	}
}
