package registry_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/internal/registry"
	"github.com/mcp-lint/mcp-lint/internal/registry/registrytest"
)

func TestOCI(t *testing.T) {
	t.Parallel()
	server, r := start(t)
	const manifest, silent = `{"schemaVersion": 2, "manifests": []}`, `{"schemaVersion": 2, "comment": "digest left out"}`
	server.Images["foundry/mcp:latest"] = manifest
	server.Images["foundry/mcp:2.0.1"] = silent
	ask(t, r, registry.EcosystemOCI, []question{
		{server.Host() + "/foundry/mcp", "", registrytest.Digest(manifest)},
		{server.Host() + "/foundry/mcp", "2.0.1", registrytest.Digest(silent)},
		{server.Host() + "/foundry/mcp", "3", "!the registry has no image " + server.Host() + "/foundry/mcp:3"},
		{server.Host() + "/other", "", "!the registry has no image"},
		{server.Host() + "/foundry/mcp:1", "", "!its name is none that a container image can have"},
		{server.Host() + "/Foundry", "", "!its name is none that a container image can have"},
		{server.Host() + "/foundry/mcp", "a b", "!its tag is none that a container image can have"},
		{"", "", "!its name is none that a container image can have"},
	})
}

// A registry says where tokens are given out. It does not get us to ask other
// services for it.
func TestOCIRealmElsewhere(t *testing.T) {
	t.Parallel()
	registryServer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", `Bearer realm="file:///etc/passwd",service="x"`)
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer registryServer.Close()
	r := resolvers(t, nil)
	name := strings.TrimPrefix(registryServer.URL, "http://") + "/x"
	if got, err := r.Resolve(t.Context(), registry.Package{Ecosystem: registry.EcosystemOCI, Name: name}); err == nil {
		t.Errorf("%s", got)
	}
}
