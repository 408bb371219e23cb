package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// plain is a behaviour started without the package.
func plain(name, token string) *exec.Cmd {
	c := exec.Command(self(), "hostile", name, token)
	c.Env = []string{RunVariable + "=" + token}
	return c
}

// openLeaky opens a file without close-on-exec, as a careless library might do.
func openLeaky(t *testing.T) {
	fd, err := syscall.Open("/etc/passwd", syscall.O_RDONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Close(fd) })
}

// hostileTree is a tree with everything that must not be copied.
func hostileTree(t *testing.T) string {
	tree := t.TempDir()
	for _, dir := range []string{"sub", ".git", "sub/.git"} {
		os.Mkdir(filepath.Join(tree, dir), 0o755)
		os.WriteFile(filepath.Join(tree, dir, "file"), []byte("content\n"), 0o644)
	}
	canary := filepath.Join(t.TempDir(), "canary")
	os.WriteFile(canary, []byte("secret"), 0o644)
	relative, _ := filepath.Rel(tree, canary)
	os.WriteFile(filepath.Join(tree, "setuid"), nil, 0o755)
	for _, err := range []error{
		os.Chmod(filepath.Join(tree, "setuid"), 0o755|os.ModeSetuid|os.ModeSetgid),
		os.Symlink(canary, filepath.Join(tree, "abs")),
		os.Symlink(relative, filepath.Join(tree, "out")),
		os.Symlink("file", filepath.Join(tree, "sub/in")),
		os.Symlink("sub/../sub", filepath.Join(tree, "inner")),
		unix.Mkfifo(filepath.Join(tree, "fifo"), 0o644),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return tree
}

func TestPosture(t *testing.T) {
	s := isolated(t)
	spec := hostileSpec("posture")
	spec.Env = append(spec.Env, "TOLD=yes", "HOME=/home/operator")
	out, r := play(t, s, spec)
	if r.Exit != 0 {
		t.Fatalf("%+v", r)
	}
	got := map[string]string{}
	for line := range strings.Lines(out) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		got[key] = value
	}
	const none = "0000000000000000"
	for key, want := range map[string]string{
		"Uid": "1000 1000 1000 1000", "Gid": "1000 1000 1000 1000",
		"CapInh": none, "CapPrm": none, "CapEff": none, "CapBnd": none, "CapAmb": none,
		"NoNewPrivs": "1", "Seccomp": "2",
		"init Seccomp": "2", "init CapEff": none,
		"limit core": "0", "limit nofile": "1024",
		"host":         "sandbox",
		"environ":      "PATH=/usr/bin:/bin TOLD=yes HOME=" + HomePath + " TMPDIR=/tmp",
		"init environ": `""`,
	} {
		if got[key] != want {
			// bubblewrap adds PWD by itself.
			if key == "environ" && strings.Join(strings.Fields(strings.ReplaceAll(got[key], "PWD="+TreePath, "")), " ") == want {
				continue
			}
			t.Errorf("%s is %q, want %q", key, got[key], want)
		}
	}
	if os.Getuid() == 0 && strings.TrimSpace(got["Groups"]) != "" && got["Groups"] != "65534" {
		t.Errorf("groups: %q", got["Groups"])
	}
	for _, ns := range []string{"user", "pid", "net", "ipc", "uts", "mnt", "cgroup"} {
		own, err := os.Readlink("/proc/self/ns/" + ns)
		if err != nil {
			t.Fatal(err)
		}
		if inside := got["ns "+ns]; inside == own || inside == "" {
			t.Errorf("the %s namespace is the host's", ns)
		}
	}
	if line := got["init cmdline"]; strings.Contains(line, "ro-bind") || strings.Contains(line, "TOLD") {
		t.Errorf("init's arguments tell how the sandbox is built: %s", line)
	}
	t.Logf("missing on this host: %q", s.Missing())
}

// TestNetworkIsSharedWhenGranted is the control for the network namespace.
func TestNetworkIsSharedWhenGranted(t *testing.T) {
	spec := hostileSpec("posture")
	spec.Network.Host = true
	out, _ := play(t, isolated(t), spec)
	own, _ := os.Readlink("/proc/self/ns/net")
	if !strings.Contains(out, "ns net: "+own) {
		t.Error("the fetch phase has no network")
	}
}

func TestInterpretersWork(t *testing.T) {
	s := isolated(t)
	for name, argv := range map[string][]string{
		"node":    {"node", "-e", "require('crypto').randomBytes(8); new (require('worker_threads').Worker)('console.log(1+1)',{eval:true})"},
		"python3": {"python3", "-c", "import threading,subprocess,ssl,tempfile; t=threading.Thread(target=lambda: print(1+1)); t.start(); t.join(); subprocess.run(['/bin/true'],check=True)"},
	} {
		t.Run(name, func(t *testing.T) {
			binds, path, err := Toolchain(name, os.Getenv("PATH"))
			if err != nil {
				t.Skipf("skipped: %v", err)
			}
			out, r := play(t, s, Spec{Argv: append([]string{path}, argv[1:]...), ReadOnly: binds})
			if out != "2\n" || r.Exit != 0 || r.Stderr != "" {
				t.Errorf("%q %+v", out, r)
			}
		})
	}
}
