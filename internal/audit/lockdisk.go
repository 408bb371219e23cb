package audit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
	"github.com/mcp-lint/mcp-lint/lockfile"
)

// errKeep leaves the lock as it is.
var errKeep = errors.New("the lock stays as it is")

// lock hands the lock to judge: to compare with in a check, which is the one
// that was read, else to change it, as it is on disk by now. All changes are
// written in one step, or none when judge returns an error, of which errKeep is
// none of the caller's.
func (r LockRequest) lock(read *lockfile.File, judge func(*lockfile.File) error) error {
	var err error
	if r.Check {
		err = judge(read)
	} else {
		err = lockError(r.Path, lockfile.Update(r.Path, judge))
	}
	if errors.Is(err, errKeep) {
		return nil
	}
	return err
}

// read reads the lock; one that does not exist yet is empty, unless there is
// nothing to check then. It comes before servers are started: what is wrong with
// the lock is known at once.
func (r LockRequest) read() (*lockfile.File, error) {
	info, err := os.Lstat(r.Path)
	if err == nil && info.Mode().Type() == fs.ModeSymlink {
		if !r.Check {
			return nil, fmt.Errorf("%s is a symbolic link, which is not written through; expected a regular file: name the one that is meant (--lock)", r.Path)
		}
		info, err = os.Stat(r.Path)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist) && r.Check:
		return nil, fmt.Errorf("%s: there is no lock to check against; write one with mcp-lint lock", r.Path)
	case errors.Is(err, fs.ErrNotExist):
		return &lockfile.File{}, nil
	case err != nil:
		return nil, fmt.Errorf("reading the lock file: %w", err)
	case info.IsDir():
		return nil, fmt.Errorf("%s is a directory; expected the lock file", r.Path)
	case !info.Mode().IsRegular(): // a device has no end, and a pipe waits
		return nil, fmt.Errorf("%s is no regular file; expected one, or nothing", r.Path)
	case info.Size() > maxFile:
		return nil, fmt.Errorf("%s has %d bytes; at most %d are read", r.Path, info.Size(), int64(maxFile))
	}
	data, err := os.ReadFile(r.Path)
	if err != nil {
		return nil, fmt.Errorf("reading the lock file: %w", err)
	}
	return lockfile.Read(r.Path, data)
}

// lockError names the lock where the system names the temporary file beside it.
func lockError(path string, err error) error {
	var file *fs.PathError
	if errors.As(err, &file) && file.Path != path {
		return fmt.Errorf("writing the lock file %s: %w", path, file.Err)
	}
	return err
}

// Unlock removes entries from the lock: all of them, or none when the lock
// lacks one. A key is that of an entry, or of a server under a profile.
func Unlock(path string, keys []string, profile string) error {
	r := LockRequest{Path: path}
	before, err := r.read()
	if err != nil {
		return err
	}
	return r.lock(before, func(f *lockfile.File) error {
		entries := make([]string, len(keys))
		for i, key := range keys {
			if entries[i], err = f.Match(lockIDOf(key, profile).entry()); err != nil {
				return err
			}
		}
		for _, entry := range entries {
			f.Remove(entry)
		}
		return nil
	})
}

// unlockCommand is the command that removes an entry, quoted for a shell: keys
// are foreign text.
func unlockCommand(key string) string {
	return "mcp-lint lock --remove='" + strings.ReplaceAll(snapshot.Visible(key), "'", `'\''`) + "'"
}
