package fetch_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/mcp-lint/mcp-lint/internal/sandbox"
)

var shared = sync.OnceValues(func() (*sandbox.Sandbox, error) {
	return sandbox.New(sandbox.BestEffort, sandbox.Options{})
})

func isolated(t testing.TB) *sandbox.Sandbox {
	t.Helper()
	s, err := shared()
	var unavailable *sandbox.Unavailable
	if errors.As(err, &unavailable) {
		t.Skipf("skipped: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// cacheFolder is a cache that can be removed although its entries are
// read-only.
func cacheFolder(t testing.TB) string {
	dir := filepath.Join(t.TempDir(), "cache")
	t.Cleanup(func() {
		filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				os.Chmod(name, 0o755)
			}
			return nil
		})
	})
	return dir
}
