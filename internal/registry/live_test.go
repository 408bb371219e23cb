package registry_test

import (
	"errors"
	"net/http"
	"os"
	"testing"

	"github.com/mcp-lint/mcp-lint/internal/registry"
)

// The real registries, as this machine is set up to reach them, say what the
// loopback ones are made to say. Old ranges have answers that stay.
func TestLiveRegistries(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("asks the real registries")
	}
	settings, err := registry.FromEnvironment(os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	r := registry.New(&http.Client{}, settings)
	for _, tt := range []struct {
		registry.Package
		want registry.Exact
	}{
		{registry.Package{Ecosystem: registry.EcosystemNPM, Name: "@modelcontextprotocol/server-filesystem", Spec: "<2025"}, "2.0.1"},
		{registry.Package{Ecosystem: registry.EcosystemPyPI, Name: "mcp-server-time", Spec: "<2025"}, "0.6.2"},
		{registry.Package{Ecosystem: registry.EcosystemGo, Name: "golang.org/x/tools/cmd/stringer", Spec: "v0.1"}, "v0.1.12"},
	} {
		t.Run(string(tt.Ecosystem), func(t *testing.T) {
			t.Parallel()
			got, err := r.Resolve(t.Context(), tt.Package)
			switch {
			case err != nil && !errors.Is(err, registry.ErrUnresolvable):
				t.Skipf("not reached: %v", err)
			case got != tt.want || err != nil:
				t.Errorf("%s %s: %q, %v; want %s", tt.Name, tt.Spec, got, err, tt.want)
			}
		})
	}
}
