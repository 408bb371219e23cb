package pin_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/internal/launch"
)

// The changed file is read again, and one that says anything else is not given
// out, however that came to be.
func TestWhatElseChangesIsNoticed(t *testing.T) {
	t.Parallel()
	_, p := start(t)
	before := []byte(`{"mcpServers": {"a": {"command": "npx", "args": ["tides"], "env": {"A": "x"}, "cwd": "y"}, "b": {"url": "https://example.com"}}}`)
	for name, tamper := range map[string]func([]launch.Server) []launch.Server{
		"a variable":       func(s []launch.Server) []launch.Server { s[0].Env["A"] = "z"; return s },
		"a folder":         func(s []launch.Server) []launch.Server { s[0].Cwd = "z"; return s },
		"another word":     func(s []launch.Server) []launch.Server { s[0].Command = "bunx"; return s },
		"a further word":   func(s []launch.Server) []launch.Server { s[0].Args = append(s[0].Args, "z"); return s },
		"the version":      func(s []launch.Server) []launch.Server { s[0].Args[0] = "tides"; return s },
		"another entry":    func(s []launch.Server) []launch.Server { s[1].URL = "https://example.org"; return s },
		"an entry is gone": func(s []launch.Server) []launch.Server { return s[:1] },
	} {
		tampered := *p
		tampered.Read = func(file string, data []byte) ([]launch.Server, error) {
			servers, err := launch.ReadClientFile(file, data)
			if !bytes.Equal(data, before) {
				servers = tamper(servers)
			}
			return servers, err
		}
		result, err := tampered.File(t.Context(), "mcp.json", before)
		if err == nil || !strings.Contains(err.Error(), "so it stays as it is") || result.Data != nil {
			t.Errorf("%s: %s, %v", name, result.Data, err)
		}
	}
}
