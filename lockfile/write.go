package lockfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Write replaces the lock file at path in one step: a reader sees the old file
// or the new one, whatever happens meanwhile. A new file has mode 0644, an
// existing one keeps its mode. Writers of one folder wait for each other; to
// change a file that others may change too, use [Update].
func Write(path string, f *File) error {
	return exclusively(path, func() error { return replace(path, f.Encode()) })
}

// Update reads the lock file at path (one that does not exist is empty), calls
// fn to change it, and writes the result, all while other writers of the folder
// wait: two runs that lock different servers lose nothing. When fn returns an
// error, or nothing changes, nothing is written. fn should not wait for a
// person: other writers give up after a while.
func Update(path string, fn func(*File) error) error {
	return exclusively(path, func() error {
		data, err := os.ReadFile(path)
		f := &File{name: path}
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return fmt.Errorf("reading the lock file: %w", err)
		default:
			if f, err = Read(path, data); err != nil {
				return err
			}
		}
		if err := fn(f); err != nil {
			return err
		}
		encoded := f.Encode()
		if data != nil && bytes.Equal(encoded, data) {
			return nil
		}
		return replace(path, encoded)
	})
}

// replace puts data in the place of the file at path.
func replace(path string, data []byte) error {
	mode := fs.FileMode(0o644)
	switch info, err := os.Lstat(path); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return fmt.Errorf("writing the lock file: %w", err)
	case !info.Mode().IsRegular():
		// A link could make us overwrite any file of the user's.
		return fmt.Errorf("writing the lock file: %s is no regular file; expected one, or nothing", path)
	default:
		mode = info.Mode().Perm()
	}
	return swap(path, data, mode)
}

// swap writes data to a temporary file beside path and renames it. Whatever
// fails, the temporary file goes.
func swap(path string, data []byte, mode fs.FileMode) (err error) {
	tmp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".tmp-*")
	if err != nil {
		return fmt.Errorf("writing the lock file: %w", err)
	}
	defer func() {
		if err != nil {
			tmp.Close()
			os.Remove(tmp.Name())
			err = fmt.Errorf("writing the lock file: %w", err)
		}
	}()
	if _, err = tmp.Write(data); err != nil {
		return err
	}
	if err = tmp.Chmod(mode); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	if err = tmp.Sync(); err != nil {
		return err
	}
	if err = tmp.Close(); err != nil {
		return err
	}
	if err = os.Rename(tmp.Name(), path); err != nil {
		return err
	}
	syncFolder(filepath.Dir(path))
	return nil
}

// syncFolder makes the renaming durable where the system can do that. The file
// is complete without it, so a failure is none of the caller's.
func syncFolder(dir string) {
	if f, err := os.Open(dir); err == nil {
		_ = f.Sync()
		f.Close()
	}
}
