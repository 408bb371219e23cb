package githubapp

import (
	"fmt"
	"strings"
	"time"
)

// RetryLater means that GitHub, or our own pace of writing, asks us to wait.
// A worker snoozes its job instead of sleeping.
type RetryLater struct {
	After  time.Duration // never negative
	Reason string
}

func (e *RetryLater) Error() string {
	return fmt.Sprintf("%s: retry in %s", e.Reason, e.After.Round(time.Second))
}

// PermissionMissing means that an installation has not granted what a token
// was asked for. GitHub then refuses the whole token, so an optional
// permission needs a token of its own.
type PermissionMissing struct {
	Installation int64
	Wanted       []string // like "security_events: write", sorted
}

func (e *PermissionMissing) Error() string {
	return fmt.Sprintf("installation %d has not granted all of: %s", e.Installation, strings.Join(e.Wanted, ", "))
}

// NoAccess means that the installation is gone or suspended, or that the
// repository is no longer part of it: there is nobody left to tell anything.
type NoAccess struct {
	Installation int64
	Reason       string // GitHub's words
}

func (e *NoAccess) Error() string {
	return fmt.Sprintf("installation %d: no access: %s", e.Installation, e.Reason)
}
