package githubtest

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-github/v66/github"
)

// commitFile makes a commit of one file through the git data endpoints.
func commitFile(t *testing.T, client *github.Client, parent, path, text string) *github.Commit {
	t.Helper()
	git := client.Git
	base := must[*github.Commit](t)(git.GetCommit(ctx, "acme", "tools", parent))
	blob := must[*github.Blob](t)(git.CreateBlob(ctx, "acme", "tools", &github.Blob{Content: &text, Encoding: ptr("utf-8")}))
	tree := must[*github.Tree](t)(git.CreateTree(ctx, "acme", "tools", base.GetTree().GetSHA(), []*github.TreeEntry{
		{Path: &path, Mode: ptr("100644"), Type: ptr("blob"), SHA: blob.SHA},
	}))
	return must[*github.Commit](t)(git.CreateCommit(ctx, "acme", "tools", &github.Commit{
		Message: ptr("through the API"), Tree: tree, Parents: []*github.Commit{{SHA: &parent}},
	}, nil))
}

func TestCommitThroughTheAPI(t *testing.T) {
	t.Parallel()
	srv := start(t, Options{})
	permissions := DefaultPermissions()
	permissions["contents"] = "write"
	repo, _, head := newRepo(t, srv, "tools", RepositoryOptions{Permissions: permissions})
	pr := openPull(t, repo, "Change", "feature", PullOptions{})
	client := repoClient(t, srv, repo, nil)
	made := commitFile(t, client, head, "dir/new.txt", "é\n")
	if made.GetAuthor().GetName() == "" || len(made.Parents) != 1 || made.Parents[0].GetSHA() != head {
		t.Errorf("commit %v", made)
	}
	stray := commitFile(t, client, head, "dir/stray.txt", "x")
	move := func(branch string, sha *string) error {
		_, _, err := client.Git.UpdateRef(ctx, "acme", "tools", &github.Reference{Ref: ptr("refs/heads/" + branch), Object: &github.GitObject{SHA: sha}}, false)
		return err
	}
	if err := move("feature", made.SHA); err != nil {
		t.Fatal(err)
	}
	if text, err := repo.ReadFile(made.GetSHA(), "dir/new.txt"); err != nil || string(text) != "é\n" {
		t.Errorf("file %q, %v", text, err)
	}
	wantStatus(t, move("feature", stray.SHA), 422, "not a fast forward")
	wantStatus(t, move("gone", stray.SHA), 422, "does not exist")
	repo.Protect("feature")
	wantStatus(t, move("feature", made.SHA), 422, "pull request")

	tree := must[*github.Tree](t)(client.Git.GetTree(ctx, "acme", "tools", made.GetTree().GetSHA(), false))
	var names []string
	for _, e := range tree.Entries {
		names = append(names, e.GetMode()+" "+e.GetPath())
	}
	if got := strings.Join(names, ", "); got != `100644 README.md, 040000 dir, 100644 new "file"` {
		t.Errorf("tree: %s", got)
	}
	srv.later.Wait()
	if pr.HeadSHA() != made.GetSHA() {
		t.Error("the pull request did not move")
	}
	narrow := repoClient(t, srv, repo, &github.InstallationTokenOptions{Permissions: &github.InstallationPermissions{Contents: ptr("read")}})
	_, _, err := narrow.Git.CreateBlob(ctx, "acme", "tools", &github.Blob{Content: ptr("x"), Encoding: ptr("utf-8")})
	wantStatus(t, err, 403, "")
}

func TestReactionsAndAsking(t *testing.T) {
	t.Parallel()
	srv := start(t, Options{})
	permissions := DefaultPermissions()
	repo, _, _ := newRepo(t, srv, "tools", RepositoryOptions{})
	pr := openPull(t, repo, "Change", "feature", PullOptions{})
	client := repoClient(t, srv, repo, nil)
	before := len(srv.Deliveries())
	pr.Say("somebody", "not granted")
	if n := len(srv.Deliveries()); n != before {
		t.Error("issue_comment delivered without the permission for it")
	}
	permissions["issues"] = "read"
	srv.SetPermissions("acme", permissions)
	id := pr.Say("somebody", "hello")
	if d := srv.Deliveries(); len(d) != before+1 || d[before].Event != "issue_comment" || d[before].Action != "created" {
		t.Errorf("deliveries %v", d)
	}
	for _, want := range []int{201, 200} {
		_, answer, err := client.Reactions.CreateIssueCommentReaction(context.Background(), "acme", "tools", id, "eyes")
		if err != nil || answer.StatusCode != want {
			t.Errorf("reaction: %v %v, want %d", answer, err, want)
		}
	}
	if got := srv.Comments(repo, 1)[1].Reactions; len(got) != 1 || got[0] != "eyes" {
		t.Errorf("reactions %q", got)
	}
	if err := repo.Press("somebody", 1, "x"); err == nil {
		t.Error("a button of no check run was pressed")
	}
}
