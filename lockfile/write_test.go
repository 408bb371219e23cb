package lockfile_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mcp-lint/mcp-lint/lockfile"
)

func lockWith(t testing.TB, key string) *lockfile.File {
	t.Helper()
	f := &lockfile.File{}
	f.Set(key, server(t, `{"tools":[{"name":"t"}]}`))
	return f
}

// onlyFile fails when a folder holds anything but one file.
func onlyFile(t *testing.T, path string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 1 || entries[0].Name() != filepath.Base(path) {
		t.Errorf("the folder holds %v", entries)
	}
}

func TestWriteCreatesAndReplaces(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "mcp-lint.lock")
	for i, mode := range []os.FileMode{0o644, 0o644, 0o600} {
		if i == 2 {
			if err := os.Chmod(path, mode); err != nil {
				t.Fatal(err)
			}
		}
		f := lockWith(t, fmt.Sprint(i))
		if err := lockfile.Write(path, f); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil || string(data) != string(f.Encode()) {
			t.Errorf("%v, %s", err, data)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode {
			t.Errorf("mode %v, %v; expected %v", info.Mode(), err, mode)
		}
		onlyFile(t, path)
	}
}

func TestWriteRefusesWhatIsNoFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	target := filepath.Join(dir, "profile")
	if err := os.WriteFile(target, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err)
	}
	for _, path := range []string{link, dir, filepath.Join(dir, "absent", "x.lock")} {
		if err := lockfile.Write(path, lockWith(t, "a")); err == nil || !strings.Contains(err.Error(), "writing the lock file") {
			t.Errorf("%s: %v", path, err)
		}
	}
	if data, _ := os.ReadFile(target); string(data) != "precious" {
		t.Errorf("the link's target now holds %s", data)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 2 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestFailedUpdateLeavesTheFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "mcp-lint.lock")
	if err := lockfile.Write(path, lockWith(t, "a")); err != nil {
		t.Fatal(err)
	}
	changedMyMind := errors.New("changed my mind")
	err := lockfile.Update(path, func(f *lockfile.File) error {
		f.Remove("a")
		return changedMyMind
	})
	if !errors.Is(err, changedMyMind) {
		t.Errorf("got %v", err)
	}
	if data, _ := os.ReadFile(path); !slices.Equal(mustRead(t, data).Keys(), []string{"a"}) {
		t.Errorf("now holds %s", data)
	}
	onlyFile(t, path)
}

func TestUpdateKeepsADamagedFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "mcp-lint.lock")
	const damaged = "{\n<<<<<<< HEAD\n"
	if err := os.WriteFile(path, []byte(damaged), 0o644); err != nil {
		t.Fatal(err)
	}
	err := lockfile.Update(path, func(*lockfile.File) error { t.Error("called"); return nil })
	if err == nil || !strings.Contains(err.Error(), "mcp-lint.lock:2:1: a merge conflict marker") {
		t.Errorf("got %v", err)
	}
	if data, _ := os.ReadFile(path); string(data) != damaged {
		t.Errorf("now holds %s", data)
	}
}

func TestUpdateWithoutChangeWritesNothing(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "mcp-lint.lock")
	if err := lockfile.Write(path, lockWith(t, "a")); err != nil {
		t.Fatal(err)
	}
	before, _ := os.Stat(path)
	if err := lockfile.Update(path, func(f *lockfile.File) error { f.Remove("b"); return nil }); err != nil {
		t.Fatal(err)
	}
	if after, _ := os.Stat(path); !os.SameFile(before, after) {
		t.Error("the file was replaced")
	}
}

// updater is the environment variable that turns a run of this test binary into
// a process which locks the servers that it names.
const updater = "LOCKFILE_TEST_UPDATE"

// TestConcurrentUpdatesLoseNothing has several processes, with several
// goroutines each, lock different servers in one file.
func TestConcurrentUpdatesLoseNothing(t *testing.T) {
	if path := os.Getenv(updater); path != "" {
		updateMany(t, path, os.Getenv(updater+"_NAME"))
		return
	}
	t.Parallel()
	path := filepath.Join(t.TempDir(), "mcp-lint.lock")
	const processes = 3
	var wg sync.WaitGroup
	for i := range processes {
		wg.Go(func() {
			cmd := exec.Command(os.Args[0], "-test.run=^TestConcurrentUpdatesLoseNothing$")
			cmd.Env = append(os.Environ(), updater+"="+path, fmt.Sprintf("%s_NAME=p%d", updater, i))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	wg.Wait()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for i := range processes {
		for j := range updates {
			want = append(want, fmt.Sprintf("p%d-%d", i, j))
		}
	}
	slices.Sort(want)
	if got := mustRead(t, data).Keys(); !slices.Equal(got, want) {
		t.Errorf("the lock has %d servers, expected %d: %v", len(got), len(want), got)
	}
	onlyFile(t, path)
}

const updates = 8

func updateMany(t *testing.T, path, name string) {
	var wg sync.WaitGroup
	for j := range updates {
		wg.Go(func() {
			err := lockfile.Update(path, func(f *lockfile.File) error {
				f.Set(fmt.Sprintf("%s-%d", name, j), server(t, `{"tools":[{"name":"t"}]}`))
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}
