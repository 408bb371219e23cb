package collect

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mcp-lint/mcp-lint/internal/sandbox"
)

// isolated are options with the sandbox, or a skip that says what is missing.
func isolated(t *testing.T) Options {
	t.Helper()
	box, err := sandbox.New(sandbox.BestEffort, sandbox.Options{})
	if err != nil {
		t.Skip(err)
	}
	return Options{Sandbox: box, Env: os.LookupEnv, StartTimeout: 3 * time.Minute, RequestTimeout: 30 * time.Second}
}

func needs(t *testing.T, commands ...string) {
	t.Helper()
	for _, c := range commands {
		if _, err := exec.LookPath(c); err != nil {
			t.Skipf("%s is not installed", c)
		}
	}
}

// Real servers from npm and PyPI, with and without the sandbox.
func TestRealServers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		needs string
		argv  []string
		tools int
		has   string
	}{
		{"filesystem 2025.8.21", "npx", []string{"npx", "-y", "@modelcontextprotocol/server-filesystem@2025.8.21", "."}, 0, "read_text_file"},
		{"filesystem 2026.8.31", "npx", []string{"npx", "-y", "@modelcontextprotocol/server-filesystem@2026.8.31", "."}, 14, "read_text_file"},
		{"everything", "npx", []string{"npx", "-y", "@modelcontextprotocol/server-everything@2026.8.31"}, 0, "echo"},
		{"git", "uvx", []string{"uvx", "mcp-server-git==2026.10.19"}, 0, "git_status"},
	} {
		for _, mode := range []string{"bare", "isolated"} {
			t.Run(tt.name+"/"+mode, func(t *testing.T) {
				t.Parallel()
				needs(t, tt.needs)
				o := isolated(t)
				if mode == "bare" {
					o = bare(t)
					o.StartTimeout = 3 * time.Minute
				}
				got, err := Stdio(t.Context(), Command{Argv: tt.argv, Tree: t.TempDir()}, o)
				skipUnreachable(t, err)
				if err != nil {
					t.Fatal(err)
				}
				names := toolNames(got.Snapshot)
				if tt.tools > 0 && len(got.Snapshot.Tools) != tt.tools || !strings.Contains(" "+names+" ", " "+tt.has+" ") {
					t.Errorf("%d tools: %s; want %d with %s", len(got.Snapshot.Tools), names, tt.tools, tt.has)
				}
				if len(got.Oddities) > 0 {
					t.Errorf("oddities: %v", got.Oddities)
				}
			})
		}
	}
}

// skipUnreachable skips when a package registry cannot be reached from here.
func skipUnreachable(t *testing.T, err error) {
	t.Helper()
	var failure *Failure
	if errors.As(err, &failure) && strings.Contains(failure.Message, "reach") {
		t.Skip(failure.Message)
	}
}

// A server of the tree: it runs in the private copy and sees only that.
func TestServerOfTheTree(t *testing.T) {
	t.Parallel()
	needs(t, "node")
	o := isolated(t)
	dir := t.TempDir()
	server := `
const fs = require("node:fs"), readline = require("node:readline");
const seen = (p) => { try { fs.readdirSync(p); return "seen"; } catch { return "absent"; } };
let secret; try { secret = fs.readFileSync(process.argv[2], "utf8"); } catch { secret = "absent"; }
fs.writeFileSync("written-by-server", "x");
const tools = [{ name: "probe", description: [seen("."), secret, process.env.HOME, process.env.MCP_LINT_CANARY || "unset"].join(" ") }];
const answers = {
  initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "tree", version: "1" } },
  "tools/list": { tools },
};
readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result: answers[method] }) + "\n");
});`
	if err := os.MkdirAll(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "sub", "server.js"), []byte(server), 0o644); err != nil {
		t.Fatal(err)
	}
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("hunter22"), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := Stdio(t.Context(), Command{Argv: []string{"node", "server.js", secret}, Tree: dir, Dir: "sub"}, o)
	if err != nil {
		t.Fatal(err)
	}
	if said, want := got.Snapshot.Tools[0].Text("description"), "seen absent "+sandbox.HomePath+" unset"; said != want {
		t.Errorf("the server saw %q, want %q", said, want)
	}
	if _, err := os.Stat(filepath.Join(dir, "sub", "written-by-server")); err == nil {
		t.Error("the server wrote into the tree itself, not into its copy")
	}
	// The same outside the sandbox: the probe works.
	open := bare(t)
	got, err = Stdio(t.Context(), Command{Argv: []string{"node", "server.js", secret}, Tree: dir, Dir: "sub"}, open)
	if err != nil {
		t.Fatal(err)
	}
	if said := got.Snapshot.Tools[0].Text("description"); !strings.Contains(said, "hunter22") {
		t.Errorf("without a sandbox the server saw %q, want the secret", said)
	}
}
