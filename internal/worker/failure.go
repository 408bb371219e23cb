package worker

import (
	"errors"
	"net/http"
	"strings"

	"github.com/google/go-github/v66/github"

	"github.com/mcp-lint/mcp-lint/internal/githubapp"
	"github.com/mcp-lint/mcp-lint/internal/queue"
	"github.com/mcp-lint/mcp-lint/internal/source"
)

var (
	errAuditTimeout = errors.New("the audit took too long")
	errDied         = errors.New("the process died in the last attempt")
)

// reasonOf puts a failure into words for the pull request, without any of the
// error's own text (paths, hosts), and tells whether trying again is useless.
func reasonOf(err error) (reason string, permanent bool) {
	var runner *RunnerError
	var permission *githubapp.PermissionMissing
	switch {
	case errors.As(err, &permission):
		return "mcp-lint has not been granted what it needs here: " + strings.Join(permission.Wanted, ", "), true
	case gone(err):
		return "GitHub gives mcp-lint no access to this repository", true
	case errors.Is(err, source.ErrTooLarge):
		return "the repository is larger than the limits of this installation of mcp-lint", true
	case errors.Is(err, source.ErrNotFound):
		return "the commits of this pull request could not be fetched: GitHub does not have them any more, or does not let us see them", false
	case errors.Is(err, source.ErrUnauthorized):
		return "GitHub refused our access to the repository's contents", false
	case errors.Is(err, errAuditTimeout):
		return "the audit took longer than this installation of mcp-lint allows", true
	case errors.Is(err, errDied):
		return "the audit was started several times and ended mcp-lint's own process each time", true
	case errors.As(err, &runner):
		return "the audit ended without a result: " + runner.Reason, runner.Permanent
	}
	return "GitHub or mcp-lint itself failed several times; this says nothing about the pull request", false
}

// retryLater is the wish to wait within err, nil when there is none.
func retryLater(err error) *queue.Later {
	if later := (*githubapp.RetryLater)(nil); errors.As(err, &later) {
		return &queue.Later{After: later.After, Reason: later.Reason}
	}
	if later := (*queue.Later)(nil); errors.As(err, &later) {
		return later
	}
	return nil
}

// gone tells whether GitHub lets us do nothing at all for this repository: the
// App was uninstalled, suspended or never granted what it needs.
func gone(err error) bool {
	var access *githubapp.NoAccess
	var permission *githubapp.PermissionMissing
	var answer *github.ErrorResponse
	return errors.As(err, &access) || errors.As(err, &permission) ||
		errors.As(err, &answer) && answer.Response != nil && answer.Response.StatusCode == http.StatusGone
}
