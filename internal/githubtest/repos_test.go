package githubtest

import (
	"slices"
	"testing"

	"github.com/google/go-github/v66/github"
)

func TestRepositoryEndpoints(t *testing.T) {
	t.Parallel()
	srv := start(t, Options{})
	repo, base, head := newRepo(t, srv, "tools", RepositoryOptions{})
	commitTo(t, repo, "release/1.0", "main", map[string][]byte{"dir/deep/b.txt": []byte("b\n")})
	repo.Protect("main")
	client := repoClient(t, srv, repo, nil)

	got := must[*github.Repository](t)(client.Repositories.Get(ctx, "acme", "tools"))
	if got.GetID() != repo.ID || !got.GetPrivate() || got.GetDefaultBranch() != "main" || got.GetCloneURL() != repo.CloneURL() {
		t.Errorf("repository: %v", got)
	}
	for name, protected := range map[string]bool{"main": true, "release/1.0": false} {
		branch := must[*github.Branch](t)(client.Repositories.GetBranch(ctx, "acme", "tools", name, 0))
		if branch.GetName() != name || branch.GetProtected() != protected {
			t.Errorf("branch %s: %v", name, branch)
		}
	}
	if _, answer, _ := client.Repositories.GetBranch(ctx, "acme", "tools", "gone", 0); answer.StatusCode != 404 {
		t.Errorf("missing branch: %d", answer.StatusCode)
	}
	ref := must[*github.Reference](t)(client.Git.GetRef(ctx, "acme", "tools", "heads/main"))
	if ref.GetObject().GetSHA() != base || ref.GetRef() != "refs/heads/main" {
		t.Errorf("ref: %v", ref)
	}
	_, _, err := client.Git.GetRef(ctx, "acme", "tools", "heads/gone")
	wantStatus(t, err, 404, "Not Found")

	file, _, _, err := client.Repositories.GetContents(ctx, "acme", "tools", "dir/deep/b.txt", &github.RepositoryContentGetOptions{Ref: "release/1.0"})
	if err != nil {
		t.Fatal(err)
	}
	if text, err := file.GetContent(); err != nil || text != "b\n" {
		t.Errorf("content %q, %v", text, err)
	}
	_, entries, _, err := client.Repositories.GetContents(ctx, "acme", "tools", "", &github.RepositoryContentGetOptions{Ref: head})
	if err != nil || len(entries) != 2 || entries[1].GetName() != `new "file"` {
		t.Errorf("root: %v, %v", entries, err)
	}
	_, entries, _, err = client.Repositories.GetContents(ctx, "acme", "tools", "dir", nil)
	if err != nil || len(entries) != 1 || entries[0].GetPath() != "dir/a.txt" || entries[0].GetType() != "file" {
		t.Errorf("directory: %v, %v", entries, err)
	}
	for _, path := range []string{"gone", "dir/gone"} {
		_, _, _, err = client.Repositories.GetContents(ctx, "acme", "tools", path, nil)
		wantStatus(t, err, 404, "")
	}
	_, _, _, err = client.Repositories.GetContents(ctx, "acme", "tools", "README.md", &github.RepositoryContentGetOptions{Ref: "--output=x"})
	wantStatus(t, err, 404, "No commit found")
}

func TestPermissionOfCollaborators(t *testing.T) {
	t.Parallel()
	srv := start(t, Options{})
	repo, _, _ := newRepo(t, srv, "tools", RepositoryOptions{})
	open, _, _ := newRepo(t, srv, "open", RepositoryOptions{Public: true})
	repo.AddCollaborator("writer", "write")
	client := repoClient(t, srv, repo, nil)
	for _, test := range []struct{ repo, login, want string }{
		{"tools", "acme", "admin"}, {"tools", "writer", "write"}, {"open", "writer", "read"},
	} {
		if got := must[*github.RepositoryPermissionLevel](t)(client.Repositories.GetPermissionLevel(ctx, "acme", test.repo, test.login)); got.GetPermission() != test.want {
			t.Errorf("%s on %s: %s, want %s", test.login, test.repo, got.GetPermission(), test.want)
		}
	}
	open.AddCollaborator("outsider", "read")
	if got := must[*github.RepositoryPermissionLevel](t)(client.Repositories.GetPermissionLevel(ctx, "acme", "tools", "outsider")); got.GetPermission() != "none" {
		t.Errorf("outsider: %s", got.GetPermission())
	}
	_, _, err := client.Repositories.GetPermissionLevel(ctx, "acme", "tools", "nobody")
	wantStatus(t, err, 404, "not a user")
}

func TestPullRequestEndpoints(t *testing.T) {
	t.Parallel()
	srv := start(t, Options{})
	repo, base, head := newRepo(t, srv, "tools", RepositoryOptions{})
	moved := commitTo(t, repo, "moved", "main", map[string][]byte{"dir/a.txt": nil, "dir/b.txt": []byte("a\nb\n")})
	one := openPull(t, repo, "One", "feature", PullOptions{Body: "why", Draft: true})
	openPull(t, repo, "Two", "moved", PullOptions{Author: "someone"})
	openPull(t, repo, "Three", "feature", PullOptions{}).Close()
	pulls := repoClient(t, srv, repo, nil).PullRequests

	got := must[*github.PullRequest](t)(pulls.Get(ctx, "acme", "tools", 1))
	if got.GetHead().GetSHA() != head || got.GetBase().GetSHA() != base || !got.GetDraft() || got.GetBody() != "why" ||
		got.GetCommits() != 1 || got.GetChangedFiles() != 3 || got.GetAdditions() != 1 || got.GetDeletions() != 2 || got.GetHTMLURL() != one.URL() {
		t.Errorf("pull request: %v", got)
	}
	files := must[[]*github.CommitFile](t)(pulls.ListFiles(ctx, "acme", "tools", 1, nil))
	var names []string
	for _, f := range files {
		names = append(names, f.GetStatus()+" "+f.GetFilename())
	}
	if want := []string{"modified README.md", "removed dir/a.txt", `added new "file"`}; !slices.Equal(names, want) {
		t.Errorf("files %q, want %q", names, want)
	}
	renamed := must[[]*github.CommitFile](t)(pulls.ListFiles(ctx, "acme", "tools", 2, nil))
	if len(renamed) != 1 || renamed[0].GetStatus() != "renamed" || renamed[0].GetPreviousFilename() != "dir/a.txt" || renamed[0].GetFilename() != "dir/b.txt" {
		t.Errorf("renamed: %v", renamed)
	}
	for state, want := range map[string]int{"": 2, "open": 2, "closed": 1, "all": 3} {
		if got := must[[]*github.PullRequest](t)(pulls.List(ctx, "acme", "tools", &github.PullRequestListOptions{State: state})); len(got) != want {
			t.Errorf("state %q: %d pull requests, want %d", state, len(got), want)
		}
	}
	if got := must[[]*github.PullRequest](t)(pulls.List(ctx, "acme", "tools", &github.PullRequestListOptions{Head: "acme:moved", Base: "main"})); len(got) != 1 || got[0].GetNumber() != 2 {
		t.Errorf("by head: %v", got)
	}
	if got := must[[]*github.PullRequest](t)(pulls.ListPullRequestsWithCommit(ctx, "acme", "tools", moved, nil)); len(got) != 1 || got[0].GetNumber() != 2 {
		t.Errorf("by commit: %v", got)
	}
	first, answer, err := pulls.List(ctx, "acme", "tools", &github.PullRequestListOptions{State: "all", ListOptions: github.ListOptions{PerPage: 2}})
	if err != nil || len(first) != 2 || answer.NextPage != 2 || answer.LastPage != 2 {
		t.Errorf("first page: %d, next %d, last %d, %v", len(first), answer.NextPage, answer.LastPage, err)
	}
	_, _, err = pulls.Get(ctx, "acme", "tools", 9)
	wantStatus(t, err, 404, "Not Found")
}
