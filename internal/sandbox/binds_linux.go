package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// stagePath is where the sources of binds stand for bubblewrap when we are
// root: a tmpfs in a mount namespace of its own, so that nobody else sees it
// and it covers nobody's /tmp. bubblewrap itself puts its root there later.
const stagePath = "/tmp"

// bind is one host path that the command sees at the same path.
type bind struct {
	source   string // without links
	target   string
	writable bool
}

// binds are the host paths of a Spec, parents before what is below them.
type binds struct {
	list   []bind
	staged bool
}

// newBinds checks the host paths of a Spec. As root it gives the writable ones
// to the user of the run.
func newBinds(spec Spec, owner *syscall.Credential) (*binds, error) {
	b := &binds{staged: owner != nil}
	for _, group := range []struct {
		paths    []string
		writable bool
	}{{spec.ReadOnly, false}, {spec.Writable, true}} {
		for _, p := range group.paths {
			if !filepath.IsAbs(p) || filepath.Clean(p) == "/" {
				return nil, fmt.Errorf("sandbox: bind %q: expected an absolute path below /", p)
			}
			source, err := filepath.EvalSymlinks(p)
			if err != nil {
				return nil, fmt.Errorf("sandbox: bind: %w", err)
			}
			target := filepath.Clean(p)
			if inSystem(target) && !group.writable {
				if inSystem(source) {
					continue
				}
				target = source // a link in /usr that leads out of it
			}
			for _, own := range []string{"/proc", "/dev", "/sandbox", "/etc/passwd", "/etc/group"} {
				if within(target, own) {
					return nil, fmt.Errorf("sandbox: bind %q: the sandbox has its own %s", p, own)
				}
			}
			if group.writable && owner != nil {
				if err := giveTree(source, owner); err != nil {
					return nil, fmt.Errorf("sandbox: bind: %w", err)
				}
			}
			b.list = append(b.list, bind{source, target, group.writable})
		}
	}
	slices.SortStableFunc(b.list, func(x, y bind) int { return len(x.target) - len(y.target) })
	return b, nil
}

// giveTree makes owner the owner of a folder and of all that is in it.
func giveTree(dir string, owner *syscall.Credential) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return fs.WalkDir(root.FS(), ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return root.Lchown(name, int(owner.Uid), int(owner.Gid))
	})
}

// arguments are bwrap's.
func (b *binds) arguments() []string {
	var args []string
	for i, bind := range b.list {
		source := bind.source
		if b.staged {
			source = stageName(i)
		}
		option := "--ro-bind"
		if bind.writable {
			option = "--bind"
		}
		args = append(args, option, source, bind.target)
	}
	return args
}

func stageName(i int) string { return filepath.Join(stagePath, strconv.Itoa(i)) }

// stage is what the thread that starts bubblewrap does first, nil for nothing.
// The unprivileged user that bubblewrap runs as may not even pass through a
// home folder of mode 0700; so root puts the sources where that user can reach
// them, in a mount namespace that ends with the run.
func (b *binds) stage() func() error {
	if !b.staged || len(b.list) == 0 {
		return nil
	}
	return func() error {
		if err := unix.Unshare(unix.CLONE_NEWNS); err != nil {
			return fmt.Errorf("mount namespace: %w", err)
		}
		if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
			return fmt.Errorf("private mounts: %w", err)
		}
		// All sources are taken before the stage covers /tmp: some are there.
		trees := make([]int, 0, len(b.list))
		defer func() {
			for _, fd := range trees {
				unix.Close(fd)
			}
		}()
		for _, bind := range b.list {
			fd, err := unix.OpenTree(unix.AT_FDCWD, bind.source, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE)
			if err != nil {
				return fmt.Errorf("bind of %s: %w", bind.target, err)
			}
			trees = append(trees, fd)
		}
		if err := unix.Mount("tmpfs", stagePath, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=0755,size=1m"); err != nil {
			return fmt.Errorf("stage: %w", err)
		}
		for i, bind := range b.list {
			if err := makeTarget(stageName(i), bind.source, trees[i]); err != nil {
				return fmt.Errorf("stage of %s: %w", bind.target, err)
			}
			if err := unix.MoveMount(trees[i], "", unix.AT_FDCWD, stageName(i), unix.MOVE_MOUNT_F_EMPTY_PATH); err != nil {
				return fmt.Errorf("stage of %s: %w", bind.target, err)
			}
		}
		return nil
	}
}

// makeTarget makes a folder or file to mount a tree on, whichever it is.
func makeTarget(name, source string, tree int) error {
	var stat unix.Stat_t
	if err := unix.Fstat(tree, &stat); err != nil {
		return err
	}
	switch stat.Mode & unix.S_IFMT {
	case unix.S_IFDIR:
		return os.Mkdir(name, 0o755)
	case unix.S_IFREG:
		return os.WriteFile(name, nil, 0o644)
	}
	return errors.New(source + " is neither a folder nor a file")
}
