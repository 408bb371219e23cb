package sandbox

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestNetworkIsUnreachable(t *testing.T) {
	s := isolated(t)
	heard := make(chan string, 8)
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer tcp.Close()
	go func() {
		for {
			c, err := tcp.Accept()
			if err != nil {
				return
			}
			heard <- "tcp"
			c.Close()
		}
	}()
	udp, err := net.ListenPacket("udp", tcp.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer udp.Close()
	go func() {
		buf := make([]byte, 64)
		for {
			if _, _, err := udp.ReadFrom(buf); err != nil {
				return
			}
			heard <- "udp"
		}
	}()
	spec := hostileSpec("net", tcp.Addr().String())

	// The control: without the sandbox both arrive.
	if out, r := play(t, bare(t), spec); strings.Count(out, "sent") != 2 {
		t.Fatalf("the probe does not work outside the sandbox: %q %+v", out, r)
	}
	for range 2 {
		select {
		case <-heard:
		case <-time.After(2 * time.Second):
			t.Fatal("the listener heard nothing of the control")
		}
	}
	// Addresses of documentation (RFC 5737, RFC 3849): nobody's.
	spec.Argv = append(spec.Argv, "192.0.2.1:53", "[2001:db8::1]:53")
	out, r := play(t, s, spec)
	if strings.Contains(out, "sent tcp") || strings.Contains(out, "192.0.2") || strings.Contains(out, "2001:") || r.Exit != 0 {
		t.Errorf("reached the network: %q %+v", out, r)
	}
	select {
	case what := <-heard:
		t.Errorf("the host's listener heard %s", what)
	case <-time.After(50 * time.Millisecond):
	}
	good(t, s)
}

func TestSecretsAreUnreadable(t *testing.T) {
	s := isolated(t)
	secret := "canary-" + rand.Text()
	t.Setenv("SANDBOX_TEST_SECRET", secret)
	home := t.TempDir() // stands for a home folder, an app key, another run's scratch
	file := filepath.Join(home, "canary")
	if err := os.WriteFile(file, []byte(secret), 0o644); err != nil {
		t.Fatal(err)
	}
	neighbour, err := bare(t).Start(t.Context(), Spec{
		Argv: []string{self(), "hostile", "echo", secret},
		Env:  []string{"NEIGHBOUR=" + secret}, Tree: home,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer neighbour.Stop(time.Second)
	io.WriteString(neighbour.Stdin, "x\n")
	if _, err := io.ReadFull(neighbour.Stdout, make([]byte, len("echo: x\n"))); err != nil {
		t.Fatal(err)
	}

	control, _ := play(t, bare(t), hostileSpec("secrets", secret[:10], secret[10:], file))
	for _, place := range []string{"/proc/*/environ", "/proc/*/cmdline", "/proc/*/cwd/canary", "file"} {
		if !strings.Contains(control, "found: "+place) {
			t.Errorf("the probe does not find the secret in %s outside the sandbox: %q", place, control)
		}
	}
	if out, r := play(t, s, hostileSpec("secrets", secret[:10], secret[10:], file)); out != "" || r.Exit != 0 {
		t.Errorf("found the secret: %q %+v", out, r)
	}

	// What is fixed and not ours to plant.
	files := []string{
		"/etc/shadow", "/etc/gshadow", "/etc/resolv.conf", "/etc/hostname", "/etc/fstab", "/etc/machine-id", "/etc/ssh/sshd_config", "/etc/environment",
		"/var/lib/dpkg/status", "/var/run/docker.sock", "/proc/kcore", "/sys/kernel/notes",
	}
	if home, err := os.UserHomeDir(); err == nil {
		for _, name := range []string{".npmrc", ".netrc", ".bashrc", ".profile"} {
			files = append(files, filepath.Join(home, name))
		}
	}
	if control, _ := play(t, bare(t), hostileSpec("read", files...)); !strings.Contains(control, "read: /etc/fstab") && !strings.Contains(control, "read: /etc/hostname") {
		t.Errorf("the probe reads nothing outside the sandbox: %q", control)
	}
	if out, _ := play(t, s, hostileSpec("read", files...)); out != "" {
		t.Errorf("read files of the host: %q", out)
	}
	good(t, s)
}

func TestNoFileIsInherited(t *testing.T) {
	s := isolated(t)
	openLeaky(t)
	control, _ := play(t, bare(t), hostileSpec("fds"))
	if !strings.Contains(control, "open:") {
		t.Fatalf("the probe sees no inherited file outside the sandbox: %q", control)
	}
	if out, r := play(t, s, hostileSpec("fds")); out != "" || r.Exit != 0 {
		t.Errorf("inherited: %q %+v", out, r)
	}
}

func TestWritesStayInside(t *testing.T) {
	s := isolated(t)
	tree, outside := t.TempDir(), t.TempDir()
	os.Chmod(outside, 0o777)
	if err := os.WriteFile(filepath.Join(tree, "server.js"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	spec := hostileSpec("write", outside, tree, ".", "/", "/usr", "/usr/bin", "/etc", "/dev", "/proc", "/sandbox")
	spec.Tree = tree
	control, _ := play(t, bare(t), spec)
	if !strings.Contains(control, "wrote: "+outside) || !strings.Contains(control, "wrote: .") {
		t.Errorf("the probe cannot write outside the sandbox: %q", control)
	}
	if out, r := play(t, s, spec); out != "wrote: .\n" || r.Exit != 0 {
		t.Errorf("wrote outside: %q %+v", out, r)
	}
	// A bind of the fetch phase is writable, and nothing beside it.
	spec.Writable = []string{outside}
	if out, _ := play(t, s, spec); out != "wrote: "+outside+"\nwrote: .\n" {
		t.Errorf("with a writable folder: %q", out)
	}
	// Every place that can be written to is bounded.
	spec = hostileSpec("fill", ".", "/tmp", HomePath, "/dev/shm")
	spec.Limits.Memory = 256 << 20
	out, _ := play(t, s, spec)
	if strings.Count(out, "filled:") != 4 || strings.Contains(out, " 48\n") {
		t.Errorf("the scratch limit of 8 MB does not hold: %q", out)
	}
	good(t, s)
}

func TestTreeIsAPrivateCopy(t *testing.T) {
	s := isolated(t)
	tree := hostileTree(t)
	spec := Spec{
		Argv: []string{"/bin/sh", "-c", "find . | sort; cat sub/in; cat out 2>&1; cat abs 2>&1; stat -c %a setuid; echo changed >sub/file"},
		Tree: tree,
	}
	out, r := play(t, s, spec)
	want := ".\n./inner\n./setuid\n./sub\n./sub/file\n./sub/in\n" + "content\n" + "cat: out: No such file or directory\ncat: abs: No such file or directory\n755\n"
	if out != want {
		t.Errorf("the copy:\n%s\nwant:\n%s\n%+v", out, want, r)
	}
	if data, _ := os.ReadFile(filepath.Join(tree, "sub/file")); string(data) != "content\n" {
		t.Errorf("the host's tree was changed: %q", data)
	}
	spec = Spec{Argv: []string{"/bin/pwd"}, Tree: tree, Dir: "sub"}
	if out, _ := play(t, s, spec); out != TreePath+"/sub\n" {
		t.Errorf("working directory: %q", out)
	}
	spec.Dir = "nosuch"
	if _, err := s.Start(t.Context(), spec); err == nil || !strings.Contains(err.Error(), "nosuch") {
		t.Errorf("a missing working directory: %v", err)
	}
	spec.Dir = "../.."
	if _, err := s.Start(t.Context(), spec); err == nil {
		t.Error("a working directory outside the tree was accepted")
	}
	os.WriteFile(filepath.Join(tree, "large"), make([]byte, 4<<20), 0o644)
	spec = Spec{Argv: []string{"/bin/true"}, Tree: tree, Limits: Limits{Scratch: 1 << 20}}
	if _, err := s.Start(t.Context(), spec); err == nil || !strings.Contains(err.Error(), "larger than the scratch limit") {
		t.Errorf("a tree over the limit: %v", err)
	}
}

func TestForbiddenCalls(t *testing.T) {
	s := isolated(t)
	control, _ := play(t, bare(t), hostileSpec("calls"))
	for _, call := range []string{"ptrace", "personality", "keyctl", "process_vm_readv", "tiocsti", "namespace user"} {
		if !strings.Contains(control, "allowed: "+call) {
			t.Logf("the host itself refuses %s", call)
		}
	}
	if strings.Count(control, "allowed:") < 5 {
		t.Errorf("the probe does not work outside the sandbox: %q", control)
	}
	if out, r := play(t, s, hostileSpec("calls")); out != "" || r.Exit != 0 {
		t.Errorf("allowed inside: %q %+v", out, r)
	}
	good(t, s)
}

func TestEndings(t *testing.T) {
	s := isolated(t)
	for _, c := range []struct {
		name   string
		spec   Spec
		class  Class
		exit   int
		signal string
	}{
		{"by itself", hostileSpec("echo"), Exited, 0, ""},
		{"with a status", hostileSpec("exit"), Exited, 7, ""},
		{"by a signal", Spec{Argv: []string{"/bin/sh", "-c", "kill -ABRT $$"}, Env: []string{"PATH=/bin"}}, Exited, -1, "SIGABRT"},
		{"by the clock", withWall(hostileSpec("deaf"), 300*time.Millisecond), Timeout, -1, "SIGKILL"},
	} {
		for _, sandbox := range []*Sandbox{s, bare(t)} {
			t.Run(fmt.Sprintf("%s/%s", c.name, sandbox.Mode()), func(t *testing.T) {
				_, r := play(t, sandbox, c.spec)
				if r.Class != c.class || r.Exit != c.exit || r.Signal != c.signal {
					t.Errorf("got %+v, want %s %d %q", r, c.class, c.exit, c.signal)
				}
			})
		}
	}
	t.Run("context", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		p, err := s.Start(ctx, hostileSpec("deaf"))
		if err != nil {
			t.Fatal(err)
		}
		cancel()
		if r := p.Wait(); r.Class != Stopped {
			t.Errorf("got %+v", r)
		}
	})
}

func withWall(s Spec, d time.Duration) Spec {
	s.Limits.Wall = d
	return s
}

func TestStopEndsWhatDoesNotListen(t *testing.T) {
	for _, s := range []*Sandbox{isolated(t), bare(t)} {
		p, err := s.Start(t.Context(), hostileSpec("deaf"))
		if err != nil {
			t.Fatal(err)
		}
		io.ReadFull(p.Stdout, make([]byte, len("deaf: yes\n")))
		begin := time.Now()
		r := p.Stop(100 * time.Millisecond)
		if took := time.Since(begin); r.Class != Stopped || took > 3*time.Second {
			t.Errorf("%s: %+v after %v", s.Mode(), r, took)
		}
		select {
		case <-p.Done():
		default:
			t.Errorf("%s: Done is not closed after Stop", s.Mode())
		}
		if again := p.Stop(time.Hour); again.Class != Stopped {
			t.Errorf("%s: second Stop: %+v", s.Mode(), again)
		}
	}
}

func TestSigtermReachesTheCommand(t *testing.T) {
	spec := Spec{Argv: []string{"/bin/sh", "-c", "trap 'echo bye >&2; exit 3' TERM; echo up; while :; do sleep 0.05; done"}, Env: []string{"PATH=/bin:/usr/bin"}}
	for _, s := range []*Sandbox{isolated(t), bare(t)} {
		p, err := s.Start(t.Context(), spec)
		if err != nil {
			t.Fatal(err)
		}
		io.ReadFull(p.Stdout, make([]byte, 3))
		if r := p.Stop(500 * time.Millisecond); r.Exit != 3 || !strings.HasSuffix(r.Stderr, "bye\n") {
			t.Errorf("%s: %+v", s.Mode(), r)
		}
	}
}
