package worker_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/internal/audit"
	"github.com/mcp-lint/mcp-lint/internal/githubtest"
	"github.com/mcp-lint/mcp-lint/internal/queue"
	"github.com/mcp-lint/mcp-lint/linter/report"
)

var errKilled = errors.New("killed")

// killer lets a process die at its n-th writing request: just before GitHub
// gets it, or just after GitHub has done it and before anybody knows.
type killer struct {
	at     int
	after  bool
	kill   context.CancelFunc
	writes int
	dead   bool
}

func writing(r *http.Request) bool {
	return r.Method != http.MethodGet && !strings.HasSuffix(r.URL.Path, "/access_tokens")
}

func (k *killer) before(r *http.Request) error {
	if k.dead {
		return errKilled
	}
	if writing(r) {
		k.writes++
		if k.writes == k.at && !k.after {
			return k.die()
		}
	}
	return nil
}

func (k *killer) answered(r *http.Request) error {
	if !k.dead && writing(r) && k.writes == k.at {
		return k.die()
	}
	return nil
}

func (k *killer) die() error {
	k.dead = true
	k.kill()
	return errKilled
}

// A job may die at any write. Whoever does it again leaves what one undisturbed
// job leaves: one check run of each name, each annotation once, one comment.
func TestJobResumesAfterEveryWrite(t *testing.T) {
	t.Parallel()
	const writes = 6 // as in TestVerdictIsPublishedInFewWrites
	for _, after := range []bool{false, true} {
		for n := 1; n <= writes; n++ {
			name := fmt.Sprintf("before write %d", n)
			if after {
				name = fmt.Sprintf("after write %d", n)
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				b := newBench(t, setup{idle: true, run: func(context.Context, audit.Request) (*report.Review, error) { return faulty(), nil }})
				pr := b.open("feature", githubtest.PullOptions{})
				ctx, kill := context.WithCancel(t.Context())
				defer kill()
				k := &killer{at: n, after: after, kill: kill}
				b.net.cut(k.before, k.answered)
				if err := b.worker.Work(ctx, b.job(pr), queue.Attempt{Number: 1, Max: 3}); err == nil {
					t.Fatal("the job did not notice its death")
				}
				if !k.dead {
					t.Fatalf("only %d writes", k.writes)
				}
				b.net.cut(nil, nil)
				if err := b.worker.Work(t.Context(), b.job(pr), queue.Attempt{Number: 2, Max: 3}); err != nil {
					t.Fatalf("second attempt: %v", err)
				}
				b.whole(pr)
			})
		}
	}
}

func TestJobResumesAfterDyingInTheAudit(t *testing.T) {
	t.Parallel()
	var kill context.CancelFunc
	b := newBench(t, setup{idle: true, run: func(ctx context.Context, _ audit.Request) (*report.Review, error) {
		if kill != nil {
			kill()
			return nil, ctx.Err()
		}
		return faulty(), nil
	}})
	pr := b.open("feature", githubtest.PullOptions{})
	ctx, cancel := context.WithCancel(t.Context())
	kill = cancel
	if err := b.worker.Work(ctx, b.job(pr), queue.Attempt{Number: 1, Max: 1}); err == nil {
		t.Fatal("the job did not notice its death")
	}
	b.want(pr.HeadSHA(), "mcp-lint: in_progress", "mcp-lint lock: in_progress")
	kill = nil
	if err := b.worker.Work(t.Context(), b.job(pr), queue.Attempt{Number: 1, Max: 1}); err != nil {
		t.Fatal(err)
	}
	b.whole(pr)
	// And once more: a job that was done already changes nothing.
	before := len(b.writes())
	if err := b.worker.Work(t.Context(), b.job(pr), queue.Attempt{Number: 1, Max: 1}); err != nil {
		t.Fatal(err)
	}
	if n := len(b.writes()) - before; n != 0 {
		t.Errorf("%d writes for a job that was done", n)
	}
}

// A process that died in its last attempt has had its chances: the next one
// audits nothing and says so.
func TestDyingInTheLastAttemptIsSaid(t *testing.T) {
	t.Parallel()
	b := newBench(t, setup{idle: true})
	pr := b.open("feature", githubtest.PullOptions{})
	if err := b.worker.Work(t.Context(), b.job(pr), queue.Attempt{Number: 4, Max: 3}); err != nil {
		t.Fatal(err)
	}
	if n := len(b.requests()); n != 0 {
		t.Errorf("%d audits", n)
	}
	b.want(pr.HeadSHA(), "mcp-lint: action_required", "mcp-lint lock: action_required")
}

// A check run in progress blocks merging for weeks, so the job is kept until
// GitHub has heard that nothing was checked.
func TestSayingThatNothingWasCheckedIsNotGivenUp(t *testing.T) {
	t.Parallel()
	b := newBench(t, setup{idle: true, run: func(context.Context, audit.Request) (*report.Review, error) {
		return nil, errors.New("broken")
	}})
	pr := b.open("feature", githubtest.PullOptions{})
	b.gh.Fail("PATCH", "/repos/*/*/check-runs/*", 422, 1, 0)
	err := b.worker.Work(t.Context(), b.job(pr), queue.Attempt{Number: 3, Max: 3})
	if later := (*queue.Later)(nil); !errors.As(err, &later) {
		t.Fatalf("error %v, want to come back later", err)
	}
	if err := b.worker.Work(t.Context(), b.job(pr), queue.Attempt{Number: 3, Max: 3}); err != nil {
		t.Fatal(err)
	}
	b.want(pr.HeadSHA(), "mcp-lint: action_required", "mcp-lint lock: action_required")
}

// whole checks that everything of a faulty review is there, once.
func (b *bench) whole(pr *githubtest.PullRequest) {
	b.t.Helper()
	b.want(pr.HeadSHA(), "mcp-lint: failure", "mcp-lint lock: failure")
	for _, r := range b.gh.CheckRuns(b.repo, pr.HeadSHA()) {
		if len(r.Annotations) != 1 {
			b.t.Errorf("%s: %d annotations, want 1", r.Name, len(r.Annotations))
		}
	}
	if n := len(b.gh.Comments(b.repo, pr.Number)); n != 1 {
		b.t.Errorf("%d comments, want 1", n)
	}
	if n := len(b.gh.Alerts(b.repo)); n != 2 {
		b.t.Errorf("%d alerts, want 2", n)
	}
}
