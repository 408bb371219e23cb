package main

import (
	"strings"
	"testing"

	"github.com/tailscale/hujson"

	"github.com/mcp-lint/mcp-lint/internal/audit"
	"github.com/mcp-lint/mcp-lint/internal/config"
	"github.com/mcp-lint/mcp-lint/internal/launch"
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// What init writes is valid for the program and for editors, says what holds
// without it, and stays so whatever a client's file calls its servers.
func TestFirstConfigIsValid(t *testing.T) {
	t.Parallel()
	schema := published(t, "mcp-lint.schema.json")
	hostile := []string{"", "tides", "a\nb", "*/", "\u2028\"x\": 1,", "\x1b[31m", "\U000e0041", strings.Repeat("long ", 40), "\r{", "\xff"}
	var servers []launch.Server
	for range 5 {
		for _, name := range hostile {
			servers = append(servers, launch.Server{Key: name, Location: snapshot.Location{File: ".mcp.json"}})
		}
	}
	for _, found := range [][]launch.Server{nil, servers[:1], servers} {
		for _, preset := range linter.Presets() {
			text := firstConfig(preset, found)
			got, err := config.Parse(".mcp-lint.json", []byte(text), audit.Known(), "")
			if err != nil {
				t.Fatalf("%v in\n%s", err, text)
			}
			want := config.Default(preset)
			if got.Linter.Preset != preset || got.FailOn != want.FailOn || got.MinScore != want.MinScore || got.Servers != nil {
				t.Errorf("%s: %+v", preset, got)
			}
			plain, err := hujson.Standardize([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(decoded(t, string(plain))); err != nil {
				t.Errorf("%v in\n%s", err, text)
			}
			if strings.ContainsAny(text, "\x1b\r\u2028\U000e0041") {
				t.Errorf("hidden characters in\n%q", text)
			}
		}
	}
}

// What is commented out is valid as well once somebody takes the signs away.
func TestFirstConfigShowsWhatWorks(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for line := range strings.Lines(firstConfig(linter.Recommended, nil)) {
		text := strings.TrimLeft(line, " ")
		if code, isComment := strings.CutPrefix(text, "// "); isComment && strings.ContainsAny(strings.TrimLeft(code, " ")[:1], `"{}`) {
			line = code
		}
		b.WriteString(line)
	}
	c, err := config.Parse("f", []byte(b.String()), audit.Known(), "")
	if err != nil {
		t.Fatalf("%v in\n%s", err, &b)
	}
	if len(c.Servers) != 2 || len(c.Linter.Suppress) != 1 || len(c.Linter.Rules) != 1 {
		t.Errorf("the examples are not read: %+v\n%s", c, &b)
	}
}
