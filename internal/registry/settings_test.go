package registry_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcp-lint/mcp-lint/internal/registry"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestSettings(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	write(t, home+"/.npmrc", "registry=https://npm.file.example/\n@a:registry=https://u:p@a.example/x/?y#z\n#@b:registry=https://b.example\n")
	write(t, home+"/.config/go/env", "GOPROXY=https://go.file.example\nGOPRIVATE=*.acme.example\n")
	for name, tt := range map[string]struct {
		environment map[string]string
		want        registry.Settings
	}{
		"nothing set": {nil, registry.Settings{
			NPM: "https://registry.npmjs.org", NPMScopes: map[string]string{}, PyPI: []string{"https://pypi.org/simple"}, Go: "https://proxy.golang.org,direct",
		}},
		"the operator's files": {map[string]string{"HOME": home}, registry.Settings{
			NPM: "https://npm.file.example", NPMScopes: map[string]string{"@a": "https://a.example/x"},
			PyPI: []string{"https://pypi.org/simple"}, Go: "https://go.file.example", GoPrivate: "*.acme.example",
		}},
		"the environment wins": {map[string]string{
			"HOME": home, "NPM_CONFIG_REGISTRY": "https://npm.example", "GOPROXY": "off", "GONOPROXY": "x.example",
			"UV_DEFAULT_INDEX": "https://u:p@one.example/simple/", "PIP_INDEX_URL": "https://two.example/",
		}, registry.Settings{
			NPM: "https://npm.example", NPMScopes: map[string]string{"@a": "https://a.example/x"},
			PyPI: []string{"https://one.example/simple"}, Go: "off", GoPrivate: "x.example",
		}},
	} {
		got, err := registry.FromEnvironment(lookup(tt.environment))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	for _, bad := range []map[string]string{
		{"npm_config_registry": "file:///hunter22"},
		{"UV_INDEX_URL": "hunter22"},
		{"UV_DEFAULT_INDEX": "https://u:hunter22@/"},
	} {
		if _, err := registry.FromEnvironment(lookup(bad)); err == nil || strings.Contains(err.Error(), "hunter22") {
			t.Errorf("%v: %v", bad, err)
		}
	}
}
