package sandbox

import (
	"bufio"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// selfLeaf is the group that moveSelfDown makes.
const selfLeaf = "mcp-lint-self"

// cgroupCandidates goes over the folders in which runs' groups could be made,
// nearest to our own group first. Nothing says yet that we may write there.
func cgroupCandidates(yield func(cgroupParent) bool) {
	own := ownGroups()
	for _, m := range cgroupMounts() {
		if m.v2 {
			// Our own group, when it is delegated to us alone, or a group above
			// that gives its controllers to its children and lets us in: a user's
			// manager, a slice when we are root.
			for dir := m.folder(own[""]); within(dir, m.point); dir = filepath.Dir(dir) {
				if p, ok := delegated(dir); ok && !yield(p) {
					return
				}
			}
			continue
		}
		for _, controller := range m.controllers {
			p := cgroupParent{dir: m.folder(own[controller]), memory: controller == "memory", pids: controller == "pids"}
			if (p.memory || p.pids) && !yield(p) {
				return
			}
		}
	}
}

// delegated turns on the controllers for the children of a cgroup v2 folder.
func delegated(dir string) (cgroupParent, bool) {
	data, err := os.ReadFile(filepath.Join(dir, "cgroup.controllers"))
	if err != nil || filepath.Base(dir) == selfLeaf {
		return cgroupParent{}, false
	}
	p := cgroupParent{dir: dir, v2: true}
	offered := strings.Fields(string(data))
	control := filepath.Join(dir, "cgroup.subtree_control")
	for _, c := range []struct {
		name string
		on   *bool
	}{{"memory", &p.memory}, {"pids", &p.pids}} {
		if !slices.Contains(offered, c.name) {
			continue
		}
		err := writeControl(control, "+"+c.name)
		if errors.Is(err, syscall.EBUSY) && moveSelfDown(dir) {
			err = writeControl(control, "+"+c.name)
		}
		*c.on = err == nil
	}
	return p, p.memory || p.pids
}

// moveSelfDown makes room in our own group: a v2 group with processes in it
// cannot give controllers to its children. As systemd asks of services with
// Delegate=yes, we move into a leaf; only when nobody else is in the group.
func moveSelfDown(dir string) bool {
	self := strconv.Itoa(os.Getpid())
	procs, err := os.ReadFile(filepath.Join(dir, "cgroup.procs"))
	if err != nil || strings.TrimSpace(string(procs)) != self {
		return false
	}
	leaf := filepath.Join(dir, selfLeaf)
	if err := os.Mkdir(leaf, 0o755); err != nil && !errors.Is(err, os.ErrExist) {
		return false
	}
	return writeControl(filepath.Join(leaf, "cgroup.procs"), self) == nil
}

// ownGroups is /proc/self/cgroup: our group for each v1 controller, and for
// v2 under "".
func ownGroups() map[string]string {
	groups := map[string]string{}
	data, _ := os.ReadFile("/proc/self/cgroup")
	for line := range strings.Lines(string(data)) {
		// hierarchy:controllers:path
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) != 3 {
			continue
		}
		for controller := range strings.SplitSeq(fields[1], ",") {
			groups[controller] = fields[2]
		}
	}
	return groups
}

// cgroupMount is one mounted tree.
type cgroupMount struct {
	root, point string // the part of the tree that is mounted, and where
	v2          bool
	controllers []string // of v1
}

// folder is where a group of the tree is found.
func (m cgroupMount) folder(group string) string {
	if rest, ok := strings.CutPrefix(group, strings.TrimSuffix(m.root, "/")+"/"); ok {
		return filepath.Join(m.point, rest)
	}
	return m.point
}

// cgroupMounts reads /proc/self/mountinfo (proc_pid_mountinfo(5)).
func cgroupMounts() []cgroupMount {
	f, err := os.Open("/proc/self/mountinfo")
	if err != nil {
		return nil
	}
	defer f.Close()
	var mounts []cgroupMount
	for lines := bufio.NewScanner(f); lines.Scan(); {
		before, after, ok := strings.Cut(lines.Text(), " - ")
		left, right := strings.Fields(before), strings.Fields(after)
		if !ok || len(left) < 5 || len(right) < 3 {
			continue
		}
		m := cgroupMount{root: left[3], point: left[4]}
		switch right[0] {
		case "cgroup2":
			m.v2 = true
		case "cgroup":
			m.controllers = strings.Split(right[2], ",")
		default:
			continue
		}
		mounts = append(mounts, m)
	}
	return mounts
}
