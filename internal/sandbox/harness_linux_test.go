package sandbox

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

var shared = sync.OnceValues(func() (*Sandbox, error) { return New(BestEffort, Options{}) })

// isolated is the sandbox of the tests; they are skipped where there is none.
func isolated(t testing.TB) *Sandbox {
	t.Helper()
	s, err := shared()
	var unavailable *Unavailable
	if errors.As(err, &unavailable) {
		t.Skipf("skipped: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func bare(t testing.TB) *Sandbox {
	t.Helper()
	s, err := New(None, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// hostileSpec runs a behaviour of this test binary.
func hostileSpec(name string, args ...string) Spec {
	return Spec{
		Argv:     append([]string{self(), "hostile", name}, args...),
		Env:      []string{"PATH=/usr/bin:/bin"},
		ReadOnly: []string{self()},
		Limits: Limits{
			Memory: 160 << 20, Processes: 60, Wall: 15 * time.Second, Scratch: 8 << 20,
			Stdout: 1 << 20, Stderr: 4 << 10,
		},
	}
}

func self() string {
	path, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return path
}

// play runs a spec to its end and gives its output.
func play(t testing.TB, s *Sandbox, spec Spec) (string, Result) {
	t.Helper()
	p, err := s.Start(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	p.Stdin.Close()
	out, err := io.ReadAll(p.Stdout)
	if err != nil && !errors.Is(err, ErrOutput) {
		t.Errorf("reading the output: %v", err)
	}
	return string(out), p.Wait()
}

// good checks that a well-behaved server works.
func good(t testing.TB, s *Sandbox) {
	t.Helper()
	p, err := s.Start(t.Context(), hostileSpec("echo"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(p.Stdin, "hello\n"); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 64)
	n, err := p.Stdout.Read(buf)
	if err != nil || string(buf[:n]) != "echo: hello\n" {
		t.Fatalf("a well-behaved run said %q, %v", buf[:n], err)
	}
	if r := p.Stop(5 * time.Second); r.Class != Stopped || r.Exit != 0 {
		t.Fatalf("a well-behaved run ended as %+v", r)
	}
}

// alive says whether a process of the host has the token in its arguments.
func alive(token string) bool {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err == nil && strings.Contains(string(data), "linger\x00"+token) {
			return true
		}
	}
	return false
}

// leftovers are cgroups of this process that still exist.
func leftovers() []string {
	s, err := shared()
	if err != nil {
		return nil
	}
	var left []string
	for _, p := range s.cgroups.parents {
		found, _ := filepath.Glob(filepath.Join(p.dir, s.cgroups.maker+"*"))
		left = append(left, found...)
	}
	return left
}
