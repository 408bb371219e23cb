package worker

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/google/go-github/v66/github"

	"github.com/mcp-lint/mcp-lint/internal/githubapp"
	"github.com/mcp-lint/mcp-lint/internal/store"
)

// What a person who pressed the button is told, at the top of the check run. The
// texts hold nothing of others.
const (
	noteOutdated = "**Outdated**: nothing was committed. The pull request is not what it was when this was checked; its newest commit has a check run of its own."
	noteFailed   = "**Not accepted**: GitHub or mcp-lint itself failed, and nothing was committed. Press the button again, or run `mcp-lint lock --all --accept` on the branch and commit the lock."
	noteRefused  = "**Not accepted**: %s. Nothing was committed. Run `mcp-lint lock --all --accept` on the branch and commit the lock."
	noteAccepted = "**Accepted**: commit %s holds the lock that was computed here."
)

// accept commits the lock that a check run offers, for a sender who may write
// now, and says on the check run what became of it.
func (q *request) accept(ctx context.Context) error {
	offer, err := q.w.o.Store.Offer(ctx, q.RepositoryID, q.CheckRunID)
	if err != nil {
		return err
	}
	if offer == nil {
		q.log.Warn("button of a check run that offers nothing", "check_run", q.CheckRunID)
		return nil
	}
	q.log = q.log.With("pr", offer.PR, "sha", offer.SHA)
	if may, err := q.mayWrite(ctx); err != nil || !may {
		if err == nil {
			q.log.Warn("refused: the sender has no write access")
		}
		return err
	}
	// Two clicks, or a click and a verdict, write one after the other.
	unlock, err := q.w.lockCommit(ctx, offer.RepositoryID, offer.SHA)
	if err != nil {
		return err
	}
	defer unlock()
	if offer, err = q.w.o.Store.Offer(ctx, q.RepositoryID, q.CheckRunID); err != nil || offer == nil {
		return err
	}
	note, err := q.commitOffer(ctx, offer)
	if err != nil {
		return fmt.Errorf("commit the lock: %w", err)
	}
	q.log.Info("button answered", "commit", offer.Commit, "note", note)
	return q.Note(ctx, q.CheckRunID, note)
}

// commitOffer brings the offered lock to the branch, unless that has moved or
// something stands against it, and returns what to say. Each step is found done
// by whoever comes after a crash.
func (q *request) commitOffer(ctx context.Context, o *store.Offer) (note string, err error) {
	branch, note, err := q.branch(ctx, o)
	if err != nil || note != "" {
		return note, err
	}
	gh, token := q.w.o.App.Installation(q.Installation, githubapp.ContentsScope(q.RepositoryID))
	if err := token.Check(ctx); err != nil {
		if missing := (*githubapp.PermissionMissing)(nil); errors.As(err, &missing) {
			return fmt.Sprintf(noteRefused, "mcp-lint has not been granted `contents: write` here"), nil
		}
		return "", err
	}
	tip, err := q.tip(ctx, gh, branch)
	if err != nil {
		return "", err
	}
	pull, err := q.w.o.Store.Pull(ctx, o.RepositoryID, o.PR)
	if err != nil {
		return "", err
	}
	newest := pull != nil && pull.Generation == o.Generation
	switch {
	case o.Commit != "" && tip == o.Commit:
		return fmt.Sprintf(noteAccepted, o.Commit), nil
	case tip != o.SHA || o.Lock == "" && o.Commit == "" || !newest:
		return noteOutdated, nil
	}
	if o.Commit == "" {
		made, against, err := q.makeCommit(ctx, gh, o)
		if err != nil {
			return "", err
		}
		if against != "" {
			return fmt.Sprintf(noteRefused, against), nil
		}
		// Before the branch moves: whoever takes over must know our commit.
		if err := q.w.o.Store.SetOfferCommit(ctx, o, made); err != nil {
			return "", err
		}
	}
	return q.move(ctx, gh, o, branch)
}

// branch returns the branch of the pull request, or what to say when the lock
// cannot go there any more.
func (q *request) branch(ctx context.Context, o *store.Offer) (branch, note string, err error) {
	others, err := q.w.sharing(ctx, o.RepositoryID, o.SHA, o.PR)
	if err != nil {
		return "", "", err
	}
	if len(others) > 0 {
		return "", fmt.Sprintf(noteRefused, "another open pull request has the same commit"), nil
	}
	pr, _, err := q.write.PullRequests.Get(ctx, q.Owner, q.Repo, o.PR)
	switch {
	case err != nil:
		return "", "", fmt.Errorf("pull request: %w", err)
	case pr.GetState() == "closed":
		return "", noteOutdated, nil
	case pr.GetHead().GetRepo().GetID() != q.RepositoryID:
		return "", fmt.Sprintf(noteRefused, "the branch is in another repository"), nil
	}
	return pr.GetHead().GetRef(), "", nil
}

// tip is the commit at the tip of a branch, "" when there is no such branch.
func (q *request) tip(ctx context.Context, gh *github.Client, branch string) (string, error) {
	ref, _, err := gh.Git.GetRef(ctx, q.Owner, q.Repo, "heads/"+branch)
	if refusedWith(err, http.StatusNotFound) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("branch: %w", err)
	}
	return ref.GetObject().GetSHA(), nil
}

// move makes the commit the tip of the branch: never by force, so a branch that
// moved meanwhile stays where it is.
func (q *request) move(ctx context.Context, gh *github.Client, o *store.Offer, branch string) (note string, err error) {
	_, _, err = gh.Git.UpdateRef(githubapp.Idempotent(ctx), q.Owner, q.Repo, &github.Reference{
		Ref: github.String("refs/heads/" + branch), Object: &github.GitObject{SHA: &o.Commit},
	}, false)
	if err == nil {
		return fmt.Sprintf(noteAccepted, o.Commit), nil
	}
	if !refused(err) {
		return "", fmt.Errorf("move the branch: %w", err)
	}
	q.log.Info("branch not moved", "error", err)
	tip, tipErr := q.tip(ctx, gh, branch)
	switch {
	case tipErr != nil:
		return "", tipErr
	case tip == o.Commit:
		return fmt.Sprintf(noteAccepted, o.Commit), nil
	case tip != o.SHA:
		return noteOutdated, nil
	}
	return fmt.Sprintf(noteRefused, "GitHub does not let mcp-lint write to this branch; it may be protected"), nil
}

// refused tells whether GitHub has said no for good.
func refused(err error) bool {
	return refusedWith(err, http.StatusForbidden) || refusedWith(err, http.StatusNotFound) ||
		refusedWith(err, http.StatusConflict) || refusedWith(err, http.StatusUnprocessableEntity)
}
