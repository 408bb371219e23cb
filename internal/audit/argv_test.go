package audit

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/mcp-lint/mcp-lint/internal/launch"
)

func TestArgv(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("paths with slashes")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "my tool"), nil, 0o755); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"HOME": "/home/ann", "WORDS": "a b"}
	expand := func(text string) string {
		return launch.Expand(text, func(name string) (string, bool) { v, ok := env[name]; return v, ok }, func(string) {})
	}
	for name, tt := range map[string]struct {
		server launch.Server
		want   []string
	}{
		"plain":                 {launch.Server{Command: "node", Args: []string{"a b"}}, []string{"node", "a b"}},
		"home":                  {launch.Server{Command: "~/bin/x"}, []string{"/home/ann/bin/x"}},
		"home as a variable":    {launch.Server{Command: "$HOME/bin/x"}, []string{"/home/ann/bin/x"}},
		"another user's home":   {launch.Server{Command: "~bob/bin/x"}, []string{"~bob/bin/x"}},
		"another variable":      {launch.Server{Command: "$HOMES/x"}, []string{"$HOMES/x"}},
		"arguments stay":        {launch.Server{Command: "x", Args: []string{"~/data", "$HOME/y"}}, []string{"x", "~/data", "$HOME/y"}},
		"command line":          {launch.Server{Command: `~/bin/x --name "two words" ${WORDS}`}, []string{"/home/ann/bin/x", "--name", "two words", "a b"}},
		"blanks with arguments": {launch.Server{Command: "a b", Args: []string{"c"}}, []string{"a b", "c"}},
		"a file with a blank":   {launch.Server{Command: "./my tool"}, []string{"./my tool"}},
		"no such file":          {launch.Server{Command: "./my tools"}, []string{"./my", "tools"}},
		"blanks only":           {launch.Server{Command: "  "}, []string{"  "}},
		"typed":                 {launch.Server{Command: "~/a b", Literal: true}, []string{"~/a b"}},
	} {
		got, failure := argv(tt.server, dir, expand)
		if failure != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q (%v), want %q", name, got, failure, tt.want)
		}
	}
	if _, failure := argv(launch.Server{Command: `x "y`}, dir, expand); failure == nil {
		t.Error("an open quotation mark is no error")
	}
}
