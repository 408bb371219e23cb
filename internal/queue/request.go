package queue

import "github.com/riverqueue/river"

// What a person may ask for.
const (
	Recheck = "recheck" // check the pull request once more
	Run     = "run"     // start the servers of a fork's pull request
	Accept  = "accept"  // commit the lock that a check run offers
	Rerun   = "re-run"  // check a commit once more
)

// Request is the job of something that a person asked for. Nobody has looked yet
// whether that person may. Two jobs of one delivery are the same job.
type Request struct {
	Delivery string `json:"delivery" river:"unique"`
	// What is one of the constants above.
	What string `json:"what"`

	RepositoryID int64  `json:"repositoryId"`
	Installation int64  `json:"installation"`
	Owner        string `json:"owner"`
	Repo         string `json:"repo"`
	// Sender and SenderID are who asked, by GitHub's signed word.
	Sender   string `json:"sender"`
	SenderID int64  `json:"senderId"`

	// PR and CommentID are those of a comment.
	PR        int   `json:"pr,omitempty"`
	CommentID int64 `json:"commentId,omitempty"`
	// Commit is the commit, or the start of its name, that the comment says; ""
	// for none.
	Commit string `json:"commit,omitempty"`
	// Seen is the head that we knew when the comment came, "" for none.
	Seen string `json:"seen,omitempty"`

	// CheckRunID is that of the button.
	CheckRunID int64 `json:"checkRunId,omitempty"`

	// SHA is the commit to check once more, and AppID the App whose checks
	// GitHub was asked to re-run.
	SHA   string `json:"sha,omitempty"`
	AppID int64  `json:"appId,omitempty"`
}

// Kind implements river.JobArgs. It is stored with every job and never changes.
func (Request) Kind() string { return "request" }

// requests is the queue of requests. They are short, and somebody waits: an
// audit that takes minutes must not be in their way.
const requests = "requests"

// InsertOpts implements river.JobArgsWithInsertOpts.
func (Request) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: requests, UniqueOpts: uniqueUntilDone()}
}
