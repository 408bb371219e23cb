package sandbox

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func init() { behaviours["hold"] = hold }

// hold is a worker that has a sandbox with a lingering process in it.
func hold(args []string) int {
	s, err := New(BestEffort, Options{})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	if _, err := s.Start(context.Background(), hostileSpec("linger", args[0])); err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println("holding: " + s.cgroups.maker)
	time.Sleep(9 * time.Second)
	return 0
}

func TestNothingOutlivesAKilledWorker(t *testing.T) {
	isolated(t)
	token := rand.Text()
	worker := plain("hold", token)
	out, err := worker.StdoutPipe()
	if err != nil || worker.Start() != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	maker, ok := strings.CutPrefix(strings.TrimSpace(line), "holding: ")
	if !ok {
		t.Fatalf("the worker said %q", line)
	}
	for deadline := time.Now().Add(5 * time.Second); !alive(token); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the probe does not linger")
		}
	}
	worker.Process.Kill()
	worker.Wait()
	for deadline := time.Now().Add(3 * time.Second); alive(token); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("a process of the run outlived its worker")
		}
	}
	// The next one cleans up.
	next, err := New(BestEffort, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range next.cgroups.parents {
		if left, _ := filepath.Glob(filepath.Join(p.dir, maker+"*")); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
}

func TestUnavailableSaysWhatHelps(t *testing.T) {
	_, err := New(BestEffort, Options{Bubblewrap: "/nonexistent/bwrap"})
	var unavailable *Unavailable
	if !errors.As(err, &unavailable) || !strings.Contains(err.Error(), "apt-get install bubblewrap") {
		t.Errorf("without bubblewrap: %v", err)
	}
	old := filepath.Join(t.TempDir(), "bwrap")
	os.WriteFile(old, []byte("#!/bin/sh\necho usage\n"), 0o755)
	if _, err = New(Require, Options{Bubblewrap: old}); !errors.As(err, &unavailable) || !strings.Contains(err.Error(), minimum) {
		t.Errorf("with an old bubblewrap: %v", err)
	}
	if _, err = New("off", Options{}); err == nil || errors.As(err, &unavailable) || !strings.Contains(err.Error(), "best-effort") {
		t.Errorf("an unknown mode: %v", err)
	}
	for stderr, want := range map[string]string{
		"bwrap: setting up uid map: Permission denied\n":                         "uid map",
		"bwrap: Can't mount proc on /newroot/proc: Operation not permitted\n":    "systempaths=unconfined",
		"bwrap: No permissions to create a new namespace, likely because …\nx\n": "namespace",
	} {
		if err := setupError(stderr); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", stderr, err)
		}
	}
	if err := setupError("server: bwrap: no"); err != nil {
		t.Errorf("a server's words were taken for bubblewrap's: %v", err)
	}
}

func TestRequireRefusesWhatBestEffortReports(t *testing.T) {
	best := isolated(t)
	required, err := New(Require, Options{})
	if len(best.Missing()) == 0 {
		if err != nil || len(required.Missing()) != 0 {
			t.Errorf("nothing is missing, but: %v", err)
		}
		return
	}
	var unavailable *Unavailable
	if !errors.As(err, &unavailable) || !strings.Contains(err.Error(), best.Missing()[0]) {
		t.Errorf("missing %q, but: %v", best.Missing(), err)
	}
}

func TestToolchainBindsOneVersionOnly(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	for _, name := range []string{".pyenv/versions/3.11/bin/python3.11", ".local/bin/tool", "bin/other", ".cargo/bin/uv"} {
		file := filepath.Join(home, name)
		os.MkdirAll(filepath.Dir(file), 0o755)
		os.WriteFile(file, []byte("#!/bin/sh\n"), 0o755)
	}
	os.MkdirAll(filepath.Join(home, "links"), 0o755)
	os.Symlink(filepath.Join(home, ".pyenv/versions/3.11/bin/python3.11"), filepath.Join(home, "links/python3"))
	for _, c := range []struct{ name, dir, binds string }{
		{"python3", "links", ".pyenv/versions/3.11"},
		{"tool", ".local/bin", ".local/bin/tool"},
		{"other", "bin", "bin/other"},
		{"uv", ".cargo/bin", ".cargo/bin/uv"},
	} {
		binds, resolved, err := Toolchain(c.name, "relative:"+filepath.Join(home, c.dir))
		if err != nil || !slices.Equal(binds, []string{filepath.Join(home, c.binds)}) || !strings.HasPrefix(resolved, binds[0]) {
			t.Errorf("%s: %v, %s, %v", c.name, binds, resolved, err)
		}
	}
	if binds, resolved, err := Toolchain("sh", "/bin"); err != nil || binds != nil || resolved != "/bin/sh" {
		t.Errorf("a system program: %v %s %v", binds, resolved, err)
	}
	if _, _, err := Toolchain("nosuch", "/bin"); !errors.Is(err, exec.ErrNotFound) {
		t.Errorf("a missing program: %v", err)
	}
}

// BenchmarkStart starts a server and waits for its first answer, bare and
// isolated in turns.
func BenchmarkStart(b *testing.B) {
	s, plain := isolated(b), bare(b)
	var took [2]time.Duration
	for b.Loop() {
		for i, box := range []*Sandbox{plain, s} {
			begin := time.Now()
			p, err := box.Start(b.Context(), hostileSpec("echo"))
			if err != nil {
				b.Fatal(err)
			}
			p.Stdin.Write([]byte("x\n"))
			if _, err := p.Stdout.Read(make([]byte, 64)); err != nil {
				b.Fatal(err)
			}
			took[i] += time.Since(begin)
			p.Stop(time.Second)
		}
	}
	perRun := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 / float64(b.N) }
	b.ReportMetric(perRun(took[0]), "bare-ms")
	b.ReportMetric(perRun(took[1]), "isolated-ms")
	b.ReportMetric(perRun(took[1]-took[0]), "overhead-ms")
	b.ReportMetric(0, "ns/op")
}
