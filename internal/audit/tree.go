package audit

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// maxFile is the largest file of a tree that is read: a saved snapshot. Config
// and lock files have their own, lower limits.
const maxFile = 128 << 20

// tree is a checkout. Every file is opened below its root: a link that leads
// out of it is an error, so a hostile checkout cannot show files of the host.
type tree struct{ root *os.Root }

func openTree(dir string) (*tree, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open the tree: %w", err)
	}
	return &tree{root}, nil
}

func (t *tree) close() {
	if t != nil {
		t.root.Close()
	}
}

// read returns a file's content. A missing file is fs.ErrNotExist; so is every
// file of a nil tree, which stands for a side that does not exist.
func (t *tree) read(name string) ([]byte, error) {
	if t == nil {
		return nil, fs.ErrNotExist
	}
	// Stat first: opening a named pipe would wait for a writer.
	info, err := t.root.Stat(name)
	if err != nil {
		return nil, readError(name, err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: expected a regular file", snapshot.Visible(name))
	}
	if info.Size() > maxFile {
		return nil, fmt.Errorf("%s: %d bytes; at most %d are read", snapshot.Visible(name), info.Size(), int64(maxFile))
	}
	f, err := t.root.Open(name)
	if err != nil {
		return nil, readError(name, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, readError(name, err)
	}
	if len(data) > maxFile {
		return nil, fmt.Errorf("%s: grew beyond %d bytes while it was read", snapshot.Visible(name), int64(maxFile))
	}
	return data, nil
}

// readError leaves out the host's path, which os errors carry.
func readError(name string, err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		err = pathError.Err
	}
	return fmt.Errorf("%s: %w", snapshot.Visible(name), err)
}

// exists reports whether something of that name is there, readable or not.
func (t *tree) exists(name string) bool {
	if t == nil {
		return false
	}
	_, err := t.root.Lstat(name)
	return err == nil
}

// maxMatches is how many files a pattern gives; nobody has more of a kind.
const maxMatches = 20

// matches lists the files that a path names, whose last part may be a pattern,
// in the order of their names, and counts those beyond maxMatches. A path without
// a pattern is given back as it is, whether it is there or not.
func (t *tree) matches(name string) (files []string, more int) {
	dir, pattern := path.Split(name)
	if t == nil || !strings.Contains(pattern, "*") {
		return []string{name}, 0
	}
	entries, err := fs.ReadDir(t.root.FS(), path.Clean(dir))
	if err != nil {
		return nil, 0
	}
	for _, e := range entries {
		if ok, _ := path.Match(pattern, e.Name()); !ok {
			continue
		}
		if len(files) == maxMatches {
			more++
			continue
		}
		files = append(files, dir+e.Name())
	}
	return files, more
}
