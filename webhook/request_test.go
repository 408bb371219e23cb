package webhook_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcp-lint/mcp-lint/internal/queue"
	"github.com/mcp-lint/mcp-lint/webhook"
)

// asked lists the requests in the queue.
func (b *bench) asked() (all []queue.Request) {
	b.t.Helper()
	rows, err := b.store.DB().QueryContext(b.t.Context(), `SELECT json(args) FROM river_job WHERE kind = 'request' ORDER BY id`)
	if err != nil {
		b.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		var r queue.Request
		if err := rows.Scan(&text); err != nil {
			b.t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(text), &r); err != nil {
			b.t.Fatal(err)
		}
		all = append(all, r)
	}
	return all
}

type object = map[string]any

// commented is the real comment, on a pull request, with another text.
func commented(t testing.TB, body string, change func(event, comment, issue object)) string {
	t.Helper()
	return edit(t, octokit(t, "issue_comment.created"), func(event, _ map[string]any) {
		comment, issue := event["comment"].(object), event["issue"].(object)
		comment["body"] = body
		issue["pull_request"] = object{"url": "https://api.github.com/repos/x/y/pulls/1"}
		event["sender"] = comment["user"]
		if change != nil {
			change(event, comment, issue)
		}
	})
}

func TestCommentsBecomeRequests(t *testing.T) {
	t.Parallel()
	const recheck = "/mcp-lint recheck"
	user := func(u any, key string, value any) { u.(object)[key] = value }
	for name, c := range map[string]struct {
		body    string
		change  func(event, comment, issue object)
		outcome webhook.Outcome
	}{
		"recheck":              {recheck, nil, webhook.Accepted},
		"run":                  {"/mcp-lint run", nil, webhook.Accepted},
		"run, with the commit": {"/mcp-lint run 0123abcdef", nil, webhook.Accepted},
		"talk":                 {"Please recheck", nil, webhook.Ignored},
		"unknown command":      {"/mcp-lint foo", nil, webhook.Ignored},
		"edited":               {recheck, func(e, _, _ object) { e["action"] = "edited" }, webhook.Ignored},
		"deleted":              {recheck, func(e, _, _ object) { e["action"] = "deleted" }, webhook.Ignored},
		"on an issue":          {recheck, func(_, _, i object) { delete(i, "pull_request") }, webhook.Ignored},
		"closed":               {recheck, func(_, _, i object) { i["state"] = "closed" }, webhook.Ignored},
		"by a bot":             {recheck, func(_, c, _ object) { user(c["user"], "type", "Bot") }, webhook.Ignored},
		"by an App's login":    {recheck, func(_, c, _ object) { user(c["user"], "login", "mcp-lint[bot]") }, webhook.Ignored},
		"not an App's webhook": {recheck, func(e, _, _ object) { delete(e, "installation") }, webhook.Ignored},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			if got := b.deliver("issue_comment", commented(t, c.body, c.change)); got != c.outcome {
				t.Errorf("outcome %s, want %s", got, c.outcome)
			}
			if got := b.asked(); (len(got) == 1) != (c.outcome == webhook.Accepted) {
				t.Errorf("requests %+v", got)
			}
		})
	}
}

func TestRequestSaysWhoAndWhat(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.deliver("issue_comment", commented(t, "/mcp-lint run 0123abcdef", nil))
	b.deliver("check_run", edit(t, octokit(t, "check_run.requested_action"), func(e, _ map[string]any) {
		e["requested_action"] = object{"identifier": "accept"}
	}))
	want := []queue.Request{
		{Delivery: "delivery-1", What: queue.Run, RepositoryID: 186853002, Installation: 1, Owner: "Codertocat", Repo: "Hello-World",
			Sender: "Codertocat", SenderID: 21031067, PR: 1, CommentID: 492700400, Commit: "0123abcdef"},
		{Delivery: "delivery-2", What: queue.Accept, RepositoryID: 9384267, Installation: 690857, Owner: "electron", Repo: "electron",
			Sender: "codebytere", SenderID: 2036040, CheckRunID: 1494503112},
	}
	if diff := cmp.Diff(want, b.asked()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	// A delivery that comes again asks for nothing.
	if w := b.serve(request("delivery-1", "issue_comment", commented(t, "/mcp-lint recheck", nil))); strings.TrimSpace(w.Body.String()) != string(webhook.Duplicate) {
		t.Errorf("redelivery: %s", w.Body)
	}
	if n := len(b.asked()); n != 2 {
		t.Errorf("%d requests after a redelivery", n)
	}
}

// The head that a comment can have been about is the one that was there before
// the second in which it was written.
func TestCommentKnowsTheHeadBeforeIt(t *testing.T) {
	t.Parallel()
	for second, seen := range map[string]string{"06": octokitHead, "05": "", "04": ""} {
		b := newBench(t)
		b.deliver("pull_request", at(t, "opened", octokitHead, "", "05"))
		b.deliver("issue_comment", commented(t, "/mcp-lint run", func(event, comment, issue object) {
			issue["number"] = octokitPR
			event["repository"].(object)["id"] = octokitRepository
			comment["created_at"] = "2026-01-02T03:04:" + second + "Z"
		}))
		if got := b.asked(); len(got) != 1 || got[0].Seen != seen {
			t.Errorf("second %s: %+v, want head %q", second, got, seen)
		}
	}
}

func TestButtons(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change  func(event object)
		outcome webhook.Outcome
	}{
		"ours":    {func(e object) { e["requested_action"] = object{"identifier": "accept"} }, webhook.Accepted},
		"another": {nil, webhook.Ignored},
		"none":    {func(e object) { delete(e, "requested_action") }, webhook.Ignored},
		"created": {func(e object) { e["action"] = "created" }, webhook.Ignored},
		"pressed by a bot": {func(e object) {
			e["requested_action"] = object{"identifier": "accept"}
			e["sender"].(object)["type"] = "Bot"
		}, webhook.Ignored},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			body := edit(t, octokit(t, "check_run.requested_action"), func(e, _ map[string]any) {
				if c.change != nil {
					c.change(e)
				}
			})
			if got := b.deliver("check_run", body); got != c.outcome {
				t.Errorf("outcome %s, want %s", got, c.outcome)
			}
		})
	}
}

func TestRequestsThatAreNone(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for event, body := range map[string]string{
		"issue_comment": commented(t, "/mcp-lint recheck", func(_, comment, _ object) { delete(comment, "id") }),
		"check_run":     `{"action":"requested_action","requested_action":{"identifier":"accept"}}`,
	} {
		if w := b.serve(request("broken-"+event, event, body)); w.Code != 400 {
			t.Errorf("%s: status %d", event, w.Code)
		}
	}
	if n := len(b.asked()); n != 0 {
		t.Errorf("%d requests", n)
	}
}
