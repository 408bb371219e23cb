package sandbox

import (
	"bytes"
	"crypto/rand"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// newMark makes the variable that the processes of one run share.
func newMark() []string { return []string{RunVariable + "=" + rand.Text()} }

// killStrays ends every process whose environment carries the mark: real
// servers leave daemons that left the group, the session and their parent, and
// the environment is what such a process keeps. It gives up after two seconds
// on processes that fork faster than they are found.
func killStrays(mark []string) {
	if len(mark) == 0 {
		return
	}
	want := append([]byte(mark[0]), 0)
	for deadline := time.Now().Add(2 * time.Second); time.Now().Before(deadline); time.Sleep(2 * time.Millisecond) {
		if !killMarked(want) {
			return
		}
	}
}

// killMarked goes over all processes once and says whether it found one.
func killMarked(want []byte) (found bool) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return false
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		// The handle is taken before the look, so that a number that is used
		// again in between cannot be hit.
		p, err := os.FindProcess(pid)
		if err != nil {
			continue
		}
		env, err := os.ReadFile(filepath.Join("/proc", e.Name(), "environ"))
		if err == nil && bytes.Contains(append(env, 0), want) {
			if p.Kill() == nil {
				found = true
			}
		}
		p.Release()
	}
	return found
}
