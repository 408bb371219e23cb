//go:build unix

package sandbox

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// bareAttributes put the command into a session of its own: it has no
// controlling terminal to read from or to push input into.
func bareAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true}
}

// bareFamily is the process group of a command, and where the system lets us
// see it, everything else that carries the mark of the run.
type bareFamily struct {
	pid  int
	mark []string
}

func newBareFamily(cmd *exec.Cmd, mark []string) family {
	return &bareFamily{pid: cmd.Process.Pid, mark: mark}
}

func (f *bareFamily) terminate() { syscall.Kill(-f.pid, syscall.SIGTERM) }

func (f *bareFamily) kill() {
	syscall.Kill(-f.pid, syscall.SIGKILL)
	killStrays(f.mark)
}

func (f *bareFamily) close() evidence {
	killStrays(f.mark)
	return evidence{}
}

// exitStatus is how a command ended.
type exitStatus struct {
	code   int
	signal string
}

// statusOf reads a process state. Behind an init of ours the signal arrives as
// the status 128+n.
func statusOf(state *os.ProcessState, viaInit bool) exitStatus {
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return exitStatus{-1, unix.SignalName(ws.Signal())}
	}
	code := state.ExitCode()
	if viaInit && code > 128 {
		if name := unix.SignalName(syscall.Signal(code - 128)); name != "" {
			return exitStatus{-1, name}
		}
	}
	return exitStatus{code, ""}
}
