package githubtest

import (
	"encoding/base64"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-github/v66/github"
)

// git runs the real client with a token in a header from the environment.
func git(t *testing.T, token string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Env = append(os.Environ(), "GIT_TERMINAL_PROMPT=0", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
	if token != "" {
		basic := base64.StdEncoding.EncodeToString([]byte("x-access-token:" + token))
		cmd.Env = append(cmd.Env, "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=http.extraHeader", "GIT_CONFIG_VALUE_0=Authorization: Basic "+basic)
	}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func gitToken(t *testing.T, srv *Server, repo *Repository, opts *github.InstallationTokenOptions) string {
	t.Helper()
	token, err := installationTransport(t, srv, repo, opts).Token(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func TestCloneNeedsATokenForThatRepository(t *testing.T) {
	t.Parallel()
	srv := start(t, Options{})
	repo, _, _ := newRepo(t, srv, "tools", RepositoryOptions{})
	other, _, _ := newRepo(t, srv, "other", RepositoryOptions{})
	open, _, _ := newRepo(t, srv, "open", RepositoryOptions{Public: true})
	for name, test := range map[string]struct {
		url, token, want string // want "" = works
	}{
		"whole installation":   {repo.CloneURL(), gitToken(t, srv, repo, nil), ""},
		"this repository":      {repo.CloneURL(), gitToken(t, srv, repo, &github.InstallationTokenOptions{RepositoryIDs: []int64{repo.ID}}), ""},
		"other repository":     {repo.CloneURL(), gitToken(t, srv, repo, &github.InstallationTokenOptions{RepositoryIDs: []int64{other.ID}}), "not found"},
		"no contents:read":     {repo.CloneURL(), gitToken(t, srv, repo, &github.InstallationTokenOptions{Permissions: &github.InstallationPermissions{Checks: ptr("read")}}), "403"},
		"invented token":       {repo.CloneURL(), "ghs_4242_x", "could not read Username"},
		"none":                 {repo.CloneURL(), "", "could not read Username"},
		"none, public":         {open.CloneURL(), "", ""},
		"upper case":           {strings.Replace(repo.CloneURL(), "acme", "ACME", 1), gitToken(t, srv, repo, nil), ""},
		"unknown repository":   {srv.WebURL + "/acme/gone.git", gitToken(t, srv, repo, nil), "not found"},
		"outside the git root": {srv.WebURL + "/../etc.git", gitToken(t, srv, repo, nil), "not found"},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := git(t, test.token, "clone", "--quiet", test.url, filepath.Join(t.TempDir(), "clone"))
			if test.want == "" && err != nil {
				t.Errorf("%v: %s", err, out)
			}
			if test.want != "" && (err == nil || !strings.Contains(out, test.want)) {
				t.Errorf("error %v, output %q does not mention %q", err, out, test.want)
			}
		})
	}
}

func TestFetchByAnySHAAndPullRef(t *testing.T) {
	t.Parallel()
	srv := start(t, Options{})
	repo, base, head := newRepo(t, srv, "tools", RepositoryOptions{})
	fork, err := repo.Fork("stranger")
	if err != nil {
		t.Fatal(err)
	}
	foreign := commitTo(t, fork, "topic", "main", map[string][]byte{"fork.txt": []byte("x")})
	openPull(t, repo, "One", "feature", PullOptions{})
	openPull(t, repo, "Two", "topic", PullOptions{From: fork})
	lost := commitTo(t, repo, "feature", "main", map[string][]byte{"forced": []byte("x")}) // head is on no branch now
	token, dir := gitToken(t, srv, repo, nil), t.TempDir()
	if out, err := git(t, "", "init", "--quiet", "--bare", dir); err != nil {
		t.Fatal(out)
	}
	for name, test := range map[string]struct{ spec, want string }{
		"any SHA":            {head, head},
		"base":               {base, base},
		"forced branch":      {"refs/heads/feature", lost},
		"pull request":       {"refs/pull/1/head", head},
		"pull request, fork": {"refs/pull/2/head", foreign},
		"SHA of the fork":    {foreign, foreign},
	} {
		out, err := git(t, token, "--git-dir", dir, "fetch", "--quiet", "--depth=1", repo.CloneURL(), test.spec+":refs/heads/got")
		if err != nil {
			t.Errorf("%s: %v: %s", name, err, out)
			continue
		}
		if got, _ := git(t, "", "--git-dir", dir, "rev-parse", "got"); strings.TrimSpace(got) != test.want {
			t.Errorf("%s: got %s, want %s", name, got, test.want)
		}
		git(t, "", "--git-dir", dir, "update-ref", "-d", "refs/heads/got")
	}
	if out, err := git(t, token, "--git-dir", dir, "push", repo.CloneURL(), head+":refs/heads/new"); err == nil {
		t.Errorf("pushed: %s", out)
	}
}

func TestCommitsAreTheSameEveryTime(t *testing.T) {
	t.Parallel()
	var shas [2]string
	for i := range shas {
		srv := start(t, Options{})
		_, _, shas[i] = newRepo(t, srv, "tools", RepositoryOptions{})
	}
	if shas[0] != shas[1] {
		t.Errorf("heads %s and %s of the same calls", shas[0], shas[1])
	}
}

func TestCommitKeepsBytesAndDeletes(t *testing.T) {
	t.Parallel()
	srv := start(t, Options{})
	repo, _, _ := newRepo(t, srv, "tools", RepositoryOptions{})
	odd := "a \"quoted\"\\\nname \u200b"
	commitTo(t, repo, "bytes", "main", map[string][]byte{odd: []byte("no newline\x00\xff"), "README.md": nil, "empty": {}})
	dir := filepath.Join(t.TempDir(), "clone")
	if out, err := git(t, gitToken(t, srv, repo, nil), "clone", "--quiet", "--branch", "bytes", repo.CloneURL(), dir); err != nil {
		t.Fatal(out)
	}
	if got, err := os.ReadFile(filepath.Join(dir, odd)); err != nil || string(got) != "no newline\x00\xff" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "README.md")); !os.IsNotExist(err) {
		t.Errorf("deleted file: %v", err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "empty")); err != nil || len(got) != 0 {
		t.Errorf("empty file: %q, %v", got, err)
	}
	if _, err := repo.Commit("x", "no-such-base", "m", nil); err == nil {
		t.Error("a base that does not exist was accepted")
	}
}

func TestGitFaults(t *testing.T) {
	t.Parallel()
	srv := start(t, Options{})
	repo, _, _ := newRepo(t, srv, "tools", RepositoryOptions{Public: true})
	srv.Fail("GET", "/acme/tools.git/info/refs", http.StatusBadGateway, 1, 0)
	if out, err := git(t, "", "ls-remote", repo.CloneURL()); err == nil || !strings.Contains(out, "502") {
		t.Errorf("%v: %s", err, out)
	}
	if out, err := git(t, "", "ls-remote", repo.CloneURL()); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	for _, r := range srv.Requests() {
		if r.Operation != "git" {
			t.Errorf("recorded as %+v", r)
		}
	}
}
