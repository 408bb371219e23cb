package githubtest

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

func TestOnlyLoopbackIsServed(t *testing.T) {
	t.Parallel()
	if srv, err := Start(Options{Addr: "0.0.0.0:0", PrivateKey: testKey()}); err == nil {
		srv.Close()
		t.Error("private pages are served to the network")
	}
}

func TestCloseRemovesEverything(t *testing.T) {
	t.Parallel()
	srv, err := Start(Options{PrivateKey: testKey()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := srv.CreateRepository("acme", "tools", RepositoryOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := srv.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(srv.dir); !os.IsNotExist(err) {
		t.Errorf("directory after Close: %v", err)
	}
}

func TestRepositoryNames(t *testing.T) {
	t.Parallel()
	srv := start(t, Options{})
	for _, name := range []string{"..", ".x", "a/b", "a b", "", "x.git"} {
		if _, err := srv.CreateRepository("acme", name, RepositoryOptions{}); err == nil {
			t.Errorf("%q was accepted", name)
		}
	}
	if _, err := srv.CreateRepository("acme", "tools", RepositoryOptions{}); err != nil {
		t.Error(err)
	}
	if _, err := srv.CreateRepository("acme", "Tools", RepositoryOptions{}); err == nil {
		t.Error("two repositories of one name")
	}
}

func TestWaitForChecksSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	srv := start(t, Options{})
	repo, _, head := newRepo(t, srv, "tools", RepositoryOptions{})
	repo.AddForeignCheckRun(99, "other-app", "mcp-lint", head, "success") // another app's run does not count
	limited, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	_, err := srv.WaitForChecks(limited, repo, head, "mcp-lint")
	if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "mcp-lint") || !strings.Contains(err.Error(), head) {
		t.Errorf("error: %v", err)
	}
}

// The bot imports this package for its demo.
func TestThePackageDoesNotImportTesting(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Skipf("go list: %v", err)
	}
	for line := range strings.Lines(string(out)) {
		if strings.TrimSpace(line) == "testing" {
			t.Error("testing is imported")
		}
	}
}
