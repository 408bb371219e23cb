package registry_test

import (
	"errors"
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/internal/registry"
	"github.com/mcp-lint/mcp-lint/internal/registry/registrytest"
)

// repository is one that the server gives out.
func repository(t *testing.T, server *registrytest.Server) *registrytest.Repository {
	t.Helper()
	repo, err := registrytest.NewRepository(t.TempDir())
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip("git with its http-backend is not installed")
	}
	if err != nil {
		t.Fatal(err)
	}
	server.Git = repo.Handler()
	return repo
}

func commit(t *testing.T, repo *registrytest.Repository, message string, refs ...string) string {
	t.Helper()
	sha, err := repo.Commit(message, refs...)
	if err != nil {
		t.Fatal(err)
	}
	return sha
}

func TestGit(t *testing.T) {
	t.Parallel()
	server, r := start(t)
	repo := repository(t, server)
	tip := commit(t, repo, "tip", "refs/heads/main", "refs/heads/both", "refs/heads/same", "refs/tags/same")
	first := commit(t, repo, "first", "refs/tags/v1.0.0", "refs/heads/feature/x", "refs/tags/both")
	second := commit(t, repo, "second", "refs/heads/second")
	if _, err := repo.Git("tag", "-a", "-m", "annotated", "v1.2.0", second); err != nil {
		t.Fatal(err)
	}
	address := server.URL + "/git/served.git"
	ask(t, r, registry.EcosystemGit, []question{
		{address, "", tip},
		{address, "main", tip},
		{address, "HEAD", tip},
		{address, "feature/x", first},
		{address, "v1.0.0", first},
		{address, "v1.2.0", second}, // the commit, not the tag's object
		{address, "refs/heads/both", tip},
		{address, "refs/tags/both", first},
		{address, "both", "!both a branch and a tag of that name"},
		{address, "same", tip},
		{address, "semver:^1.0.0", second},
		{address, "semver:~1.0.0", first},
		{address, "semver:^7", "!no tag of the git repository satisfies"},
		{address, "nosuch", "!neither a branch nor a tag of that name"},
		{address, "--upload-pack=x", "!neither a branch nor a tag"},
		{server.URL + "/git/none.git", "", "!no such git repository"},
		{"ssh://git@example.com/x", "", "!reached by another way than http"},
		{address, "semver:hunter22", "!what is asked for is no range of npm versions"},
		{"https://user:hunter22@example.com/x", "", "!holds more than host and path"},
		{"-x", "", "!is no URL"},
		{"file:///etc", "", "!is no URL"},
		{"ext::sh -c x", "", "!is no URL"},
	})
}

// GitLab sends a URL without .git on to the one with it.
func TestGitFirstRedirect(t *testing.T) {
	t.Parallel()
	server, r := start(t)
	repo := repository(t, server)
	tip := commit(t, repo, "tip", "refs/heads/main")
	served := server.Git
	server.Git = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if rest, ok := strings.CutPrefix(r.URL.Path, "/git/served/"); ok {
			http.Redirect(w, r, "/git/served.git/"+rest+"?"+r.URL.RawQuery, http.StatusMovedPermanently)
			return
		}
		served.ServeHTTP(w, r)
	})
	ask(t, r, registry.EcosystemGit, []question{{server.URL + "/git/served", "main", tip}})
}
