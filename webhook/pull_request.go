package webhook

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/go-github/v66/github"

	"github.com/mcp-lint/mcp-lint/internal/store"
	"github.com/mcp-lint/mcp-lint/internal/trigger"
)

// pullRequest keeps the newest state of the pull request, and starts, replaces
// or ends work when that state changed in a way that matters. What is newest is
// decided by GitHub's order, not by the order of arrival.
func pullRequest(d delivery) (effect, error) {
	switch d.action {
	case "opened", "synchronize", "reopened", "ready_for_review", "edited", "closed", "converted_to_draft":
	default:
		return nil, nil
	}
	var e github.PullRequestEvent
	if err := json.Unmarshal(d.payload, &e); err != nil {
		return nil, fmt.Errorf("%w: %w", errPayload, err)
	}
	baseChanged := e.GetChanges().GetBase() != nil
	if d.action == "edited" && !baseChanged {
		return nil, nil
	}
	now := pullOf(&e)
	if now.RepositoryID == 0 || now.Number == 0 || now.HeadSHA == "" || now.Owner == "" || now.Repo == "" {
		return nil, fmt.Errorf("%w: no repository, number or head", errPayload)
	}
	if now.Installation == 0 {
		d.log.Warn("delivery of a webhook that is not an App's: no installation")
		return nil, nil
	}
	return func(ctx context.Context, h *Handler, tx *store.Tx) (Outcome, error) {
		return h.pullChanged(ctx, tx, d, now, baseChanged)
	}, nil
}

// pullChanged takes over the pull request's new state.
func (h *Handler) pullChanged(ctx context.Context, tx *store.Tx, d delivery, now *store.Pull, baseChanged bool) (Outcome, error) {
	before, err := tx.Pull(ctx, now.RepositoryID, now.Number)
	if err != nil {
		return "", err
	}
	if before == nil {
		before = &store.Pull{}
	}
	if older(now, before) {
		return Stale, nil
	}
	now.Generation = before.Generation
	if now.HeadSHA == before.HeadSHA {
		now.BeforeSHA = before.BeforeSHA
	}
	switch {
	case !now.Open:
		return h.closed(ctx, tx, d, now)
	case d.action == "converted_to_draft":
		return Noted, tx.SavePull(ctx, now)
	case now.HeadSHA == before.HeadSHA && now.BaseRef == before.BaseRef && before.Open && now.Draft == before.Draft && !baseChanged:
		// A second event about a state that is known, say opened and
		// synchronize for one push.
		return Noted, tx.SavePull(ctx, now)
	}
	// Unless it only left the draft state, a verdict that the pull request has
	// on the commit is not to be trusted: the base is another, or the commit is
	// back.
	return Accepted, trigger.Review(ctx, h.o.Queue, tx, now, trigger.Why{Delivery: d.id, Afresh: d.action != "ready_for_review"})
}

// pullOf is the state of the pull request that the event tells.
func pullOf(e *github.PullRequestEvent) *store.Pull {
	pr := e.GetPullRequest()
	return &store.Pull{
		RepositoryID: e.GetRepo().GetID(),
		Number:       e.GetNumber(),
		Installation: e.GetInstallation().GetID(),
		Owner:        e.GetRepo().GetOwner().GetLogin(),
		Repo:         e.GetRepo().GetName(),
		HeadSHA:      pr.GetHead().GetSHA(),
		BeforeSHA:    e.GetBefore(),
		BaseRef:      pr.GetBase().GetRef(),
		// The head repository is null once a fork was deleted.
		Fork:      pr.GetHead().GetRepo().GetID() != e.GetRepo().GetID(),
		Draft:     pr.GetDraft(),
		Open:      pr.GetState() != "closed",
		UpdatedAt: pr.GetUpdatedAt().Time,
	}
}

// older tells whether the event is older than what is known. GitHub's times
// have a resolution of a second; within one, the head before a push tells the
// order of pushes, and otherwise the order of arrival has to do.
func older(now, known *store.Pull) bool {
	switch {
	case now.UpdatedAt.Before(known.UpdatedAt):
		return true
	case now.UpdatedAt.After(known.UpdatedAt):
		return false
	}
	return now.HeadSHA != known.HeadSHA && now.HeadSHA == known.BeforeSHA && now.BeforeSHA != known.HeadSHA
}

// closed ends what is under way, with a job that closes what GitHub shows of it.
func (h *Handler) closed(ctx context.Context, tx *store.Tx, d delivery, p *store.Pull) (Outcome, error) {
	if _, err := trigger.Replace(ctx, h.o.Queue, tx, p, ""); err != nil {
		return "", err
	}
	if err := tx.ForgetLocks(ctx, p.RepositoryID, p.Number, 0); err != nil {
		return "", err
	}
	left, err := tx.Leftovers(ctx, p.RepositoryID, p.Number)
	if err != nil {
		return "", err
	}
	if len(left) == 0 {
		return Noted, tx.SavePull(ctx, p)
	}
	p.Generation++
	if err := tx.SavePull(ctx, p); err != nil {
		return "", err
	}
	_, err = trigger.Add(ctx, h.o.Queue, tx, p, d.id)
	return Accepted, err
}
