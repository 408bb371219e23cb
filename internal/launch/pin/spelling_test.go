package pin

import (
	"errors"
	"testing"

	"github.com/mcp-lint/mcp-lint/internal/launch/install"
	"github.com/mcp-lint/mcp-lint/internal/registry"
)

// Repositories by their short names are asked for where they are, and keep their
// names.
func TestGitAddresses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ runner, word, clone, ref, after string }{
		{"npx", "github:o/r", "https://github.com/o/r.git", "", "github:o/r#SHA"},
		{"npm exec", "github:o/r#v1", "https://github.com/o/r.git", "v1", "github:o/r#SHA"},
		{"bun x", "o/r#feature/x", "https://github.com/o/r.git", "feature/x", "o/r#SHA"},
		{"pnpm dlx", "gitlab:o/r.git", "https://gitlab.com/o/r.git", "", "gitlab:o/r.git#SHA"},
		{"npx", "bitbucket:o/r#semver:^1", "https://bitbucket.org/o/r.git", "semver:^1", "bitbucket:o/r#SHA"},
		{"npx", "git+https://h.example/r.git#main", "https://h.example/r.git", "main", "git+https://h.example/r.git#SHA"},
		{"uvx", "git+https://h.example/o/r@v1", "https://h.example/o/r", "v1", "git+https://h.example/o/r@SHA"},
		{"pip install", "x@git+https://h.example/o/r#egg=x", "https://h.example/o/r", "", "x@git+https://h.example/o/r@SHA#egg=x"},
		{"npx", "tides@github:o/r#main", "https://github.com/o/r.git", "main", "tides@github:o/r#SHA"},
		{"npx", "@a/tides@o/r", "https://github.com/o/r.git", "", "@a/tides@o/r#SHA"},
		{"npx", "tides@git+https://h.example/r.git", "https://h.example/r.git", "", "tides@git+https://h.example/r.git#SHA"},
		{"npx", "git@h.example:o/r.git", "git@h.example:o/r.git", "", "git@h.example:o/r.git#SHA"}, // no registry answers that
		{"npx", "github:o/r#main::path:x", "", "", ""},
		{"uvx", "x git+https://h.example/o/r", "", "", ""},
		{"uvx", "git+https://h.example", "", "", ""},
		{"nix run", "github:o/r/main", "", "", ""},
	} {
		ask, spell, err := spelling(install.Package{Ecosystem: install.Git, Runner: tt.runner}, tt.word)
		switch {
		case tt.clone == "" && !errors.Is(err, errSpelling):
			t.Errorf("%s %s: %+v, %v", tt.runner, tt.word, ask, err)
		case tt.clone == "":
		case err != nil || ask != (registry.Package{Ecosystem: registry.EcosystemGit, Name: tt.clone, Spec: tt.ref}) || spell("SHA") != tt.after:
			t.Errorf("%s %s: %+v, %v", tt.runner, tt.word, ask, err)
		}
	}
}
