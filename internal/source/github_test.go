package source_test

import (
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/internal/githubapp"
	"github.com/mcp-lint/mcp-lint/internal/githubtest"
	"github.com/mcp-lint/mcp-lint/internal/source"
)

// A fork's pull request, fetched from the base repository with the App's token.
func TestForkFromGitHub(t *testing.T) {
	t.Parallel()
	srv, err := githubtest.Start(githubtest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	repo, err := srv.CreateRepository("acme", "tools", githubtest.RepositoryOptions{})
	must(err)
	fork0, err := repo.Commit("main", "", "first", map[string][]byte{"a": []byte("1")})
	must(err)
	fork, err := repo.Fork("stranger")
	must(err)
	_, err = fork.Commit("feature", "main", "second", map[string][]byte{"a": []byte("2"), "dir/b": []byte("new")})
	must(err)
	base, err := repo.Commit("main", "", "moved on", map[string][]byte{"a": []byte("3")})
	must(err)
	pr, err := repo.OpenPull("Change", "feature", "main", githubtest.PullOptions{From: fork})
	must(err)

	endpoints, err := githubapp.NewEndpoints(srv.WebURL)
	must(err)
	key, err := githubapp.ParsePrivateKey(srv.PrivateKeyPEM())
	must(err)
	app, err := githubapp.New(githubapp.Config{ID: githubtest.AppID, Key: key, Endpoints: endpoints})
	must(err)
	_, tokens := app.Installation(repo.InstallationID(), githubapp.ReadScope(repo.ID))

	trees, err := source.Fetch(t.Context(), source.Request{
		URL: endpoints.CloneURL("acme", "tools"), Token: tokens.Reveal, Head: pr.HeadSHA(), Base: base, PullNumber: pr.Number, Dir: t.TempDir(),
	})
	must(err)
	mergeBase, err := trees.MergeBase(t.Context())
	must(err)
	if mergeBase.SHA != fork0 {
		t.Errorf("merge base %+v, want %s", mergeBase, fork0)
	}
	for sha, want := range map[string]string{pr.HeadSHA(): "2", base: "3", mergeBase.SHA: "1"} {
		if got, err := trees.ReadFile(t.Context(), sha, "a", 10); err != nil || string(got) != want {
			t.Errorf("a at %s: %q, %v; want %q", sha, got, err, want)
		}
	}
	tree, err := trees.Tree(t.Context(), pr.HeadSHA())
	must(err)
	dir := t.TempDir()
	_, err = tree.WriteTo(t.Context(), dir)
	must(err)
	if got := contents(t, dir); len(got) != 2 || got["dir/b"] != "new" {
		t.Errorf("files %v", got)
	}
	if v := srv.Violations(); len(v) > 0 {
		t.Errorf("not as GitHub describes it:\n%s", strings.Join(v, "\n"))
	}
}
