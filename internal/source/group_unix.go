//go:build unix

package source

import (
	"os/exec"
	"syscall"
)

// inGroup puts a process in a group of its own, which ends as a whole.
func inGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
