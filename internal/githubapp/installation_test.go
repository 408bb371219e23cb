package githubapp_test

import (
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-github/v66/github"

	"github.com/mcp-lint/mcp-lint/internal/githubapp"
	"github.com/mcp-lint/mcp-lint/internal/githubtest"
)

// standIn is the stand-in with one repository, and the App on it.
type standIn struct {
	srv  *githubtest.Server
	repo *githubtest.Repository
	app  *githubapp.App
	sha  string
}

func newStandIn(t *testing.T, o githubtest.RepositoryOptions) *standIn {
	t.Helper()
	srv, err := githubtest.Start(githubtest.Options{PrivateKey: testKey()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if v := srv.Violations(); len(v) > 0 {
			t.Errorf("not as GitHub describes it: %s", strings.Join(v, "\n"))
		}
		srv.Close()
	})
	repo, err := srv.CreateRepository("acme", "tools", o)
	if err != nil {
		t.Fatal(err)
	}
	sha, err := repo.Commit("main", "", "first", map[string][]byte{"a": []byte("1")})
	if err != nil {
		t.Fatal(err)
	}
	endpoints, err := githubapp.NewEndpoints(srv.WebURL)
	if err != nil {
		t.Fatal(err)
	}
	app, err := githubapp.New(githubapp.Config{ID: githubtest.AppID, Key: testKey(), Endpoints: endpoints, Sleep: newClock().sleep})
	if err != nil {
		t.Fatal(err)
	}
	return &standIn{srv, repo, app, sha}
}

// mints counts the tokens that were asked for.
func (s *standIn) mints() (n int) {
	for _, r := range s.srv.Requests() {
		if strings.HasSuffix(r.Path, "/access_tokens") {
			n++
		}
	}
	return n
}

func TestSelf(t *testing.T) {
	t.Parallel()
	s := newStandIn(t, githubtest.RepositoryOptions{})
	id, err := s.app.Self(t.Context())
	if err != nil || id.ID != githubtest.AppID || id.BotLogin() != s.srv.BotLogin() || id.Owner == "" {
		t.Errorf("got %+v, %v; want %s", id, err, s.srv.BotLogin())
	}
	// The wrong id with the right key is found at the start, not at the first job.
	other, err := githubapp.New(githubapp.Config{ID: 1, Key: testKey(), Endpoints: s.app.Endpoints()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.Self(t.Context()); err == nil {
		t.Error("wrong App id: no error")
	}
}

func TestNewRefusesWhatCannotWork(t *testing.T) {
	t.Parallel()
	e, err := githubapp.NewEndpoints("https://github.com")
	if err != nil {
		t.Fatal(err)
	}
	for says, c := range map[string]githubapp.Config{
		"App id":      {Key: testKey(), Endpoints: e},
		"private key": {ID: 1, Endpoints: e},
		"endpoints":   {ID: 1, Key: testKey()},
	} {
		if _, err := githubapp.New(c); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("got %v, want %q", err, says)
		}
	}
}

func TestTokensDoOnlyWhatTheirPurposeNeeds(t *testing.T) {
	t.Parallel()
	s := newStandIn(t, githubtest.RepositoryOptions{})
	if _, err := s.srv.CreateRepository("acme", "other", githubtest.RepositoryOptions{}); err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	calls := map[string]func(c *github.Client) error{
		"contents": func(c *github.Client) error {
			_, _, _, err := c.Repositories.GetContents(ctx, "acme", "tools", "a", nil)
			return err
		},
		"checks": func(c *github.Client) error {
			_, _, err := c.Checks.CreateCheckRun(ctx, "acme", "tools", github.CreateCheckRunOptions{Name: "n", HeadSHA: s.sha})
			return err
		},
		"scanning": func(c *github.Client) error {
			_, _, err := c.CodeScanning.ListAnalysesForRepo(ctx, "acme", "tools", nil)
			return err
		},
		"other repository": func(c *github.Client) error {
			_, _, err := c.Checks.CreateCheckRun(ctx, "acme", "other", github.CreateCheckRunOptions{Name: "n", HeadSHA: s.sha})
			return err
		},
	}
	for name, c := range map[string]struct {
		scope githubapp.TokenScope
		may   []string
	}{
		"read":  {githubapp.ReadScope(s.repo.ID), []string{"contents"}},
		"write": {githubapp.WriteScope(s.repo.ID), []string{"checks"}},
		"SARIF": {githubapp.SARIFScope(s.repo.ID), []string{"scanning"}},
	} {
		client, source := s.app.Installation(s.repo.InstallationID(), c.scope)
		if err := source.Check(ctx); err != nil {
			t.Fatal(err)
		}
		for what, call := range calls {
			if err := call(client); (err == nil) != slices.Contains(c.may, what) {
				t.Errorf("%s token, %s: %v", name, what, err)
			}
		}
	}
}

func TestRefusedTokensAreOutcomes(t *testing.T) {
	t.Parallel()
	granted := maps.Clone(githubtest.DefaultPermissions())
	delete(granted, "security_events")
	s := newStandIn(t, githubtest.RepositoryOptions{Permissions: granted})
	ctx, id := t.Context(), s.repo.InstallationID()

	client, source := s.app.Installation(id, githubapp.SARIFScope(s.repo.ID))
	var missing *githubapp.PermissionMissing
	if err := source.Check(ctx); !errors.As(err, &missing) || missing.Installation != id || !slices.Equal(missing.Wanted, []string{"security_events: write"}) {
		t.Errorf("permission that was not granted: %v", err)
	}
	if _, _, err := client.CodeScanning.ListAnalysesForRepo(ctx, "acme", "tools", nil); !errors.As(err, &missing) {
		t.Errorf("the same through the client: %v", err)
	}
	_, fine := s.app.Installation(id, githubapp.WriteScope(s.repo.ID))
	if err := fine.Check(ctx); err != nil {
		t.Errorf("the others still work: %v", err)
	}

	var gone *githubapp.NoAccess
	for name, c := range map[string]struct{ installation, repo int64 }{
		"repository out of reach": {id, 99},
		"unknown installation":    {99, s.repo.ID},
	} {
		_, source := s.app.Installation(c.installation, githubapp.ReadScope(c.repo))
		if err := source.Check(ctx); !errors.As(err, &gone) || gone.Installation != c.installation {
			t.Errorf("%s: %v", name, err)
		}
	}
	s.srv.Suspend("acme", true)
	_, source = s.app.Installation(id, githubapp.ReadScope(s.repo.ID))
	if err := source.Check(ctx); !errors.As(err, &gone) || !strings.Contains(gone.Reason, "suspended") {
		t.Errorf("suspended: %v", err)
	}

	var later *githubapp.RetryLater
	s.srv.Suspend("acme", false)
	s.srv.Fail(http.MethodPost, "/app/installations/*/access_tokens", http.StatusForbidden, 1, time.Minute)
	_, source = s.app.Installation(id, githubapp.ReadScope(s.repo.ID))
	if err := source.Check(ctx); !errors.As(err, &later) || later.After != time.Minute {
		t.Errorf("rate limit: %v", err)
	}
}

func TestConcurrentUsersShareOneMint(t *testing.T) {
	t.Parallel()
	s := newStandIn(t, githubtest.RepositoryOptions{})
	client, source := s.app.Installation(s.repo.InstallationID(), githubapp.ReadScope(s.repo.ID))
	if s.mints() != 0 {
		t.Error("minted before the first use")
	}
	// The first answers are lost: asking for a token again is safe.
	s.srv.DropResponse(http.MethodPost, "/app/installations/*/access_tokens", 2)
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			if _, err := source.Reveal(t.Context()); err != nil {
				t.Error(err)
			}
			if _, _, err := client.Repositories.Get(t.Context(), "acme", "tools"); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if n := s.mints(); n != 3 {
		t.Errorf("%d requests for a token, want 2 lost ones and 1", n)
	}
}

// Transports of one App must not share what a refresh writes to; the race
// detector looks at this one.
func TestManyInstallationTransportsAtOnce(t *testing.T) {
	t.Parallel()
	s := newStandIn(t, githubtest.RepositoryOptions{})
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			client, _ := s.app.Installation(s.repo.InstallationID(), githubapp.ReadScope(s.repo.ID))
			if _, _, err := client.Repositories.Get(t.Context(), "acme", "tools"); err != nil {
				t.Error(err)
			}
			if _, err := s.app.Self(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
}

// A token may die before its hour is over by our clock.
func TestARefusedTokenIsRenewedOnce(t *testing.T) {
	t.Parallel()
	s := newStandIn(t, githubtest.RepositoryOptions{})
	client, _ := s.app.Installation(s.repo.InstallationID(), githubapp.WriteScope(s.repo.ID))
	ctx := t.Context()
	write := func() error {
		_, _, err := client.Checks.CreateCheckRun(ctx, "acme", "tools", github.CreateCheckRunOptions{Name: "n", HeadSHA: s.sha})
		return err
	}
	if err := write(); err != nil {
		t.Fatal(err)
	}
	s.srv.ExpireTokens()
	if err := write(); err != nil {
		t.Errorf("after the token died: %v", err)
	}
	if n := s.mints(); n != 2 {
		t.Errorf("%d mints, want 2", n)
	}
	s.srv.Fail(http.MethodPost, "/repos/*/*/check-runs", http.StatusUnauthorized, 9, 0)
	if err := write(); err == nil || s.mints() != 3 {
		t.Errorf("GitHub takes no token at all: %v after %d mints, want an error after 3", err, s.mints())
	}
	if runs := s.srv.CheckRuns(s.repo, s.sha); len(runs) != 2 {
		t.Errorf("%d check runs, want 2", len(runs))
	}
}

func TestUnchangedAnswersCostNothing(t *testing.T) {
	t.Parallel()
	s := newStandIn(t, githubtest.RepositoryOptions{})
	ctx := t.Context()
	statuses := func() (list []int) {
		for _, r := range s.srv.Requests() {
			if strings.HasSuffix(r.Path, "/branches/main") {
				list = append(list, r.Status)
			}
		}
		return list
	}
	for i, protected := range []bool{false, false, true, true} {
		if i == 2 {
			s.repo.Protect("main")
		}
		// Every job has a client of its own; what is known belongs to the installation.
		client, _ := s.app.Installation(s.repo.InstallationID(), githubapp.ReadScope(s.repo.ID))
		branch, _, err := client.Repositories.GetBranch(ctx, "acme", "tools", "main", 0)
		if err != nil || branch.GetProtected() != protected || branch.GetName() != "main" {
			t.Errorf("request %d: %v, protected %v; want %v", i+1, err, branch.GetProtected(), protected)
		}
	}
	if got := statuses(); !slices.Equal(got, []int{200, 304, 200, 304}) {
		t.Errorf("GitHub answered %v, want 200 only for what has changed", got)
	}
	// A token that may not read it gets no answer from memory.
	client, _ := s.app.Installation(s.repo.InstallationID(), githubapp.SARIFScope(s.repo.ID))
	if _, _, err := client.Repositories.GetBranch(ctx, "acme", "tools", "main", 0); err == nil {
		t.Error("a token without the permission read the branch")
	}
}
