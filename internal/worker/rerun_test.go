package worker_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcp-lint/mcp-lint/internal/audit"
	"github.com/mcp-lint/mcp-lint/internal/githubtest"
	"github.com/mcp-lint/mcp-lint/internal/queue"
	"github.com/mcp-lint/mcp-lint/linter/report"
)

func audited(context.Context, audit.Request) (*report.Review, error) { return clean(), nil }

// twice is what a commit shows after one re-run: a re-run is a new pair.
var twice = []string{"mcp-lint: success", "mcp-lint: success", "mcp-lint lock: success", "mcp-lint lock: success"}

func TestRerun(t *testing.T) {
	t.Parallel()
	single := func(b *bench, login, sha string) {
		if err := b.repo.Rerun(login, b.lockRun(sha).ID); err != nil {
			b.t.Fatal(err)
		}
	}
	all := func(b *bench, login, sha string) { b.repo.RerunAll(login, sha) }
	for name, c := range map[string]struct {
		login  string
		press  func(b *bench, login, sha string)
		audits int
	}{
		"one":                  {"writer", single, 2},
		"all":                  {"writer", all, 2},
		"one, by a reader":     {"reader", single, 1},
		"all, by a reader":     {"reader", all, 1},
		"author without write": {"author", single, 1},
		"all, by a bot":        {"mcp-lint[bot]", all, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newAcceptBench(t, setup{run: audited})
			pr := b.open("feature", githubtest.PullOptions{Author: "author"})
			b.wait(pr.HeadSHA())
			b.idle()
			before := len(b.writes())
			c.press(b, c.login, pr.HeadSHA())
			b.idle()
			if n := len(b.requests()); n != c.audits {
				t.Errorf("%d audits, want %d", n, c.audits)
			}
			if c.audits == 2 {
				b.want(pr.HeadSHA(), twice...)
			} else if n := len(b.writes()) - before; n != 0 {
				t.Errorf("%d writes for somebody who may not ask", n)
			}
		})
	}
}

// Every open pull request with the commit is checked once more, also one of a
// fork, which GitHub's event does not name. Its servers stay where they are.
func TestRerunIsForEveryPullRequestOfTheCommit(t *testing.T) {
	t.Parallel()
	b := newAcceptBench(t, setup{run: audited})
	fork, err := b.repo.Fork("stranger")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fork.Commit("theirs", "main", "change", map[string][]byte{"README.md": []byte("x\n")}); err != nil {
		t.Fatal(err)
	}
	pr := b.open("theirs", githubtest.PullOptions{From: fork})
	b.wait(pr.HeadSHA())
	b.idle()
	b.repo.RerunAll("writer", pr.HeadSHA())
	b.idle()
	b.want(pr.HeadSHA(), twice...)
	for i, r := range b.requests() {
		if !r.Static {
			t.Errorf("audit %d started a fork's servers", i)
		}
	}
	if n := len(b.requests()); n != 2 {
		t.Errorf("%d audits, want 2", n)
	}
}

// A commit that is no head any more, checks of another App, and an attempt that
// died after it had started the run, start nothing.
func TestRerunOfWhatIsNotOurs(t *testing.T) {
	t.Parallel()
	b := newAcceptBench(t, setup{run: audited})
	pr := b.open("feature", githubtest.PullOptions{})
	old := pr.HeadSHA()
	b.wait(old)
	b.commit("feature", "", "README.md", "second\n")
	b.push("feature")
	b.wait(pr.HeadSHA())
	b.idle()
	b.repo.RerunAll("writer", old)
	b.idle()
	r := b.waiting()
	r.SHA = pr.HeadSHA()
	for _, step := range []struct {
		delivery string
		app      int64
		audits   int
	}{{"another App's", r.AppID + 1, 2}, {"ours", r.AppID, 3}, {"ours", r.AppID, 3}} {
		r.Delivery, r.AppID = step.delivery, step.app
		if err := b.worker.Serve(t.Context(), r, queue.Attempt{Number: 1, Max: 3}); err != nil {
			t.Fatal(err)
		}
		b.idle()
		if n := len(b.requests()); n != step.audits {
			t.Errorf("%s: %d audits, want %d", step.delivery, n, step.audits)
		}
	}
}

// Asking costs nothing and must not buy work without end: whoever asks while a
// run is under way gets that one, and nothing is written for it.
func TestAskingManyTimesIsOneRun(t *testing.T) {
	t.Parallel()
	var started atomic.Int32
	let := make(chan struct{})
	b := newAcceptBench(t, setup{run: func(ctx context.Context, _ audit.Request) (*report.Review, error) {
		started.Add(1)
		select {
		case <-let:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		return clean(), nil
	}})
	pr := b.open("feature", githubtest.PullOptions{Author: "author"})
	b.waitFor("audit", func() bool { return started.Load() == 1 })
	before := len(b.writes())
	var comments []int64
	for range 30 {
		comments = append(comments, pr.Say("author", "/mcp-lint recheck"))
	}
	b.repo.RerunAll("writer", pr.HeadSHA())
	b.waitFor("served requests", func() bool {
		var served int
		if err := b.store.DB().QueryRow(`SELECT count(*) FROM river_job WHERE kind = 'request' AND state = 'completed'`).Scan(&served); err != nil {
			t.Fatal(err)
		}
		return served == 31
	})
	if n := len(b.writes()) - before; n != 0 {
		t.Errorf("%d writes for comments that started nothing", n)
	}
	close(let)
	b.wait(pr.HeadSHA())
	b.idle()
	if n, runs := started.Load(), b.pull(pr.Number).Generation; n != 1 || runs != 1 {
		t.Errorf("%d audits, %d runs, want 1", n, runs)
	}
	b.want(pr.HeadSHA(), "mcp-lint: success", "mcp-lint lock: success")
	// A run that is over answers nobody, and one that hangs is replaced.
	pr.Say("author", "/mcp-lint recheck")
	b.idle()
	b.want(pr.HeadSHA(), twice...)
	if got := b.reactions(pr, comments[0]); len(got) != 0 {
		t.Errorf("reactions %q", got)
	}
}

// A fork's servers are started though a run without them is under way.
func TestRunUnderWayAnswersNoApproval(t *testing.T) {
	t.Parallel()
	b := newAcceptBench(t, setup{run: func(ctx context.Context, r audit.Request) (*report.Review, error) {
		if r.Static {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return clean(), nil
	}})
	fork, err := b.repo.Fork("stranger")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fork.Commit("theirs", "main", "change", map[string][]byte{"README.md": []byte("x\n")}); err != nil {
		t.Fatal(err)
	}
	pr := b.open("theirs", githubtest.PullOptions{From: fork})
	b.waitFor("audit", func() bool { return len(b.requests()) == 1 })
	pr.Say("writer", "/mcp-lint run "+pr.HeadSHA())
	b.wait(pr.HeadSHA())
	b.want(pr.HeadSHA(), "mcp-lint: success", "mcp-lint lock: success")
}

// Whoever has seen the verdict is not answered by the upload of its findings.
func TestRunThatHasToldAnswersNobody(t *testing.T) {
	t.Parallel()
	b := newAcceptBench(t, setup{run: audited})
	b.gh.Delay("POST", "/repos/*/*/code-scanning/sarifs", 2*time.Second, 1)
	pr := b.open("feature", githubtest.PullOptions{Author: "author"})
	b.wait(pr.HeadSHA())
	pr.Say("author", "/mcp-lint recheck")
	b.idle()
	b.want(pr.HeadSHA(), twice...)
}

func TestRunThatHangsIsReplaced(t *testing.T) {
	t.Parallel()
	var started atomic.Int32
	b := newAcceptBench(t, setup{run: func(ctx context.Context, _ audit.Request) (*report.Review, error) {
		if started.Add(1) == 1 {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return clean(), nil
	}})
	pr := b.open("feature", githubtest.PullOptions{Author: "author"})
	b.waitFor("audit", func() bool { return started.Load() == 1 })
	past := time.Now().Add(-2 * time.Minute).UnixMilli()
	if _, err := b.store.DB().Exec(`UPDATE runs SET created_at = ?`, past); err != nil {
		t.Fatal(err)
	}
	comment := pr.Say("author", "/mcp-lint recheck")
	b.wait(pr.HeadSHA())
	b.idle()
	if n := started.Load(); n != 2 {
		t.Errorf("%d audits, want 2", n)
	}
	if got := b.reactions(pr, comment); !slices.Equal(got, []string{"eyes"}) {
		t.Errorf("reactions %q", got)
	}
}
