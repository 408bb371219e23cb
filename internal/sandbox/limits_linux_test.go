package sandbox

import (
	"crypto/rand"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

func TestForkBomb(t *testing.T) {
	s := isolated(t)
	spec := hostileSpec("fork")
	if out, r := play(t, bare(t), spec); out != "started: 150\n" {
		t.Fatalf("the probe does not work outside the sandbox: %q %+v", out, r)
	}
	out, r := play(t, s, spec)
	if strings.Contains(out, "started") {
		t.Errorf("no process was refused: %q", out)
	}
	if s.cgroups.pids() && r.Class != PIDs {
		t.Errorf("ended as %+v, want %s", r, PIDs)
	}
	good(t, s)

	t.Run("without a cgroup", func(t *testing.T) {
		if !kernelAtLeast(5, 14) && os.Getuid() != 0 {
			t.Skip("skipped: RLIMIT_NPROC counts a namespace alone since Linux 5.14")
		}
		out, _ := play(t, withoutCgroups(s), spec)
		if strings.Contains(out, "started") {
			t.Errorf("no process was refused: %q", out)
		}
	})
}

func TestMemoryBomb(t *testing.T) {
	s := isolated(t)
	spec := hostileSpec("memory")
	if out, r := play(t, bare(t), spec); out != "begun\nallocated: 240 MB\n" {
		t.Fatalf("the probe does not work outside the sandbox: %q %+v", out, r)
	}
	out, r := play(t, s, spec)
	if out != "begun\n" {
		t.Errorf("allocated more than the limit: %q", out)
	}
	if s.cgroups.memory() && r.Class != Memory {
		t.Errorf("ended as %+v, want %s", r, Memory)
	}
	good(t, s)

	t.Run("without a cgroup", func(t *testing.T) {
		poor := withoutCgroups(s)
		if out, r := play(t, poor, hostileSpec("echo")); r.Exit != 0 {
			t.Skipf("skipped: a test binary built for races does not even start: %q", out)
		}
		if out, _ := play(t, poor, spec); out != "begun\n" {
			t.Errorf("allocated more than the limit: %q", out)
		}
	})
}

// withoutCgroups is the sandbox of a host that offers none.
func withoutCgroups(s *Sandbox) *Sandbox {
	poor := *s
	poor.cgroups.parents = nil
	return &poor
}

func TestOutputIsCapped(t *testing.T) {
	for _, s := range []*Sandbox{isolated(t), bare(t)} {
		p, err := s.Start(t.Context(), hostileSpec("flood"))
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, p.Stdout)
		if n != 1<<20 || !errors.Is(err, ErrOutput) {
			t.Errorf("%s: read %d bytes, %v", s.Mode(), n, err)
		}
		if r := p.Wait(); r.Class != Output || r.StdoutBytes != 1<<20 {
			t.Errorf("%s: %+v", s.Mode(), r)
		}
		good(t, s)
	}
	// The control: without a limit all of it arrives.
	spec := hostileSpec("flood")
	spec.Limits.Stdout = 64 << 20
	if out, r := play(t, bare(t), spec); len(out) != 32<<20 || r.Class != Exited {
		t.Errorf("the probe does not work: %d bytes, %s", len(out), r.Class)
	}
}

func TestStderrIsDrainedAndKeptInPart(t *testing.T) {
	for _, s := range []*Sandbox{isolated(t), bare(t)} {
		_, r := play(t, s, hostileSpec("complain"))
		if r.Class != Exited || r.Exit != 0 || r.StderrBytes != 32<<20 || len(r.Stderr) != 4<<10 {
			t.Errorf("%s: class %s, %d bytes, %d kept", s.Mode(), r.Class, r.StderrBytes, len(r.Stderr))
		}
	}
	p, err := bare(t).Start(t.Context(), Spec{Argv: []string{"/bin/sh", "-c", "echo starting >&2; cat"}, Env: []string{"PATH=/bin"}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Stop(time.Second)
	for deadline := time.Now().Add(5 * time.Second); p.StderrTail(100) == ""; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("StderrTail shows nothing while the command runs")
		}
	}
	if got := p.StderrTail(4); got != "ing\n" {
		t.Errorf("StderrTail(4) = %q", got)
	}
}

func TestOrphansEnd(t *testing.T) {
	for _, s := range []*Sandbox{isolated(t), bare(t)} {
		token := rand.Text()
		p, err := s.Start(t.Context(), hostileSpec("orphan", token))
		if err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		out, err := io.ReadAll(p.Stdout)
		if err != nil || string(out) != "left: orphan\n" {
			t.Errorf("%s: %q, %v", s.Mode(), out, err)
		}
		r := p.Wait()
		if took := time.Since(begin); took > 4*time.Second {
			t.Errorf("%s: the orphan kept the run for %v", s.Mode(), took)
		}
		if r.Class != Exited || r.Exit != 0 {
			t.Errorf("%s: %+v", s.Mode(), r)
		}
		if alive(token) {
			t.Errorf("%s: the orphan lives", s.Mode())
		}
		good(t, s)
	}
}

// TestOrphanProbe is the control of TestOrphansEnd: started without this
// package, the orphan stays.
func TestOrphanProbe(t *testing.T) {
	token := rand.Text()
	c := plain("orphan", token)
	if err := c.Run(); err != nil {
		t.Fatal(err)
	}
	if !alive(token) {
		t.Error("the probe leaves no orphan")
	}
	killStrays([]string{RunVariable + "=" + token})
	if alive(token) {
		t.Error("the orphan was not found by its mark")
	}
}
