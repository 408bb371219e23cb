package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/go-github/v66/github"

	"github.com/mcp-lint/mcp-lint/checks"
	"github.com/mcp-lint/mcp-lint/internal/queue"
	"github.com/mcp-lint/mcp-lint/internal/store"
	"github.com/mcp-lint/mcp-lint/internal/trigger"
)

// errMoved says that the pull request's head is no longer what the sender meant.
var errMoved = errors.New("the head is another")

// errJoined says that a run is under way which answers the sender.
var errJoined = errors.New("a run is under way")

// joinFor is how long a run that is under way answers whoever asks for another
// one. Asking costs nothing, and must not buy work without end: "Re-run all" and
// "Re-run" together, or a hundred comments, are one run. A run that is older may
// hang, and is replaced.
const joinFor = time.Minute

// review starts a new run of a pull request, on its head as GitHub has it now: a
// check is asked for most of all when an event was lost.
func (q *request) review(ctx context.Context) error {
	started, err := q.w.o.Store.AskedBy(ctx, q.Delivery)
	if err != nil {
		return err
	}
	if started { // by an attempt that died before it could say so
		return q.react(ctx, checks.Seen)
	}
	pr, _, err := q.write.PullRequests.Get(ctx, q.Owner, q.Repo, q.PR)
	if err != nil {
		return fmt.Errorf("pull request: %w", err)
	}
	if may, err := q.mayReview(ctx, pr); err != nil || !may {
		return err
	}
	now := q.pullOf(pr)
	if !now.Open {
		return nil
	}
	// There is nothing to approve where servers are started anyway.
	approve := q.What == queue.Run && now.Fork && q.w.o.Forks == ForksStatic
	err = q.w.o.Store.InTx(ctx, func(tx *store.Tx) error {
		before, err := tx.Pull(ctx, now.RepositoryID, now.Number)
		if err != nil {
			return err
		}
		now := newest(now, before)
		if approve && !q.meant(now.HeadSHA) {
			return errMoved
		}
		if !approve {
			if joins, err := q.joins(ctx, tx, now); err != nil || joins {
				return cmp.Or(err, errJoined)
			}
		}
		return trigger.Review(ctx, q.w.o.Queue, tx, now, trigger.Why{
			Delivery: q.Delivery, AskedBy: q.Delivery, Afresh: true, Approved: approve,
		})
	})
	if errors.Is(err, errJoined) {
		// No reaction: what nobody's comment started needs no write.
		q.log.Info("the run that is under way answers this", "pr", q.PR)
		return nil
	}
	if errors.Is(err, errMoved) {
		q.log.Info("servers not started: the head is not the one that the sender saw", "pr", q.PR)
		return q.react(ctx, checks.Confused)
	}
	if err != nil {
		return err
	}
	q.log.Info("review asked for", "pr", q.PR)
	return q.react(ctx, checks.Seen)
}

// joins tells whether a young run of the same head is under way that has not told
// its verdict: one that has still uploads its findings, and answers nobody.
func (q *request) joins(ctx context.Context, tx *store.Tx, p *store.Pull) (bool, error) {
	open, err := tx.OpenRuns(ctx, p.RepositoryID, p.Number)
	if err != nil {
		return false, err
	}
	young := func(r store.Run) bool {
		return r.HeadSHA == p.HeadSHA && r.Generation == p.Generation && q.w.o.Now().Sub(r.CreatedAt) < joinFor
	}
	at := slices.IndexFunc(open, young)
	if at < 0 || open[at].Afresh { // whose check runs are not begun
		return at >= 0, nil
	}
	published, err := tx.Published(ctx, &open[at])
	if err != nil {
		return false, err
	}
	state, err := decode(published)
	unfinished := len(state.Runs) == 0
	for _, r := range state.Runs {
		unfinished = unfinished || !r.Completed
	}
	return unfinished, err
}

// mayReview tells whether the sender may have the pull request checked once
// more. Its author may, who could as well push; the servers of a fork are
// started for somebody with write access only.
func (q *request) mayReview(ctx context.Context, pr *github.PullRequest) (bool, error) {
	if q.What == queue.Recheck && pr.GetUser().GetID() == q.SenderID {
		return true, nil
	}
	may, err := q.mayWrite(ctx)
	if err == nil && !may {
		q.log.Warn("refused: the sender has no write access", "pr", q.PR)
	}
	return may, err
}

// meant tells whether the sender can have meant this head. Without a commit in
// the command it is the one that was there when the comment was written: a push
// between reading and asking must not be let through.
func (q *request) meant(head string) bool {
	if q.Commit != "" {
		return strings.HasPrefix(head, q.Commit)
	}
	return head == q.Seen
}

// react answers the comment. A reaction is a courtesy: that GitHub takes none, of
// a deleted comment say, fails nothing.
func (q *request) react(ctx context.Context, reaction string) error {
	err := q.React(ctx, q.CommentID, reaction)
	if err != nil && retryLater(err) == nil && ctx.Err() == nil {
		q.log.Warn("comment not answered", "error", err)
		return nil
	}
	return err
}

// pullOf is the state of the pull request as GitHub answered it.
func (q *request) pullOf(pr *github.PullRequest) *store.Pull {
	return &store.Pull{
		RepositoryID: q.RepositoryID,
		Number:       q.PR,
		Installation: q.Installation,
		Owner:        q.Owner,
		Repo:         q.Repo,
		HeadSHA:      pr.GetHead().GetSHA(),
		BaseRef:      pr.GetBase().GetRef(),
		Fork:         pr.GetHead().GetRepo().GetID() != q.RepositoryID,
		Draft:        pr.GetDraft(),
		Open:         pr.GetState() != "closed",
		UpdatedAt:    pr.GetUpdatedAt().Time,
	}
}

// newest is what is known of a pull request when GitHub's answer joins what
// events have told: an answer can be older than an event that came meanwhile.
func newest(answer, told *store.Pull) *store.Pull {
	switch {
	case told == nil:
		return answer
	case answer.UpdatedAt.Before(told.UpdatedAt):
		return told
	}
	joined := *answer
	joined.Generation = told.Generation
	joined.BeforeSHA = told.BeforeSHA
	if answer.HeadSHA != told.HeadSHA {
		joined.BeforeSHA = told.HeadSHA
	}
	return &joined
}
