package checks

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/google/go-github/v66/github"

	"github.com/mcp-lint/mcp-lint/internal/githubapp"
)

// commentMarker is the first line of our comment. Anybody can write it, so a
// comment is ours only if our bot is its author as well.
const commentMarker = "<!-- mcp-lint:comment -->"

const resolvedText = "Resolved: nothing is left to review in the tools of this pull request's MCP servers.\n"

// Comment keeps the one sticky comment of a pull request: created when wanted,
// updated in place, and, when it exists but is not wanted any more, updated to
// body (or, when body is empty, to a plain "resolved"). The comments are listed
// only when the stored id is unknown or gone.
func (p *Publisher) Comment(ctx context.Context, pr int, body string, wanted bool) error {
	if err := p.comment(ctx, pr, body, wanted); err != nil {
		return fmt.Errorf("comment on #%d: %w", pr, err)
	}
	return nil
}

func (p *Publisher) comment(ctx context.Context, pr int, body string, wanted bool) error {
	st := p.state.Comment
	if !wanted && st.ID != 0 && st.Resolved {
		return nil
	}
	if !wanted && strings.TrimSpace(body) == "" {
		body = resolvedText
	}
	text := commentMarker + "\n" + cut(body, MaxCommentBytes, "_The rest did not fit here; it is in the check run._")
	for try := 1; ; try++ {
		err := p.writeComment(ctx, pr, text, wanted)
		if err == nil || try == lostTries || !lost(ctx, err) {
			return err
		}
		if err := p.o.Sleep(ctx, lostPause); err != nil {
			return err
		}
	}
}

func (p *Publisher) writeComment(ctx context.Context, pr int, text string, wanted bool) error {
	comment := &github.IssueComment{Body: &text}
	if id := p.state.Comment.ID; id != 0 {
		err := p.editComment(ctx, id, comment, wanted)
		if status(err) != http.StatusNotFound {
			return err
		}
		// Somebody deleted it: look again.
	}
	old, err := p.findComment(ctx, pr)
	switch {
	case err != nil:
		return err
	case old != nil && old.GetBody() == text:
		return p.setComment(CommentState{ID: old.GetID(), Resolved: !wanted})
	case old != nil:
		return p.editComment(ctx, old.GetID(), comment, wanted)
	case !wanted:
		return p.setComment(CommentState{})
	}
	created, _, err := p.o.Client.Issues.CreateComment(ctx, p.o.Owner, p.o.Repo, pr, comment)
	if err != nil {
		return err
	}
	p.o.Log.Info("comment created", "comment", created.GetID())
	return p.setComment(CommentState{ID: created.GetID()})
}

func (p *Publisher) editComment(ctx context.Context, id int64, c *github.IssueComment, wanted bool) error {
	_, _, err := p.o.Client.Issues.EditComment(githubapp.Idempotent(ctx), p.o.Owner, p.o.Repo, id, c)
	if err != nil {
		return err
	}
	p.o.Log.Info("comment updated", "comment", id, "wanted", wanted)
	return p.setComment(CommentState{ID: id, Resolved: !wanted})
}

// findComment returns the oldest comment that is ours, or nil.
func (p *Publisher) findComment(ctx context.Context, pr int) (*github.IssueComment, error) {
	opts := &github.IssueListCommentsOptions{ListOptions: github.ListOptions{PerPage: perPage}}
	for {
		list, resp, err := p.o.Client.Issues.ListComments(ctx, p.o.Owner, p.o.Repo, pr, opts)
		if err != nil {
			return nil, fmt.Errorf("list comments: %w", err)
		}
		for _, c := range list {
			if c.GetUser().GetLogin() == p.o.BotLogin && strings.HasPrefix(c.GetBody(), commentMarker) {
				return c, nil
			}
		}
		if resp.NextPage == 0 {
			return nil, nil
		}
		opts.Page = resp.NextPage
	}
}
