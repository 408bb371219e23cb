package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// launch is one start of bubblewrap and the files it is handed.
type launch struct {
	cmd    *exec.Cmd
	binds  *binds
	status *os.File   // bubblewrap tells here who its init is
	block  *os.File   // it waits for a byte from here
	handed []*os.File // what it inherits
}

func (s *Sandbox) newLaunch(spec Spec, limits Limits, owner *syscall.Credential, stdio *pipes) (_ *launch, err error) {
	l := &launch{}
	defer func() {
		if err != nil {
			l.discard()
		}
	}()
	if l.binds, err = newBinds(spec, owner); err != nil {
		return nil, err
	}
	status, err := l.pipe(true)
	if err != nil {
		return nil, err
	}
	block, err := l.pipe(false)
	if err != nil {
		return nil, err
	}
	var data [4]string
	for i, content := range []string{string(s.seccomp), passwdStub, groupStub, hostsStub} {
		if data[i], err = l.data(content); err != nil {
			return nil, err
		}
	}
	args := []string{
		"--unshare-user", "--disable-userns", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try",
		"--die-with-parent", "--new-session", "--cap-drop", "ALL", "--hostname", "sandbox",
		"--uid", strconv.Itoa(inside), "--gid", strconv.Itoa(inside),
		"--json-status-fd", status, "--block-fd", block, "--seccomp", data[0],
	}
	if !spec.Network.Host {
		args = append(args, "--unshare-net")
	}
	args = append(args, systemArguments(spec.Network.Host)...)
	args = append(args, "--ro-bind-data", data[1], "/etc/passwd", "--ro-bind-data", data[2], "/etc/group")
	if !spec.Network.Host {
		args = append(args, "--ro-bind-data", data[3], "/etc/hosts")
	}
	scratch := strconv.FormatInt(limits.Scratch, 10)
	args = append(args,
		"--proc", "/proc",
		"--dev", "/dev", "--perms", "1777", "--size", scratch, "--tmpfs", "/dev/shm", "--remount-ro", "/dev",
		"--perms", "1777", "--size", scratch, "--tmpfs", "/tmp",
		"--perms", "1777", "--size", scratch, "--tmpfs", "/var/tmp",
		"--perms", "0700", "--size", scratch, "--tmpfs", HomePath,
		"--perms", "0755", "--size", scratch, "--tmpfs", TreePath,
	)
	args = append(args, l.binds.arguments()...)
	for _, file := range l.binds.settings() {
		empty, err := l.data("")
		if err != nil {
			return nil, err
		}
		args = append(args, "--ro-bind-data", empty, file)
	}
	args = append(args, "--remount-ro", "/", "--chdir", path.Join(TreePath, spec.Dir), "--clearenv")
	for _, v := range append([]string{"PATH=" + defaultPath}, spec.Env...) {
		if name, value, ok := strings.Cut(v, "="); ok && name != "" {
			args = append(args, "--setenv", name, value)
		}
	}
	args = append(args, "--setenv", "HOME", HomePath, "--setenv", "TMPDIR", "/tmp")
	for _, a := range append(args, spec.Argv...) {
		if strings.ContainsRune(a, 0) {
			return nil, errors.New("sandbox: an argument, variable or path holds a NUL byte")
		}
	}

	// The arguments go through a file and not the command line, which the
	// command could read in /proc/1/cmdline.
	list, err := l.data(strings.Join(args, "\x00") + "\x00")
	if err != nil {
		return nil, err
	}
	l.cmd = &exec.Cmd{
		Path: s.bwrap,
		Args: append([]string{"bwrap", "--args", list, "--"}, spec.Argv...),
		Dir:  "/",
		// Not nil, which would inherit ours: the command can read this
		// environment in /proc/1/environ, --clearenv or not.
		Env:         []string{},
		Stdin:       stdio.stdin,
		Stdout:      stdio.stdout,
		Stderr:      stdio.stderr,
		ExtraFiles:  l.handed,
		SysProcAttr: &syscall.SysProcAttr{Credential: owner},
	}
	return l, nil
}

// hand makes f the next file that bubblewrap inherits, and gives its number.
func (l *launch) hand(f *os.File) string {
	l.handed = append(l.handed, f)
	return strconv.Itoa(2 + len(l.handed))
}

// pipe hands one end of a pipe over and keeps the other in status or block.
func (l *launch) pipe(weRead bool) (string, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return "", fmt.Errorf("sandbox: pipe: %w", err)
	}
	if weRead {
		l.status = r
		return l.hand(w), nil
	}
	l.block = w
	// Opened for writing too, the pipe has no end: if we die before release,
	// bubblewrap must not take that for the byte and run the command.
	defer r.Close()
	both, err := os.OpenFile(fmt.Sprintf("/proc/self/fd/%d", r.Fd()), os.O_RDWR, 0)
	if err != nil {
		return "", fmt.Errorf("sandbox: pipe: %w", err)
	}
	return l.hand(both), nil
}

// data hands over a file in memory.
func (l *launch) data(content string) (string, error) {
	fd, err := unix.MemfdCreate("sandbox", unix.MFD_CLOEXEC)
	if err != nil {
		return "", fmt.Errorf("sandbox: memory file: %w", err)
	}
	f := os.NewFile(uintptr(fd), "sandbox")
	number := l.hand(f)
	if _, err := f.WriteString(content); err != nil {
		return "", fmt.Errorf("sandbox: memory file: %w", err)
	}
	if _, err := f.Seek(0, 0); err != nil {
		return "", fmt.Errorf("sandbox: memory file: %w", err)
	}
	return number, nil
}

// initPID waits for bubblewrap to say which process is the sandbox's first.
func (l *launch) initPID() (int, error) {
	l.status.SetReadDeadline(time.Now().Add(setupTime))
	var told struct {
		PID int `json:"child-pid"`
	}
	if err := json.NewDecoder(l.status).Decode(&told); err != nil || told.PID < 2 {
		return 0, fmt.Errorf("bubblewrap did not get far: %w", errors.Join(err))
	}
	return told.PID, nil
}

// release lets the command run.
func (l *launch) release() error {
	if _, err := l.block.Write([]byte{1}); err != nil {
		return fmt.Errorf("bubblewrap is gone: %w", err)
	}
	return nil
}

func (l *launch) closeTheirs() {
	for _, f := range l.handed {
		f.Close()
	}
}

func (l *launch) close() {
	l.closeTheirs()
	if l.block != nil {
		l.block.Close()
	}
}

// discard gives up a launch that never started.
func (l *launch) discard() {
	l.close()
	if l.status != nil {
		l.status.Close()
	}
}
