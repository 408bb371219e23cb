package worker_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcp-lint/mcp-lint/internal/audit"
	"github.com/mcp-lint/mcp-lint/internal/githubtest"
	"github.com/mcp-lint/mcp-lint/internal/queue"
	"github.com/mcp-lint/mcp-lint/internal/worker"
	"github.com/mcp-lint/mcp-lint/linter/report"
)

func TestVerdictIsPublishedInFewWrites(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		review         *report.Review
		lint, lock     string
		comments       int
		writes         []string
		sarifs, alerts int
	}{
		"clean": {clean(), "success", "success", 0, []string{
			"POST check-runs", "POST check-runs", "PATCH check-runs/N", "PATCH check-runs/N", "POST code-scanning/sarifs",
		}, 1, 0},
		"faulty": {faulty(), "failure", "failure", 1, []string{
			"POST check-runs", "POST check-runs", "PATCH check-runs/N", "PATCH check-runs/N", "POST issues/N/comments", "POST code-scanning/sarifs",
		}, 1, 2},
		"nothing to check": {&report.Review{Empty: true, Limits: limits()}, "skipped", "skipped", 0, []string{
			"POST check-runs", "POST check-runs", "PATCH check-runs/N", "PATCH check-runs/N",
		}, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, setup{run: func(context.Context, audit.Request) (*report.Review, error) { return c.review, nil }})
			pr := b.open("feature", githubtest.PullOptions{})
			b.wait(pr.HeadSHA())
			b.idle()
			b.want(pr.HeadSHA(), "mcp-lint: "+c.lint, "mcp-lint lock: "+c.lock)
			if diff := cmp.Diff(c.writes, b.writes()); diff != "" {
				t.Errorf("writes (-want +got)\n%s", diff)
			}
			if n := len(b.gh.Comments(b.repo, pr.Number)); n != c.comments {
				t.Errorf("%d comments, want %d", n, c.comments)
			}
			uploads := b.gh.SARIFs(b.repo)
			if len(uploads) != c.sarifs {
				t.Fatalf("%d uploads, want %d", len(uploads), c.sarifs)
			}
			for _, u := range uploads {
				if u.Category != "mcp-lint/app/" || u.Ref != "refs/pull/1/head" || u.CommitSHA != pr.HeadSHA() || u.Status != "complete" {
					t.Errorf("upload %s %s %s %s: %v", u.Category, u.Ref, u.CommitSHA, u.Status, u.Errors)
				}
			}
			if n := len(b.gh.Alerts(b.repo)); n != c.alerts {
				t.Errorf("%d alerts, want %d", n, c.alerts)
			}
		})
	}
}

func TestTreesAreHeadMergeBaseAndTrustedPolicy(t *testing.T) {
	t.Parallel()
	type contents struct{ head, base, policy string }
	seen := make(chan contents, 1)
	read := func(dir string) string {
		text, err := os.ReadFile(filepath.Join(dir, "README.md"))
		if err != nil {
			return err.Error()
		}
		return strings.TrimSpace(string(text))
	}
	for name, c := range map[string]struct {
		base    string
		protect bool
		want    contents
	}{
		"default branch":            {"main", false, contents{"head", "fork point", "newer main"}},
		"branch anybody may change": {"release/1", false, contents{"head", "fork point", "newer main"}},
		"protected branch":          {"release/1", true, contents{"head", "fork point", "newer release"}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, setup{run: func(_ context.Context, r audit.Request) (*report.Review, error) {
				seen <- contents{read(r.Head), read(r.Base), read(r.Policy)}
				return clean(), nil
			}})
			fork := b.commit("main", "", "README.md", "fork point\n")
			b.commit("topic", fork, "README.md", "head\n")
			b.commit("release/1", fork, "README.md", "newer release\n")
			b.commit("main", "", "README.md", "newer main\n")
			if c.protect {
				b.repo.Protect("release/1")
			}
			pr, err := b.repo.OpenPull("Topic", "topic", c.base, githubtest.PullOptions{})
			if err != nil {
				t.Fatal(err)
			}
			b.wait(pr.HeadSHA())
			if got := <-seen; got != c.want {
				t.Errorf("trees %+v, want %+v", got, c.want)
			}
		})
	}
}

func TestTemporaryFoldersAreRemoved(t *testing.T) {
	t.Parallel()
	b := newBench(t, setup{})
	pr := b.open("feature", githubtest.PullOptions{})
	b.wait(pr.HeadSHA())
	b.idle()
	left, err := os.ReadDir(b.dir)
	if err != nil || len(left) != 0 {
		t.Errorf("left in the work folder: %v, %v", left, err)
	}
	for _, name := range []string{"run-1/head", "mine"} {
		if err := os.MkdirAll(filepath.Join(b.dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := worker.New(b.options); err != nil { // a restart
		t.Fatal(err)
	}
	left, err = os.ReadDir(b.dir)
	if err != nil || len(left) != 1 || left[0].Name() != "mine" {
		t.Errorf("after a restart: %v, %v, want only what is not ours", left, err)
	}
}

func TestForksDecideWhatIsStarted(t *testing.T) {
	t.Parallel()
	for forks, static := range map[worker.Forks]bool{"": true, worker.ForksStatic: true, worker.ForksSandbox: false} {
		t.Run(string("forks "+forks), func(t *testing.T) {
			t.Parallel()
			b := newBench(t, setup{worker: worker.Options{Forks: forks}})
			fork, err := b.repo.Fork("stranger")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := fork.Commit("theirs", "main", "change", map[string][]byte{"README.md": []byte("x\n")}); err != nil {
				t.Fatal(err)
			}
			theirs := b.open("theirs", githubtest.PullOptions{From: fork})
			b.wait(theirs.HeadSHA())
			ours := b.open("feature", githubtest.PullOptions{})
			b.wait(ours.HeadSHA())
			got := b.requests()
			if len(got) != 2 || got[0].Static != static || got[1].Static {
				t.Errorf("static: %+v, want %v for the fork and false for our own", got, static)
			}
		})
	}
}

func TestOtherOwnersAreLeftAlone(t *testing.T) {
	t.Parallel()
	b := newBench(t, setup{worker: worker.Options{AllowedOwners: []string{"somebody"}}})
	before := len(b.gh.Requests())
	b.open("feature", githubtest.PullOptions{})
	b.idle()
	if n := len(b.gh.Requests()) - before; n != 0 {
		t.Errorf("%d requests to GitHub for a foreign repository", n)
	}
}

func TestNewerHeadSupersedesTheOlder(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	stopped := make(chan error, 1)
	b := newBench(t, setup{run: func(ctx context.Context, _ audit.Request) (*report.Review, error) {
		if calls.Add(1) > 1 {
			return clean(), nil
		}
		<-ctx.Done()
		stopped <- ctx.Err()
		return nil, ctx.Err()
	}, queue: queue.Options{Workers: 2}})
	pr := b.open("feature", githubtest.PullOptions{})
	old := pr.HeadSHA()
	b.waitFor("audit", func() bool { return calls.Load() == 1 })
	b.want(old, "mcp-lint: in_progress", "mcp-lint lock: in_progress")
	b.commit("feature", "", "README.md", "second\n")
	b.push("feature")
	if err := <-stopped; !errors.Is(err, context.Canceled) {
		t.Errorf("the old audit ended with %v", err)
	}
	b.wait(pr.HeadSHA())
	b.idle()
	b.want(old, "mcp-lint: cancelled", "mcp-lint lock: cancelled")
	b.want(pr.HeadSHA(), "mcp-lint: success", "mcp-lint lock: success")
	for _, r := range b.gh.CheckRuns(b.repo, old) {
		if !strings.Contains(r.Summary, pr.HeadSHA()) {
			t.Errorf("summary %q does not name the newer commit", r.Summary)
		}
	}
}

// A push may also arrive while the verdict on the old head is being written.
func TestSupersededWhilePublishing(t *testing.T) {
	t.Parallel()
	b := newBench(t, setup{run: func(context.Context, audit.Request) (*report.Review, error) { return faulty(), nil },
		queue: queue.Options{Workers: 2}})
	b.gh.Delay("PATCH", "/repos/*/*/check-runs/*", time.Second, 1)
	pr := b.open("feature", githubtest.PullOptions{})
	old := pr.HeadSHA()
	b.waitFor("audit", func() bool { return len(b.requests()) == 1 })
	time.Sleep(200 * time.Millisecond) // into the delayed write
	b.commit("feature", "", "README.md", "second\n")
	b.push("feature")
	b.wait(pr.HeadSHA())
	b.idle()
	b.want(pr.HeadSHA(), "mcp-lint: failure", "mcp-lint lock: failure")
	if got := b.shown(old); len(got) != 2 || strings.Contains(strings.Join(got, " "), "in_progress") {
		t.Errorf("check runs on the old head: %q", got)
	}
	if n := len(b.gh.Comments(b.repo, pr.Number)); n != 1 {
		t.Errorf("%d comments, want 1", n)
	}
}

func TestClosingCancels(t *testing.T) {
	t.Parallel()
	started := make(chan struct{}, 2)
	var closing atomic.Bool
	closing.Store(true)
	b := newBench(t, setup{run: func(ctx context.Context, _ audit.Request) (*report.Review, error) {
		started <- struct{}{}
		if !closing.Load() {
			return clean(), nil
		}
		<-ctx.Done()
		return nil, ctx.Err()
	}})
	pr := b.open("feature", githubtest.PullOptions{})
	<-started
	pr.Close()
	b.wait(pr.HeadSHA())
	b.want(pr.HeadSHA(), "mcp-lint: cancelled", "mcp-lint lock: cancelled")
	for _, r := range b.gh.CheckRuns(b.repo, pr.HeadSHA()) {
		if !strings.Contains(r.Title, "closed") {
			t.Errorf("title %q", r.Title)
		}
	}
	// Opened again, it needs a new pair: the old one is closed for good.
	closing.Store(false)
	pr.Reopen()
	<-started
	b.idle()
	b.want(pr.HeadSHA(), "mcp-lint: cancelled", "mcp-lint lock: cancelled", "mcp-lint: success", "mcp-lint lock: success")
}

func TestDraftGetsVerdictsButNoComment(t *testing.T) {
	t.Parallel()
	b := newBench(t, setup{run: func(context.Context, audit.Request) (*report.Review, error) { return faulty(), nil }})
	pr := b.open("feature", githubtest.PullOptions{Draft: true})
	b.wait(pr.HeadSHA())
	b.idle()
	if n := len(b.gh.Comments(b.repo, pr.Number)); n != 0 {
		t.Errorf("%d comments on a draft", n)
	}
	pr.MarkReady()
	b.waitFor("comment", func() bool { return len(b.gh.Comments(b.repo, pr.Number)) == 1 })
	b.idle()
	b.want(pr.HeadSHA(), "mcp-lint: failure", "mcp-lint lock: failure")

	// It leads to the check run, which has room for what it left out.
	link := ""
	for _, run := range b.gh.CheckRuns(b.repo, pr.HeadSHA()) {
		if run.Name == report.LockCheck {
			link = fmt.Sprintf("/runs/%d\">Full report</a>", run.ID)
		}
	}
	if body := b.gh.Comments(b.repo, pr.Number)[0].Body; link == "" || !strings.Contains(body, link) {
		t.Errorf("no link %q in %s", link, body)
	}
}

func TestOtherBaseIsJudgedAfresh(t *testing.T) {
	t.Parallel()
	b := newBench(t, setup{})
	b.commit("next", "main", "README.md", "next\n")
	pr := b.open("feature", githubtest.PullOptions{})
	b.wait(pr.HeadSHA())
	b.idle()
	if err := pr.EditBase("next"); err != nil {
		t.Fatal(err)
	}
	b.idle()
	if n := len(b.requests()); n != 2 {
		t.Errorf("%d audits, want 2", n)
	}
	b.want(pr.HeadSHA(), "mcp-lint: success", "mcp-lint lock: success", "mcp-lint: success", "mcp-lint lock: success")
	pr.EditTitle("Another title")
	b.idle()
	if n := len(b.requests()); n != 2 {
		t.Errorf("%d audits after a new title, want 2", n)
	}
}

// A commit has one check run of each name, whoever asked for it; the worst
// conclusion of its open pull requests counts.
func TestPullRequestsWithOneHeadShareItsCheckRuns(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		reviews []*report.Review
		want    string
	}{
		"second is worse": {[]*report.Review{clean(), faulty()}, "failure"},
		"first is worse":  {[]*report.Review{faulty(), clean()}, "failure"},
		"both are clean":  {[]*report.Review{clean(), clean()}, "success"},
		"second adds":     {[]*report.Review{warned(), warned(faulty())}, "failure"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var n atomic.Int32
			b := newBench(t, setup{run: func(context.Context, audit.Request) (*report.Review, error) {
				return c.reviews[n.Add(1)-1], nil
			}})
			first := b.open("feature", githubtest.PullOptions{})
			b.wait(first.HeadSHA())
			b.idle()
			b.commit("other", "main", "other.txt", "other base\n")
			second, err := b.repo.OpenPull("Same head", "feature", "other", githubtest.PullOptions{})
			if err != nil {
				t.Fatal(err)
			}
			b.idle()
			if second.HeadSHA() != first.HeadSHA() || len(b.requests()) != 2 {
				t.Fatalf("heads %s and %s, %d audits", first.HeadSHA(), second.HeadSHA(), len(b.requests()))
			}
			b.want(first.HeadSHA(), "mcp-lint: "+c.want, "mcp-lint lock: "+c.want)
			for _, run := range b.gh.CheckRuns(b.repo, first.HeadSHA()) {
				seen := map[string]bool{}
				for _, a := range run.Annotations {
					if key := fmt.Sprint(a.Path, a.StartLine, a.Title, a.Message); seen[key] {
						t.Errorf("%s has an annotation twice: %s", run.Name, key)
					} else {
						seen[key] = true
					}
				}
			}
		})
	}
}

// Anybody can open a pull request from a fork with somebody else's commit. Its
// servers are not started, and that must not block the repository's own pull
// request, whichever comes first.
func TestAForkDoesNotBlockThePullRequestWithItsCommit(t *testing.T) {
	t.Parallel()
	for _, forkFirst := range []bool{true, false} {
		t.Run(fmt.Sprintf("fork first %t", forkFirst), func(t *testing.T) {
			t.Parallel()
			b := newBench(t, setup{run: func(_ context.Context, r audit.Request) (*report.Review, error) {
				review := clean()
				if r.Static {
					review.Report.Servers[0].Error = &report.Error{Kind: report.ErrSandbox, Message: "not started: fork"}
				}
				return review, nil
			}})
			fork, err := b.repo.Fork("stranger")
			if err != nil {
				t.Fatal(err)
			}
			var sha string
			var theirs *githubtest.PullRequest
			open := func(o githubtest.PullOptions) {
				pr := b.open("feature", o)
				if o.From != nil {
					theirs = pr
				}
				sha = pr.HeadSHA()
				b.idle()
			}
			if forkFirst {
				open(githubtest.PullOptions{From: fork})
				b.want(sha, "mcp-lint: action_required", "mcp-lint lock: action_required")
			}
			open(githubtest.PullOptions{})
			if !forkFirst {
				open(githubtest.PullOptions{From: fork})
			}
			b.want(sha, "mcp-lint: success", "mcp-lint lock: success")
			theirs.Close()
			theirs.Reopen() // which would begin the check runs anew
			b.idle()
			b.want(sha, "mcp-lint: success", "mcp-lint lock: success")
		})
	}
}

func TestClosingLeavesTheCheckRunsOfAnotherPullRequest(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	b := newBench(t, setup{run: func(ctx context.Context, _ audit.Request) (*report.Review, error) {
		select {
		case <-release:
			return clean(), nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}, queue: queue.Options{Workers: 2}})
	first := b.open("feature", githubtest.PullOptions{})
	b.commit("other", "main", "other.txt", "other base\n")
	if _, err := b.repo.OpenPull("Same head", "feature", "other", githubtest.PullOptions{}); err != nil {
		t.Fatal(err)
	}
	b.waitFor("two audits", func() bool { return len(b.requests()) == 2 })
	first.Close()
	b.waitFor("end of the first job", func() bool {
		left, err := b.store.Leftovers(t.Context(), b.pull(first.Number).RepositoryID, first.Number)
		return err == nil && len(left) == 0
	})
	b.want(first.HeadSHA(), "mcp-lint: in_progress", "mcp-lint lock: in_progress")
	close(release)
	b.idle()
	b.want(first.HeadSHA(), "mcp-lint: success", "mcp-lint lock: success")
}

// What is not known to be clean never looks clean.
func TestFailuresEndAsNotChecked(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		run      func(context.Context, audit.Request) (*report.Review, error)
		options  worker.Options
		attempts int
		words    string
	}{
		"every attempt fails": {
			func(context.Context, audit.Request) (*report.Review, error) {
				return nil, errors.New("secret detail /srv/bot")
			}, worker.Options{}, 3, "failed several times",
		},
		"the child crashes": {
			func(context.Context, audit.Request) (*report.Review, error) {
				return nil, &worker.RunnerError{Reason: "it crashed"}
			}, worker.Options{}, 3, "it crashed",
		},
		"the child cannot work here": {
			func(context.Context, audit.Request) (*report.Review, error) {
				return nil, &worker.RunnerError{Reason: "no sandbox", Permanent: true}
			}, worker.Options{}, 1, "no sandbox",
		},
		"the audit takes too long": {
			func(ctx context.Context, _ audit.Request) (*report.Review, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			}, worker.Options{AuditTimeout: 50 * time.Millisecond}, 1, "longer than",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, setup{run: c.run, worker: c.options, queue: queue.Options{MaxAttempts: 3}})
			pr := b.open("feature", githubtest.PullOptions{})
			b.wait(pr.HeadSHA())
			b.idle()
			b.want(pr.HeadSHA(), "mcp-lint: action_required", "mcp-lint lock: action_required")
			if n := len(b.requests()); n != c.attempts {
				t.Errorf("%d attempts, want %d", n, c.attempts)
			}
			for _, r := range b.gh.CheckRuns(b.repo, pr.HeadSHA()) {
				if !strings.Contains(r.Summary, c.words) || strings.Contains(r.Summary, "/srv/bot") {
					t.Errorf("summary %q, want %q and no detail", r.Summary, c.words)
				}
			}
			if len(b.gh.SARIFs(b.repo))+len(b.gh.Comments(b.repo, pr.Number)) != 0 {
				t.Error("an upload or a comment about nothing")
			}
		})
	}
}

// An upload closes the alerts that it lacks. So none is made without a server
// whose alerts are there; one that never could be checked keeps nothing away.
func TestUncheckedServersKeepTheirAlerts(t *testing.T) {
	t.Parallel()
	var now atomic.Value // kinds of the errors of two servers
	b := newBench(t, setup{run: func(context.Context, audit.Request) (*report.Review, error) {
		r := clean()
		r.Report.Servers = append(r.Report.Servers, warned().Report.Servers...)
		r.Report.Servers[1].Key = "other"
		for i, kind := range now.Load().([]report.ErrorKind) {
			if kind != "" {
				r.Report.Servers[i].Error = &report.Error{Kind: kind, Message: "why"}
				r.Report.Summary.NotChecked++
			}
		}
		return r, nil
	}})
	var pr *githubtest.PullRequest
	for i, step := range []struct {
		files, other report.ErrorKind
		uploads      int
	}{
		{report.ErrCrash, "", 1},              // files never had an alert
		{report.ErrCrash, "", 2},              // nor has it now
		{"", "", 3},                           // now it may
		{report.ErrTimeout, "", 3},            // they would be closed
		{report.ErrRefused, "", 4},            // it is judged by how it is started
		{report.ErrCrash, report.ErrCrash, 4}, // both have alerts
		{"", "", 5},
	} {
		now.Store([]report.ErrorKind{step.files, step.other})
		if pr == nil {
			pr = b.open("feature", githubtest.PullOptions{})
		} else {
			b.commit("feature", "", "README.md", fmt.Sprintln("change", i))
			b.push("feature")
		}
		b.wait(pr.HeadSHA())
		b.idle()
		if n := len(b.gh.SARIFs(b.repo)); n != step.uploads {
			t.Errorf("step %d: %d uploads, want %d", i, n, step.uploads)
		}
	}
}

func TestMissingCodeScanningPermissionIsSaidOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t, setup{})
	b.gh.SetPermissions("acme", map[string]string{"metadata": "read", "contents": "read", "checks": "write", "pull_requests": "write"})
	pr := b.open("feature", githubtest.PullOptions{})
	b.wait(pr.HeadSHA())
	b.idle()
	b.want(pr.HeadSHA(), "mcp-lint: success", "mcp-lint lock: success")
	said := 0
	for _, r := range b.gh.CheckRuns(b.repo, pr.HeadSHA()) {
		said += strings.Count(r.Summary, "security_events: write")
	}
	if said != 1 {
		t.Errorf("said %d times, want once", said)
	}
}

func TestRateLimitPostponesAndCountsAsNoAttempt(t *testing.T) {
	t.Parallel()
	b := newBench(t, setup{idle: true})
	b.gh.Fail("POST", "/repos/*/*/check-runs", 403, 1, 7*time.Second)
	pr := b.open("feature", githubtest.PullOptions{})
	err := b.worker.Work(t.Context(), b.job(pr), queue.Attempt{Number: 1, Max: 1})
	later := (*queue.Later)(nil)
	if !errors.As(err, &later) || later.After < 5*time.Second || later.After > 8*time.Second {
		t.Errorf("error %v, want to come back in 7 s", err)
	}
}

func TestRemovedAppEndsQuietly(t *testing.T) {
	t.Parallel()
	b := newBench(t, setup{})
	b.gh.Suspend("acme", true)
	pr := b.open("feature", githubtest.PullOptions{})
	b.idle()
	if runs := b.gh.CheckRuns(b.repo, pr.HeadSHA()); len(runs) != 0 {
		t.Errorf("check runs %v", runs)
	}
	depth, err := b.queue.Depth(t.Context())
	if err != nil || depth["completed"] != 1 {
		t.Errorf("jobs %v, %v", depth, err)
	}
}

// Without the permission to read there is a verdict all the same: a check run
// that stays in progress would block the pull request.
func TestMissingReadPermissionIsSaid(t *testing.T) {
	t.Parallel()
	b := newBench(t, setup{})
	b.gh.SetPermissions("acme", map[string]string{"metadata": "read", "checks": "write", "pull_requests": "write"})
	pr := b.open("feature", githubtest.PullOptions{})
	b.wait(pr.HeadSHA())
	b.want(pr.HeadSHA(), "mcp-lint: action_required", "mcp-lint lock: action_required")
	for _, r := range b.gh.CheckRuns(b.repo, pr.HeadSHA()) {
		if !strings.Contains(r.Summary, "contents: read") {
			t.Errorf("summary %q does not name the permission", r.Summary)
		}
	}
}

// job is the waiting job of a pull request, for tests that do it themselves.
func (b *bench) job(pr *githubtest.PullRequest) queue.Review {
	b.t.Helper()
	p := b.pull(pr.Number)
	return queue.Review{
		RepositoryID: p.RepositoryID, PR: p.Number, HeadSHA: p.HeadSHA, Generation: p.Generation,
		Installation: p.Installation, Owner: p.Owner, Repo: p.Repo, Delivery: "test",
	}
}
