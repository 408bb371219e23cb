package webhook_test

import (
	"encoding/json"
	"testing"

	"github.com/mcp-lint/mcp-lint/internal/queue"
	"github.com/mcp-lint/mcp-lint/internal/store"
	"github.com/mcp-lint/mcp-lint/webhook"
)

const (
	octokitRepository = 186853002
	octokitPR         = 2
	octokitHead       = "ec26c3e57ca3a959ca5aad62de7213c562f8c821"
	shaB              = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
	shaC              = "cccccccccccccccccccccccccccccccccccccccc"
)

// at makes an event of the real one, at a second of one minute.
func at(t testing.TB, action, head, before, second string) string {
	t.Helper()
	return edit(t, octokit(t, "pull_request.opened"), func(event, pr map[string]any) {
		event["action"] = action
		if before != "" {
			event["before"], event["after"] = before, head
		}
		pr["head"].(map[string]any)["sha"] = head
		pr["updated_at"] = "2026-01-02T03:04:" + second + "Z"
		if action == "closed" {
			pr["state"] = "closed"
		}
	})
}

func TestPullRequestActions(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		payload string
		change  func(event, pr map[string]any)
		outcome webhook.Outcome
	}{
		"opened":             {"opened", nil, webhook.Accepted},
		"synchronize":        {"synchronize", nil, webhook.Accepted},
		"reopened":           {"reopened", nil, webhook.Accepted},
		"ready for review":   {"ready_for_review", func(_, pr map[string]any) { pr["state"] = "open" }, webhook.Accepted},
		"closed, unknown":    {"closed", nil, webhook.Noted},
		"converted to draft": {"converted_to_draft", func(_, pr map[string]any) { pr["state"] = "open" }, webhook.Noted},
		"labeled":            {"labeled", nil, webhook.Ignored},
		"edited title": {"opened", func(event, _ map[string]any) {
			event["action"], event["changes"] = "edited", map[string]any{"title": map[string]any{"from": "x"}}
		}, webhook.Ignored},
		"edited base": {"opened", func(event, _ map[string]any) {
			event["action"] = "edited"
			event["changes"] = map[string]any{"base": map[string]any{"ref": map[string]any{"from": "old"}, "sha": map[string]any{"from": shaB}}}
		}, webhook.Accepted},
		"webhook of a repository, not an App's": {"opened", func(event, _ map[string]any) { delete(event, "installation") }, webhook.Ignored},
		"new action":                            {"opened", func(event, _ map[string]any) { event["action"] = "teleported" }, webhook.Ignored},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			body := octokit(t, "pull_request."+c.payload)
			if c.change != nil {
				body = edit(t, body, c.change)
			}
			if got := b.deliver("pull_request", body); got != c.outcome {
				t.Errorf("outcome %s, want %s", got, c.outcome)
			}
			if got := b.outcomeOf(t.Context(), "delivery-1"); got != string(c.outcome) {
				t.Errorf("stored outcome %s, want %s", got, c.outcome)
			}
			jobs := 0
			if c.outcome == webhook.Accepted {
				jobs = 1
			}
			if got := b.jobs(); got != jobs {
				t.Errorf("%d jobs, want %d", got, jobs)
			}
		})
	}
}

func TestSignedPayloadOfAnotherShapeIsRefused(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, body := range []string{
		`{"action":"opened"}`,
		`{"action":"opened","number":"two"}`,
		edit(t, octokit(t, "pull_request.opened"), func(_, pr map[string]any) { delete(pr, "head") }),
	} {
		if w := b.serve(request("one", "pull_request", body)); w.Code != 400 {
			t.Errorf("status %d, want 400: %.80s", w.Code, body)
		}
	}
	if n := b.count(`SELECT count(*) FROM deliveries`); n != 0 {
		t.Errorf("%d deliveries stored", n)
	}
}

func TestJobSaysWhatTheEventSays(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.deliver("pull_request", octokit(t, "pull_request.opened"))
	var args string
	if err := b.store.DB().QueryRow(`SELECT json(args) FROM river_job`).Scan(&args); err != nil {
		t.Fatal(err)
	}
	var job queue.Review
	if err := json.Unmarshal([]byte(args), &job); err != nil {
		t.Fatal(err)
	}
	want := queue.Review{
		RepositoryID: octokitRepository, PR: octokitPR, HeadSHA: octokitHead, Generation: 1,
		Installation: job.Installation, Owner: "Codertocat", Repo: "Hello-World", Delivery: "delivery-1",
	}
	if job != want || job.Installation == 0 {
		t.Errorf("job %+v, want %+v", job, want)
	}
	pull, err := b.store.Pull(t.Context(), octokitRepository, octokitPR)
	if err != nil {
		t.Fatal(err)
	}
	if pull == nil || pull.BaseRef != "master" || !pull.Open || pull.Fork || pull.Draft {
		t.Errorf("pull request %+v", pull)
	}
}

func TestForkAndDraftAreNoted(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(head map[string]any){
		"other repository":   func(head map[string]any) { head["repo"].(map[string]any)["id"] = 1 },
		"repository is gone": func(head map[string]any) { head["repo"] = nil },
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.deliver("pull_request", edit(t, octokit(t, "pull_request.opened"), func(_, pr map[string]any) {
				pr["draft"] = true
				change(pr["head"].(map[string]any))
			}))
			pull, err := b.store.Pull(t.Context(), octokitRepository, octokitPR)
			if err != nil || pull == nil || !pull.Fork || !pull.Draft {
				t.Errorf("pull request %+v, %v", pull, err)
			}
		})
	}
}

// Whatever the order of arrival, the newest head by GitHub's order is the one
// with a waiting job.
func TestNewestByOrderNotByArrival(t *testing.T) {
	t.Parallel()
	opened := at(t, "opened", octokitHead, "", "01")
	second := at(t, "synchronize", shaB, octokitHead, "02")
	third := at(t, "synchronize", shaC, shaB, "03")
	sameSecond := at(t, "synchronize", shaC, shaB, "02")
	back := at(t, "synchronize", octokitHead, shaB, "02")
	for name, c := range map[string]struct {
		deliveries []string
		outcomes   []webhook.Outcome
		head       string
	}{
		"in order":              {[]string{opened, second, third}, []webhook.Outcome{"accepted", "accepted", "accepted"}, shaC},
		"reversed":              {[]string{third, second, opened}, []webhook.Outcome{"accepted", "stale", "stale"}, shaC},
		"late first":            {[]string{second, opened}, []webhook.Outcome{"accepted", "stale"}, shaB},
		"one second":            {[]string{second, sameSecond}, []webhook.Outcome{"accepted", "accepted"}, shaC},
		"one second, reversed":  {[]string{sameSecond, second}, []webhook.Outcome{"accepted", "stale"}, shaC},
		"there and back":        {[]string{opened, second, back}, []webhook.Outcome{"accepted", "accepted", "accepted"}, octokitHead},
		"one push, two events":  {[]string{opened, at(t, "synchronize", octokitHead, shaC, "01")}, []webhook.Outcome{"accepted", "noted"}, octokitHead},
		"pushed while closing":  {[]string{opened, at(t, "closed", octokitHead, "", "03"), second}, []webhook.Outcome{"accepted", "noted", "stale"}, ""},
		"closed twice":          {[]string{opened, at(t, "closed", octokitHead, "", "03"), at(t, "closed", octokitHead, "", "03")}, []webhook.Outcome{"accepted", "noted", "noted"}, ""},
		"reopened":              {[]string{opened, at(t, "closed", octokitHead, "", "03"), at(t, "reopened", octokitHead, "", "04")}, []webhook.Outcome{"accepted", "noted", "accepted"}, octokitHead},
		"reopened before close": {[]string{opened, at(t, "reopened", octokitHead, "", "04"), at(t, "closed", octokitHead, "", "03")}, []webhook.Outcome{"accepted", "noted", "stale"}, octokitHead},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			for i, d := range c.deliveries {
				if got := b.deliver("pull_request", d); got != c.outcomes[i] {
					t.Errorf("delivery %d: %s, want %s", i+1, got, c.outcomes[i])
				}
			}
			want := 0
			if c.head != "" {
				want = 1
			}
			if n := b.jobs(); n != want {
				t.Errorf("%d jobs wait, want %d", n, want)
			}
			open, err := b.store.OpenRuns(t.Context(), octokitRepository, octokitPR)
			if err != nil {
				t.Fatal(err)
			}
			if len(open) != want || want == 1 && open[0].HeadSHA != c.head {
				t.Errorf("open runs %+v, want head %q", open, c.head)
			}
		})
	}
}

// What GitHub already shows of a run has to be closed by somebody.
func TestClosingStartedWorkLeavesAJob(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.deliver("pull_request", at(t, "opened", octokitHead, "", "01"))
	run, err := b.store.Run(t.Context(), octokitRepository, octokitPR, 1)
	if err != nil || run == nil {
		t.Fatal(run, err)
	}
	if ok, err := b.store.Start(t.Context(), run.ID); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if got := b.deliver("pull_request", at(t, "closed", octokitHead, "", "02")); got != webhook.Accepted {
		t.Errorf("outcome %s, want accepted", got)
	}
	left, err := b.store.Leftovers(t.Context(), octokitRepository, octokitPR)
	if err != nil || len(left) != 1 || left[0].State != store.Closed {
		t.Errorf("leftovers %+v, %v", left, err)
	}
	if n := b.jobs(); n != 1 {
		t.Errorf("%d jobs wait, want 1", n)
	}
}

func TestSupersededRunKnowsItsSuccessor(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.deliver("pull_request", at(t, "opened", octokitHead, "", "01"))
	b.deliver("pull_request", at(t, "synchronize", shaB, octokitHead, "02"))
	old, err := b.store.Run(t.Context(), octokitRepository, octokitPR, 1)
	if err != nil || old == nil {
		t.Fatal(old, err)
	}
	if old.State != store.Superseded || old.SupersededBy != shaB || old.FinishedAt.IsZero() {
		t.Errorf("old run %+v", old)
	}
	if n := b.count(`SELECT count(*) FROM river_job WHERE state = 'cancelled'`); n != 1 {
		t.Errorf("%d cancelled jobs, want 1", n)
	}
}
