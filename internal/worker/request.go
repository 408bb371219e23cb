package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"

	"github.com/google/go-github/v66/github"

	"github.com/mcp-lint/mcp-lint/checks"
	"github.com/mcp-lint/mcp-lint/internal/githubapp"
	"github.com/mcp-lint/mcp-lint/internal/queue"
)

// request is one attempt at something that a person asked for.
type request struct {
	queue.Request
	w     *Worker
	write *github.Client // checks and pull requests
	*checks.Publisher
	log *slog.Logger
}

// Serve does a request; it is what queue.Options.Serve wants. Whoever may not
// ask for it gets no answer: strangers must not be able to make us write.
func (w *Worker) Serve(ctx context.Context, r queue.Request, a queue.Attempt) error {
	log := w.o.Log.With("delivery", r.Delivery, "installation", r.Installation,
		"repo", r.Owner+"/"+r.Repo, "request", r.What, "sender", r.Sender)
	if !w.allowed(r.Owner) {
		log.Info("no action: the owner is not allowed", "owner", r.Owner)
		return nil
	}
	q := &request{Request: r, w: w, log: log}
	q.write, _ = w.o.App.Installation(r.Installation, githubapp.WriteScope(r.RepositoryID))
	var err error
	q.Publisher, err = checks.New(checks.Options{
		Client: q.write, AppID: w.o.Self.ID, BotLogin: w.o.Self.BotLogin(), Owner: r.Owner, Repo: r.Repo, Now: w.o.Now, Log: log,
	})
	if err != nil {
		return err
	}
	switch r.What {
	case queue.Recheck, queue.Run:
		err = q.review(ctx)
	case queue.Accept:
		err = q.accept(ctx)
	case queue.Rerun:
		err = q.rerun(ctx)
	default:
		log.Error("request of an unknown kind dropped")
	}
	if err == nil {
		return nil
	}
	if later := retryLater(err); later != nil {
		return later
	}
	if ctx.Err() == nil && (gone(err) || a.Last()) {
		log.Error("request not served", "attempt", a.Number, "error", err)
		return q.failed(ctx)
	}
	return err
}

// failed tells the person who pressed a button that nothing came of it. It is
// told once; that it could not be told is logged, and no reason to try for ever.
func (q *request) failed(ctx context.Context) error {
	if q.What != queue.Accept {
		return nil
	}
	if err := q.Note(ctx, q.CheckRunID, noteFailed); err != nil {
		q.log.Error("failure not told", "error", err)
	}
	return nil
}

// loginCharacters are those of GitHub's logins; managed users have an underscore.
const loginCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

// mayWrite asks GitHub whether the sender may write to the repository now. What
// a delivery says of somebody's role was true when it was sent, at best.
func (q *request) mayWrite(ctx context.Context) (bool, error) {
	if strings.Trim(q.Sender, loginCharacters) != "" {
		return false, nil // go-github puts the login into an address as it is
	}
	gh, _ := q.w.o.App.Installation(q.Installation, githubapp.MetadataScope(q.RepositoryID))
	level, _, err := gh.Repositories.GetPermissionLevel(ctx, q.Owner, q.Repo, q.Sender)
	if refusedWith(err, http.StatusNotFound) {
		return false, nil // GitHub knows no such account any more
	}
	if err != nil {
		return false, fmt.Errorf("permission of the sender: %w", err)
	}
	// A login may have gone to somebody else meanwhile; an id does not. The roles
	// triage and maintain come as read and write.
	same := level.GetUser().GetID() == q.SenderID
	return same && (level.GetPermission() == "write" || level.GetPermission() == "admin"), nil
}

// refusedWith tells whether GitHub answered with that status.
func refusedWith(err error, status int) bool {
	var answer *github.ErrorResponse
	return errors.As(err, &answer) && answer.Response != nil && answer.Response.StatusCode == status
}
