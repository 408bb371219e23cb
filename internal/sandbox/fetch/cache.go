package fetch

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// entry is what is known of an installation; it lies beside it and says that
// the installation is complete.
type entry struct {
	Resolved     string   `json:"resolved"`
	Requirement  string   `json:"requirement"` // the first package with its exact version
	NeedsScripts []string `json:"needsScripts,omitempty"`
}

// pinnedPackages are a plan's packages with the first one exact.
func (e entry) pinnedPackages(p Plan) []string {
	return append([]string{e.Requirement}, p.Packages[1:]...)
}

const entryFile = "mcp-lint-fetched.json"

// cache is a folder of installations, each in a folder named by its key.
type cache struct{ dir string }

func openCache(dir string) (cache, error) {
	if dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return cache{}, fmt.Errorf("no folder for fetched packages: %w", err)
		}
		dir = filepath.Join(user, "mcp-lint", "packages")
	}
	dir, err := filepath.Abs(dir)
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err != nil {
		return cache{}, fmt.Errorf("folder for fetched packages: %w", err)
	}
	return cache{dir}, nil
}

// key names an installation by everything that decides its content.
func (in *installation) key(packages []string) string {
	material, err := json.Marshal([]any{1, in.plan.Ecosystem, packages, in.settings.registry, in.tools.identity()})
	if err != nil {
		panic(err) // strings always marshal
	}
	sum := sha256.Sum256(material)
	return string(in.plan.Ecosystem) + "-" + hex.EncodeToString(sum[:16])
}

func (c cache) find(key string) (dir string, e entry, ok bool) {
	dir = filepath.Join(c.dir, key)
	data, err := os.ReadFile(filepath.Join(dir, entryFile))
	if err != nil || json.Unmarshal(data, &e) != nil {
		return "", entry{}, false
	}
	return dir, e, true
}

// work makes a folder for one installation, in the cache so that its result
// can be moved in one step. Folders of dead processes are removed after a day.
func (c cache) work() (string, error) {
	old, _ := filepath.Glob(filepath.Join(c.dir, "work-*"))
	for _, dir := range old {
		if info, err := os.Lstat(dir); err == nil && time.Since(info.ModTime()) > 24*time.Hour {
			removeAll(dir)
		}
	}
	dir, err := os.MkdirTemp(c.dir, "work-")
	if err != nil {
		return "", fmt.Errorf("folder for fetched packages: %w", err)
	}
	return dir, nil
}

// keep makes an installation read-only and moves it to its place. When another
// process was faster, its result is used and ours is dropped.
func (c cache) keep(fresh, key string, e entry) (string, error) {
	data, err := json.Marshal(e)
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(fresh, entryFile), data, 0o644); err != nil {
		return "", fmt.Errorf("fetched package: %w", err)
	}
	if err := seal(fresh); err != nil {
		return "", fmt.Errorf("fetched package: %w", err)
	}
	place := filepath.Join(c.dir, key)
	if err := os.Rename(fresh, place); err != nil {
		if dir, _, ok := c.find(key); ok {
			return dir, nil
		}
		return "", fmt.Errorf("fetched package: %w", err)
	}
	// Only now: a read-only folder cannot be moved.
	return place, os.Chmod(place, 0o555)
}

// seal makes everything below dir ours again (it was installed by the user of a
// run), readable for all and writable for none. dir itself stays writable.
func seal(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if os.Geteuid() == 0 {
			if err := root.Lchown(name, 0, 0); err != nil {
				return err
			}
		}
		info, err := d.Info()
		switch {
		case err != nil:
			return err
		case name == ".":
			return root.Chmod(name, 0o755)
		case d.IsDir():
			return root.Chmod(name, 0o555)
		case d.Type().IsRegular():
			return root.Chmod(name, 0o444|info.Mode().Perm()&0o111)
		}
		return nil
	})
}

// removeAll removes a folder, its read-only ones included.
func removeAll(dir string) {
	filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			os.Chmod(name, 0o755)
		}
		return nil
	})
	os.RemoveAll(dir)
}

// watchSize ends an installation that grows too large and says whether it did.
// What it counts lags a little behind what a fast download writes.
func watchSize(done <-chan struct{}, dir string, end func()) bool {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return false
		case <-tick.C:
		}
		var size int64
		filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
			if err != nil {
				return nil // files come and go meanwhile
			}
			if info, err := d.Info(); err == nil {
				size += info.Size()
			}
			return nil
		})
		if size > maxInstalled {
			end()
			return true
		}
	}
}
