package queue

import (
	"github.com/riverqueue/river"
)

// Review is the job that brings the check runs and the comment of a pull
// request up to a generation. Two jobs with the same repository, pull request,
// head and generation are the same job while one of them is not completed.
type Review struct {
	RepositoryID int64  `json:"repositoryId" river:"unique"`
	PR           int    `json:"pr" river:"unique"`
	HeadSHA      string `json:"headSha" river:"unique"`
	Generation   int64  `json:"generation" river:"unique"`

	Installation int64  `json:"installation"`
	Owner        string `json:"owner"`
	Repo         string `json:"repo"`
	// Delivery is the delivery that asked for the job, for the log.
	Delivery string `json:"delivery"`
}

// Kind implements river.JobArgs. It is stored with every job and never changes.
func (Review) Kind() string { return "review" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (Review) InsertOpts() river.InsertOpts { return river.InsertOpts{UniqueOpts: uniqueUntilDone()} }
