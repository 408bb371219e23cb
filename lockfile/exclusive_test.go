package lockfile

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// The guard file is what systems without folder locks use; it is tested on all.
func TestGuardFileExcludesAndGoes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "mcp-lint.lock")
	release, err := guardFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := guardFile(path); !errors.Is(err, errBusy) {
		t.Errorf("got %v", err)
	}
	release()
	release, err = guardFile(path)
	if err != nil {
		t.Fatal(err)
	}
	release()
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestGuardFileOfADeadProcessIsTakenOver(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "mcp-lint.lock")
	if _, err := guardFile(path); err != nil {
		t.Fatal(err)
	}
	guard := filepath.Join(filepath.Dir(path), ".mcp-lint.lock.writing")
	old := time.Now().Add(-2 * stale)
	if err := os.Chtimes(guard, old, old); err != nil {
		t.Fatal(err)
	}
	if _, err := guardFile(path); !errors.Is(err, errBusy) {
		t.Errorf("got %v", err)
	}
	if _, err := guardFile(path); err != nil {
		t.Errorf("not taken over: %v", err)
	}
}

// Renaming onto a folder fails after the temporary file was written.
func TestFailedSwapLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "taken")
	if err := os.Mkdir(path, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := swap(path, []byte("x"), 0o644); err == nil {
		t.Error("replaced a folder")
	}
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestGuardFileInAFolderThatIsNotThere(t *testing.T) {
	t.Parallel()
	if _, err := guardFile(filepath.Join(t.TempDir(), "absent", "x")); err == nil || errors.Is(err, errBusy) {
		t.Errorf("got %v", err)
	}
}
