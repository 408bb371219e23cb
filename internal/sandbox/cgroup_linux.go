package sandbox

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// runPrefix begins the name of a run's cgroup; the rest says which process
// made it, so that another one can tell a dead run from a living one.
const runPrefix = "mcp-lint-run-"

// cgroupParent is a folder of cgroupfs in which we may make the runs' groups.
type cgroupParent struct {
	dir          string
	v2           bool
	memory, pids bool // which limits its children can have
}

// cgroups are the places that this host offers: one with cgroup v2, up to two
// with v1, where every controller has its own tree.
type cgroups struct {
	parents []cgroupParent
	maker   string // names this process among all that use the parents
}

func (c cgroups) memory() bool {
	return slices.ContainsFunc(c.parents, func(p cgroupParent) bool { return p.memory })
}

func (c cgroups) pids() bool {
	return slices.ContainsFunc(c.parents, func(p cgroupParent) bool { return p.pids })
}

// findCgroups looks for parents, tries each one out, and removes the groups of
// dead runs in them.
func findCgroups() cgroups {
	c := cgroups{maker: makerName(os.Getpid())}
	for p := range cgroupCandidates {
		if (!p.memory || c.memory()) && (!p.pids || c.pids()) {
			continue
		}
		p.sweep()
		if p.works(c.next()) {
			c.parents = append(c.parents, p)
		}
	}
	return c
}

// works tries a parent out: a group with limits, and a process that is moved
// into it.
func (p cgroupParent) works(name string) bool {
	dir := filepath.Join(p.dir, name)
	if os.Mkdir(dir, 0o755) != nil {
		return false
	}
	g := runGroup{dirs: []string{dir}}
	defer g.remove()
	if p.limit(dir, DefaultLimits()) != nil {
		return false
	}
	waiting := exec.Command("/bin/sh", "-c", "read line")
	waiting.Env = []string{} // it needs no variable, and those of the operator may be secret
	stdin, err := waiting.StdinPipe()
	if err != nil || waiting.Start() != nil {
		return false
	}
	defer waiting.Wait()
	defer stdin.Close()
	return g.add(waiting.Process.Pid) == nil
}

// makerName is the pid namespace, pid and start time of a process: together
// they are unique on a host, also when containers share a cgroup tree.
func makerName(pid int) string {
	var ns syscall.Stat_t
	syscall.Stat("/proc/self/ns/pid", &ns)
	return fmt.Sprintf("%s%d-%d-%d", runPrefix, ns.Ino, pid, startTime(pid))
}

// startTime is field 22 of /proc/PID/stat, 0 for a process that is gone.
func startTime(pid int) int64 {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	// The name in parentheses may hold spaces; the fields after it start at 3.
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	if len(fields) < 20 {
		return 0
	}
	start, _ := strconv.ParseInt(fields[19], 10, 64)
	return start
}

// next is a new group's name. The number is random because a process may hold
// several sandboxes, which know nothing of each other.
func (c cgroups) next() string { return fmt.Sprintf("%s-%d", c.maker, rand.Int64()) }

// sweep ends and removes runs whose maker, of our pid namespace, is dead.
func (p cgroupParent) sweep() {
	entries, err := os.ReadDir(p.dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		var ns, pid, start, n int64
		if got, err := fmt.Sscanf(e.Name(), runPrefix+"%d-%d-%d-%d", &ns, &pid, &start, &n); err != nil || got != 4 {
			continue
		}
		maker := fmt.Sprintf("%s%d-%d-%d", runPrefix, ns, pid, start)
		var own syscall.Stat_t
		if syscall.Stat("/proc/self/ns/pid", &own) != nil || own.Ino != uint64(ns) || makerName(int(pid)) == maker {
			continue
		}
		runGroup{dirs: []string{filepath.Join(p.dir, e.Name())}}.remove()
	}
}

// limit writes the limits of a run's group.
func (p cgroupParent) limit(dir string, l Limits) error {
	set := func(file string, value int64) error {
		return writeControl(filepath.Join(dir, file), strconv.FormatInt(value, 10))
	}
	if p.pids {
		// Two more for bubblewrap's init and the moment of a fork in it.
		if err := set("pids.max", int64(l.Processes)+2); err != nil {
			return err
		}
	}
	if !p.memory {
		return nil
	}
	if p.v2 {
		if err := set("memory.max", l.Memory); err != nil {
			return err
		}
		// A limit on memory alone moves the excess into swap.
		if err := set("memory.swap.max", 0); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		set("memory.oom.group", 1) // ends all of the run at once; since Linux 4.19
		return nil
	}
	if err := set("memory.limit_in_bytes", l.Memory); err != nil {
		return err
	}
	if err := set("memory.memsw.limit_in_bytes", l.Memory); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	set("memory.swappiness", 0)
	return nil
}

// writeControl writes an existing control file.
func writeControl(file, value string) error {
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(value)
	return errors.Join(err, f.Close())
}

// runGroup is the cgroup of one run, in each of the parents. The zero value,
// where the host offers none, does nothing.
type runGroup struct{ dirs []string }

// newGroup makes the group of a run.
func (c cgroups) newGroup(l Limits) (runGroup, error) {
	var g runGroup
	name := c.next()
	for _, p := range c.parents {
		dir := filepath.Join(p.dir, name)
		if err := os.Mkdir(dir, 0o755); err != nil {
			g.remove()
			return runGroup{}, fmt.Errorf("cgroup: %w", err)
		}
		g.dirs = append(g.dirs, dir)
		if err := p.limit(dir, l); err != nil {
			g.remove()
			return runGroup{}, fmt.Errorf("cgroup: %w", err)
		}
	}
	return g, nil
}

// add puts a process into the group; its children will be born there.
func (g runGroup) add(pid int) error {
	for _, dir := range g.dirs {
		if err := writeControl(filepath.Join(dir, "cgroup.procs"), strconv.Itoa(pid)); err != nil {
			return fmt.Errorf("cgroup: %w", err)
		}
	}
	return nil
}

// kill ends every process of the group.
func (g runGroup) kill() {
	for _, dir := range g.dirs {
		if writeControl(filepath.Join(dir, "cgroup.kill"), "1") == nil { // v2 since Linux 5.14
			continue
		}
		procs, _ := os.ReadFile(filepath.Join(dir, "cgroup.procs"))
		for _, field := range strings.Fields(string(procs)) {
			if pid, err := strconv.Atoi(field); err == nil && pid > 1 {
				syscall.Kill(pid, syscall.SIGKILL)
			}
		}
	}
}

// evidence reads what the kernel counted against the limits.
func (g runGroup) evidence() evidence {
	var e evidence
	for _, dir := range g.dirs {
		for _, file := range []string{"memory.events", "memory.oom_control"} {
			e.memory = e.memory || counter(filepath.Join(dir, file), "oom_kill") > 0
		}
		e.pids = e.pids || counter(filepath.Join(dir, "pids.events"), "max") > 0
	}
	return e
}

// counter reads a line "name number" of a control file, 0 when there is none.
func counter(file, name string) int64 {
	data, _ := os.ReadFile(file)
	for line := range strings.Lines(string(data)) {
		if fields := strings.Fields(line); len(fields) == 2 && fields[0] == name {
			n, _ := strconv.ParseInt(fields[1], 10, 64)
			return n
		}
	}
	return 0
}

// remove ends what is in the group and removes it, waiting two seconds at most
// for the kernel to let go of dead processes.
func (g runGroup) remove() {
	for _, dir := range g.dirs {
		for deadline := time.Now().Add(2 * time.Second); ; {
			err := os.Remove(dir)
			if err == nil || errors.Is(err, os.ErrNotExist) || time.Now().After(deadline) {
				break
			}
			runGroup{dirs: []string{dir}}.kill()
			time.Sleep(time.Millisecond)
		}
	}
}
