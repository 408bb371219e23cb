package sandbox

import (
	"bytes"
	"encoding/binary"
	"fmt"

	seccomp "github.com/elastic/go-seccomp-bpf"
	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// denied are the system calls that answer "operation not permitted". Most need
// a capability that nobody inside has; they are listed because the kernel code
// behind them is what escapes were made of. An error and not a kill: programs
// try some of them and go on without.
var denied = [...]string{
	// Asynchronous calls that a filter does not see.
	"io_uring_setup", "io_uring_enter", "io_uring_register",
	// Other processes.
	"ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd", "kcmp", "move_pages", "migrate_pages",
	// Keys, tracing, page faults, hidden memory.
	"keyctl", "add_key", "request_key", "bpf", "perf_event_open", "userfaultfd", "memfd_secret", "fanotify_init", "lookup_dcookie",
	// Mounts and roots.
	"mount", "umount", "umount2", "pivot_root", "chroot", "move_mount", "open_tree", "open_tree_attr", "fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr", "open_by_handle_at", "setns",
	// The machine.
	"kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module", "create_module", "swapon", "swapoff", "reboot", "acct", "syslog",
	"quotactl", "quotactl_fd", "nfsservctl", "vhangup", "sethostname", "setdomainname",
	"settimeofday", "stime", "clock_settime", "clock_settime64", "clock_adjtime", "clock_adjtime64", "adjtimex",
	// Old interfaces of the processor and of binaries.
	"personality", "modify_ldt", "iopl", "ioperm", "vm86", "vm86old", "uselib", "_sysctl", "sysfs", "ustat",
}

// namespaces are the flags of clone and unshare that make a namespace.
const namespaces = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC |
	unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET

// seccompProgram is the filter as `bwrap --seccomp` reads it: an array of
// struct sock_filter.
func seccompProgram() ([]byte, error) {
	info, err := arch.GetInfo("")
	if err != nil {
		return nil, fmt.Errorf("seccomp: %w", err)
	}
	var names []string
	for _, name := range denied {
		if _, ok := info.SyscallNames[name]; ok {
			names = append(names, name)
		}
	}
	policy := seccomp.Policy{
		DefaultAction: seccomp.ActionAllow,
		Syscalls: []seccomp.SyscallGroup{
			// clone3 hides its flags from filters. "No such call" makes every
			// C library fall back to clone.
			{Action: seccomp.ActionErrno | seccomp.Action(unix.ENOSYS), Names: []string{"clone3"}},
			{
				Action: seccomp.ActionErrno,
				Names:  names,
				// These stay last: where a condition does not hold, the
				// library goes on comparing with the argument still loaded.
				NamesWithCondtions: []seccomp.NameWithConditions{
					{Name: "clone", Conditions: seccomp.ArgumentConditions{{Argument: 0, Operation: seccomp.BitsSet, Value: namespaces}}},
					{Name: "unshare", Conditions: seccomp.ArgumentConditions{{Argument: 0, Operation: seccomp.BitsSet, Value: namespaces}}},
					// Pushing input into a terminal (CVE-2017-5226).
					{Name: "ioctl", Conditions: low32(1, unix.TIOCSTI)},
					{Name: "ioctl", Conditions: low32(1, unix.TIOCLINUX)},
					// Families beyond these are not all bound to the network
					// namespace; vsock reaches the hypervisor.
					{Name: "socket", Conditions: seccomp.ArgumentConditions{
						{Argument: 0, Operation: seccomp.NotEqual, Value: unix.AF_UNIX},
						{Argument: 0, Operation: seccomp.NotEqual, Value: unix.AF_INET},
						{Argument: 0, Operation: seccomp.NotEqual, Value: unix.AF_INET6},
						{Argument: 0, Operation: seccomp.NotEqual, Value: unix.AF_NETLINK},
					}},
				},
			},
		},
	}
	instructions, err := policy.Assemble()
	if err != nil {
		return nil, fmt.Errorf("seccomp: %w", err)
	}
	// The library lets calls of another architecture through with the default
	// action; a 32-bit call would evade every number above.
	const archOffset, word = 4, 4
	instructions = append([]bpf.Instruction{
		bpf.LoadAbsolute{Off: archOffset, Size: word},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: uint32(info.ID), SkipTrue: 1},
		bpf.RetConstant{Val: uint32(seccomp.ActionKillProcess)},
	}, instructions...)

	raw, err := bpf.Assemble(instructions)
	if err != nil {
		return nil, fmt.Errorf("seccomp: %w", err)
	}
	var b bytes.Buffer
	for _, i := range raw {
		binary.Write(&b, binary.NativeEndian, unix.SockFilter{Code: i.Op, Jt: i.Jt, Jf: i.Jf, K: i.K})
	}
	return b.Bytes(), nil
}

// low32 holds when the low half of an argument is the value. The kernel cuts
// an ioctl's request to 32 bits, so a comparison of all 64 could be evaded.
func low32(argument, value uint32) seccomp.ArgumentConditions {
	conditions := seccomp.ArgumentConditions{
		{Argument: argument, Operation: seccomp.BitsNotSet, Value: uint64(^value)},
	}
	for bit := uint32(1); bit != 0; bit <<= 1 {
		if value&bit != 0 {
			conditions = append(conditions, seccomp.Condition{Argument: argument, Operation: seccomp.BitsSet, Value: uint64(bit)})
		}
	}
	return conditions
}
