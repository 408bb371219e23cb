package githubtest

import (
	"crypto/rand"
	"crypto/rsa"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v4"
	"github.com/google/go-github/v66/github"
)

func TestAppEndpointsAnswerTheAppsTransport(t *testing.T) {
	t.Parallel()
	srv := start(t, Options{})
	repo, _, _ := newRepo(t, srv, "tools", RepositoryOptions{})
	app := appClient(t, srv)

	if got := must[*github.App](t)(app.Apps.Get(ctx, "")); got.GetID() != AppID || got.GetSlug() != "mcp-lint" {
		t.Errorf("app is %d %s", got.GetID(), got.GetSlug())
	}
	if got := must[[]*github.Installation](t)(app.Apps.ListInstallations(ctx, nil)); len(got) != 1 || got[0].GetID() != repo.InstallationID() {
		t.Errorf("installations: %v", got)
	}
	if got := must[*github.Installation](t)(app.Apps.GetInstallation(ctx, repo.InstallationID())); got.GetPermissions().GetChecks() != "write" {
		t.Errorf("installation: %v", got)
	}
	if got := must[*github.Installation](t)(app.Apps.FindRepositoryInstallation(ctx, "acme", "tools")); got.GetAccount().GetLogin() != "acme" {
		t.Errorf("installation of repository: %v", got)
	}
	_, _, err := app.Apps.GetInstallation(ctx, 1)
	wantStatus(t, err, 404, "Not Found")
	_, _, err = app.Apps.FindRepositoryInstallation(ctx, "acme", "other")
	wantStatus(t, err, 404, "Not Found")
}

func TestAppJWTRules(t *testing.T) {
	t.Parallel()
	srv := start(t, Options{})
	now := time.Now()
	other, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	sign := func(key *rsa.PrivateKey, iss string, iat, exp time.Time) string {
		text, err := jwt.NewWithClaims(jwt.SigningMethodRS256, jwt.MapClaims{"iss": iss, "iat": iat.Unix(), "exp": exp.Unix()}).SignedString(key)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	own, id := testKey(), strconv.Itoa(AppID)
	hs, err := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.MapClaims{"iss": id, "iat": now.Unix(), "exp": now.Add(time.Minute).Unix()}).SignedString([]byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ token, want string }{
		"good":              {sign(own, id, now.Add(-time.Minute), now.Add(9*time.Minute)), ""},
		"client id as iss":  {sign(own, "Iv1.githubtest4242", now, now.Add(time.Minute)), ""},
		"other key":         {sign(other, id, now, now.Add(time.Minute)), "could not be decoded"},
		"symmetric":         {hs, "could not be decoded"},
		"other app":         {sign(own, "1", now, now.Add(time.Minute)), "'iss'"},
		"issued in future":  {sign(own, id, now.Add(time.Minute), now.Add(2*time.Minute)), "'iat'"},
		"expired":           {sign(own, id, now.Add(-2*time.Minute), now.Add(-time.Minute)), "'exp'"},
		"over ten minutes":  {sign(own, id, now, now.Add(11*time.Minute)), "too far in the future"},
		"not a token":       {"x", "could not be decoded"},
		"nothing":           {"", "Requires authentication"},
		"installation-like": {"ghs_4242_x", "Bad credentials"},
	} {
		t.Run(name, func(t *testing.T) {
			client := enterprise(t, srv, nil)
			if test.token != "" {
				client = client.WithAuthToken(test.token)
			}
			_, _, err := client.Apps.Get(ctx, "")
			if test.want == "" && err != nil {
				t.Errorf("refused: %v", err)
			}
			if test.want != "" {
				wantStatus(t, err, 401, test.want)
			}
		})
	}
}

func TestInstallationTokensHaveTheNewShape(t *testing.T) {
	t.Parallel()
	srv := start(t, Options{})
	repo, _, _ := newRepo(t, srv, "tools", RepositoryOptions{})
	got, _, err := appClient(t, srv).Apps.CreateInstallationToken(ctx, repo.InstallationID(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if text := got.GetToken(); !strings.HasPrefix(text, "ghs_4242_") || len(text) < 100 {
		t.Errorf("token %q is not of the stateless shape", text)
	}
	if left := time.Until(got.GetExpiresAt().Time); left > TokenLifetime || left < TokenLifetime-time.Minute {
		t.Errorf("token lives for %v", left)
	}
}

func TestTokensAreScopedToRepositories(t *testing.T) {
	t.Parallel()
	srv := start(t, Options{})
	one, _, _ := newRepo(t, srv, "one", RepositoryOptions{})
	two, _, _ := newRepo(t, srv, "two", RepositoryOptions{})
	for name, opts := range map[string]*github.InstallationTokenOptions{
		"by id":   {RepositoryIDs: []int64{one.ID}},
		"by name": {Repositories: []string{"one"}},
	} {
		client := repoClient(t, srv, one, opts)
		if got := must[*github.ListRepositories](t)(client.Apps.ListRepos(ctx, nil)); got.GetTotalCount() != 1 || got.Repositories[0].GetName() != "one" {
			t.Errorf("%s: token sees %v", name, got.Repositories)
		}
		_, _, err := client.Repositories.Get(ctx, "acme", "two")
		wantStatus(t, err, 404, "Not Found")
	}
	all := repoClient(t, srv, one, nil)
	if got := must[*github.ListRepositories](t)(all.Apps.ListRepos(ctx, nil)); got.GetTotalCount() != 2 {
		t.Errorf("unscoped token sees %d repositories", got.GetTotalCount())
	}
	foreign, err := srv.CreateRepository("else", "three", RepositoryOptions{})
	if err != nil {
		t.Fatal(err)
	}
	app := appClient(t, srv)
	_, _, err = app.Apps.CreateInstallationToken(ctx, two.InstallationID(), &github.InstallationTokenOptions{RepositoryIDs: []int64{two.ID, foreign.ID}})
	wantStatus(t, err, 422, "not accessible to the parent installation")
	_, _, err = app.Apps.CreateInstallationToken(ctx, two.InstallationID(), &github.InstallationTokenOptions{RepositoryIDs: make([]int64, MaxTokenRepositories+1)})
	wantStatus(t, err, 422, "No more than 500")
}

func TestPermissionsAreDemanded(t *testing.T) {
	t.Parallel()
	srv := start(t, Options{})
	repo, _, head := newRepo(t, srv, "tools", RepositoryOptions{})
	openPull(t, repo, "Change", "feature", PullOptions{})
	only := func(p *github.InstallationPermissions) *github.Client {
		return repoClient(t, srv, repo, &github.InstallationTokenOptions{Permissions: p})
	}
	reader := only(&github.InstallationPermissions{Contents: ptr("read"), Checks: ptr("read"), PullRequests: ptr("read"), SecurityEvents: ptr("read")})
	nothing := only(&github.InstallationPermissions{Metadata: ptr("read")})
	refused := map[string]error{}
	_, _, refused["create check"] = reader.Checks.CreateCheckRun(ctx, "acme", "tools", github.CreateCheckRunOptions{Name: "x", HeadSHA: head})
	_, _, refused["comment"] = reader.Issues.CreateComment(ctx, "acme", "tools", 1, &github.IssueComment{Body: ptr("x")})
	_, _, refused["upload"] = reader.CodeScanning.UploadSarif(ctx, "acme", "tools", &github.SarifAnalysis{CommitSHA: &head, Ref: ptr("refs/pull/1/head"), Sarif: ptr("eA==")})
	_, _, refused["list checks"] = nothing.Checks.ListCheckRunsForRef(ctx, "acme", "tools", head, nil)
	_, _, refused["comments"] = nothing.Issues.ListComments(ctx, "acme", "tools", 1, nil)
	_, _, refused["pull"] = nothing.PullRequests.Get(ctx, "acme", "tools", 1)
	_, _, _, refused["contents"] = nothing.Repositories.GetContents(ctx, "acme", "tools", "README.md", nil)
	_, _, refused["alerts"] = nothing.CodeScanning.ListAlertsForRepo(ctx, "acme", "tools", nil)
	_, _, refused["app as installation"] = appClient(t, srv).Repositories.Get(ctx, "acme", "tools")
	for name, err := range refused {
		t.Run(name, func(t *testing.T) { wantStatus(t, err, 403, "Resource not accessible by integration") })
	}
	if _, _, err := nothing.Repositories.Get(ctx, "acme", "tools"); err != nil {
		t.Errorf("metadata alone cannot read the repository: %v", err)
	}
	_, _, err := appClient(t, srv).Apps.CreateInstallationToken(ctx, repo.InstallationID(), &github.InstallationTokenOptions{
		Permissions: &github.InstallationPermissions{Contents: ptr("write")},
	})
	wantStatus(t, err, 422, "permissions requested are not granted")
}

func TestTokensEndAfterAnHour(t *testing.T) {
	t.Parallel()
	now := time.Now()
	srv := start(t, Options{Now: func() time.Time { return now }})
	repo, _, _ := newRepo(t, srv, "tools", RepositoryOptions{})
	token, err := installationTransport(t, srv, repo, nil).Token(ctx)
	if err != nil {
		t.Fatal(err)
	}
	client := enterprise(t, srv, nil).WithAuthToken(token)
	now = now.Add(TokenLifetime - time.Second)
	must[*github.Repository](t)(client.Repositories.Get(ctx, "acme", "tools"))
	now = now.Add(time.Second)
	_, _, err = client.Repositories.Get(ctx, "acme", "tools")
	wantStatus(t, err, 401, "Bad credentials")
}

func TestExpiredAndSuspendedTokensAreRefused(t *testing.T) {
	t.Parallel()
	srv := start(t, Options{})
	repo, _, _ := newRepo(t, srv, "tools", RepositoryOptions{})
	client := repoClient(t, srv, repo, nil)
	must[*github.Repository](t)(client.Repositories.Get(ctx, "acme", "tools"))
	srv.Suspend("acme", true)
	_, _, err := client.Repositories.Get(ctx, "acme", "tools")
	wantStatus(t, err, 401, "Bad credentials")
	_, _, err = appClient(t, srv).Apps.CreateInstallationToken(ctx, repo.InstallationID(), nil)
	wantStatus(t, err, 403, "suspended")
	srv.Suspend("acme", false)
	must[*github.Repository](t)(client.Repositories.Get(ctx, "acme", "tools"))
	srv.ExpireTokens()
	_, _, err = client.Repositories.Get(ctx, "acme", "tools")
	wantStatus(t, err, 401, "Bad credentials")
	srv.SetPermissions("acme", map[string]string{"metadata": "read"})
	fresh := repoClient(t, srv, repo, nil)
	_, _, err = fresh.PullRequests.List(ctx, "acme", "tools", nil)
	wantStatus(t, err, 403, "Resource not accessible")
}

func TestRootAPIHostServesTheSameEndpoints(t *testing.T) {
	t.Parallel()
	srv := start(t, Options{})
	repo, _, _ := newRepo(t, srv, "tools", RepositoryOptions{})
	tr := installationTransport(t, srv, repo, nil)
	tr.BaseURL = strings.TrimSuffix(srv.RootAPIURL, "/")
	client := github.NewClient(&http.Client{Transport: tr})
	base := must[*github.Repository](t)(repoClient(t, srv, repo, nil).Repositories.Get(ctx, "acme", "tools"))
	client.BaseURL, _ = client.BaseURL.Parse(srv.RootAPIURL)
	if got := must[*github.Repository](t)(client.Repositories.Get(ctx, "acme", "tools")); got.GetID() != base.GetID() {
		t.Errorf("repository %d at the root, %d under /api/v3", got.GetID(), base.GetID())
	}
}
