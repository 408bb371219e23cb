package githubtest

import (
	"strings"
	"testing"

	"github.com/google/go-github/v66/github"
)

func TestComments(t *testing.T) {
	t.Parallel()
	srv := start(t, Options{})
	repo, _, _ := newRepo(t, srv, "tools", RepositoryOptions{})
	pr := openPull(t, repo, "Change", "feature", PullOptions{})
	planted := pr.Comment("mallory", "<!-- mcp-lint -->")
	issues := repoClient(t, srv, repo, nil).Issues

	own := must[*github.IssueComment](t)(issues.CreateComment(ctx, "acme", "tools", 1, &github.IssueComment{Body: ptr("first <b>")}))
	if own.GetUser().GetLogin() != srv.BotLogin() || own.GetUser().GetType() != "Bot" {
		t.Errorf("comment by %v", own.GetUser())
	}
	must[*github.IssueComment](t)(issues.EditComment(ctx, "acme", "tools", own.GetID(), &github.IssueComment{Body: ptr("second")}))
	if got := must[*github.IssueComment](t)(issues.GetComment(ctx, "acme", "tools", own.GetID())); got.GetBody() != "second" {
		t.Errorf("comment is %q", got.GetBody())
	}
	list := must[[]*github.IssueComment](t)(issues.ListComments(ctx, "acme", "tools", 1, nil))
	if len(list) != 2 || list[0].GetID() != planted || list[0].GetUser().GetLogin() != "mallory" || list[1].GetID() != own.GetID() {
		t.Errorf("list: %v", list)
	}
	if got := srv.Comments(repo, 1); len(got) != 2 || got[1].Body != "second" || got[1].Author != "mcp-lint[bot]" {
		t.Errorf("comments: %+v", got)
	}
	if _, err := issues.DeleteComment(ctx, "acme", "tools", own.GetID()); err != nil {
		t.Error(err)
	}
	_, _, err := issues.GetComment(ctx, "acme", "tools", own.GetID())
	wantStatus(t, err, 404, "Not Found")
	_, _, err = issues.EditComment(ctx, "acme", "tools", own.GetID(), &github.IssueComment{Body: ptr("x")})
	wantStatus(t, err, 404, "Not Found")
	_, _, err = issues.CreateComment(ctx, "acme", "tools", 9, &github.IssueComment{Body: ptr("x")})
	wantStatus(t, err, 404, "Not Found")
}

func TestCommentSize(t *testing.T) {
	t.Parallel()
	srv := start(t, Options{})
	repo, _, _ := newRepo(t, srv, "tools", RepositoryOptions{})
	openPull(t, repo, "Change", "feature", PullOptions{})
	issues := repoClient(t, srv, repo, nil).Issues
	body := strings.Repeat("é", MaxCommentCharacters)
	own := must[*github.IssueComment](t)(issues.CreateComment(ctx, "acme", "tools", 1, &github.IssueComment{Body: &body}))
	over := body + "x"
	_, _, err := issues.CreateComment(ctx, "acme", "tools", 1, &github.IssueComment{Body: &over})
	wantStatus(t, err, 422, "too long")
	_, _, err = issues.EditComment(ctx, "acme", "tools", own.GetID(), &github.IssueComment{Body: &over})
	wantStatus(t, err, 422, "too long")
	_, _, err = issues.CreateComment(ctx, "acme", "tools", 1, &github.IssueComment{Body: ptr("")})
	wantStatus(t, err, 422, "blank")
}
