package webhook_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcp-lint/mcp-lint/internal/queue"
	"github.com/mcp-lint/mcp-lint/webhook"
)

// rerequest is the real event of a check run, or of its suite, with another action.
func rerequest(t testing.TB, event string, change func(event, subject object)) string {
	t.Helper()
	return edit(t, octokit(t, "check_run.requested_action"), func(e, _ map[string]any) {
		e["action"] = "rerequested"
		delete(e, "requested_action")
		run := e["check_run"].(object)
		subject := run
		if event == "check_suite" {
			subject = run["check_suite"].(object)
			subject["app"] = run["app"]
			e["check_suite"] = subject
			delete(e, "check_run")
		}
		if change != nil {
			change(e, subject)
		}
	})
}

// "Re-run" sends one event and "Re-run all" another: both ask for the same.
func TestRerunsBecomeRequests(t *testing.T) {
	t.Parallel()
	want := []queue.Request{{
		Delivery: "delivery-1", What: queue.Rerun, RepositoryID: 9384267, Installation: 690857, Owner: "electron", Repo: "electron",
		Sender: "codebytere", SenderID: 2036040, SHA: "b4ef7fd1c3a5f3ff9a1e9a4d5cb7a6a4c6c4a0f1", AppID: 29310,
	}}
	for _, event := range []string{"check_run", "check_suite"} {
		for name, c := range map[string]struct {
			change  func(event, subject object)
			outcome webhook.Outcome
		}{
			"asked for":            {nil, webhook.Accepted},
			"by a bot":             {func(e, _ object) { e["sender"].(object)["type"] = "Bot" }, webhook.Ignored},
			"requested by a push":  {func(e, _ object) { e["action"] = "requested" }, webhook.Ignored},
			"completed":            {func(e, _ object) { e["action"] = "completed" }, webhook.Ignored},
			"not an App's webhook": {func(e, _ object) { delete(e, "installation") }, webhook.Ignored},
		} {
			t.Run(event+"/"+name, func(t *testing.T) {
				t.Parallel()
				b := newBench(t)
				body := rerequest(t, event, func(e, subject object) {
					subject["head_sha"], subject["app"] = want[0].SHA, object{"id": want[0].AppID}
					if c.change != nil {
						c.change(e, subject)
					}
				})
				if got := b.deliver(event, body); got != c.outcome {
					t.Errorf("outcome %s, want %s", got, c.outcome)
				}
				asked := want
				if c.outcome != webhook.Accepted {
					asked = nil
				}
				if diff := cmp.Diff(asked, b.asked()); diff != "" {
					t.Errorf("(-want +got)\n%s", diff)
				}
			})
		}
		for _, without := range []string{"head_sha", "app"} {
			t.Run(event+"/without "+without, func(t *testing.T) {
				t.Parallel()
				b := newBench(t)
				body := rerequest(t, event, func(_, subject object) { delete(subject, without) })
				if w := b.serve(request("broken", event, body)); w.Code != 400 || len(b.asked()) != 0 {
					t.Errorf("status %d, requests %+v", w.Code, b.asked())
				}
			})
		}
	}
}
