package source_test

import (
	"errors"
	"testing"

	"github.com/mcp-lint/mcp-lint/internal/source"
)

// Refs are asked for without a token, so a private repository has none for us.
// What a public one answers is tested where it is used, in internal/registry.
func TestRefsAreAskedAnonymously(t *testing.T) {
	t.Parallel()
	o := newOrigin(t)
	if refs, err := source.Refs(t.Context(), o.url, t.TempDir()); !errors.Is(err, source.ErrUnauthorized) {
		t.Errorf("%v, %v; want ErrUnauthorized", refs, err)
	}
	for _, address := range []string{"", "-x", "file:///etc", "ext::sh -c true", "https://user:pass@example.com/x", o.dir} {
		if refs, err := source.Refs(t.Context(), address, t.TempDir()); err == nil {
			t.Errorf("%q: %v", address, refs)
		}
	}
}
