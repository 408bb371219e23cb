package audit

import (
	"time"

	"github.com/mcp-lint/mcp-lint/internal/sandbox"
	"github.com/mcp-lint/mcp-lint/linter/report"
)

// Request is one checkout to review. It crosses the pipe to `bot runner` as
// JSON, so it holds no secret and nothing but data.
type Request struct {
	// Head is the folder of the tree to judge.
	Head string `json:"head"`
	// Base is the folder of the tree to compare with (the merge base); ""
	// when there is none: every finding then counts as new.
	Base string `json:"base"`
	// BaseName says in words what Base is ("main", a folder); "" stands for the
	// base of the pull request.
	BaseName string `json:"baseName"`
	// Earlier is a report to compare the findings with in the place of Base,
	// named by BaseName. Only the command line has one.
	Earlier *report.Report `json:"-"`
	// Snapshots asks for what the servers said beside what is said of them
	// ([report.Review.Snapshots]). It does not cross the pipe.
	Snapshots bool `json:"-"`
	// Tip is the folder of the newest tree of the branch that the pull request
	// is to be merged into; "" means Base. It matters when that has a lock and
	// the pull request left the branch before.
	Tip string `json:"tip"`
	// Policy is the folder whose config file is trusted: it alone grants power
	// (thresholds, suppressions, remote URLs, lock path). "" means Head, which
	// is right for a laptop and never for a pull request.
	Policy string `json:"policy"`
	// Static starts no server: what would have to be started is reported as
	// not checked.
	Static bool `json:"static"`
	// Relock asks for the lock as it would be with what the servers say now
	// ([report.LockReview.Refreshed]).
	Relock bool `json:"relock"`
	// AllowHosts are the hosts of the remote servers that the operator lets be
	// asked (mcp.example.com, *.example.com), where [Engine.Remote] does not
	// allow any.
	AllowHosts []string `json:"allowHosts,omitempty"`
	// Sandbox is the mode in which servers run.
	Sandbox sandbox.Mode `json:"sandbox"`
	// Cache is the folder of the fetch phase's results, "" for the user's.
	Cache string `json:"cache"`
	// Deadline ends the audit: a server that has not answered by then counts as
	// one that does not answer. Zero means none.
	Deadline time.Time `json:"deadline"`
	// Now decides which suppressions have expired.
	Now time.Time `json:"now"`
}
