package sandbox

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Toolchain finds a program in path (a list as in $PATH) for use inside the
// sandbox: resolved is its path there, without version-manager shims and without
// links that lead out of the system's folders, and binds are the folders or
// files to put into Spec.ReadOnly, none when the system's folders have it all.
// It is the folder of that one version (what is above bin), never a home folder
// or one directly in it: then only the program itself is bound.
func Toolchain(name, path string) (binds []string, resolved string, err error) {
	found, err := lookPath(name, path)
	if err != nil {
		return nil, "", err
	}
	if resolved, err = filepath.EvalSymlinks(found); err != nil {
		return nil, "", fmt.Errorf("sandbox: toolchain: %w", err)
	}
	if isShim(resolved) {
		if resolved, err = behindShim(name, found); err != nil {
			return nil, "", err
		}
	}
	if inSystemFolders(resolved) {
		if inSystemFolders(found) {
			// The link is there inside too, and its name may matter: busybox
			// and its like are many programs in one file.
			resolved = found
		}
		return nil, resolved, nil
	}
	prefix := filepath.Dir(resolved)
	if base := filepath.Base(prefix); base == "bin" || base == "Scripts" {
		prefix = filepath.Dir(prefix)
	} else {
		prefix = resolved
	}
	if private(prefix) {
		prefix = resolved
	}
	return []string{prefix}, resolved, nil
}

// InSystem says whether an absolute path is, links followed, in the system's
// folders, which every sandbox shows anyway.
func InSystem(path string) bool {
	path = filepath.Clean(path)
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		return inSystemFolders(path) && inSystemFolders(resolved)
	}
	return inSystemFolders(path)
}

// inSystemFolders says whether the sandbox has the program anyway.
func inSystemFolders(path string) bool {
	for _, dir := range []string{"/usr", "/bin", "/sbin", "/lib", "/lib64", "/nix/store"} {
		if strings.HasPrefix(path, dir+"/") {
			return true
		}
	}
	return false
}

// private says whether a folder is a home folder, holds one, or lies directly
// in one, as .local and .cargo do with a user's data and credentials; or whether
// it is our own, where an operator may keep our keys and databases.
func private(dir string) bool {
	if self, err := os.Executable(); err == nil && strings.HasPrefix(self, strings.TrimSuffix(dir, "/")+"/") {
		return true
	}
	homes := []string{"/root"}
	if home, err := os.UserHomeDir(); err == nil {
		homes = append(homes, filepath.Clean(home))
	}
	for _, parent := range []string{"/home", "/Users"} {
		if rest, ok := strings.CutPrefix(dir+"/", parent+"/"); ok {
			user, _, _ := strings.Cut(rest, "/")
			homes = append(homes, filepath.Join(parent, user))
		}
	}
	for _, home := range homes {
		if dir == home || filepath.Dir(dir) == home || strings.HasPrefix(home+"/", strings.TrimSuffix(dir, "/")+"/") {
			return true
		}
	}
	return false
}

// isShim says whether a program is a script in the shims folder of a version
// manager (pyenv, asdf, mise, nodenv).
func isShim(path string) bool {
	return filepath.Base(filepath.Dir(path)) == "shims"
}

// behindShim asks the program itself where it is. The operator's own tool is
// asked, in the root folder, where no repository's version file has a say.
func behindShim(name, shim string) (string, error) {
	var question []string
	switch {
	case strings.HasPrefix(name, "python"):
		question = []string{"-c", "import os, sys; print(os.path.realpath(sys.executable))"}
	case name == "node":
		question = []string{"-p", "process.execPath"}
	default:
		return "", fmt.Errorf("sandbox: toolchain: %s is a version manager's shim: put the real program's folder in front in PATH", name)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, shim, question...)
	cmd.Dir = string(filepath.Separator)
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("sandbox: toolchain: asking the shim of %s: %w", name, err)
	}
	resolved, err := filepath.EvalSymlinks(string(bytes.TrimSpace(out)))
	if err != nil {
		return "", fmt.Errorf("sandbox: toolchain: %w", err)
	}
	return resolved, nil
}
