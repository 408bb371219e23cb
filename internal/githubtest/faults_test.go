package githubtest

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v66/github"
)

func TestSecondaryLimitOnContentCreation(t *testing.T) {
	t.Parallel()
	now := time.Now()
	srv := start(t, Options{ContentWritesPerMinute: 3, Now: func() time.Time { return now }})
	repo, _, head := newRepo(t, srv, "tools", RepositoryOptions{})
	openPull(t, repo, "Change", "feature", PullOptions{})
	token := gitToken(t, srv, repo, nil)
	write := func() error { // a new client each time: go-github itself waits after a refusal
		_, _, err := enterprise(t, srv, nil).WithAuthToken(token).Issues.CreateComment(ctx, "acme", "tools", 1, &github.IssueComment{Body: ptr("x")})
		return err
	}
	for range 3 {
		if err := write(); err != nil {
			t.Fatal(err)
		}
		now = now.Add(10 * time.Second)
	}
	var abuse *github.AbuseRateLimitError
	if err := write(); !errors.As(err, &abuse) || abuse.GetRetryAfter() != 30*time.Second {
		t.Fatalf("fourth write in a minute: %v", err)
	}
	client := enterprise(t, srv, nil).WithAuthToken(token)
	must[*github.ListCheckRunsResults](t)(client.Checks.ListCheckRunsForRef(ctx, "acme", "tools", head, nil)) // reading goes on
	now = now.Add(30 * time.Second)
	if err := write(); err != nil {
		t.Errorf("after retry-after: %v", err)
	}
}

func TestTheDefaultLimitIsEightyWritesAMinute(t *testing.T) {
	t.Parallel()
	now := time.Now()
	srv := start(t, Options{Now: func() time.Time { return now }})
	repo, _, head := newRepo(t, srv, "tools", RepositoryOptions{})
	checks := repoClient(t, srv, repo, nil).Checks
	for i := range ContentWritesPerMinute + 1 {
		_, _, err := checks.CreateCheckRun(ctx, "acme", "tools", github.CreateCheckRunOptions{Name: "x", HeadSHA: head})
		if refused := err != nil; refused != (i == ContentWritesPerMinute) {
			t.Fatalf("write %d: %v", i+1, err)
		}
	}
}

func TestHourlyLimitOnContentCreation(t *testing.T) {
	t.Parallel()
	now := time.Now()
	if wait := overLimit(many(ContentWritesPerHour-1, now), now, time.Hour, ContentWritesPerHour); wait != 0 {
		t.Errorf("499 writes: wait %v", wait)
	}
	if wait := overLimit(many(ContentWritesPerHour, now.Add(-50*time.Minute)), now, time.Hour, ContentWritesPerHour); wait != 10*time.Minute {
		t.Errorf("500 writes: wait %v", wait)
	}
	srv := start(t, Options{})
	repo, _, head := newRepo(t, srv, "tools", RepositoryOptions{})
	repo.inst.writes = many(ContentWritesPerHour, time.Now().Add(-50*time.Minute))
	_, _, err := repoClient(t, srv, repo, nil).Checks.CreateCheckRun(ctx, "acme", "tools", github.CreateCheckRunOptions{Name: "x", HeadSHA: head})
	wantStatus(t, err, 403, "secondary rate limit")
}

func TestPrimaryLimitAndConditionalRequests(t *testing.T) {
	t.Parallel()
	srv := start(t, Options{PrimaryLimit: 3})
	repo, _, _ := newRepo(t, srv, "tools", RepositoryOptions{})
	token := gitToken(t, srv, repo, nil)
	client := enterprise(t, srv, nil).WithAuthToken(token)
	_, first, err := client.Repositories.Get(ctx, "acme", "tools")
	if err != nil || first.Rate.Remaining != 2 || first.Header.Get("ETag") == "" {
		t.Fatalf("first: %v, %v", first.Rate, err)
	}
	for range 5 { // unchanged, therefore free
		req, err := client.NewRequest("GET", "repos/acme/tools", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("If-None-Match", first.Header.Get("ETag"))
		if answer, _ := client.Do(ctx, req, nil); answer.StatusCode != http.StatusNotModified {
			t.Fatalf("conditional request: %d", answer.StatusCode)
		}
	}
	if limits := must[*github.RateLimits](t)(client.RateLimit.Get(ctx)); limits.GetCore().Remaining != 2 {
		t.Errorf("remaining %d", limits.GetCore().Remaining)
	}
	must[*github.Repository](t)(client.Repositories.Get(ctx, "acme", "tools"))
	must[*github.Repository](t)(client.Repositories.Get(ctx, "acme", "tools"))
	_, _, err = enterprise(t, srv, nil).WithAuthToken(token).Repositories.Get(ctx, "acme", "tools")
	var limited *github.RateLimitError
	if !errors.As(err, &limited) || limited.Rate.Limit != 3 || limited.Rate.Reset.Before(time.Now()) {
		t.Errorf("fourth request: %v", err)
	}
}

func TestFailAnswersInsteadOfProcessing(t *testing.T) {
	t.Parallel()
	srv := start(t, Options{})
	repo, _, head := newRepo(t, srv, "tools", RepositoryOptions{})
	checks := repoClient(t, srv, repo, nil).Checks
	create := func() error {
		_, _, err := checks.CreateCheckRun(ctx, "acme", "tools", github.CreateCheckRunOptions{Name: "x", HeadSHA: head})
		return err
	}
	srv.Fail("POST", "/repos/*/*/check-runs", http.StatusBadGateway, 2, 0)
	wantStatus(t, create(), 502, "Bad Gateway")
	wantStatus(t, create(), 502, "Bad Gateway")
	if n := len(srv.CheckRuns(repo, head)); n != 0 {
		t.Errorf("%d runs were created by requests that failed", n)
	}
	if err := create(); err != nil {
		t.Error(err)
	}
	srv.Fail("", "/repos/*/*/check-runs", http.StatusForbidden, 1, 7*time.Second)
	var abuse *github.AbuseRateLimitError
	if err := create(); !errors.As(err, &abuse) || abuse.GetRetryAfter() != 7*time.Second {
		t.Errorf("secondary limit: %v", err)
	}
	var statuses []int
	for _, r := range srv.Requests() {
		if r.Operation == "checks/create" {
			statuses = append(statuses, r.Status)
		}
	}
	if len(statuses) != 4 || statuses[0] != 502 || statuses[2] != 201 || statuses[3] != 403 {
		t.Errorf("recorded %v", statuses)
	}
}

func TestDropResponseProcessesTheRequest(t *testing.T) {
	t.Parallel()
	srv := start(t, Options{})
	repo, _, head := newRepo(t, srv, "tools", RepositoryOptions{})
	client := repoClient(t, srv, repo, nil)
	must[*github.Repository](t)(client.Repositories.Get(ctx, "acme", "tools")) // a connection to reuse
	srv.DropResponse("POST", "/repos/acme/tools/check-runs", 1)
	_, _, err := client.Checks.CreateCheckRun(ctx, "acme", "tools", github.CreateCheckRunOptions{Name: "x", HeadSHA: head})
	if err == nil || !strings.Contains(err.Error(), "EOF") {
		t.Errorf("error %v, want a closed connection", err)
	}
	if n := len(srv.CheckRuns(repo, head)); n != 1 {
		t.Errorf("%d runs, want the one whose answer was lost", n)
	}
}

func TestDelayHoldsARequestBack(t *testing.T) {
	t.Parallel()
	srv := start(t, Options{})
	repo, _, _ := newRepo(t, srv, "tools", RepositoryOptions{})
	client := repoClient(t, srv, repo, nil)
	srv.Delay("GET", "/repos/acme/tools", 100*time.Millisecond, 1)
	begin := time.Now()
	must[*github.Repository](t)(client.Repositories.Get(ctx, "acme", "tools"))
	if took := time.Since(begin); took < 100*time.Millisecond {
		t.Errorf("answered after %v", took)
	}
}
