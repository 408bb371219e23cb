package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/mcp-lint/mcp-lint/checks"
	"github.com/mcp-lint/mcp-lint/internal/store"
	"github.com/mcp-lint/mcp-lint/linter/report"
)

// verdictPair is one pull request's verdict.
type verdictPair struct{ lint, lock report.CheckRun }

// begin makes sure that the commit has a pair of check runs in progress, so
// that people see at once that something is going on.
func (j *job) begin(ctx context.Context) error {
	unlock, err := j.lockHead(ctx, j.run)
	if err != nil {
		return err
	}
	defer unlock()
	others, err := j.sharing(ctx)
	if err != nil || j.yields(others) {
		return err
	}
	p, err := j.pair(ctx)
	if err != nil {
		return err
	}
	return p.begin(ctx)
}

// publish completes the check runs and, when there is a result, keeps the
// comment and uploads the findings. The verdict comes first: code scanning
// takes its time and never changes it.
func (j *job) publish(ctx context.Context, v verdictPair, result *report.Review) error {
	unlock, err := j.lockHead(ctx, j.run)
	if err != nil {
		return err
	}
	defer unlock()
	others, err := j.sharing(ctx)
	if err != nil {
		return err
	}
	if j.yields(others) {
		j.log.Info("the commit keeps the verdict of the repository's own pull request")
		return nil
	}
	p, err := j.pair(ctx)
	if err != nil {
		return err
	}
	var scanning []byte
	if result != nil {
		if scanning, err = j.scanning(ctx, p, result); err != nil {
			return err
		}
		if scanning != nil && p.options.SARIF == nil {
			v.lint.Summary += "\n\nThe findings are not in the Security tab: mcp-lint has not been granted `security_events: write` here.\n"
		}
	}
	if err := p.begin(ctx); err != nil {
		return err
	}
	if result != nil {
		if err := j.offer(ctx, p, &v, result, others); err != nil {
			return fmt.Errorf("offer: %w", err)
		}
	}
	shown := worst(v, others)
	for _, run := range []report.CheckRun{shown.lint, shown.lock} {
		if err := p.complete(ctx, run); err != nil {
			return fmt.Errorf("%s: %w", run.Name, err)
		}
	}
	if result == nil {
		return nil
	}
	if !j.pull.Draft {
		body, wanted := result.Comment(report.CommentOptions{
			MaxBytes:   checks.MaxCommentBytes,
			DetailsURL: p.State().Runs[report.LockCheck].URL, // the bot has no pages of its own
		})
		if err := p.Comment(ctx, j.pull.Number, body, wanted); err != nil {
			return fmt.Errorf("comment: %w", err)
		}
	}
	if scanning == nil {
		return nil
	}
	outcome, err := p.UploadSARIF(ctx, scanning, "refs/pull/"+strconv.Itoa(j.pull.Number)+"/head", j.run.HeadSHA)
	if err != nil {
		return fmt.Errorf("code scanning: %w", err)
	}
	j.w.metrics.sarif(string(outcome.Status))
	if outcome.Status != checks.SARIFComplete {
		j.log.Warn("findings are not in code scanning", "status", outcome.Status, "reason", outcome.Reason, "errors", outcome.Errors)
	}
	return nil
}

// pair is the publisher for a run's commit. It is used under the commit's lock.
type pair struct {
	*checks.Publisher
	options checks.Options
	sha     string
	id      string // external id of both check runs
}

// begin makes sure that both check runs exist.
func (p *pair) begin(ctx context.Context) error {
	for _, name := range []string{report.LintCheck, report.LockCheck} {
		if _, err := p.Begin(ctx, name, p.sha, p.id); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// complete gives the check run its conclusion, also when it has another one
// already. That happens when another pull request with the same commit was
// judged first.
func (p *pair) complete(ctx context.Context, run report.CheckRun) error {
	if err := p.Complete(ctx, run); err != nil {
		return err
	}
	return p.Rejudge(ctx, run)
}

// renew makes the publisher again after a change of its options.
func (p *pair) renew() (err error) {
	p.Publisher, err = checks.New(p.options)
	return err
}

// pair opens the publisher on what is stored, deciding first whether the
// commit needs a new pair of check runs. A finished run is never set back to
// in progress, because that does not clear its conclusion
// (https://github.com/Mergifyio/mergify/issues/541).
func (j *job) pair(ctx context.Context) (*pair, error) {
	published, err := j.w.o.Store.Published(ctx, j.run)
	if err != nil {
		return nil, err
	}
	state, err := decode(published)
	if err != nil {
		return nil, err
	}
	stale, err := j.stale(ctx, published, state)
	if err != nil {
		return nil, err
	}
	if stale {
		err := j.w.o.Store.InTx(ctx, func(tx *store.Tx) error {
			published, err = tx.Renew(ctx, j.run, published)
			return err
		})
		if err != nil {
			return nil, err
		}
		j.run.Afresh = false
		state.Runs = nil
	}
	return j.publisher(ctx, j.run, published, state)
}

// stale tells whether the commit's check runs cannot carry this run's verdict.
func (j *job) stale(ctx context.Context, p store.Published, s checks.State) (bool, error) {
	if p.Pair == 0 {
		return true, nil
	}
	cancelled, completed := false, len(s.Runs) > 0
	for _, r := range s.Runs {
		cancelled = cancelled || r.Conclusion == string(report.Cancelled)
		completed = completed && r.Completed
	}
	if cancelled || !completed || !j.run.Afresh {
		return cancelled, nil
	}
	return j.w.o.Store.Judged(ctx, j.run)
}

// publisher opens a publisher for a run, which may be a replaced one.
func (j *job) publisher(ctx context.Context, run *store.Run, published store.Published, state checks.State) (*pair, error) {
	p := &pair{sha: run.HeadSHA, id: fmt.Sprintf("mcp-lint/%d/%s/%d", run.RepositoryID, run.HeadSHA, published.Pair)}
	p.options = checks.Options{
		Client: j.write,
		AppID:  j.w.o.Self.ID, BotLogin: j.w.o.Self.BotLogin(),
		Owner: j.pull.Owner, Repo: j.pull.Repo,
		State: state,
		Save:  func(s checks.State) error { return j.save(ctx, run, published.Pair, s) },
		Now:   j.w.o.Now,
		Log:   j.log,
	}
	var err error
	p.Publisher, err = checks.New(p.options)
	return p, err
}

// save stores what GitHub shows now, and stops the publisher of a run that was
// replaced while it published.
func (j *job) save(ctx context.Context, run *store.Run, pair int64, s checks.State) error {
	published, err := encode(pair, s)
	if err != nil {
		return err
	}
	// What GitHub has taken must be known even when the job ends here.
	ctx = context.WithoutCancel(ctx)
	var now *store.Run
	err = j.w.o.Store.InTx(ctx, func(tx *store.Tx) error {
		if err := tx.SavePublished(ctx, run, published); err != nil {
			return err
		}
		now, err = tx.Run(ctx, run.RepositoryID, run.PR, run.Generation)
		return err
	})
	if err != nil {
		return err
	}
	if run == j.run && (now == nil || now.State != store.Running) {
		return errReplaced
	}
	return nil
}

// lockHead makes this job the only one that publishes on the run's commit.
func (j *job) lockHead(ctx context.Context, run *store.Run) (func(), error) {
	return j.w.lockCommit(ctx, run.RepositoryID, run.HeadSHA)
}

// lockCommit makes the caller the only one that publishes on a commit.
func (w *Worker) lockCommit(ctx context.Context, repositoryID int64, sha string) (func(), error) {
	unlock, err := w.heads.lock(ctx, strconv.FormatInt(repositoryID, 10)+"@"+sha)
	if err != nil {
		return nil, fmt.Errorf("wait for somebody else who publishes on the same commit: %w", err)
	}
	return unlock, nil
}

func encode(pair int64, s checks.State) (store.Published, error) {
	runs, err1 := json.Marshal(s.Runs)
	comment, err2 := json.Marshal(s.Comment)
	sarif, err3 := json.Marshal(s.SARIF)
	if err := errors.Join(err1, err2, err3); err != nil {
		return store.Published{}, fmt.Errorf("encode what was published: %w", err)
	}
	return store.Published{Pair: pair, Checks: string(runs), Comment: string(comment), SARIF: string(sarif)}, nil
}

func decode(p store.Published) (checks.State, error) {
	var s checks.State
	for _, part := range []struct {
		text string
		into any
	}{{p.Checks, &s.Runs}, {p.Comment, &s.Comment}, {p.SARIF, &s.SARIF}} {
		if part.text == "" {
			continue
		}
		if err := json.Unmarshal([]byte(part.text), part.into); err != nil {
			return s, fmt.Errorf("decode what was published: %w", err)
		}
	}
	return s, nil
}
