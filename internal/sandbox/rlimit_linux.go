package sandbox

import (
	"fmt"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// limit is a limit on each process alone.
type limit struct {
	name     string
	resource int
	max      uint64
}

// setLimits puts the per-process limits on init, which hands them down.
// RLIMIT_NPROC counts in the user namespace of the run alone since Linux 5.14
// (user_namespaces(7)); as root also before, because the uid is the run's own.
//
// Where a cgroup counts processes or memory, it alone does: it also tells
// afterwards that the limit was hit.
func setLimits(init int, l Limits, owner *syscall.Credential, counted cgroups) error {
	limits := []limit{
		{"core", unix.RLIMIT_CORE, 0},
		{"cpu", unix.RLIMIT_CPU, uint64((l.CPU + time.Second - 1) / time.Second)},
		{"file size", unix.RLIMIT_FSIZE, uint64(l.FileSize)},
		{"open files", unix.RLIMIT_NOFILE, uint64(l.Files)},
		{"message queues", unix.RLIMIT_MSGQUEUE, 0},
		{"locked memory", unix.RLIMIT_MEMLOCK, 64 << 10},
		{"realtime priority", unix.RLIMIT_RTPRIO, 0},
		{"nice", unix.RLIMIT_NICE, 0},
	}
	if !counted.pids() {
		limits = append(limits, limit{"processes", unix.RLIMIT_NPROC, uint64(l.Processes) + 1}) // and init
	}
	if !counted.memory() {
		// Writable private memory of one process. Not the address space, of
		// which node reserves terabytes.
		limits = append(limits, limit{"data", unix.RLIMIT_DATA, uint64(l.Memory)})
	}
	if owner == nil {
		return lowerAll(init, limits)
	}
	// Root of a container often has no CAP_SYS_RESOURCE. Without it one may
	// only limit a process of one's own real user (prlimit(2)): one thread
	// becomes that, keeps its effective rights, and is thrown away.
	failed := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		const keep = ^uintptr(0)
		unix.RawSyscall(unix.SYS_SETRESGID, uintptr(owner.Gid), keep, keep)
		unix.RawSyscall(unix.SYS_SETRESUID, uintptr(owner.Uid), keep, keep)
		failed <- lowerAll(init, limits)
	}()
	return <-failed
}

// lowerAll sets both halves of each limit, never above what the process has.
func lowerAll(pid int, limits []limit) error {
	for _, l := range limits {
		var now unix.Rlimit
		if err := unix.Prlimit(pid, l.resource, nil, &now); err != nil {
			return fmt.Errorf("limit on %s: %w", l.name, err)
		}
		most := min(l.max, now.Max)
		if err := unix.Prlimit(pid, l.resource, &unix.Rlimit{Cur: most, Max: most}, nil); err != nil {
			return fmt.Errorf("limit on %s: %w", l.name, err)
		}
	}
	return nil
}
