package registry_test

import (
	"net/http"
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

// A registry says where tokens are given out. It does not get us to ask a
// cloud's metadata service, or this machine, for one.
func TestOCIRealmElsewhere(t *testing.T) {
	t.Parallel()
	for _, realm := range []string{
		"https://169.254.169.254/token", "https://127.0.0.1:1/token", "http://tokens.example/token", "file:///etc/passwd",
	} {
		client := &http.Client{Transport: roundTrip(func(r *http.Request) *http.Response {
			if r.URL.Host != "images.example" {
				t.Errorf("%s was asked", r.URL)
			}
			header := http.Header{"Www-Authenticate": {`Bearer realm="` + realm + `",service="x"`}}
			return &http.Response{StatusCode: http.StatusUnauthorized, Header: header, Body: http.NoBody, Request: r}
		})}
		r := registry.New(client, registry.Settings{})
		if got, err := r.Resolve(t.Context(), registry.Package{Ecosystem: registry.EcosystemOCI, Name: "images.example/x"}); err == nil {
			t.Errorf("%s: %s", realm, got)
		}
	}
}
