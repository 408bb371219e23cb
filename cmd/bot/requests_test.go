package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mcp-lint/mcp-lint/internal/audit"
	"github.com/mcp-lint/mcp-lint/internal/githubtest"
	"github.com/mcp-lint/mcp-lint/internal/queue"
	"github.com/mcp-lint/mcp-lint/internal/sandbox"
	"github.com/mcp-lint/mcp-lint/linter/report"
)

// toolsOf are saved tools with these words in two descriptions and one schema.
func toolsOf(first, second, pattern string) string {
	return `{"serverInfo":{"name":"notes","version":"1.0.0"},"tools":[
	{"name":"notes_find","description":"Find the notes of one day and return their titles, newest first, ` + first + `.",
	 "inputSchema":{"type":"object","properties":{"day":{"type":"string","description":"The day, as YYYY-MM-DD.","pattern":"` + pattern + `"}},"required":["day"]}},
	{"name":"notes_read","description":"Read one note by its number and return its whole text with its title, ` + second + `.",
	 "inputSchema":{"type":"object","properties":{"number":{"type":"integer","description":"The number of the note."}},"required":["number"]}}]}`
}

// lockFor is what a laptop writes for saved tools: `mcp-lint lock --all --accept`.
func lockFor(t *testing.T, before, tools string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{".mcp-lint.json": savedNotes, "tools.json": tools, "mcp-lint.lock": before} {
		if text == "" {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c, err := audit.ReadConfig(dir)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, c.Lock)
	e := &audit.Engine{Version: "test", Env: os.LookupEnv}
	if _, err := e.LockAll(t.Context(), audit.LockRequest{Path: path, Accept: true, Config: c}, dir); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

const savedNotes = `{"servers":{"notes":{"from":"tools.json"}}}`

// withNotes is a repository with saved tools and their lock, and a bot that may
// do everything.
func withNotes(t *testing.T) (s *site, tools, lock string) {
	t.Helper()
	if _, err := sandbox.New(sandbox.BestEffort, sandbox.Options{}); err != nil {
		t.Skip(err)
	}
	s = newSite(t)
	permissions := githubtest.DefaultPermissions()
	permissions["contents"], permissions["issues"] = "write", "read"
	s.gh.SetPermissions("acme", permissions)
	s.repo.AddCollaborator("writer", "write")
	tools = toolsOf("and nothing else", "as it was written", "^[0-9-]+$")
	lock = lockFor(t, "", tools)
	s.commit("main", "", map[string]string{".mcp-lint.json": savedNotes, "tools.json": tools, "mcp-lint.lock": lock})
	return s, tools, lock
}

func (s *site) open(branch string) *githubtest.PullRequest {
	s.t.Helper()
	pr, err := s.repo.OpenPull(branch, branch, "main", githubtest.PullOptions{})
	if err != nil {
		s.t.Fatal(err)
	}
	return pr
}

// lockRun is the newest check run about the lock.
func (s *site) lockRun(sha string) (found githubtest.CheckRun) {
	for _, r := range s.gh.CheckRuns(s.repo, sha) {
		if r.Name == report.LockCheck {
			found = r
		}
	}
	return found
}

// What a pull request accepts is annotated at the lines of the lock that it
// changes, and told apart from what the live server says against the lock.
func TestLockIsReviewedLineByLine(t *testing.T) {
	t.Parallel()
	s, _, base := withNotes(t)
	locked := toolsOf("and their sizes", "as it was written", "^[0-9-]*$")
	head := lockFor(t, base, locked)
	bot := s.start()
	// The lock says one thing, the server another: of notes_read as well.
	s.commit("both", "main", map[string]string{"tools.json": toolsOf("and their sizes", "in capital letters", "^[0-9-]*$"), "mcp-lint.lock": head})
	pr := s.open("both")
	s.wait(bot, pr.HeadSHA())

	before := map[string]bool{}
	for line := range strings.Lines(base) {
		before[line] = true
	}
	var lines []string
	for line := range strings.Lines(head) {
		lines = append(lines, line)
	}
	accepts, differs := 0, 0
	run := s.lockRun(pr.HeadSHA())
	for _, a := range run.Annotations {
		line := lines[a.StartLine-1]
		switch {
		case a.Path != "mcp-lint.lock":
			t.Errorf("annotation in %s", a.Path)
		case strings.HasPrefix(a.Title, "accepts "):
			accepts++
			if before[line] || a.Level == "failure" {
				t.Errorf("%s (%s) is at line %d, which did not change: %s", a.Title, a.Level, a.StartLine, line)
			}
		default:
			differs++
			if !strings.Contains(line, `"notes_read"`) || a.Level != "failure" {
				t.Errorf("%s (%s) is at line %d: %s", a.Title, a.Level, a.StartLine, line)
			}
		}
	}
	if accepts != 2 || differs != 1 {
		t.Errorf("%d annotations on what is accepted, %d on what differs; want 2 and 1: %+v", accepts, differs, run.Annotations)
	}
	comments := s.gh.Comments(s.repo, pr.Number)
	for deadline := time.Now().Add(20 * time.Second); len(comments) == 0 && time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		comments = s.gh.Comments(s.repo, pr.Number) // written after the check runs
	}
	if len(comments) != 1 {
		t.Fatalf("%d comments", len(comments))
	}
	_, rest, found := strings.Cut(comments[0].Body, "### Merging accepts")
	first, second, both := strings.Cut(rest, "### Live servers differ from the lock")
	if !found || !both || !strings.Contains(first, "their sizes") || strings.Contains(first, "capital letters") ||
		!strings.Contains(second, "capital letters") || strings.Contains(second, "their sizes") {
		t.Errorf("the comment's two sections: %s", comments[0].Body)
	}
	// The comment stays the only one, and follows.
	s.commit("both", "", map[string]string{"tools.json": locked})
	if err := s.repo.Push("both"); err != nil {
		t.Fatal(err)
	}
	s.wait(bot, pr.HeadSHA())
	if run := s.lockRun(pr.HeadSHA()); run.Conclusion != "success" || !strings.Contains(run.Title, "ccepts 2 changes") || len(run.Actions) != 0 {
		t.Errorf("%s: %s, buttons %v", run.Conclusion, run.Title, run.Actions)
	}
	settled := func() bool {
		comments = s.gh.Comments(s.repo, pr.Number)
		return len(comments) == 1 && strings.Contains(comments[0].Body, "### Merging accepts") && !strings.Contains(comments[0].Body, "### Live servers differ")
	}
	for deadline := time.Now().Add(20 * time.Second); !settled() && time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
	}
	if !settled() {
		t.Errorf("comments: %+v", comments)
	}
}

// The button commits what a laptop writes, also when the bot is killed between
// the blob and the branch, and the new head is green.
func TestAcceptSurvivesAKilledBot(t *testing.T) {
	t.Parallel()
	s, _, lock := withNotes(t)
	bot := s.start()
	changed := toolsOf("and nothing else", "in capital letters", "^[0-9-]+$")
	s.commit("change", "main", map[string]string{"tools.json": changed})
	pr := s.open("change")
	checked := pr.HeadSHA()
	s.wait(bot, checked)
	run := s.lockRun(checked)
	if len(run.Actions) != 1 || run.Conclusion != "failure" {
		t.Fatalf("%s, buttons %+v: %s", run.Conclusion, run.Actions, run.Summary)
	}
	// Somebody without write access first: nothing happens.
	if err := s.repo.Press("mallory", run.ID, queue.Accept); err != nil {
		t.Fatal(err)
	}
	s.gh.Delay("POST", "/repos/*/*/git/trees", time.Second, 1)
	if err := s.repo.Press("writer", run.ID, queue.Accept); err != nil {
		t.Fatal(err)
	}
	blobs := func() (n int) {
		for _, r := range s.gh.Requests() {
			if r.Operation == "git/create-blob" {
				n++
			}
		}
		return n
	}
	for deadline := time.Now().Add(20 * time.Second); blobs() == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("no blob")
		}
	}
	time.Sleep(100 * time.Millisecond) // into the delayed request
	if err := bot.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	<-bot.end
	bot.Wait()
	if tip, err := s.repo.Tip("change"); err != nil || tip != checked {
		t.Fatalf("the branch moved before the bot was killed: %s, %v", tip, err)
	}
	bot = s.start()
	for deadline := time.Now().Add(30 * time.Second); pr.HeadSHA() == checked; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("nothing was committed after the restart")
		}
	}
	made := pr.HeadSHA()
	s.wait(bot, made)
	if got, err := s.repo.ReadFile(made, "mcp-lint.lock"); err != nil || string(got) != lockFor(t, lock, changed) {
		t.Errorf("committed, %v:\n%s\nwant what a laptop writes", err, got)
	}
	if info, err := s.repo.Inspect(made); err != nil || len(info.Parents) != 1 || info.Parents[0] != checked || len(info.Files) != 1 {
		t.Errorf("commit %+v, %v", info, err)
	}
	if run := s.lockRun(made); run.Conclusion != "success" {
		t.Errorf("the new head: %s: %s", run.Conclusion, run.Summary)
	}
	for deadline := time.Now().Add(10 * time.Second); !strings.HasPrefix(s.lockRun(checked).Summary, "**Accepted**"); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the button was not answered: %s", s.lockRun(checked).Summary)
		}
	}
	// And a recheck of the new head, by a comment.
	pr.Say("writer", "/mcp-lint recheck")
	for deadline := time.Now().Add(20 * time.Second); s.runs(made)["mcp-lint lock success"] != 2; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("no second pair: %v", s.runs(made))
		}
	}
}
