package sandbox

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// treeEntries is how many files and folders a tree may have.
const treeEntries = 100_000

// copyTree copies the tree at from into the empty folder to, which belongs to
// the run. Folders, files and links that stay inside are copied; .git and
// everything else (devices, pipes, sockets, links that lead out) is left out,
// and so are setuid bits.
//
// to is a tmpfs inside the sandbox, whose size bounds the copy and everything
// that the command writes there later: nothing of a run ever lies on a disk of
// the host. The pages of the copy itself are charged to us, not to the run.
//
// The files are made as the user of the run, because a tmpfs of another user
// namespace takes none from us.
func copyTree(from string, to *os.Root, owner *syscall.Credential) error {
	source, err := os.OpenRoot(from)
	if err != nil {
		return fmt.Errorf("sandbox: tree: %w", err)
	}
	defer source.Close()

	c := treeCopy{source: source, to: to, owner: owner}
	failed := make(chan error, 1)
	go func() {
		// The thread's file user changes back and forth; it is thrown away.
		runtime.LockOSThread()
		failed <- fs.WalkDir(source.FS(), ".", c.entry)
	}()
	err = <-failed
	if errors.Is(err, syscall.ENOSPC) {
		return errors.New("sandbox: the tree is larger than the scratch limit")
	}
	if err != nil {
		return fmt.Errorf("sandbox: copy of the tree: %w", err)
	}
	return nil
}

type treeCopy struct {
	source, to *os.Root
	owner      *syscall.Credential
	entries    int
}

func (c *treeCopy) entry(name string, d fs.DirEntry, err error) error {
	if err != nil || name == "." {
		return err
	}
	if d.Name() == ".git" {
		if d.IsDir() {
			return fs.SkipDir
		}
		return nil
	}
	if c.entries++; c.entries > treeEntries {
		return fmt.Errorf("more than %d files", treeEntries)
	}
	info, err := d.Info()
	if err != nil {
		return err
	}
	switch mode := info.Mode(); {
	case mode.IsDir():
		return c.asOwner(func() error { return c.to.Mkdir(name, 0o755) })
	case mode.IsRegular():
		return c.file(name, 0o644|mode.Perm()&0o111)
	case mode&fs.ModeSymlink != 0:
		return c.link(name)
	}
	return nil
}

func (c *treeCopy) file(name string, perm fs.FileMode) error {
	// Not blocking: what was a file may be a pipe by now.
	in, err := c.source.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	defer in.Close()
	if info, err := in.Stat(); err != nil || !info.Mode().IsRegular() {
		return err
	}
	return c.asOwner(func() error {
		out, err := c.to.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
		if err != nil {
			return err
		}
		_, err = io.Copy(out, in)
		return errors.Join(err, out.Close())
	})
}

// link copies a link whose target, as text, stays inside the tree.
func (c *treeCopy) link(name string) error {
	target, err := c.source.Readlink(name)
	if err != nil {
		return err
	}
	if path.IsAbs(target) || !filepath.IsLocal(path.Join(path.Dir(name), target)) || strings.ContainsRune(target, 0) {
		return nil
	}
	return c.asOwner(func() error { return c.to.Symlink(target, name) })
}

// asOwner runs f with the file user of the run. Only this thread is changed:
// setfsuid(2) knows no other way, and the Go runtime is not told.
func (c *treeCopy) asOwner(f func() error) error {
	if c.owner == nil {
		return f()
	}
	if err := errors.Join(unix.Setfsgid(int(c.owner.Gid)), unix.Setfsuid(int(c.owner.Uid))); err != nil {
		return err
	}
	err := f()
	return errors.Join(err, unix.Setfsuid(0), unix.Setfsgid(0))
}
