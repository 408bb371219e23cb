package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// minimum is the first bubblewrap that can forbid nested user namespaces.
const minimum = "0.8.0"

// prepare finds bubblewrap and the places for cgroups, and tries both out with
// a command that does nothing.
func (s *Sandbox) prepare(o Options) error {
	var err error
	if s.bwrap, err = findBubblewrap(o.Bubblewrap); err != nil {
		return err
	}
	if s.seccomp, err = seccompProgram(); err != nil {
		return &Unavailable{What: "no system call filter for this processor", Remedy: "run on amd64 or arm64", Err: err}
	}
	s.cgroups = findCgroups()
	s.missing = missingLimits(s.cgroups)
	if s.mode == Require && len(s.missing) > 0 {
		return &Unavailable{
			What:   "not enforced on this host: " + strings.Join(s.missing, "; "),
			Remedy: "start the service with a delegated cgroup (systemd: Delegate=yes; a container: a writable /sys/fs/cgroup), or use the mode best-effort",
		}
	}
	return s.tryOut()
}

func missingLimits(c cgroups) []string {
	var missing []string
	if !c.memory() {
		missing = append(missing, "memory of all processes together (no writable memory cgroup; each process is limited alone)")
	}
	if !c.pids() && os.Geteuid() != 0 && !kernelAtLeast(5, 14) {
		missing = append(missing, "number of processes (no writable pids cgroup, and Linux is older than 5.14)")
	}
	return missing
}

func findBubblewrap(path string) (string, error) {
	candidates := []string{path}
	if path == "" {
		candidates = []string{"/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap", "/run/current-system/sw/bin/bwrap"}
	}
	for _, c := range candidates {
		if info, err := os.Stat(c); err != nil || info.IsDir() {
			continue
		}
		ask := exec.Command(c, "--help")
		ask.Env = []string{} // whoever looks at the process sees no variable of ours
		help, err := ask.CombinedOutput()
		if err != nil || !strings.Contains(string(help), "--disable-userns") {
			return "", &Unavailable{
				What:   "bubblewrap at " + c + " is older than " + minimum + " or does not run",
				Remedy: "install bubblewrap " + minimum + " or newer (apt-get install bubblewrap)",
				Err:    err,
			}
		}
		return c, nil
	}
	return "", &Unavailable{What: "bubblewrap (bwrap) is not installed", Remedy: "apt-get install bubblewrap"}
}

// tryOut runs /bin/sh once.
func (s *Sandbox) tryOut() error {
	ctx, cancel := context.WithTimeout(context.Background(), 2*setupTime)
	defer cancel()
	p, err := s.startIsolated(ctx, Spec{Argv: []string{"/bin/sh", "-c", ":"}}, DefaultLimits())
	var unavailable *Unavailable
	if errors.As(err, &unavailable) {
		return err
	}
	if err != nil {
		return &Unavailable{What: err.Error(), Remedy: generalRemedy, Err: err}
	}
	done := time.AfterFunc(setupTime, func() { p.Stop(0) })
	defer done.Stop()
	if r := p.Wait(); r.Class != Exited || r.Exit != 0 {
		return &Unavailable{
			What:   fmt.Sprintf("a trial run of /bin/sh ended with %s, status %d%s: %s", r.Class, r.Exit, r.Signal, firstLine(r.Stderr)),
			Remedy: generalRemedy,
		}
	}
	return nil
}

const generalRemedy = "check that `bwrap --unshare-user --unshare-pid --ro-bind / / true` works for an ordinary user"

// setupError reads what bubblewrap says when it could not build the sandbox,
// nil when it said nothing. Only called before the command has run, so that
// the text is bubblewrap's.
func setupError(stderr string) error {
	said, ok := strings.CutPrefix(firstLine(stderr), "bwrap: ")
	if !ok {
		return nil
	}
	u := &Unavailable{What: "bubblewrap: " + said, Remedy: generalRemedy}
	switch {
	case strings.Contains(said, "Can't mount proc"):
		u.Remedy = "the container hides parts of /proc: start it with --security-opt systempaths=unconfined"
	case !strings.Contains(said, "uid map") && !strings.Contains(said, "namespace") && !strings.Contains(said, "NEWUSER") && !strings.Contains(said, "loopback"):
		// Something about a path or a mount: the text says it best.
	case sysctl("kernel/apparmor_restrict_unprivileged_userns") == "1":
		u.Remedy = "AppArmor forbids user namespaces here: install a profile for bwrap that has `userns,` (deploy/apparmor/bwrap), then apparmor_parser -r it"
	case sysctl("kernel/unprivileged_userns_clone") == "0":
		u.Remedy = "sysctl -w kernel.unprivileged_userns_clone=1"
	case sysctl("user/max_user_namespaces") == "0":
		u.Remedy = "sysctl -w user.max_user_namespaces=10000"
	case inContainer():
		u.Remedy = "the container forbids user namespaces: start it with --security-opt seccomp=unconfined --security-opt apparmor=unconfined, or with a profile that allows them"
	}
	return u
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

func sysctl(name string) string {
	value, err := os.ReadFile("/proc/sys/" + name)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(value))
}

func inContainer() bool {
	for _, file := range []string{"/.dockerenv", "/run/.containerenv"} {
		if _, err := os.Stat(file); err == nil {
			return true
		}
	}
	return os.Getenv("KUBERNETES_SERVICE_HOST") != ""
}

// kernelAtLeast reads /proc/sys/kernel/osrelease.
func kernelAtLeast(major, minor int) bool {
	var a, b int
	if _, err := fmt.Sscanf(sysctl("kernel/osrelease"), "%d.%d", &a, &b); err != nil {
		return false
	}
	return a > major || a == major && b >= minor
}
