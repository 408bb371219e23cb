package webhook

import (
	"encoding/json"
	"fmt"

	"github.com/google/go-github/v66/github"

	"github.com/mcp-lint/mcp-lint/internal/queue"
)

// rerequested is the action of somebody who wants checks to run once more.
const rerequested = "rerequested"

// checkSuite takes GitHub's "Re-run all checks". What pushes do to suites is
// nothing to us: pull requests tell it, those of forks too.
func checkSuite(d delivery) (effect, error) {
	if d.action != rerequested {
		return nil, nil
	}
	return rerun(d)
}

// rerun asks for a commit's checks once more. "Re-run" tells it by a check run
// and "Re-run all" by the suite; we have one pair of check runs, so both mean the
// same.
func rerun(d delivery) (effect, error) {
	// Not go-github's events: they refuse whole deliveries for the form of a time
	// that says when the App was made.
	type subject struct {
		HeadSHA string `json:"head_sha"`
		App     struct {
			ID int64 `json:"id"`
		} `json:"app"`
	}
	var e struct {
		Run          subject              `json:"check_run"`
		Suite        subject              `json:"check_suite"`
		Repo         *github.Repository   `json:"repository"`
		Installation *github.Installation `json:"installation"`
		Sender       *github.User         `json:"sender"`
	}
	if err := json.Unmarshal(d.payload, &e); err != nil {
		return nil, fmt.Errorf("%w: %w", errPayload, err)
	}
	if bot(e.Sender) {
		return nil, nil
	}
	of := e.Suite
	if d.event == "check_run" {
		of = e.Run
	}
	r := requestOf(d, e.Repo, e.Installation, e.Sender)
	r.What, r.SHA, r.AppID = queue.Rerun, of.HeadSHA, of.App.ID
	if !complete(r) || r.SHA == "" || r.AppID == 0 {
		return nil, fmt.Errorf("%w: no repository, commit, App or sender", errPayload)
	}
	return asking(r), nil
}
