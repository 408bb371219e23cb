package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"github.com/mcp-lint/mcp-lint/internal/sandbox"
	"github.com/mcp-lint/mcp-lint/internal/worker"
)

func TestServeNamesWhatIsMissing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	good := []string{"--app-id", "7", "--private-key", write("key", "not a key"), "--webhook-secret-file", write("secret", "x\n")}
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"nothing":           {nil, "--app-id"},
		"no key":            {[]string{"--app-id", "7"}, "--private-key"},
		"no secret":         {[]string{"--app-id", "7", "--private-key", "key"}, "--webhook-secret-file"},
		"key is none":       {good, "no PEM block"},
		"empty secret":      {append(good, "--webhook-secret-file", write("empty", "\n")), "empty is empty"},
		"missing file":      {append(good, "--webhook-secret-file", "/does/not/exist"), "/does/not/exist"},
		"sandbox none":      {append(good, "--sandbox", "none"), `--sandbox "none": expected require or best-effort`},
		"forks":             {append(good, "--forks", "yes"), `--forks "yes"`},
		"workers":           {append(good, "--workers", "0"), "--workers 0"},
		"log level":         {append(good, "--log-level", "loud"), `--log-level "loud"`},
		"allowed host":      {append(good, "--allow-host", "https://tides.example"), `--allow-host "https://tides.example": expected a host`},
		"a secret in words": {[]string{"--webhook-secret", "x"}, "unknown flag"},
	} {
		t.Run(name, func(t *testing.T) {
			root := newRoot()
			root.SetArgs(append([]string{"serve"}, c.args...))
			root.SetErr(io.Discard)
			err := root.ExecuteContext(t.Context())
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

func TestFlagsFromTheEnvironment(t *testing.T) {
	t.Parallel()
	cmd := serveCommand()
	if err := cmd.Flags().Parse([]string{"--workers", "3"}); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"MCP_LINT_WORKERS": "9", "MCP_LINT_APP_ID": "42", "MCP_LINT_ALLOWED_OWNER": "a,b", "MCP_LINT_LISTEN": ""}
	lookup := func(name string) (string, bool) { v, ok := env[name]; return v, ok }
	if err := fromEnv(cmd.Flags(), lookup); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	cmd.Flags().Visit(func(f *pflag.Flag) { got[f.Name] = f.Value.String() })
	want := map[string]string{"workers": "3", "app-id": "42", "allowed-owner": "[a,b]"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	env["MCP_LINT_APP_ID"] = "many"
	if err := fromEnv(serveCommand().Flags(), lookup); err == nil || !strings.Contains(err.Error(), "MCP_LINT_APP_ID") {
		t.Errorf("error %v does not name the variable", err)
	}
}

func TestFoldersStandNextToTheDatabase(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := newSite(t)
	o := serveOptions{
		AppID: 1, PrivateKey: filepath.Join(s.dir, "key.pem"), SecretFiles: []string{filepath.Join(s.dir, "secret")},
		Database: filepath.Join(dir, "bot.db"), Sandbox: sandbox.Require, Forks: worker.ForksStatic, Workers: 1,
	}
	secrets, key, err := o.secrets()
	if err != nil || key == nil {
		t.Fatal(err)
	}
	if string(secrets[0]) != s.gh.WebhookSecret() {
		t.Error("the secret keeps its newline")
	}
	if o.WorkDir != filepath.Join(dir, "work") || o.Cache != filepath.Join(dir, "cache") {
		t.Errorf("folders %s, %s", o.WorkDir, o.Cache)
	}
}

// The child says what went wrong in its one document, not in its exit code.
func TestRunnerAnswersWithOneDocument(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC).Format(time.RFC3339)
	for name, c := range map[string]struct{ request, want string }{
		"empty tree":   {`{"head":"` + t.TempDir() + `","sandbox":"none","now":"` + now + `"}`, `"empty":true`},
		"missing tree": {`{"head":"/does/not/exist","sandbox":"none","now":"` + now + `"}`, `"error":"`},
		"unknown mode": {`{"head":"/","sandbox":"hope","now":"` + now + `"}`, `"error":"`},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := runnerProcess(t)
			cmd.Stdin = strings.NewReader(c.request)
			out, err := cmd.Output()
			if err != nil || !bytes.Contains(out, []byte(c.want)) || bytes.Count(out, []byte("\n")) != 1 {
				t.Errorf("%v: %s, want %s", err, out, c.want)
			}
		})
	}
	cmd := runnerProcess(t)
	cmd.Stdin = strings.NewReader(`{"head":"/","surprise":1}`)
	if err := cmd.Run(); err == nil {
		t.Error("a request with unknown keys was taken")
	}
}
