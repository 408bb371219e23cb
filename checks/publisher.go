// Package checks publishes verdicts on GitHub and nothing else: check runs
// with their annotations, the SARIF upload, and one sticky comment. It decides
// no verdict; it receives finished values of package report and fits them into
// GitHub's limits.
//
// Every operation is idempotent. What has happened so far is a [State], saved
// after each step, so that a worker which takes over a killed one's job adds
// what is missing and repeats nothing.
package checks

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"time"

	"github.com/google/go-github/v66/github"

	"github.com/mcp-lint/mcp-lint/internal/githubapp"
)

// State is what has been published for one job. Its zero value means nothing.
// It is plain JSON and belongs to the job (Comment to the pull request).
type State struct {
	// Runs holds the check runs by name.
	Runs map[string]RunState `json:"runs,omitempty"`
	// Comment is the sticky comment of the pull request. A worker seeds it with
	// what an earlier job of the same pull request left.
	Comment CommentState `json:"comment,omitzero"`
	SARIF   SARIFState   `json:"sarif,omitzero"`
}

// RunState is one check run.
type RunState struct {
	ID         int64  `json:"id"`
	ExternalID string `json:"externalId"`
	SHA        string `json:"sha"`
	// URL is the run's page.
	URL string `json:"url,omitempty"`
	// Sent counts annotations that GitHub has certainly taken, of the list that
	// Digest identifies.
	Sent       int    `json:"sent,omitempty"`
	Digest     string `json:"digest,omitempty"`
	Conclusion string `json:"conclusion,omitempty"`
	Completed  bool   `json:"completed,omitempty"`
}

// CommentState is the sticky comment.
type CommentState struct {
	ID int64 `json:"id,omitempty"`
	// Resolved is true when the comment says that nothing is left to say.
	Resolved bool `json:"resolved,omitempty"`
}

// SARIFState is the upload to code scanning.
type SARIFState struct {
	// Digest identifies the upload (commit, ref and content).
	Digest string `json:"digest,omitempty"`
	// Asked is set just before the upload: when ID is empty too, the answer may
	// have been lost.
	Asked bool   `json:"asked,omitempty"`
	ID    string `json:"id,omitempty"`
	// Outcome is set once it is final.
	Outcome *SARIFOutcome `json:"outcome,omitempty"`
	// Judged are the servers whose findings the upload holds. It is the caller's.
	Judged []string `json:"judged,omitempty"`
}

// Options configure a [Publisher]. Client, AppID, BotLogin, Owner and Repo are
// required.
type Options struct {
	// Client may write checks and pull request comments in this repository.
	Client *github.Client
	// SARIF may write security events. nil means that code scanning is not
	// available to this installation; uploads then report it.
	SARIF *github.Client
	// AppID and BotLogin are the App's own identity: other apps' runs of the
	// same name and other people's comments with our marker are never touched.
	AppID    int64
	BotLogin string

	Owner, Repo string
	// DetailsURL is where a check run's "Details" leads; empty means its own
	// page on GitHub.
	DetailsURL string

	// State is what a former worker left.
	State State
	// Save persists the state; it is called after every step, and its error
	// stops the publishing. nil keeps the state in memory only.
	Save func(State) error

	// Sleep waits (context-aware); nil means really waiting. Tests inject it.
	Sleep func(context.Context, time.Duration) error
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// Log receives what was done; nil discards. The caller sets installation,
	// repo, pr and sha on it.
	Log *slog.Logger
}

// Publisher publishes for one job. It must not be used concurrently.
type Publisher struct {
	o     Options
	state State
}

// New checks the options and returns a publisher.
func New(o Options) (*Publisher, error) {
	if o.Client == nil || o.AppID == 0 || o.BotLogin == "" || o.Owner == "" || o.Repo == "" {
		return nil, errors.New("checks: Client, AppID, BotLogin, Owner and Repo are required")
	}
	if o.Save == nil {
		o.Save = func(State) error { return nil }
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Sleep == nil {
		o.Sleep = githubapp.Sleep
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Publisher{o: o, state: o.State.clone()}, nil
}

// State returns a copy of what has been published so far.
func (p *Publisher) State() State { return p.state.clone() }

func (s State) clone() State {
	s.Runs = maps.Clone(s.Runs)
	if s.SARIF.Outcome != nil {
		out := *s.SARIF.Outcome
		s.SARIF.Outcome = &out
	}
	return s
}

func (p *Publisher) save() error {
	if err := p.o.Save(p.state.clone()); err != nil {
		return &saveError{err}
	}
	return nil
}

func (p *Publisher) setRun(name string, r RunState) error {
	if p.state.Runs == nil {
		p.state.Runs = map[string]RunState{}
	}
	p.state.Runs[name] = r
	return p.save()
}

func (p *Publisher) setComment(c CommentState) error {
	p.state.Comment = c
	return p.save()
}

// saveError keeps a failed Save apart from a lost answer.
type saveError struct{ err error }

func (e *saveError) Error() string { return "save what was published: " + e.err.Error() }
func (e *saveError) Unwrap() error { return e.err }

// lost tells whether a failed write may have been done all the same: the
// connection broke or the server failed, and nobody said no.
func lost(ctx context.Context, err error) bool {
	var later *githubapp.RetryLater
	var missing *githubapp.PermissionMissing
	var gone *githubapp.NoAccess
	var unsaved *saveError
	switch {
	case ctx.Err() != nil, errors.As(err, &later), errors.As(err, &missing), errors.As(err, &gone), errors.As(err, &unsaved):
		return false
	}
	s := status(err)
	return s == 0 || s >= 500
}

// status is the HTTP status of GitHub's refusal, 0 when there was none.
func status(err error) int {
	var answer *github.ErrorResponse
	if errors.As(err, &answer) && answer.Response != nil {
		return answer.Response.StatusCode
	}
	return 0
}
