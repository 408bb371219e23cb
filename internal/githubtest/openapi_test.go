package githubtest

import (
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-github/v66/github"
)

func TestEveryRouteIsDescribed(t *testing.T) {
	t.Parallel()
	doc, err := openapi3.NewLoader().LoadFromData(openAPISubset)
	if err != nil {
		t.Fatal(err)
	}
	described := map[string]bool{}
	for _, item := range doc.Paths.Map() {
		for _, op := range item.Operations() {
			described[op.OperationID] = true
		}
	}
	for _, op := range slices.Sorted(maps.Keys(allRoutes())) {
		if !described[op] {
			t.Errorf("%s is not in the description", op)
		}
	}
}

// send is a request that go-github would not make.
func send(t *testing.T, srv *Server, token, method, path, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequest(method, srv.APIURL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "token "+token)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(answer)
}

func TestWhatTheDescriptionDoesNotAllowIsAViolation(t *testing.T) {
	t.Parallel()
	srv := start(t, Options{})
	repo, _, head := newRepo(t, srv, "tools", RepositoryOptions{})
	token := gitToken(t, srv, repo, nil)
	run := `{"name":"x","head_sha":"` + head + `"`
	for name, test := range map[string]struct {
		method, path, body string
		status             int
		want               string
	}{
		"unknown path":          {"GET", "repos/acme/tools/stargazers", "", 404, "outside the described subset"},
		"described, not served": {"GET", "repos/acme/tools/compare/a...b", "", 404, "outside the described subset"},
		"unknown method":        {"DELETE", "repos/acme/tools/check-runs/1", "", 404, "outside the described subset"},
		"unknown key":           {"POST", "repos/acme/tools/check-runs", run + `,"colour":"red"}`, 422, "colour"},
		"nested unknown key":    {"POST", "repos/acme/tools/check-runs", run + `,"output":{"title":"t","summary":"s","colour":"red"}}`, 422, "colour"},
		"missing key":           {"POST", "repos/acme/tools/check-runs", `{"name":"x"}`, 422, "head_sha"},
		"wrong type":            {"POST", "repos/acme/tools/check-runs", `{"name":1,"head_sha":"` + head + `"}`, 422, "/name"},
		"broken JSON":           {"POST", "repos/acme/tools/check-runs", `{`, 400, "not JSON"},
		"no body":               {"POST", "repos/acme/tools/check-runs", ``, 422, "check-runs"},
		"id that is no number":  {"GET", "repos/acme/tools/check-runs/x", "", 422, "check_run_id"},
		"unknown query":         {"GET", "repos/acme/tools/pulls?colour=red", "", 422, "colour"},
		"query outside enum":    {"GET", "repos/acme/tools/pulls?state=merged", "", 422, "state"},
	} {
		status, answer := send(t, srv, token, test.method, test.path, test.body)
		if status != test.status {
			t.Errorf("%s: status %d: %s", name, status, answer)
		}
		got := strings.Join(srv.TakeViolations(), "\n")
		if !strings.Contains(got, test.want) {
			t.Errorf("%s: violation %q does not mention %q", name, got, test.want)
		}
	}
	resp, err := http.Get(srv.UploadURL + "repos/acme/tools/releases")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	wantViolation(t, srv, "outside the described subset")
}

// TestOurOwnAnswersAreChecked breaks a handler: the server must notice.
func TestOurOwnAnswersAreChecked(t *testing.T) {
	t.Parallel()
	srv := start(t, Options{})
	repo, _, _ := newRepo(t, srv, "tools", RepositoryOptions{})
	client := repoClient(t, srv, repo, nil)
	must[*github.Repository](t)(client.Repositories.Get(ctx, "acme", "tools"))
	for name, broken := range map[string]reply{
		"missing keys":       ok(obj{"id": 1}),
		"undescribed status": {status: http.StatusAccepted, body: obj{}},
	} {
		srv.routes["repos/get"] = route{needs: []string{"metadata:read"}, handle: func(*call) reply { return broken }}
		client.Repositories.Get(ctx, "acme", "tools")
		if got := srv.TakeViolations(); len(got) != 1 || !strings.Contains(got[0], "response") {
			t.Errorf("%s: violations %q", name, got)
		}
	}
}
