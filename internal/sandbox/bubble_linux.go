package sandbox

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// bubble is the family of an isolated run: bubblewrap outside, its init inside
// a pid namespace, and everything below that init.
type bubble struct {
	monitor *os.Process // bubblewrap; the command's status comes from it
	status  *os.File

	mu    sync.Mutex
	init  int // pid of the namespace's first process, 0 before adopt
	pidfd int // of init, -1 before adopt and after close
	group runGroup
}

// adopt takes charge of the namespace's first process.
func (b *bubble) adopt(init int) error {
	fd, err := unix.PidfdOpen(init, 0)
	if err != nil {
		return fmt.Errorf("bubblewrap's init: %w", err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.init, b.pidfd = init, fd
	return nil
}

func (b *bubble) setGroup(g runGroup) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.group = g
}

// terminate asks the children of init: the command and what was left to init.
// Init itself takes no signals but SIGKILL, and bubblewrap passes none on.
func (b *bubble) terminate() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.pidfd < 0 {
		return
	}
	children, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", b.init, b.init))
	for _, field := range strings.Fields(string(children)) {
		if pid, err := strconv.Atoi(field); err == nil {
			syscall.Kill(pid, syscall.SIGTERM)
		}
	}
}

// kill ends init, and with it the kernel ends the whole namespace, however its
// processes are grouped.
func (b *bubble) kill() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.pidfd >= 0 {
		unix.PidfdSendSignal(b.pidfd, unix.SIGKILL, nil, 0)
	}
	b.monitor.Kill()
}

// close waits for init: the kernel reports its end only when no process of the
// namespace is left.
func (b *bubble) close() evidence {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.pidfd >= 0 {
		waitPidfd(b.pidfd, 10*time.Second)
		unix.Close(b.pidfd)
		b.pidfd = -1
	}
	b.status.Close()
	found := b.group.evidence()
	b.group.remove()
	return found
}

func waitPidfd(fd int, patience time.Duration) {
	for deadline := time.Now().Add(patience); ; {
		left := time.Until(deadline).Milliseconds()
		if left <= 0 {
			return
		}
		_, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, int(left))
		if !errors.Is(err, syscall.EINTR) {
			return
		}
	}
}
