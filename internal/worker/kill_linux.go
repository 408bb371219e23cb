package worker

import (
	"bytes"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// AdoptOrphans makes this process the parent of every orphan below it, so that
// a server which leaves its process group can still be found and ended.
func AdoptOrphans() error {
	return unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
}

// KillDescendants kills every process below this one.
func KillDescendants() { killBelow(os.Getpid()) }

// killTree kills a child, its group and everything below it. The child is
// killed last, because its orphans come back to it only while it lives.
func killTree(pid int) {
	killBelow(pid)
	_ = syscall.Kill(-pid, syscall.SIGKILL)
	_ = syscall.Kill(pid, syscall.SIGKILL)
}

// killBelow kills what is below pid, again and again while anything is left:
// something may be born while we look. The rounds are bounded, a sandbox
// bounds what a hostile program can do in that time.
func killBelow(pid int) {
	for range 10 {
		below := descendants(pid)
		if len(below) == 0 {
			return
		}
		for _, p := range below {
			_ = syscall.Kill(p, syscall.SIGKILL)
		}
	}
}

// descendants lists the living processes below pid, without it.
func descendants(pid int) []int {
	children := map[int][]int{}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	for _, e := range entries {
		p, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err != nil {
			continue // ended meanwhile
		}
		// pid (name) state parent …; the name may hold anything, so look for
		// its last parenthesis.
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(fields) < 2 || fields[0][0] == 'Z' {
			continue
		}
		parent, err := strconv.Atoi(string(fields[1]))
		if err == nil {
			children[parent] = append(children[parent], p)
		}
	}
	var below []int
	for queue := children[pid]; len(queue) > 0; queue = queue[1:] {
		below = append(below, queue[0])
		queue = append(queue, children[queue[0]]...)
	}
	return below
}
