package worker

import (
	"cmp"
	"context"

	"github.com/mcp-lint/mcp-lint/checks"
	"github.com/mcp-lint/mcp-lint/internal/audit"
	"github.com/mcp-lint/mcp-lint/internal/queue"
	"github.com/mcp-lint/mcp-lint/internal/store"
	"github.com/mcp-lint/mcp-lint/linter/report"
)

// acceptLabel is on the button of the check run about the lock.
const acceptLabel = "Accept changes"

// distrust takes the computed lock away when it is not for the path that the
// trusted configuration says. The audit reads hostile files, so the path is not
// taken from its answer.
func distrust(r *report.Review, policy string) {
	c, err := audit.ReadConfig(policy)
	if err != nil || c.Lock != r.Lock.Path {
		r.Lock.Refreshed, r.Lock.NoRefresh = "", "the trusted configuration has another path for the lock"
	}
}

// offer stores the lock that the check run offers to commit and gives it the
// button, or says in its text how else the changes are accepted. The store comes
// first: a button that anybody can see is known.
func (j *job) offer(ctx context.Context, p *pair, v *verdictPair, r *report.Review, others []store.Run) error {
	if j.w.notStarted(j.pull.Fork, j.run.Approved) && r.Report.Summary.NotChecked > 0 {
		how := "\nSomebody with write access can have the servers of this commit started, without any access to the network, with a comment: `/mcp-lint run " + j.run.HeadSHA + "`\n"
		v.lint.Summary = ending(v.lint.Summary, how)
		v.lock.Summary = ending(v.lock.Summary, how)
	}
	lock := p.State().Runs[report.LockCheck]
	if !r.Differs() || lock.Completed {
		return nil
	}
	against, err := j.against(ctx, r, others)
	if err != nil {
		return err
	}
	v.lock.Summary = ending(v.lock.Summary, r.AcceptText(acceptLabel, against))
	if against != "" {
		return nil
	}
	v.lock.Actions = []report.Action{{
		Label: acceptLabel, Description: "Commit the lock computed for this check", Identifier: queue.Accept,
	}}
	return j.w.o.Store.InTx(ctx, func(tx *store.Tx) error {
		return tx.SaveOffer(ctx, store.Offer{
			RepositoryID: j.run.RepositoryID, CheckRunID: lock.ID, PR: j.run.PR, Generation: j.run.Generation,
			SHA: j.run.HeadSHA, Path: r.Lock.Path, Lock: r.Lock.Refreshed,
		})
	})
}

// summaryRoom is kept for what comes around a summary: other conclusions on the
// commit, annotations that are left out, a note.
const summaryRoom = 2 << 10

// ending puts text at the end of a summary that would be cut there otherwise.
func ending(summary, text string) string {
	return report.Clip(summary, checks.MaxOutput-summaryRoom-len(text)) + text
}

// against says what stands against the button, "" for nothing.
func (j *job) against(ctx context.Context, r *report.Review, others []store.Run) (string, error) {
	switch {
	case j.pull.Fork:
		return "the branch is in another repository", nil
	case len(others) > 0:
		return "another open pull request has the same commit", nil
	case r.Lock.Refreshed == "":
		return cmp.Or(r.Lock.NoRefresh, "the new lock could not be computed"), nil
	}
	granted, err := j.w.o.App.MayCommit(ctx, j.pull.Installation)
	if err != nil || granted {
		return "", err
	}
	return "mcp-lint has not been granted contents: write here", nil
}
