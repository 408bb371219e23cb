package worker

import (
	"context"

	"github.com/mcp-lint/mcp-lint/internal/store"
	"github.com/mcp-lint/mcp-lint/internal/trigger"
)

// rerun checks a commit once more, for every open pull request that has it as
// its head: GitHub's events name none for those of forks
// (https://docs.github.com/en/webhooks/webhook-events-and-payloads#check_run), so
// they are looked up here. A commit that is no head any more has nothing to say.
func (q *request) rerun(ctx context.Context) error {
	q.log = q.log.With("sha", q.SHA)
	if q.AppID != q.w.o.Self.ID {
		q.log.Warn("refused: checks of another App", "app", q.AppID)
		return nil
	}
	if may, err := q.mayWrite(ctx); err != nil || !may {
		if err == nil {
			q.log.Warn("refused: the sender has no write access")
		}
		return err
	}
	started := 0
	err := q.w.o.Store.InTx(ctx, func(tx *store.Tx) error {
		again, err := tx.AskedBy(ctx, q.Delivery)
		if err != nil || again { // an attempt that died before it was done
			return err
		}
		pulls, err := tx.OpenPulls(ctx, q.RepositoryID, q.SHA)
		if err != nil {
			return err
		}
		for i := range pulls {
			if joins, err := q.joins(ctx, tx, &pulls[i]); err != nil || joins {
				if err != nil {
					return err
				}
				continue
			}
			if err := trigger.Review(ctx, q.w.o.Queue, tx, &pulls[i], trigger.Why{
				Delivery: q.Delivery, AskedBy: q.Delivery, Afresh: true,
			}); err != nil {
				return err
			}
			started++
		}
		return nil
	})
	if err == nil {
		q.log.Info("re-run asked for", "pulls", started)
	}
	return err
}
