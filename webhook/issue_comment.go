package webhook

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/go-github/v66/github"

	"github.com/mcp-lint/mcp-lint/internal/queue"
	"github.com/mcp-lint/mcp-lint/internal/store"
)

// issueComment takes the commands of new comments on pull requests. Edited
// comments count for nothing: somebody else may have edited them. What a bot
// writes is never a command, above all not what we write ourselves.
func issueComment(d delivery) (effect, error) {
	if d.action != "created" {
		return nil, nil
	}
	var e github.IssueCommentEvent
	if err := json.Unmarshal(d.payload, &e); err != nil {
		return nil, fmt.Errorf("%w: %w", errPayload, err)
	}
	author := e.GetComment().GetUser()
	if !e.GetIssue().IsPullRequest() || e.GetIssue().GetState() == "closed" || bot(author) || bot(e.GetSender()) {
		return nil, nil
	}
	c := commandIn(e.GetComment().GetBody())
	if c.what == "" {
		return nil, nil
	}
	r := requestOf(d, e.GetRepo(), e.GetInstallation(), author)
	r.What, r.PR, r.CommentID, r.Commit = c.what, e.GetIssue().GetNumber(), e.GetComment().GetID(), c.commit
	if !complete(r) || r.PR == 0 || r.CommentID == 0 || author.GetID() != e.GetSender().GetID() {
		return nil, fmt.Errorf("%w: no repository, pull request, comment or author", errPayload)
	}
	if r.Installation == 0 {
		return nil, nil
	}
	written := e.GetComment().GetCreatedAt().Time
	return func(ctx context.Context, h *Handler, tx *store.Tx) (Outcome, error) {
		pull, err := tx.Pull(ctx, r.RepositoryID, r.PR)
		if err != nil {
			return "", err
		}
		// Whoever wrote the comment can have seen only what was there before.
		if pull != nil && pull.UpdatedAt.Before(written) {
			r.Seen = pull.HeadSHA
		}
		return h.ask(ctx, tx, r)
	}, nil
}

// ask stores the job of a request.
func (h *Handler) ask(ctx context.Context, tx *store.Tx, r queue.Request) (Outcome, error) {
	_, _, err := h.o.Queue.AddRequest(ctx, tx.SQL(), r)
	return Accepted, err
}

// asking stores the job of a request that needs nothing of what is stored. That
// of a webhook which is no App's is nobody's to serve.
func asking(r queue.Request) effect {
	if r.Installation == 0 {
		return nil
	}
	return func(ctx context.Context, h *Handler, tx *store.Tx) (Outcome, error) {
		return h.ask(ctx, tx, r)
	}
}

// requestOf is the part that all requests have.
func requestOf(d delivery, repo *github.Repository, installation *github.Installation, sender *github.User) queue.Request {
	return queue.Request{
		Delivery: d.id, RepositoryID: repo.GetID(), Installation: installation.GetID(),
		Owner: repo.GetOwner().GetLogin(), Repo: repo.GetName(), Sender: sender.GetLogin(), SenderID: sender.GetID(),
	}
}

func complete(r queue.Request) bool {
	return r.RepositoryID != 0 && r.Owner != "" && r.Repo != "" && r.Sender != "" && r.SenderID != 0
}

// bot tells whether an account is an App's.
func bot(u *github.User) bool {
	return u.GetType() == "Bot" || strings.HasSuffix(u.GetLogin(), "[bot]")
}
