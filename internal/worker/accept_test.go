package worker_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/internal/audit"
	"github.com/mcp-lint/mcp-lint/internal/githubtest"
	"github.com/mcp-lint/mcp-lint/internal/queue"
	"github.com/mcp-lint/mcp-lint/internal/worker"
	"github.com/mcp-lint/mcp-lint/linter/report"
)

const (
	lockPath = "mcp-lint.lock"
	oldLock  = "the old lock\n"
	newLock  = "the new lock\n"
)

// granted is what an installation grants that wants every feature.
func granted() map[string]string {
	all := githubtest.DefaultPermissions()
	all["contents"], all["issues"] = "write", "read"
	return all
}

// drifted is faulty, with a lock to accept.
func drifted() *report.Review {
	r := faulty()
	r.Lock.Refreshed = newLock
	return r
}

// newAcceptBench is a bot that finds differences until the new lock is there.
func newAcceptBench(t *testing.T, s setup) *bench {
	t.Helper()
	if s.options.Permissions == nil {
		s.options.Permissions = granted()
	}
	if s.run == nil {
		s.run = func(_ context.Context, r audit.Request) (*report.Review, error) {
			if text := fileIn(r.Head, lockPath); text == newLock {
				return clean(), nil
			}
			return drifted(), nil
		}
	}
	b := newBench(t, s)
	b.commit("main", "", lockPath, oldLock)
	b.commit("feature", "main", "README.md", "hello, world\n")
	b.repo.AddCollaborator("writer", "write")
	b.repo.AddCollaborator("reader", "read")
	return b
}

// lockRun is the newest check run about the lock.
func (b *bench) lockRun(sha string) githubtest.CheckRun {
	b.t.Helper()
	for _, r := range slices.Backward(b.gh.CheckRuns(b.repo, sha)) {
		if r.Name == report.LockCheck {
			return r
		}
	}
	b.t.Fatalf("no check run about the lock on %s", sha)
	return githubtest.CheckRun{}
}

// button is the identifier of the check run's one button.
func (b *bench) button(sha string) string {
	b.t.Helper()
	actions := b.lockRun(sha).Actions
	if len(actions) != 1 {
		b.t.Fatalf("buttons %+v, want one; the summary:\n%s", actions, b.lockRun(sha).Summary)
	}
	return actions[0].Identifier
}

func (b *bench) press(login, sha string) {
	b.t.Helper()
	if err := b.repo.Press(login, b.lockRun(sha).ID, queue.Accept); err != nil {
		b.t.Fatal(err)
	}
	b.idle()
}

func (b *bench) tip(branch string) string {
	b.t.Helper()
	sha, err := b.repo.Tip(branch)
	if err != nil {
		b.t.Fatal(err)
	}
	return sha
}

// unmoved checks that the branch is still at sha.
func (b *bench) unmoved(sha string) {
	b.t.Helper()
	if tip := b.tip("feature"); tip != sha {
		b.t.Errorf("the branch moved to %s", tip)
	}
}

func TestAcceptedLockIsCommittedAndGreen(t *testing.T) {
	t.Parallel()
	b := newAcceptBench(t, setup{})
	pr := b.open("feature", githubtest.PullOptions{})
	checked := pr.HeadSHA()
	b.wait(checked)
	b.idle()
	if id := b.button(checked); id != queue.Accept {
		t.Errorf("button %q", id)
	}
	b.press("writer", checked)
	b.waitFor("synchronize", func() bool { return pr.HeadSHA() != checked })
	b.wait(pr.HeadSHA())
	b.idle()
	made := b.tip("feature")
	if pr.HeadSHA() != made {
		t.Errorf("head %s, tip %s", pr.HeadSHA(), made)
	}
	if text, err := b.repo.ReadFile(made, lockPath); err != nil || string(text) != newLock {
		t.Errorf("committed %q, %v", text, err)
	}
	info := b.inspect(made)
	if !slices.Equal(info.Parents, []string{checked}) || !slices.Equal(info.Files, []string{lockPath}) ||
		!strings.Contains(info.Author, b.gh.BotLogin()) || !strings.Contains(info.Message, "Requested-by: writer") {
		t.Errorf("commit %+v", info)
	}
	b.want(made, "mcp-lint: success", "mcp-lint lock: success")
	if n := len(b.lockRun(made).Actions); n != 0 {
		t.Errorf("%d buttons where nothing is to accept", n)
	}
	old := b.lockRun(checked)
	if !strings.HasPrefix(old.Summary, "**Accepted**") || !strings.Contains(old.Summary, made) || old.Conclusion != "failure" || len(old.Annotations) != 1 {
		t.Errorf("the check run that was accepted: %s, %d annotations: %s", old.Conclusion, len(old.Annotations), old.Summary)
	}
	// A second click, and the first one delivered again, change nothing.
	before := b.lockRun(checked).Summary
	b.press("writer", checked)
	for _, d := range b.gh.Deliveries() {
		if d.Event == "check_run" {
			if err := b.gh.Redeliver(d.ID); err != nil {
				t.Fatal(err)
			}
		}
	}
	b.idle()
	if b.tip("feature") != made || b.lockRun(checked).Summary != before {
		t.Errorf("clicked again: tip %s, %s", b.tip("feature"), b.lockRun(checked).Summary)
	}
}

// A branch's name is part of an address: what it means there moves no other branch.
func TestAcceptOnBranchesWithOddNames(t *testing.T) {
	t.Parallel()
	for _, branch := range []string{"main#fix", "main%23", "a%2Fb", "größe/ä&b=c", "refs/heads/main"} {
		t.Run(branch, func(t *testing.T) {
			t.Parallel()
			b := newAcceptBench(t, setup{})
			b.commit(branch, "main", "README.md", "hello, branch\n")
			pr := b.open(branch, githubtest.PullOptions{})
			checked, main := pr.HeadSHA(), b.tip("main")
			b.wait(checked)
			b.idle()
			b.press("writer", checked)
			if got := b.inspect(b.tip(branch)).Parents; !slices.Equal(got, []string{checked}) || b.tip("main") != main {
				t.Errorf("tip on %q, main at %s; want a commit on %s", got, b.tip("main"), checked)
			}
		})
	}
}

func TestWhoMayNotAccept(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		login  string
		revoke func(*bench)
	}{
		"reader":          {login: "reader"},
		"stranger":        {login: "mallory"},
		"no account":      {login: "gone"},
		"revoked":         {login: "writer", revoke: func(b *bench) { b.repo.AddCollaborator("writer", "read") }},
		"removed":         {login: "writer", revoke: func(b *bench) { b.repo.AddCollaborator("writer", "none") }},
		"somebody's bot":  {login: "other[bot]", revoke: func(b *bench) { b.repo.AddCollaborator("other[bot]", "write") }},
		"we ourselves":    {login: "mcp-lint[bot]", revoke: func(b *bench) { b.repo.AddCollaborator("mcp-lint[bot]", "admin") }},
		"author of a PR":  {login: "author"},
		"login with @ in": {login: "a@b"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newAcceptBench(t, setup{})
			pr := b.open("feature", githubtest.PullOptions{Author: "author"})
			b.wait(pr.HeadSHA())
			b.idle()
			if c.revoke != nil {
				c.revoke(b)
			}
			before, checked := b.writes(), pr.HeadSHA()
			b.press(c.login, checked)
			b.unmoved(checked)
			if after := b.writes(); len(after) != len(before) {
				t.Errorf("written: %q", after[len(before):])
			}
		})
	}
}

// A login may have gone to another person since the click.
func TestAcceptKnowsPeopleByTheirID(t *testing.T) {
	t.Parallel()
	b := newAcceptBench(t, setup{idle: true})
	pr := b.open("feature", githubtest.PullOptions{})
	if err := b.worker.Work(t.Context(), b.job(pr), queue.Attempt{Number: 1, Max: 3}); err != nil {
		t.Fatal(err)
	}
	checked := pr.HeadSHA()
	if err := b.repo.Press("writer", b.lockRun(checked).ID, queue.Accept); err != nil {
		t.Fatal(err)
	}
	r := b.waiting()
	r.SenderID++
	if err := b.worker.Serve(t.Context(), r, queue.Attempt{Number: 1, Max: 3}); err != nil {
		t.Fatal(err)
	}
	b.unmoved(checked)
}

func TestOutdatedIsSaid(t *testing.T) {
	t.Parallel()
	for name, move := range map[string]func(*bench, *githubtest.PullRequest){
		"pushed, and we do not know yet": func(b *bench, _ *githubtest.PullRequest) { b.commit("feature", "", "README.md", "second\n") },
		"forced back":                    func(b *bench, _ *githubtest.PullRequest) { b.commit("feature", "main", "README.md", "other\n") },
		"closed":                         func(_ *bench, pr *githubtest.PullRequest) { pr.Close() },
		"checked again": func(b *bench, pr *githubtest.PullRequest) {
			first := b.lockRun(pr.HeadSHA()).ID
			pr.Say("writer", "/mcp-lint recheck")
			b.waitFor("new check run", func() bool { return b.lockRun(pr.HeadSHA()).ID != first })
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newAcceptBench(t, setup{})
			pr := b.open("feature", githubtest.PullOptions{})
			checked := pr.HeadSHA()
			b.wait(checked)
			b.idle()
			run := b.lockRun(checked)
			move(b, pr)
			b.idle()
			tip := b.tip("feature")
			if err := b.repo.Press("writer", run.ID, queue.Accept); err != nil {
				t.Fatal(err)
			}
			b.idle()
			if b.tip("feature") != tip {
				t.Errorf("the branch moved from %s to %s", tip, b.tip("feature"))
			}
			for _, r := range b.gh.CheckRuns(b.repo, checked) {
				if r.ID == run.ID && (!strings.HasPrefix(r.Summary, "**Outdated**") || !strings.Contains(r.Summary, "Accepting")) {
					t.Errorf("summary: %s", r.Summary)
				}
			}
		})
	}
}

// A push between our look at the branch and our own move is nobody's loss.
func TestBranchMovesWhileTheLockIsCommitted(t *testing.T) {
	t.Parallel()
	b := newAcceptBench(t, setup{})
	pr := b.open("feature", githubtest.PullOptions{})
	checked := pr.HeadSHA()
	b.wait(checked)
	b.idle()
	pushed := ""
	b.net.cut(func(r *http.Request) error {
		if r.Method == http.MethodPatch && strings.Contains(r.URL.Path, "/git/refs/") && pushed == "" {
			pushed = b.commit("feature", "", "README.md", "faster\n")
		}
		return nil
	}, nil)
	b.press("writer", checked)
	if tip := b.tip("feature"); pushed == "" || tip != pushed {
		t.Errorf("tip %s, want the push %s", tip, pushed)
	}
	if s := b.lockRun(checked).Summary; !strings.HasPrefix(s, "**Outdated**") {
		t.Errorf("summary: %s", s)
	}
}

func TestNoLinkLeadsElsewhere(t *testing.T) {
	t.Parallel()
	link := func(to string) githubtest.Entry { return githubtest.Entry{Mode: "120000", Content: []byte(to)} }
	module := githubtest.Entry{Mode: "160000", Content: []byte(strings.Repeat("1", 40))}
	for name, c := range map[string]struct {
		path    string
		entries map[string]githubtest.Entry
	}{
		"the lock is a link":          {lockPath, map[string]githubtest.Entry{lockPath: link(".github/workflows/x.yml")}},
		"the lock is a submodule":     {lockPath, map[string]githubtest.Entry{lockPath: module}},
		"the lock is a folder":        {lockPath, map[string]githubtest.Entry{lockPath: {}, lockPath + "/x": {Content: []byte("x")}}},
		"the lock is not there":       {lockPath, map[string]githubtest.Entry{lockPath: {}}},
		"its folder is a link":        {"locks/mcp.lock", map[string]githubtest.Entry{"locks": link(".github")}},
		"its folder is a submodule":   {"locks/mcp.lock", map[string]githubtest.Entry{"locks": module}},
		"its folder is a file":        {"locks/mcp.lock", map[string]githubtest.Entry{"locks": {Content: []byte("x")}}},
		"a folder above it is a link": {"a/b/mcp.lock", map[string]githubtest.Entry{"a": link("c")}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newAcceptBench(t, setup{run: func(context.Context, audit.Request) (*report.Review, error) {
				r := drifted()
				r.Lock.Path = c.path
				return r, nil
			}})
			b.commit("main", "", ".mcp-lint.json", fmt.Sprintf(`{"lock":%q}`, c.path))
			b.commit("feature", "main", "README.md", "x\n")
			if _, err := b.repo.CommitEntries("feature", "", "links", c.entries); err != nil {
				t.Fatal(err)
			}
			pr := b.open("feature", githubtest.PullOptions{})
			b.wait(pr.HeadSHA())
			b.idle()
			checked := pr.HeadSHA()
			b.button(checked)
			b.press("writer", checked)
			b.unmoved(checked)
			if s := b.lockRun(checked).Summary; !strings.HasPrefix(s, "**Not accepted**") || !strings.Contains(s, "no plain file") {
				t.Errorf("summary: %s", s)
			}
		})
	}
}

// Where the button is not offered, its text says why, and a click that was made
// up finds nothing.
func TestNoButton(t *testing.T) {
	t.Parallel()
	readOnly := granted()
	readOnly["contents"] = "read"
	for name, c := range map[string]struct {
		setup setup
		fork  bool
		twin  bool
		says  string
	}{
		"no contents: write": {setup: setup{options: githubtest.RepositoryOptions{Permissions: readOnly}}, says: "contents: write"},
		"fork":               {setup: setup{worker: worker.Options{Forks: worker.ForksSandbox}}, fork: true, says: "another repository"},
		"not computable": {setup: setup{run: func(context.Context, audit.Request) (*report.Review, error) {
			r := faulty()
			r.Lock.NoRefresh = "a tool | `twice`"
			return r, nil
		}}, says: "a tool"},
		"another path than the trusted one": {setup: setup{run: func(context.Context, audit.Request) (*report.Review, error) {
			r := drifted()
			r.Lock.Path = ".github/workflows/run.yml"
			return r, nil
		}}, says: "another path"},
		"commit of two pull requests": {twin: true, says: "another open pull request"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newAcceptBench(t, c.setup)
			o := githubtest.PullOptions{}
			branch := "feature"
			if c.fork {
				fork, err := b.repo.Fork("stranger")
				if err != nil {
					t.Fatal(err)
				}
				if _, err := fork.Commit("theirs", "main", "change", map[string][]byte{"README.md": []byte("x\n")}); err != nil {
					t.Fatal(err)
				}
				o.From, branch = fork, "theirs"
			}
			pr := b.open(branch, o)
			b.wait(pr.HeadSHA())
			b.idle()
			if c.twin {
				checked := pr.HeadSHA()
				first := b.lockRun(checked)
				b.open("feature", githubtest.PullOptions{})
				b.idle()
				if err := b.repo.Press("writer", first.ID, queue.Accept); err != nil {
					t.Fatal(err)
				}
				b.idle()
				b.unmoved(checked)
				if s := b.lockRun(checked).Summary; !strings.HasPrefix(s, "**Not accepted**") || !strings.Contains(s, c.says) {
					t.Errorf("summary: %s", s)
				}
				return
			}
			run := b.lockRun(pr.HeadSHA())
			if len(run.Actions) != 0 || !strings.Contains(run.Summary, "is not offered here") || !strings.Contains(run.Summary, c.says) ||
				!strings.Contains(run.Summary, "mcp-lint lock --all --accept") {
				t.Errorf("buttons %+v, summary: %s", run.Actions, run.Summary)
			}
			before := len(b.writes())
			b.press("writer", pr.HeadSHA())
			if n := len(b.writes()) - before; n != 0 {
				t.Errorf("%d writes for a button that is not there", n)
			}
		})
	}
}

// However much differs, how it is accepted is not what falls behind the edge.
func TestAcceptingIsSaidBehindALongSummary(t *testing.T) {
	t.Parallel()
	b := newAcceptBench(t, setup{run: func(context.Context, audit.Request) (*report.Review, error) {
		r := drifted()
		change := r.Report.Servers[0].Lock.Changes[0]
		for i := range 2000 {
			change.Kind, change.Path, change.Entity.Name = "description_changed", "/description", fmt.Sprintf("tool_%d", i)
			change.Message = fmt.Sprintf("the description of tool %d is another", i)
			change.Before, change.After = strings.Repeat(fmt.Sprint(i, " before "), 20), strings.Repeat(fmt.Sprint(i, " after "), 20)
			r.Report.Servers[0].Lock.Changes = append(r.Report.Servers[0].Lock.Changes, change)
		}
		return r, nil
	}})
	pr := b.open("feature", githubtest.PullOptions{})
	b.wait(pr.HeadSHA())
	run := b.lockRun(pr.HeadSHA())
	if !strings.Contains(run.Summary, "### Accepting") || len(run.Actions) != 1 {
		t.Errorf("%d bytes, buttons %v: …%s", len(run.Summary), run.Actions, run.Summary[max(0, len(run.Summary)-500):])
	}
	t.Logf("%d bytes", len(run.Summary))
}

// What changed on GitHub since the check is said to who presses the button.
func TestRefusedByGitHubIsSaid(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*bench)
		says   string
	}{
		"contents: write withdrawn": {func(b *bench) {
			less := granted()
			less["contents"] = "read"
			b.gh.SetPermissions("acme", less)
		}, "contents: write"},
		"branch protected": {func(b *bench) { b.repo.Protect("feature") }, "protected"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newAcceptBench(t, setup{})
			pr := b.open("feature", githubtest.PullOptions{})
			b.wait(pr.HeadSHA())
			b.idle()
			c.change(b)
			checked := pr.HeadSHA()
			b.press("writer", checked)
			b.unmoved(checked)
			if s := b.lockRun(checked).Summary; !strings.HasPrefix(s, "**Not accepted**") || !strings.Contains(s, c.says) {
				t.Errorf("summary: %s", s)
			}
		})
	}
}

// The worker may die at any write of an accepted lock. Whoever does it again
// leaves what one undisturbed job leaves: one commit on the branch.
func TestAcceptResumesAfterEveryWrite(t *testing.T) {
	t.Parallel()
	writes := []string{"blob", "tree", "commit", "branch", "note"}
	for _, after := range []bool{false, true} {
		for n, what := range writes {
			t.Run(fmt.Sprintf("%s, after it: %v", what, after), func(t *testing.T) {
				t.Parallel()
				b := newAcceptBench(t, setup{idle: true})
				pr := b.open("feature", githubtest.PullOptions{})
				checked := pr.HeadSHA()
				if err := b.worker.Work(t.Context(), b.job(pr), queue.Attempt{Number: 1, Max: 3}); err != nil {
					t.Fatal(err)
				}
				if err := b.repo.Press("writer", b.lockRun(checked).ID, queue.Accept); err != nil {
					t.Fatal(err)
				}
				r := b.waiting()
				ctx, kill := context.WithCancel(t.Context())
				defer kill()
				k := &killer{at: n + 1, after: after, kill: kill}
				b.net.cut(k.before, k.answered)
				if err := b.worker.Serve(ctx, r, queue.Attempt{Number: 1, Max: 3}); err == nil || !k.dead {
					t.Fatalf("the job did not notice its death at %d of %d writes", n+1, k.writes)
				}
				b.net.cut(nil, nil)
				if err := b.worker.Serve(t.Context(), r, queue.Attempt{Number: 2, Max: 3}); err != nil {
					t.Fatalf("second attempt: %v", err)
				}
				made := b.tip("feature")
				if info := b.inspect(made); !slices.Equal(info.Parents, []string{checked}) || !slices.Equal(info.Files, []string{lockPath}) {
					t.Errorf("commit %+v, want one on %s", info, checked)
				}
				if s := b.lockRun(checked).Summary; !strings.HasPrefix(s, "**Accepted**") || strings.Count(s, "Accepted") != 1 || !strings.Contains(s, made) {
					t.Errorf("summary: %s", s)
				}
			})
		}
	}
}

// waiting is the one request that waits in the queue.
func (b *bench) waiting() queue.Request {
	b.t.Helper()
	var text string
	if err := b.store.DB().QueryRow(`SELECT json(args) FROM river_job WHERE kind = 'request'`).Scan(&text); err != nil {
		b.t.Fatal(err)
	}
	var r queue.Request
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		b.t.Fatal(err)
	}
	return r
}

// fileIn is the content of a file in a tree, "" when it is not there.
func fileIn(dir, name string) string {
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return ""
	}
	return string(text)
}

func (b *bench) inspect(sha string) githubtest.CommitInfo {
	b.t.Helper()
	info, err := b.repo.Inspect(sha)
	if err != nil {
		b.t.Fatal(err)
	}
	return info
}
