package registry_test

import (
	"sync"
	"testing"

	"github.com/mcp-lint/mcp-lint/internal/registry"
)

func TestRemember(t *testing.T) {
	t.Parallel()
	server, r := start(t)
	server.NPM["tides"] = `{"dist-tags": {"latest": "1.4.0"}, "versions": {"1.4.0": {}}}`
	remembering := registry.Remember(r)
	var asking sync.WaitGroup
	for range 8 {
		asking.Go(func() {
			got, err := remembering.Resolve(t.Context(), registry.Package{Ecosystem: registry.EcosystemNPM, Name: "tides"})
			if err != nil || got != "1.4.0" {
				t.Errorf("%s, %v", got, err)
			}
		})
	}
	asking.Wait()
	if asked := server.Requests(); len(asked) != 1 {
		t.Errorf("the registry was asked %d times: %q", len(asked), asked)
	}
}
