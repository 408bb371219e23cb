package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/mcp-lint/mcp-lint/internal/githubtest"
	"github.com/mcp-lint/mcp-lint/internal/sandbox"
	"github.com/mcp-lint/mcp-lint/linter/report"
)

// program builds the bot once for all tests.
var program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "mcp-lint-bot-test-*")
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "bot")
	if out, err := exec.Command("go", "build", "-o", file, ".").CombinedOutput(); err != nil {
		return "", fmt.Errorf("build: %w: %s", err, out)
	}
	return file, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if file, err := program(); err == nil {
		os.RemoveAll(filepath.Dir(file))
	}
	os.Exit(code)
}

// site is a GitHub on loopback and what a bot needs to serve it.
type site struct {
	t    testing.TB
	gh   *githubtest.Server
	repo *githubtest.Repository
	dir  string
}

func newSite(t testing.TB) *site {
	t.Helper()
	gh, err := githubtest.Start(githubtest.Options{ContentWritesPerMinute: -1, SARIFPendingPolls: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, v := range gh.Violations() {
			t.Errorf("violation: %s", v)
		}
		gh.Close()
	})
	s := &site{t: t, gh: gh, dir: t.TempDir()}
	s.write("key.pem", string(gh.PrivateKeyPEM()))
	s.write("secret", gh.WebhookSecret()+"\n")
	if s.repo, err = gh.CreateRepository("acme", "tools", githubtest.RepositoryOptions{}); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *site) write(name, text string) string {
	s.t.Helper()
	file := filepath.Join(s.dir, name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
	return file
}

func (s *site) commit(branch, base string, files map[string]string) string {
	s.t.Helper()
	contents := map[string][]byte{}
	for name, text := range files {
		contents[name] = []byte(text)
	}
	sha, err := s.repo.Commit(branch, base, "change", contents)
	if err != nil {
		s.t.Fatal(err)
	}
	return sha
}

// process is a running `bot serve`.
type process struct {
	*exec.Cmd
	url string
	log *bytes.Buffer // complete after Wait
	end chan struct{} // closed when the log has ended
}

var listenLine = regexp.MustCompile(`"msg":"ready".*"listen":"([^"]+)"`)

// start starts the bot and waits until it is ready.
func (s *site) start(env ...string) *process {
	s.t.Helper()
	file, err := program()
	if err != nil {
		s.t.Fatal(err)
	}
	p := &process{Cmd: exec.Command(file, "serve",
		"--listen", "127.0.0.1:0", "--github-url", s.gh.WebURL, "--app-id", strconv.Itoa(githubtest.AppID),
		"--private-key", filepath.Join(s.dir, "key.pem"), "--webhook-secret-file", filepath.Join(s.dir, "secret"),
		"--database", filepath.Join(s.dir, "bot.db"), "--sandbox", "best-effort"), log: &bytes.Buffer{}, end: make(chan struct{})}
	p.Env = append(os.Environ(), "MCP_LINT_ALLOWED_OWNER=acme,other")
	p.Env = append(p.Env, env...)
	stderr, err := p.StderrPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { p.Process.Kill(); <-p.end; p.Wait() })
	ready := make(chan string, 1)
	go func() {
		defer close(p.end)
		lines := bufio.NewScanner(stderr)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			p.log.Write(append(lines.Bytes(), '\n'))
			if m := listenLine.FindSubmatch(lines.Bytes()); m != nil {
				ready <- string(m[1])
			}
		}
	}()
	select {
	case addr := <-ready:
		p.url = "http://" + addr
	case <-p.end:
		s.t.Fatalf("the bot ended: %s", p.log)
	case <-time.After(30 * time.Second):
		s.t.Fatal("the bot is not ready after 30 s")
	}
	s.gh.SetWebhookURL(p.url + "/webhook")
	return p
}

func (p *process) get(t *testing.T, path string) (int, string) {
	t.Helper()
	resp, err := http.Get(p.url + path)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

// slowServer is an MCP server that takes its time before it answers.
const slowServer = `
const lines = require('readline').createInterface({ input: process.stdin });
lines.on('line', line => {
  const m = JSON.parse(line);
  if (m.id === undefined) return;
  const result = m.method === 'initialize'
    ? { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'slow', version: '1.0.0' } }
    : { tools: [{ name: 'read_notes', description: 'Read every note of the given day and return the text of each one, newest first, with its title.',
        inputSchema: { type: 'object', properties: { day: { type: 'string', description: 'The day to read, as YYYY-MM-DD.' } }, required: ['day'] } }] };
  setTimeout(() => console.log(JSON.stringify({ jsonrpc: '2.0', id: m.id, result })), 250);
});
`

// withServer is a repository that launches the slow server.
func (s *site) withServer() {
	s.t.Helper()
	s.commit("main", "", map[string]string{
		"server.js": slowServer,
		".mcp.json": `{"mcpServers":{"slow":{"command":"node","args":["server.js"]}}}`,
	})
}

// needsSandbox skips where servers cannot be started.
func needsSandbox(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not installed")
	}
	if _, err := sandbox.New(sandbox.BestEffort, sandbox.Options{}); err != nil {
		t.Skip(err)
	}
}

// wait waits until both check runs of a commit are completed.
func (s *site) wait(p *process, sha string) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Minute)
	defer cancel()
	if _, err := s.gh.WaitForChecks(ctx, s.repo, sha, report.LintCheck, report.LockCheck); err != nil {
		p.Process.Kill()
		<-p.end
		s.t.Fatalf("%v\n%s", err, p.log)
	}
}

// runs maps what is shown on a commit: "mcp-lint success" → how many.
func (s *site) runs(sha string) map[string]int {
	runs := map[string]int{}
	for _, r := range s.gh.CheckRuns(s.repo, sha) {
		runs[strings.TrimSpace(r.Name+" "+r.Conclusion)]++
	}
	return runs
}

// The bot is killed in the middle of runs, at different points, and started
// again. Then each commit has exactly one of each check run.
func TestKilledBotFinishesItsWork(t *testing.T) {
	t.Parallel()
	needsSandbox(t)
	s := newSite(t)
	s.withServer()
	bot := s.start()
	var heads []*githubtest.PullRequest
	for i, pause := range []time.Duration{0, 300 * time.Millisecond, 700 * time.Millisecond, 1200 * time.Millisecond} {
		branch := fmt.Sprintf("change-%d", i)
		s.commit(branch, "main", map[string]string{"notes.txt": branch + "\n"})
		pr, err := s.repo.OpenPull(branch, branch, "main", githubtest.PullOptions{})
		if err != nil {
			t.Fatal(err)
		}
		heads = append(heads, pr)
		// The first sign of the run on GitHub, and a little later each time.
		for deadline := time.Now().Add(30 * time.Second); len(s.gh.CheckRuns(s.repo, pr.HeadSHA())) == 0; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("no check run\n%s", bot.log)
			}
		}
		time.Sleep(pause)
		if err := bot.Process.Signal(syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		<-bot.end
		bot.Wait()
		bot = s.start()
		s.wait(bot, pr.HeadSHA())
	}
	for _, pr := range heads {
		runs := s.runs(pr.HeadSHA())
		if len(runs) != 2 || runs["mcp-lint success"] != 1 || runs["mcp-lint lock skipped"] != 1 {
			t.Errorf("%s: check runs %v, want one of each", pr.HeadSHA(), runs)
		}
		if n := len(s.gh.Comments(s.repo, pr.Number)); n > 1 {
			t.Errorf("%d comments", n)
		}
	}
	if left, err := filepath.Glob(filepath.Join(s.dir, "work", "run-*")); err != nil || len(left) > 0 {
		time.Sleep(time.Second) // the last run may still clean up
		if left, _ = filepath.Glob(filepath.Join(s.dir, "work", "run-*")); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
}

// SIGTERM ends the bot in order, also in the middle of a run, and the run is
// finished after the next start.
func TestStoppedBotIsOrderly(t *testing.T) {
	t.Parallel()
	needsSandbox(t)
	s := newSite(t)
	s.withServer()
	bot := s.start()
	s.commit("change", "main", map[string]string{"notes.txt": "x\n"})
	pr, err := s.repo.OpenPull("Change", "change", "main", githubtest.PullOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := bot.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-bot.end
	if err := bot.Wait(); err != nil {
		t.Errorf("exit: %v\n%s", err, bot.log)
	}
	s.wait(s.start(), pr.HeadSHA())
	if runs := s.runs(pr.HeadSHA()); len(runs) != 2 || runs["mcp-lint success"] != 1 || runs["mcp-lint lock skipped"] != 1 {
		t.Errorf("check runs %v, want one of each", runs)
	}
}

func TestProbesMetricsAndLog(t *testing.T) {
	t.Parallel()
	if _, err := sandbox.New(sandbox.BestEffort, sandbox.Options{}); err != nil {
		t.Skip(err)
	}
	s := newSite(t)
	s.commit("main", "", map[string]string{"README.md": "nothing here\n"})
	bot := s.start()
	s.gh.Ping()
	s.commit("change", "main", map[string]string{"notes.txt": "x\n"})
	pr, err := s.repo.OpenPull("Change", "change", "main", githubtest.PullOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s.wait(bot, pr.HeadSHA())
	for path, status := range map[string]int{"/healthz": 200, "/readyz": 200, "/webhook": 405, "/": 404} {
		if got, body := bot.get(t, path); got != status {
			t.Errorf("%s: status %d, want %d: %s", path, got, status, body)
		}
	}
	want := []string{
		`mcp_lint_deliveries_total{event="ping",outcome="noted"} 1`,
		`mcp_lint_deliveries_total{event="pull_request",outcome="accepted"} 1`,
		`mcp_lint_check_runs_total{check="mcp-lint",conclusion="skipped"} 1`,
		`mcp_lint_run_seconds_count 1`, `mcp_lint_jobs{state="`, `go_goroutines `,
	}
	var metrics string
	for deadline := time.Now().Add(10 * time.Second); len(want) > 0 && time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		_, metrics = bot.get(t, "/metrics")
		want = slices.DeleteFunc(want, func(line string) bool { return strings.Contains(metrics, line) })
	}
	if len(want) > 0 {
		t.Errorf("no %q in\n%s", want, metrics)
	}
	bot.Process.Signal(syscall.SIGTERM)
	<-bot.end
	seen := false
	for line := range strings.Lines(bot.log.String()) {
		var entry map[string]any
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Errorf("log line %q: %v", line, err)
		}
		if entry["msg"] == "run done" {
			seen = true
			for _, key := range []string{"delivery", "installation", "repo", "pr", "sha", "run"} {
				if entry[key] == nil {
					t.Errorf("no %s in %s", key, line)
				}
			}
		}
	}
	if !seen {
		t.Errorf("no line about the run in\n%s", bot.log)
	}
	if secret := s.gh.WebhookSecret(); strings.Contains(bot.log.String(), secret) || strings.Contains(bot.log.String(), "ghs_") {
		t.Error("a secret is in the log")
	}
}

func TestSecondBotOnADatabaseIsRefused(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "bot.db.lock")
	unlock, err := lockFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lockFile(file); err == nil || !strings.Contains(err.Error(), "another bot") {
		t.Errorf("error %v", err)
	}
	unlock()
	unlock, err = lockFile(file)
	if err != nil {
		t.Fatal(err)
	}
	unlock()
}

// runnerProcess is `bot runner`, not started.
func runnerProcess(t *testing.T) *exec.Cmd {
	t.Helper()
	file, err := program()
	if err != nil {
		t.Fatal(err)
	}
	return exec.Command(file, "runner")
}
