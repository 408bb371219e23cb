package worker_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcp-lint/mcp-lint/internal/audit"
	"github.com/mcp-lint/mcp-lint/internal/githubtest"
	"github.com/mcp-lint/mcp-lint/internal/queue"
	"github.com/mcp-lint/mcp-lint/internal/worker"
	"github.com/mcp-lint/mcp-lint/linter/report"
)

// reactions are ours to a comment.
func (b *bench) reactions(pr *githubtest.PullRequest, comment int64) []string {
	b.t.Helper()
	for _, c := range b.gh.Comments(b.repo, pr.Number) {
		if c.ID == comment {
			return c.Reactions
		}
	}
	b.t.Fatalf("no comment %d", comment)
	return nil
}

func TestRecheck(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		login, says string
		closed      bool
		audits      int
		reaction    string
	}{
		"writer":                 {login: "writer", says: "/mcp-lint recheck", audits: 2, reaction: "eyes"},
		"author without write":   {login: "author", says: "Now?\r\n\r\n/mcp-lint recheck\r\n", audits: 2, reaction: "eyes"},
		"run is a recheck here":  {login: "writer", says: "/mcp-lint run", audits: 2, reaction: "eyes"},
		"author cannot run":      {login: "author", says: "/mcp-lint run", audits: 1},
		"reader":                 {login: "reader", says: "/mcp-lint recheck", audits: 1},
		"stranger":               {login: "mallory", says: "/mcp-lint recheck", audits: 1},
		"bot":                    {login: "mcp-lint[bot]", says: "/mcp-lint recheck", audits: 1},
		"quoted":                 {login: "writer", says: "> /mcp-lint recheck\n\nWhat does this do?", audits: 1},
		"unknown command":        {login: "writer", says: "/mcp-lint dance", audits: 1},
		"closed in the meantime": {login: "writer", says: "/mcp-lint recheck", closed: true, audits: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newAcceptBench(t, setup{run: func(context.Context, audit.Request) (*report.Review, error) { return clean(), nil }})
			pr := b.open("feature", githubtest.PullOptions{Author: "author"})
			b.wait(pr.HeadSHA())
			b.idle()
			if c.closed {
				pr.Close()
			}
			before := len(b.writes())
			comment := pr.Say(c.login, c.says)
			b.idle()
			if n := len(b.requests()); n != c.audits {
				t.Errorf("%d audits, want %d", n, c.audits)
			}
			want := []string(nil)
			if c.reaction != "" {
				want = []string{c.reaction}
			}
			if got := b.reactions(pr, comment); !slices.Equal(got, want) {
				t.Errorf("reactions %q, want %q", got, want)
			}
			if n := len(b.writes()) - before; c.audits == 1 && n != 0 {
				t.Errorf("%d writes for somebody who may not ask", n)
			}
			if c.audits == 2 {
				// A re-run is a new pair of check runs.
				b.want(pr.HeadSHA(), "mcp-lint: success", "mcp-lint: success", "mcp-lint lock: success", "mcp-lint lock: success")
			}
		})
	}
}

// An event that was lost is made up for: the head is read afresh.
func TestRecheckFindsAPushThatNobodyTold(t *testing.T) {
	t.Parallel()
	b := newAcceptBench(t, setup{run: func(context.Context, audit.Request) (*report.Review, error) { return clean(), nil }})
	hook := b.hookURL
	b.gh.SetWebhookURL("") // nothing arrives
	pr := b.open("feature", githubtest.PullOptions{})
	b.commit("feature", "", "README.md", "second\n")
	b.push("feature")
	b.gh.SetWebhookURL(hook)
	pr.Say("writer", "/mcp-lint recheck")
	b.wait(pr.HeadSHA())
	b.want(pr.HeadSHA(), "mcp-lint: success", "mcp-lint lock: success")
}

// A job that died after it had started the run starts no second one.
func TestRecheckStartsOneRun(t *testing.T) {
	t.Parallel()
	b := newAcceptBench(t, setup{idle: true})
	pr := b.open("feature", githubtest.PullOptions{})
	if _, err := b.store.DB().Exec(`UPDATE runs SET state = 'done'`); err != nil {
		t.Fatal(err)
	}
	comment := pr.Say("writer", "/mcp-lint recheck")
	r := b.waiting()
	ctx, kill := context.WithCancel(t.Context())
	defer kill()
	k := &killer{at: 1, kill: kill}
	b.net.cut(k.before, k.answered)
	if err := b.worker.Serve(ctx, r, queue.Attempt{Number: 1, Max: 3}); err == nil {
		t.Fatal("the job did not notice its death")
	}
	b.net.cut(nil, nil)
	generation := b.pull(pr.Number).Generation
	if err := b.worker.Serve(t.Context(), r, queue.Attempt{Number: 2, Max: 3}); err != nil {
		t.Fatal(err)
	}
	if now := b.pull(pr.Number).Generation; generation != 2 || now != 2 {
		t.Errorf("generations %d and %d, want 2", generation, now)
	}
	if got := b.reactions(pr, comment); !slices.Equal(got, []string{"eyes"}) {
		t.Errorf("reactions %q", got)
	}
}

// A fork's servers are started on the one commit that somebody with write access
// has seen.
func TestRunOfAFork(t *testing.T) {
	t.Parallel()
	type step struct {
		login, says string // a comment; %s is the head
		push        bool   // instead: the fork pushes
		static      []bool // of all audits so far
		reaction    string
	}
	for name, steps := range map[string][]step{
		"writer": {
			{login: "writer", says: "/mcp-lint run", static: []bool{true, false}, reaction: "eyes"},
			// The approval is for this commit, whoever has it checked again.
			{login: "stranger", says: "/mcp-lint recheck", static: []bool{true, false, false}, reaction: "eyes"},
			{push: true, static: []bool{true, false, false, true}},
		},
		"writer, with the commit":        {{login: "writer", says: "/mcp-lint run %s", static: []bool{true, false}, reaction: "eyes"}},
		"writer, with another commit":    {{login: "writer", says: "/mcp-lint run 0123456789", static: []bool{true}, reaction: "confused"}},
		"author":                         {{login: "stranger", says: "/mcp-lint run", static: []bool{true}}},
		"reader":                         {{login: "reader", says: "/mcp-lint run %s", static: []bool{true}}},
		"a recheck starts nothing":       {{login: "writer", says: "/mcp-lint recheck", static: []bool{true, true}, reaction: "eyes"}},
		"a recheck of the fork's author": {{login: "stranger", says: "/mcp-lint recheck", static: []bool{true, true}, reaction: "eyes"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newAcceptBench(t, setup{worker: worker.Options{Forks: worker.ForksStatic},
				run: func(context.Context, audit.Request) (*report.Review, error) { return clean(), nil }})
			fork, err := b.repo.Fork("stranger")
			if err != nil {
				t.Fatal(err)
			}
			commit := func(text string) {
				t.Helper()
				if _, err := fork.Commit("theirs", "main", "change", map[string][]byte{"README.md": []byte(text)}); err != nil {
					t.Fatal(err)
				}
			}
			commit("x\n")
			pr := b.open("theirs", githubtest.PullOptions{From: fork})
			b.wait(pr.HeadSHA())
			b.idle()
			later()
			for i, s := range steps {
				var got []string
				if s.push {
					commit("y\n")
					if err := fork.Push("theirs"); err != nil {
						t.Fatal(err)
					}
					b.idle()
				} else {
					id := pr.Say(s.login, strings.ReplaceAll(s.says, "%s", pr.HeadSHA()))
					b.idle()
					got = b.reactions(pr, id)
				}
				var static []bool
				for _, r := range b.requests() {
					static = append(static, r.Static)
				}
				if !slices.Equal(static, s.static) {
					t.Errorf("step %d: static %v, want %v", i, static, s.static)
				}
				if s.reaction == "" && len(got) != 0 || s.reaction != "" && !slices.Equal(got, []string{s.reaction}) {
					t.Errorf("step %d: reactions %q, want %q", i, got, s.reaction)
				}
			}
		})
	}
}

// Whoever pushes while the comment is being written gets nothing started.
func TestRunDoesNotTakeALaterPush(t *testing.T) {
	t.Parallel()
	b := newAcceptBench(t, setup{run: func(context.Context, audit.Request) (*report.Review, error) { return clean(), nil }})
	fork, err := b.repo.Fork("stranger")
	if err != nil {
		t.Fatal(err)
	}
	push := func(text string) {
		t.Helper()
		if _, err := fork.Commit("theirs", "main", "change", map[string][]byte{"README.md": []byte(text)}); err != nil {
			t.Fatal(err)
		}
	}
	push("kind\n")
	pr := b.open("theirs", githubtest.PullOptions{From: fork})
	b.wait(pr.HeadSHA())
	b.idle()
	// The push and the comment are of the same second: nobody can have seen it.
	push("evil\n")
	if err := fork.Push("theirs"); err != nil {
		t.Fatal(err)
	}
	comment := pr.Say("writer", "/mcp-lint run")
	b.idle()
	for i, r := range b.requests() {
		if !r.Static {
			t.Errorf("audit %d started servers", i)
		}
	}
	if got := b.reactions(pr, comment); !slices.Equal(got, []string{"confused"}) {
		t.Errorf("reactions %q", got)
	}
}

// later lets a second pass: GitHub's times know no less, and what happened in
// the second of a comment may not have been seen by who wrote it.
func later() { time.Sleep(1100 * time.Millisecond) }
