package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/mcp-lint/mcp-lint/internal/audit"
	"github.com/mcp-lint/mcp-lint/internal/config"
	"github.com/mcp-lint/mcp-lint/internal/githubtest"
	"github.com/mcp-lint/mcp-lint/linter/report"
)

// tree is what a commit holds, by path. nil content deletes.
type tree map[string]githubtest.Entry

func file(text string) githubtest.Entry { return githubtest.Entry{Content: []byte(text)} }
func link(target string) githubtest.Entry {
	return githubtest.Entry{Mode: "120000", Content: []byte(target)}
}

// gone deletes a path.
var gone = githubtest.Entry{}

// attack is one hostile pull request with the verdicts that it must get.
type attack struct {
	name string
	// base is committed over the common base.
	base tree
	// head is what the pull request changes.
	head       tree
	lint, lock report.Conclusion
	// says are parts that the published texts must hold.
	says []string
	// never are parts that they must not hold, besides those of every attack.
	never []string
	// alone leaves out the well-behaved pull request that follows the others.
	alone bool
	// open opens the pull request where the usual way will not do.
	open func(*arena, *githubtest.Repository) (*githubtest.PullRequest, error)
}

// arena is the one bot that all attacks meet, with secrets all around it.
type arena struct {
	*site
	bot *process
	// marker is a secret in the bot's environment, also in a variable that its
	// runners get, in files beside its database, and in a host program's folder.
	marker string
	// token is in the arguments of every process that tries to stay.
	token string
	lock  string // of the common base
}

// launching is the configuration that starts a program with these arguments.
func launching(args ...string) githubtest.Entry { return launchingFor(30, args) }

// launchingFor gives the program so many seconds to answer.
func launchingFor(seconds int, args []string) githubtest.Entry {
	quoted := make([]string, len(args))
	for i, a := range args {
		quoted[i] = strconv.Quote(a)
	}
	return file(fmt.Sprintf(`{"servers": {"own": {"command": "node", "args": [%s], "startTimeout": %d, "requestTimeout": %[2]d}}}`,
		strings.Join(quoted, ", "), seconds))
}

const goodSnapshot = `{"serverInfo": {"name": "own", "version": "1.0.0"}, "tools": [{"name": "find_tides",
	"description": "Find the times of high and low water for one harbour and day, as a table with heights in metres.",
	"inputSchema": {"type": "object", "properties": {}}, "annotations": {"readOnlyHint": true}}]}`

// locked is the lock that holds a saved snapshot under a key.
func locked(t testing.TB, key, snapshot string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lock")
	e := &audit.Engine{Version: "test"}
	_, err := e.LockSaved(audit.LockRequest{Path: path, Key: key, Config: config.Default("")}, audit.Document{Name: "tools.json", Data: []byte(snapshot)})
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func hostileFile(t testing.TB, name string) githubtest.Entry {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "hostile", name))
	if err != nil {
		t.Fatal(err)
	}
	return githubtest.Entry{Content: data}
}

func newArena(t *testing.T) *arena {
	t.Helper()
	a := &arena{site: newSite(t), marker: "marker" + rand.Text(), token: "token" + rand.Text(), lock: locked(t, "own", goodSnapshot)}
	a.write("marker.txt", a.marker)
	// A program of the host whose folder holds a secret, as /opt/APP/bin does.
	for _, dir := range []string{"app/bin", "home"} {
		if err := os.MkdirAll(filepath.Join(a.dir, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	a.write("app/secret.txt", a.marker)
	if err := os.Chmod(filepath.Join(a.dir, "app/secret.txt"), 0o644); err != nil { // the sandbox's user could read it
		t.Fatal(err)
	}
	a.write("app/bin/tool", "#!/bin/sh\nexec node \"$@\"\n")
	if err := os.Chmod(filepath.Join(a.dir, "app/bin/tool"), 0o755); err != nil {
		t.Fatal(err)
	}
	return a
}

// common is the tree of every base: a good server with its lock.
func (a *arena) common() tree {
	return tree{
		".mcp-lint.json": launching("server.js"), "mcp-lint.lock": file(a.lock), "README.md": file("tides\n"),
		"mcp.js": hostileFile(a.t, "mcp.js"), "server.js": hostileFile(a.t, "server.js"), "hostile.js": hostileFile(a.t, "hostile.js"),
	}
}

// played is an attack with the pull requests that it made.
type played struct {
	attack
	repo       *githubtest.Repository
	pull, good *githubtest.PullRequest
}

// play opens the attack and, after it, a well-behaved pull request, and checks
// their verdicts.
func (a *arena) play(t *testing.T, at attack) *played {
	t.Helper()
	p := &played{attack: at}
	var err error
	if p.repo, err = a.gh.CreateRepository(owner(at.name), "tools", githubtest.RepositoryOptions{}); err != nil {
		t.Fatal(err)
	}
	base := a.common()
	for name, entry := range at.base {
		base[name] = entry
		if entry.Content == nil {
			delete(base, name)
		}
	}
	if _, err = p.repo.CommitEntries("main", "", "base", base); err != nil {
		t.Fatal(err)
	}
	open := at.open
	if open == nil {
		open = func(_ *arena, repo *githubtest.Repository) (*githubtest.PullRequest, error) {
			return pull(repo, "hostile", at.head)
		}
	}
	if p.pull, err = open(a, p.repo); err != nil {
		t.Fatal(err)
	}
	a.verdict(t, p.repo, p.pull, at.lint, at.lock)
	if at.alone {
		return p
	}
	p.good, err = pull(p.repo, "good", tree{"README.md": file("tides and times\n")})
	if err != nil {
		t.Fatal(err)
	}
	lock := report.Success
	if e, ok := at.base["mcp-lint.lock"]; ok && e.Content == nil {
		lock = report.Skipped
	}
	a.verdict(t, p.repo, p.good, report.Success, lock)
	return p
}

// owner gives each attack an installation of its own, so that none waits for
// the writes of another.
func owner(name string) string {
	return "hostile-" + strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(name))
}

// pull opens a pull request to main that makes one change.
func pull(repo *githubtest.Repository, branch string, change tree) (*githubtest.PullRequest, error) {
	if _, err := repo.CommitEntries(branch, "main", "change", change); err != nil {
		return nil, err
	}
	return repo.OpenPull(branch, branch, "main", githubtest.PullOptions{})
}

func (a *arena) verdict(t *testing.T, repo *githubtest.Repository, pr *githubtest.PullRequest, lint, lock report.Conclusion) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	runs, err := a.gh.WaitForChecks(ctx, repo, pr.HeadSHA(), report.LintCheck, report.LockCheck)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []report.Conclusion{lint, lock} {
		if runs[i].Conclusion != string(want) {
			t.Errorf("%s: %s is %s (%s), want %s\n%.3000s", pr.URL(), runs[i].Name, runs[i].Conclusion, runs[i].Title, want, runs[i].Summary)
		}
	}
}

// texts is everything that was published on a pull request, by where.
func (a *arena) texts(t *testing.T, repo *githubtest.Repository, pr *githubtest.PullRequest) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, run := range a.gh.CheckRuns(repo, pr.HeadSHA()) {
		texts[run.Name+" title"], texts[run.Name+" summary"], texts[run.Name+" text"] = run.Title, run.Summary, run.Text
		for i, n := range run.Annotations {
			texts[fmt.Sprintf("%s annotation %d", run.Name, i)] = strings.Join([]string{n.Path, n.Title, n.Message, n.RawDetails}, "\n")
		}
	}
	for i, c := range a.gh.Comments(repo, pr.Number) {
		if c.Author == a.gh.BotLogin() {
			texts[fmt.Sprintf("comment %d", i)] = c.Body
		}
	}
	for _, up := range a.gh.SARIFs(repo) {
		if up.CommitSHA == pr.HeadSHA() {
			if up.Status != "complete" {
				t.Errorf("SARIF %s: %s %v", up.ID, up.Status, up.Errors)
			}
			var document any
			if err := json.Unmarshal(up.Document, &document); err != nil {
				t.Fatal(err)
			}
			texts["SARIF "+up.ID] = strings.Join(stringsIn(document, nil), "\n")
		}
	}
	return texts
}

// stringsIn are the decoded texts of a JSON document, keys included.
func stringsIn(v any, found []string) []string {
	switch v := v.(type) {
	case string:
		found = append(found, v)
	case []any:
		for _, e := range v {
			found = stringsIn(e, found)
		}
	case map[string]any:
		for name, e := range v {
			found = stringsIn(e, append(found, name))
		}
	}
	return found
}

// secrets must be in nothing that is published, logged or stored.
func (a *arena) secrets() map[string]string {
	key := bytes.Split(a.gh.PrivateKeyPEM(), []byte("\n"))[1]
	return map[string]string{
		"the marker": a.marker, "the webhook secret": a.gh.WebhookSecret(), "the private key": string(key), "a key": "PRIVATE KEY", "a token": "ghs_",
	}
}

// settled waits until the bot has done all its jobs: comments and uploads come
// after the verdicts.
func (a *arena) settled(t *testing.T) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		_, metrics := a.bot.get(t, "/metrics")
		busy := false
		for _, state := range []string{"available", "running", "retryable", "scheduled", "pending"} {
			for line := range strings.Lines(metrics) {
				if count, ok := strings.CutPrefix(line, `mcp_lint_jobs{state="`+state+`"} `); ok && strings.TrimSpace(count) != "0" {
					busy = true
				}
			}
		}
		if !busy {
			return
		}
	}
	t.Error("the bot still works after a minute")
}

// atOnce is how many attacks are played side by side.
const atOnce = 5

// TestHostilePullRequests plays every attack against one bot, and looks at
// everything that bot published, logged, stored and left behind.
func TestHostilePullRequests(t *testing.T) {
	needsSandbox(t)
	a := newArena(t)
	attacks := slices.Concat(a.serverAttacks(), a.treeAttacks(), a.lockAttacks())
	var owners []string
	for _, at := range attacks {
		owners = append(owners, owner(at.name))
	}
	// Runners get UV_INDEX_URL, for package managers; see worker.RunnerPassEnv.
	a.bot = a.start("HOSTILE_MARKER="+a.marker, "UV_INDEX_URL=https://user:"+a.marker+"@127.0.0.1/", "HOME="+filepath.Join(a.dir, "home"), "MCP_LINT_ALLOWED_OWNER="+strings.Join(owners, ","),
		"MCP_LINT_WORKERS="+strconv.Itoa(atOnce), "MCP_LINT_LOG_LEVEL=debug")
	var done []*played
	t.Run("verdicts", func(t *testing.T) {
		// Not t.Parallel: most of the time is waiting, whatever the machine has.
		var group errgroup.Group
		group.SetLimit(atOnce)
		results := make([]*played, len(attacks))
		for i, at := range attacks {
			group.Go(func() error {
				t.Run(at.name, func(t *testing.T) { results[i] = a.play(t, at) })
				return nil
			})
		}
		_ = group.Wait() // the functions return no errors
		done = slices.DeleteFunc(results, func(p *played) bool { return p == nil })
	})
	a.settled(t)
	for _, p := range done {
		t.Run("published/"+p.name, func(t *testing.T) { a.inspect(t, p) })
	}
	a.nothingStays(t)
	if peak := a.peak(t); peak > maxPeak {
		t.Errorf("the bot itself needed %d MB", peak>>20)
	}
	if err := a.bot.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-a.bot.end
	a.nothingLeaks(t)
}

func (a *arena) inspect(t *testing.T, p *played) {
	texts := a.texts(t, p.repo, p.pull)
	all := ""
	for where, text := range texts {
		all += text + "\n"
		a.harmless(t, where, text)
		for _, never := range p.never {
			if strings.Contains(text, never) {
				t.Errorf("%s holds %q", where, never)
			}
		}
	}
	for _, want := range p.says {
		if !strings.Contains(all, want) {
			t.Errorf("nothing says %q:\n%.6000s", want, all)
		}
	}
	comments := 0
	for _, c := range a.gh.Comments(p.repo, p.pull.Number) {
		if c.Author == a.gh.BotLogin() {
			comments++
		} else if c.Body != forged {
			t.Errorf("the comment of %s was changed: %s", c.Author, c.Body)
		}
	}
	if wanted := p.lock == fails; wanted != (comments == 1) || comments > 1 {
		t.Errorf("%d comments, wanted one: %v", comments, wanted)
	}
	if p.good == nil {
		return
	}
	for where, text := range a.texts(t, p.repo, p.good) {
		a.harmless(t, "the good pull request: "+where, text)
	}
}

// maxPeak is what the bot may need at most, whatever runs below it.
const maxPeak = 512 << 20

// peak is the most memory that the bot had at any time, in bytes.
func (a *arena) peak(t *testing.T) int {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", a.bot.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "VmHWM:" {
			kilobytes, err := strconv.Atoi(f[1])
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("the bot's peak: %d MB", kilobytes>>10)
			return kilobytes << 10
		}
	}
	t.Fatal("no VmHWM")
	return 0
}

// nothingStays looks for processes and folders of the attacks.
func (a *arena) nothingStays(t *testing.T) {
	left := func() (found []string) {
		files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
		for _, name := range files {
			if line, err := os.ReadFile(name); err == nil && bytes.Contains(line, []byte(a.token)) {
				found = append(found, name)
			}
		}
		folders, _ := filepath.Glob(filepath.Join(a.dir, "work", "run-*"))
		return append(found, folders...)
	}
	if len(left()) == 0 {
		return
	}
	time.Sleep(time.Second) // the last run may still clean up
	if found := left(); len(found) > 0 {
		t.Errorf("left behind: %v", found)
	}
}

// nothingLeaks looks for secrets in the log and in everything that the bot
// stored, once it has ended.
func (a *arena) nothingLeaks(t *testing.T) {
	own := map[string]bool{"key.pem": true, "secret": true, "marker.txt": true, "app/secret.txt": true}
	err := filepath.WalkDir(a.dir, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(a.dir, path)
		if err != nil || !d.Type().IsRegular() || own[name] {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for what, secret := range a.secrets() {
			if bytes.Contains(data, []byte(secret)) {
				t.Errorf("%s holds %s", name, what)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	for what, secret := range a.secrets() {
		if i := strings.Index(a.bot.log.String(), secret); i >= 0 {
			t.Errorf("the log holds %s: %.500s", what, a.bot.log.String()[max(0, i-200):])
		}
	}
	for line := range strings.Lines(a.bot.log.String()) {
		if !json.Valid([]byte(line)) {
			t.Errorf("log line %.300q is no JSON", line)
		}
	}
}

// The probe itself works: what it must not find in the sandbox, it finds
// outside of it.
func TestHostileProbeWorksOutsideTheSandbox(t *testing.T) {
	t.Parallel()
	needsSandbox(t)
	s := newSite(t)
	marker := "marker" + rand.Text()
	dir := t.TempDir()
	for _, name := range []string{"mcp.js", "hostile.js"} {
		if err := os.WriteFile(filepath.Join(dir, name), hostileFile(t, name).Content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	targets, err := json.Marshal(map[string]any{
		"hosts": []any{address(s.gh.WebURL)}, "files": []string{s.write("marker.txt", "in a file: "+marker)},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "targets.json"), targets, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", "hostile.js", "print")
	cmd.Dir, cmd.Env = dir, []string{"PATH=" + os.Getenv("PATH"), "HOSTILE_MARKER=" + marker}
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"in a file: " + marker, "ANSWER HTTP", `HOSTILE_MARKER\":\"` + marker} {
		if !strings.Contains(string(out), want) {
			t.Errorf("the probe did not find %q", want)
		}
	}
}
