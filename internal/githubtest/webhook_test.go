package githubtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-github/v66/github"
)

// receiver is a webhook that checks deliveries with go-github and keeps them.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	events []any
	guids  []string
	raw    [][]byte
	status int
}

func newReceiver(t *testing.T, secret string) *receiver {
	t.Helper()
	r := &receiver{status: http.StatusAccepted}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			t.Error(err)
		}
		signature := req.Header.Get(github.SHA256SignatureHeader)
		payload, err := github.ValidatePayloadFromBody(req.Header.Get("Content-Type"), strings.NewReader(string(body)), signature, []byte(secret))
		if err != nil || signature == "" {
			t.Errorf("signature: %v", err)
		}
		if agent := req.Header.Get("User-Agent"); !strings.HasPrefix(agent, "GitHub-Hookshot/") {
			t.Errorf("user agent %q", agent)
		}
		event, err := github.ParseWebHook(github.WebHookType(req), payload)
		if err != nil {
			t.Error(err)
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.events, r.guids, r.raw = append(r.events, event), append(r.guids, github.DeliveryID(req)), append(r.raw, payload)
		w.WriteHeader(r.status)
	}))
	t.Cleanup(r.Server.Close)
	return r
}

func TestPullRequestDeliveries(t *testing.T) {
	t.Parallel()
	hook := newReceiver(t, "secret")
	srv := start(t, Options{WebhookURL: hook.URL, WebhookSecret: "secret"})
	repo, base, head := newRepo(t, srv, "tools", RepositoryOptions{})
	commitTo(t, repo, "develop", "main", map[string][]byte{"d": []byte("d")})
	srv.Ping()
	pr := openPull(t, repo, "Change", "feature", PullOptions{Draft: true})
	pr.MarkReady()
	next := commitTo(t, repo, "feature", "", map[string][]byte{"x": []byte("x")})
	for _, err := range []error{repo.Push("feature"), pr.EditBase("develop"), repo.Push("feature")} {
		if err != nil {
			t.Fatal(err)
		}
	}
	pr.EditTitle("Better")
	pr.Close()
	pr.Reopen()

	var got []string
	for _, event := range hook.events {
		switch e := event.(type) {
		case *github.PingEvent:
			if e.GetHookID() != hookID || e.GetHook().GetConfig().GetURL() != hook.URL {
				t.Errorf("ping: %v", e)
			}
			got = append(got, "ping")
		case *github.PushEvent:
			got = append(got, "push")
		case *github.PullRequestEvent:
			got = append(got, e.GetAction())
			checkPullRequestEvent(t, e, repo)
			switch e.GetAction() {
			case "opened":
				if e.GetPullRequest().GetHead().GetSHA() != head || e.GetPullRequest().GetBase().GetSHA() != base || !e.GetPullRequest().GetDraft() {
					t.Errorf("opened: %v", e)
				}
			case "synchronize":
				if e.GetBefore() != head || e.GetAfter() != next || e.GetPullRequest().GetHead().GetSHA() != next || e.GetPullRequest().GetDraft() {
					t.Errorf("synchronize: %v", e)
				}
			case "closed":
				if e.GetPullRequest().GetState() != "closed" || e.GetPullRequest().GetMerged() || e.GetPullRequest().ClosedAt == nil {
					t.Errorf("closed: %v", e)
				}
			}
		}
	}
	if want := []string{"ping", "opened", "ready_for_review", "push", "synchronize", "edited", "push", "edited", "closed", "reopened"}; !slices.Equal(got, want) {
		t.Errorf("delivered %v, want %v", got, want)
	}
	edit := hook.events[5].(*github.PullRequestEvent).GetChanges()
	if edit.GetBase().GetRef().GetFrom() != "main" || edit.GetBase().GetSHA().GetFrom() != base {
		t.Errorf("changes: %v", edit)
	}
	for _, d := range srv.Deliveries() {
		if d.StatusCode != 202 || d.Status != "OK" {
			t.Errorf("delivery %+v", d)
		}
	}
}

// checkPullRequestEvent lists what the bot reads.
func checkPullRequestEvent(t *testing.T, e *github.PullRequestEvent, repo *Repository) {
	t.Helper()
	pr := e.GetPullRequest()
	for name, present := range map[string]bool{
		"number": e.GetNumber() == 1 && pr.GetNumber() == 1, "id": pr.GetID() != 0, "state": pr.GetState() != "", "title": pr.GetTitle() != "",
		"author": pr.GetUser().GetLogin() == "acme", "head ref": pr.GetHead().GetRef() == "feature", "head sha": pr.GetHead().GetSHA() != "",
		"head repository": pr.GetHead().GetRepo().GetID() == repo.ID, "head fork": pr.GetHead().GetRepo().Fork != nil, "base ref": pr.GetBase().GetRef() != "",
		"base sha": pr.GetBase().GetSHA() != "", "base repository": pr.GetBase().GetRepo().GetFullName() == "acme/tools", "draft": pr.Draft != nil,
		"changed files": pr.GetChangedFiles() > 0, "repository": e.GetRepo().GetID() == repo.ID && e.GetRepo().GetFullName() == "acme/tools" && e.GetRepo().GetOwner().GetLogin() == "acme",
		"default branch": e.GetRepo().GetDefaultBranch() == "main", "private": e.GetRepo().GetPrivate(), "clone url": e.GetRepo().GetCloneURL() == repo.CloneURL(),
		"sender": e.GetSender().GetLogin() != "", "installation": e.GetInstallation().GetID() == repo.InstallationID(),
		"updated": !pr.GetUpdatedAt().IsZero(), "author association": pr.GetAuthorAssociation() != "", "url": pr.GetURL() == repo.api("pulls/1"),
	} {
		if !present {
			t.Errorf("%s: %s is missing or wrong", e.GetAction(), name)
		}
	}
}

func TestPayloadHasEveryKeyOfARealOne(t *testing.T) {
	t.Parallel()
	hook := newReceiver(t, "secret")
	srv := start(t, Options{WebhookURL: hook.URL, WebhookSecret: "secret"})
	repo, _, _ := newRepo(t, srv, "tools", RepositoryOptions{})
	openPull(t, repo, "Change", "feature", PullOptions{})
	var real, ours any
	if err := json.Unmarshal(pullRequestExample, &real); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(hook.raw[0], &ours); err != nil {
		t.Fatal(err)
	}
	compareKeys(t, "", real, ours)
	for _, foreign := range []string{"Codertocat", "Hello-World", "github.com", "githubusercontent", "279147437", "ec26c3e57ca3a959ca5aad62de7213c562f8c821", "/pulls/2", "/pull/2", "/issues/2"} {
		if strings.Contains(string(hook.raw[0]), foreign) {
			t.Errorf("the example's %q is left in the payload", foreign)
		}
	}
}

// compareKeys demands every key of real in ours. Lists are empty in ours.
func compareKeys(t *testing.T, path string, real, ours any) {
	t.Helper()
	want, isObject := real.(map[string]any)
	if !isObject {
		return
	}
	got, isObject := ours.(map[string]any)
	if !isObject {
		t.Errorf("%s is %T", path, ours)
		return
	}
	for key, value := range want {
		if _, present := got[key]; !present {
			t.Errorf("%s/%s is missing", path, key)
			continue
		}
		compareKeys(t, path+"/"+key, value, got[key])
	}
}

func TestPushAndForkDeliveries(t *testing.T) {
	t.Parallel()
	hook := newReceiver(t, "secret")
	srv := start(t, Options{WebhookURL: hook.URL, WebhookSecret: "secret", Events: []string{"pull_request", "push"}})
	repo, _, head := newRepo(t, srv, "tools", RepositoryOptions{})
	fork, err := repo.Fork("stranger")
	if err != nil {
		t.Fatal(err)
	}
	commitTo(t, fork, "topic", "main", map[string][]byte{"f": []byte("f")})
	openPull(t, repo, "From fork", "topic", PullOptions{From: fork})
	moved := commitTo(t, fork, "topic", "", map[string][]byte{"f": []byte("g")})
	if err := fork.Push("topic"); err != nil { // the fork is not installed: no push event
		t.Fatal(err)
	}
	if err := repo.Push("feature"); err != nil {
		t.Fatal(err)
	}
	if len(hook.events) != 3 {
		t.Fatalf("%d deliveries", len(hook.events))
	}
	e := hook.events[1].(*github.PullRequestEvent)
	if e.GetAction() != "synchronize" || e.GetAfter() != moved || e.GetPullRequest().GetHead().GetRepo().GetFullName() != "stranger/tools" || !e.GetPullRequest().GetHead().GetRepo().GetFork() || e.GetSender().GetLogin() != "stranger" {
		t.Errorf("synchronize from a fork: %v", e)
	}
	if push := hook.events[2].(*github.PushEvent); push.GetRef() != "refs/heads/feature" || push.GetAfter() != head || push.GetInstallation().GetID() != repo.InstallationID() {
		t.Errorf("push: %v", push)
	}
	if err := repo.Push("gone"); err == nil {
		t.Error("pushed a branch that does not exist")
	}
}

func TestUnsubscribedEventsAreNotSent(t *testing.T) {
	t.Parallel()
	hook := newReceiver(t, "secret")
	srv := start(t, Options{WebhookURL: hook.URL, WebhookSecret: "secret", Events: []string{"push"}})
	repo, _, _ := newRepo(t, srv, "tools", RepositoryOptions{})
	openPull(t, repo, "Change", "feature", PullOptions{})
	if len(hook.events) != 0 || len(srv.Deliveries()) != 0 {
		t.Errorf("delivered %v", hook.events)
	}
}

func TestRedeliveryKeepsTheGUID(t *testing.T) {
	t.Parallel()
	hook := newReceiver(t, "secret")
	hook.status = http.StatusInternalServerError
	srv := start(t, Options{WebhookURL: hook.URL, WebhookSecret: "secret"})
	repo, _, _ := newRepo(t, srv, "tools", RepositoryOptions{})
	openPull(t, repo, "Change", "feature", PullOptions{})
	app := appClient(t, srv).Apps
	config := must[*github.HookConfig](t)(app.GetHookConfig(ctx))
	if config.GetURL() != hook.URL || config.GetSecret() == "secret" {
		t.Errorf("config: %v", config)
	}
	list := must[[]*github.HookDelivery](t)(app.ListHookDeliveries(ctx, nil))
	if len(list) != 1 || list[0].GetStatusCode() != 500 || list[0].GetEvent() != "pull_request" || list[0].GetInstallationID() != repo.InstallationID() {
		t.Fatalf("deliveries: %v", list)
	}
	full := must[*github.HookDelivery](t)(app.GetHookDelivery(ctx, list[0].GetID()))
	if payload, err := full.ParseRequestPayload(); err != nil || payload.(*github.PullRequestEvent).GetAction() != "opened" {
		t.Errorf("payload: %v", err)
	}
	hook.mu.Lock()
	hook.status = http.StatusAccepted
	hook.mu.Unlock()
	if _, _, err := app.RedeliverHookDelivery(ctx, list[0].GetID()); err != nil && !strings.Contains(err.Error(), "scheduled") {
		t.Error(err)
	}
	srv.later.Wait()
	if err := srv.Redeliver(list[0].GetID()); err != nil {
		t.Error(err)
	}
	if got := srv.Deliveries(); len(got) != 3 || got[0].StatusCode != 500 || got[1].StatusCode != 202 || !got[2].Redelivery || got[2].GUID != got[0].GUID || string(got[1].Payload) != string(got[0].Payload) {
		t.Errorf("deliveries: %v", got)
	}
	if hook.guids[0] != hook.guids[1] || hook.guids[1] != hook.guids[2] {
		t.Errorf("GUIDs %v", hook.guids)
	}
	page, answer, err := app.ListHookDeliveries(ctx, &github.ListCursorOptions{PerPage: 2})
	if err != nil || len(page) != 2 || answer.Cursor == "" {
		t.Errorf("first page: %v, cursor %q, %v", page, answer.Cursor, err)
	}
	rest := must[[]*github.HookDelivery](t)(app.ListHookDeliveries(ctx, &github.ListCursorOptions{PerPage: 2, Cursor: answer.Cursor}))
	if len(rest) != 1 || rest[0].GetID() != list[0].GetID() {
		t.Errorf("second page: %v", rest)
	}
	_, _, err = app.GetHookDelivery(ctx, 1)
	wantStatus(t, err, 404, "Not Found")
	if srv.Redeliver(1) == nil {
		t.Error("redelivered what never was")
	}
}

func TestDeliveriesHaveADeadline(t *testing.T) {
	t.Parallel()
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body) // a server notices that the client left only after the body
		<-r.Context().Done()
	}))
	defer slow.Close()
	srv := start(t, Options{WebhookURL: slow.URL, DeliveryTimeout: 50 * time.Millisecond})
	repo, _, _ := newRepo(t, srv, "tools", RepositoryOptions{})
	openPull(t, repo, "One", "feature", PullOptions{})
	srv.SetWebhookURL("http://127.0.0.1:1/")
	openPull(t, repo, "Two", "feature", PullOptions{})
	srv.SetWebhookURL("")
	openPull(t, repo, "Three", "feature", PullOptions{})
	var got []string
	for _, d := range srv.Deliveries() {
		got = append(got, fmt.Sprint(d.Status, " ", d.TimedOut(), " ", d.StatusCode))
	}
	if want := []string{"timed out true 0", "failed to connect to host false 0", "no webhook URL false 0"}; !slices.Equal(got, want) {
		t.Errorf("deliveries %q, want %q", got, want)
	}
	if DeliveryTimeout != 10*time.Second {
		t.Errorf("GitHub waits 10 s, not %v", DeliveryTimeout)
	}
}

// The vector is GitHub's own (docs, validating-webhook-deliveries.md).
func TestSignMatchesGitHubsVector(t *testing.T) {
	t.Parallel()
	got := Sign("It's a Secret to Everybody", []byte("Hello, World!"))
	if want := "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"; got != want {
		t.Errorf("signature %s, want %s", got, want)
	}
}
