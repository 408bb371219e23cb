package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// setupTime is how long bubblewrap may take until the command could run.
const setupTime = 20 * time.Second

// host is what a Sandbox knows of its machine. It never changes after New.
type host struct {
	bwrap   string
	seccomp []byte
	cgroups cgroups
}

// startIsolated builds the sandbox, fills it, puts the limits on, and lets the
// command go. Until the last step no byte of the command has run: bubblewrap
// waits, with everything mounted, for a byte on a pipe.
func (s *Sandbox) startIsolated(ctx context.Context, spec Spec, limits Limits) (_ *Process, err error) {
	owner, err := credential()
	if err != nil {
		return nil, &Unavailable{What: err.Error(), Remedy: "start as an ordinary user, or with more user ids mapped", Err: err}
	}
	p, theirs, err := newProcess(limits)
	if err != nil {
		return nil, fmt.Errorf("sandbox: pipes: %w", err)
	}
	defer theirs.close()
	l, err := s.newLaunch(spec, limits, owner, theirs)
	if err != nil {
		p.discard()
		return nil, err
	}
	defer l.close()

	keepFilesBack()
	exited, err := startOnThread(l.cmd, l.binds.stage())
	if err != nil {
		p.discard()
		l.discard()
		return nil, fmt.Errorf("sandbox: start bubblewrap: %w", err)
	}
	theirs.close() // else bubblewrap's death would not end our reading
	l.closeTheirs()

	// The status pipe stays open to the end: bubblewrap also writes to it then.
	b := &bubble{monitor: l.cmd.Process, status: l.status, pidfd: -1}
	p.family, p.viaInit = b, true
	p.watch(ctx, l.cmd, exited, limits.Wall)
	if err := s.setUp(b, l, p, spec, limits, owner); err != nil {
		result := p.Stop(0)
		if setup := setupError(result.Stderr); setup != nil {
			return nil, setup
		}
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return nil, fmt.Errorf("sandbox: start: %w", err)
	}
	return p, nil
}

// setUp does all that is left when bubblewrap has been started.
func (s *Sandbox) setUp(b *bubble, l *launch, p *Process, spec Spec, limits Limits, owner *syscall.Credential) error {
	init, err := l.initPID()
	if err != nil {
		return err
	}
	if err := b.adopt(init); err != nil {
		return err
	}
	group, err := s.cgroups.newGroup(limits)
	if err != nil {
		return err
	}
	b.setGroup(group)
	if err := group.add(init); err != nil {
		return err
	}
	root, err := waitForMounts(init, p.done)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := setLimits(init, limits, owner, s.cgroups); err != nil {
		return err
	}
	if spec.Tree != "" {
		if err := copyTree(spec.Tree, root, owner); err != nil {
			return err
		}
	}
	if spec.Dir != "" {
		info, err := root.Stat(spec.Dir)
		if err != nil || !info.IsDir() {
			return fmt.Errorf("working directory %q is no folder of the tree", spec.Dir)
		}
	}
	if err := l.release(); err != nil {
		return err
	}
	return waitForInit(init, p.done)
}

// waitForMounts waits until the init process stands in its final root, and
// opens the folder of the tree there. bubblewrap does not tell when it has got
// that far, but the path appears only then, in one step (pivot_root).
func waitForMounts(init int, ended <-chan struct{}) (*os.Root, error) {
	tree := fmt.Sprintf("/proc/%d/root%s", init, TreePath)
	for deadline := time.Now().Add(setupTime); time.Now().Before(deadline); {
		root, err := os.OpenRoot(tree)
		if err == nil {
			return root, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		select {
		case <-ended:
			return nil, errors.New("bubblewrap ended early")
		case <-time.After(500 * time.Microsecond):
		}
	}
	return nil, errors.New("bubblewrap took too long")
}

// waitForInit waits until init has tied its life to bubblewrap's. It does so
// after it has started the command, right before it loads its filter, which
// can be seen. If we are killed before, the run is found by its cgroup later;
// after it, the kernel ends the run with us.
func waitForInit(init int, ended <-chan struct{}) error {
	for deadline := time.Now().Add(setupTime); time.Now().Before(deadline); {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", init))
		if err != nil || bytes.Contains(status, []byte("\nSeccomp:\t2")) || bytes.Contains(status, []byte("\nState:\tZ")) {
			return nil // at work, or done already
		}
		select {
		case <-ended:
			return nil
		case <-time.After(100 * time.Microsecond):
		}
	}
	return errors.New("bubblewrap took too long")
}

// keepFilesBack makes sure that no file of ours but the listed ones goes to the
// command. Go opens files close-on-exec; what we inherited ourselves, or what a
// careless library opened, is not.
func keepFilesBack() {
	if unix.CloseRange(3, math.MaxInt32, unix.CLOSE_RANGE_CLOEXEC) == nil { // since Linux 5.11
		return
	}
	entries, _ := os.ReadDir("/proc/self/fd")
	for _, e := range entries {
		if fd, err := strconv.Atoi(e.Name()); err == nil && fd > 2 {
			syscall.CloseOnExec(fd)
		}
	}
}
