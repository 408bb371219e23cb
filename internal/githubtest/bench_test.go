package githubtest

import (
	"testing"

	"github.com/google/go-github/v66/github"
)

// BenchmarkRequests shows what the stand-in adds to a benchmark of the bot: one
// write and one read, each checked twice against the description.
func BenchmarkRequests(b *testing.B) {
	srv, err := Start(Options{PrivateKey: testKey(), ContentWritesPerMinute: -1, PrimaryLimit: 1 << 30})
	if err != nil {
		b.Fatal(err)
	}
	defer srv.Close()
	repo, err := srv.CreateRepository("acme", "tools", RepositoryOptions{})
	if err != nil {
		b.Fatal(err)
	}
	head, err := repo.Commit("main", "", "m", map[string][]byte{"a": []byte("a")})
	if err != nil {
		b.Fatal(err)
	}
	if _, err := repo.OpenPull("Change", "main", "main", PullOptions{}); err != nil {
		b.Fatal(err)
	}
	token := srv.mint(repo.inst, nil, repo.inst.permissions).value
	client, err := github.NewClient(nil).WithAuthToken(token).WithEnterpriseURLs(srv.WebURL, srv.WebURL)
	if err != nil {
		b.Fatal(err)
	}
	run, _, err := client.Checks.CreateCheckRun(ctx, "acme", "tools", github.CreateCheckRunOptions{Name: "x", HeadSHA: head})
	if err != nil {
		b.Fatal(err)
	}
	b.Run("update check", func(b *testing.B) {
		for b.Loop() {
			if _, _, err := client.Checks.UpdateCheckRun(ctx, "acme", "tools", run.GetID(), github.UpdateCheckRunOptions{Name: "x", Output: output(nil)}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("get pull request", func(b *testing.B) {
		for b.Loop() {
			if _, _, err := client.PullRequests.Get(ctx, "acme", "tools", 1); err != nil {
				b.Fatal(err)
			}
		}
	})
}
