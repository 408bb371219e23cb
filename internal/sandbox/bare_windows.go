package sandbox

import (
	"os"
	"os/exec"
	"sync"
	"syscall"

	"golang.org/x/sys/windows"
)

func bareAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
}

// bareFamily is a job object: it holds the command and all that it starts.
type bareFamily struct {
	process *os.Process
	mu      sync.Mutex
	job     windows.Handle // 0 when the system refused one
}

func newBareFamily(cmd *exec.Cmd, _ []string) family {
	f := &bareFamily{process: cmd.Process}
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return f
	}
	err = cmd.Process.WithHandle(func(handle uintptr) {
		if windows.AssignProcessToJobObject(job, windows.Handle(handle)) == nil {
			f.job = job
		}
	})
	if err != nil || f.job == 0 {
		windows.CloseHandle(job)
	}
	return f
}

// terminate is the hard end: a process without a window or console of its own
// has nothing like SIGTERM.
func (f *bareFamily) terminate() { f.kill() }

func (f *bareFamily) kill() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.job != 0 {
		windows.TerminateJobObject(f.job, 1)
		return
	}
	f.process.Kill()
}

func (f *bareFamily) close() evidence {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.job != 0 {
		windows.CloseHandle(f.job)
		f.job = 0
	}
	return evidence{}
}

// exitStatus is how a command ended.
type exitStatus struct {
	code   int
	signal string
}

func statusOf(state *os.ProcessState, _ bool) exitStatus {
	return exitStatus{code: state.ExitCode()}
}
