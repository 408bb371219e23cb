package collect

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A real server from npm, over both transports, says what it says over stdio.
func TestRealRemoteServers(t *testing.T) {
	t.Parallel()
	needs(t, "npx")
	o := bare(t)
	o.StartTimeout = 3 * time.Minute
	const server = "@modelcontextprotocol/server-everything@2026.8.31"
	want, err := Stdio(t.Context(), Command{Argv: []string{"npx", "-y", server}, Tree: t.TempDir()}, o)
	skipUnreachable(t, err)
	if err != nil {
		t.Fatal(err)
	}
	for mode, path := range map[string]string{"streamableHttp": "/mcp", "sse": "/sse"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			at := startRemote(t, server, mode) + path
			got, err := Remote(t.Context(), Address{URL: parseURL(t, at)}, remoteOptions())
			if err != nil {
				t.Fatal(err)
			}
			if names, wanted := toolNames(got.Snapshot), toolNames(want.Snapshot); names != wanted {
				t.Errorf("tools %s\nwant %s", names, wanted)
			}
			if len(got.Oddities) > 0 {
				t.Errorf("oddities: %v", got.Oddities)
			}
		})
	}
}

// startRemote starts a server of npm on a free port and waits until it listens.
func startRemote(t *testing.T, server, mode string) (at string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	_, port, _ := net.SplitHostPort(address)
	cmd := exec.Command("npx", "-y", server, mode)
	cmd.Env = append(os.Environ(), "PORT="+port)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var said strings.Builder
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("the server said: %s", said.String())
		}
	})
	at = "http://localhost:" + port
	for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		response, err := http.Get(at + fmt.Sprintf("/not-there-%d", time.Now().Unix()))
		if err == nil {
			response.Body.Close()
			return at
		}
		if time.Now().After(end) {
			t.Fatalf("%s does not listen: %v", server, err)
		}
	}
}
