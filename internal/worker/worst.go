package worker

import (
	"context"
	"fmt"
	"slices"

	"github.com/mcp-lint/mcp-lint/internal/store"
	"github.com/mcp-lint/mcp-lint/linter/report"
)

// sharing are the runs of other open pull requests with this commit that count
// for its verdict. Anybody can open one from a fork with somebody else's commit:
// when forks' servers are not started, such a verdict says nothing about the
// commit and must not block the repository's own pull request.
func (j *job) sharing(ctx context.Context) ([]store.Run, error) {
	return j.w.sharing(ctx, j.run.RepositoryID, j.run.HeadSHA, j.run.PR)
}

func (w *Worker) sharing(ctx context.Context, repositoryID int64, sha string, pr int) ([]store.Run, error) {
	others, err := w.o.Store.Sharing(ctx, repositoryID, sha, pr)
	if err != nil {
		return nil, err
	}
	var counted []store.Run
	for _, o := range others {
		pull, err := w.o.Store.Pull(ctx, o.RepositoryID, o.PR)
		if err != nil {
			return nil, err
		}
		if pull == nil || !w.notStarted(pull.Fork, o.Approved) {
			counted = append(counted, o)
		}
	}
	return counted, nil
}

// notStarted tells whether a pull request's servers are left alone.
func (w *Worker) notStarted(fork, approved bool) bool {
	return fork && !approved && w.o.Forks == ForksStatic
}

// yields tells whether the commit has a verdict already that this pull request
// must neither replace nor begin anew.
func (j *job) yields(others []store.Run) bool {
	judged := func(r store.Run) bool { return r.Lint != "" }
	return j.w.notStarted(j.pull.Fork, j.run.Approved) && slices.ContainsFunc(others, judged)
}

// worst is what the commit shows: a commit has one check run of each name, so
// of all open pull requests with this head the worst conclusion counts.
func worst(v verdictPair, others []store.Run) verdictPair {
	for _, o := range others {
		v.lint = worse(v.lint, report.Conclusion(o.Lint), o.PR)
		v.lock = worse(v.lock, report.Conclusion(o.Lock), o.PR)
	}
	return v
}

func worse(run report.CheckRun, other report.Conclusion, pr int) report.CheckRun {
	if severity(other) <= severity(run.Conclusion) {
		return run
	}
	run.Conclusion = other
	run.Summary = fmt.Sprintf("Pull request #%d has the same head commit, and there the conclusion is %s. A commit has only one check run of this name, so the worst conclusion counts.\n\nFor this pull request:\n\n%s",
		pr, other, run.Summary)
	return run
}

func severity(c report.Conclusion) int {
	switch c {
	case report.Failure:
		return 4
	case report.ActionRequired:
		return 3
	case report.Success:
		return 2
	case report.Skipped:
		return 1
	}
	return 0 // not known
}
