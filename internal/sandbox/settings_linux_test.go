package sandbox

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A toolchain's folder is shown whole, but not the tokens of its registries.
func TestRegistrySettingsOfAToolchainAreEmpty(t *testing.T) {
	t.Parallel()
	prefix := t.TempDir()
	for name, text := range map[string]string{"etc/npmrc": "npm-token", "conf/real": "pip-token", "lib/plain": "plain"} {
		if err := os.MkdirAll(filepath.Join(prefix, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(prefix, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("conf/real", filepath.Join(prefix, "pip.conf")); err != nil {
		t.Fatal(err)
	}
	spec := Spec{
		Argv:     []string{"/bin/cat", prefix + "/etc/npmrc", prefix + "/pip.conf", prefix + "/conf/real", prefix + "/lib/plain"},
		ReadOnly: []string{prefix},
	}
	if out, r := play(t, bare(t), spec); !strings.Contains(out, "npm-token") || !strings.Contains(out, "pip-token") {
		t.Fatalf("control: %q, %+v", out, r)
	}
	if out, r := play(t, isolated(t), spec); out != "plain" || r.Exit != 0 {
		t.Errorf("the command read %q, want \"plain\"; %+v", out, r)
	}
}

// What an absolute path may name without showing more of the host.
func TestInSystem(t *testing.T) {
	t.Parallel()
	outside := filepath.Join(t.TempDir(), "tool")
	if err := os.WriteFile(outside, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{
		"/bin/sh": true, "/usr/bin/env": true, "/usr/no/such": true, "/usr/../etc/passwd": false, "/usrlocal/x": false, outside: false,
		"/usr/" + strings.Repeat("../", 20) + outside: false,
	} {
		if got := InSystem(path); got != want {
			t.Errorf("InSystem(%q) = %v", path, got)
		}
	}
}

// Next to our own program may be our keys: of its folder nothing is shown but
// the program that was asked for.
func TestToolchainOfOurOwnFolderIsNotBound(t *testing.T) {
	t.Parallel()
	if !private(filepath.Dir(self())) || !private(filepath.Dir(filepath.Dir(self()))) {
		t.Error("the folder of our own program is bound with a toolchain")
	}
}
