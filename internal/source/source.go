// Package source reads a repository's trees at given commits from git objects:
// of a remote one, of which it fetches as little as it can, or of the one around
// a folder of this machine.
// It never checks anything out: no checkout, no archive (which would obey the
// repository's own export-ignore and drop the lock), no hooks, filters,
// submodules or LFS. Everything it reads was written by strangers.
package source

import (
	"errors"
	"time"
)

// Errors that callers branch on; match with errors.Is.
var (
	// ErrNotFound: the repository, commit or file does not exist (any more), or
	// the token may not see it.
	ErrNotFound = errors.New("not found")
	// ErrTooLarge: a limit of [Limits] was met.
	ErrTooLarge = errors.New("too large")
	// ErrUnauthorized: the server refused the token, or wants one.
	ErrUnauthorized = errors.New("not authorized")
)

// Limits bound what a repository may cost. Zero fields take the default.
type Limits struct {
	Files      int           // files, and likewise folders, written by WriteTo; default 20,000
	Bytes      int64         // bytes written by WriteTo; default 200 MB
	FetchBytes int64         // size of everything fetched by one git process; default 1 GB
	PathBytes  int           // longest path; default 1,024
	Depth      int           // most components of a path; default 64
	Timeout    time.Duration // of one git process; default 5 minutes
}

func (l Limits) withDefaults() Limits {
	d := Limits{Files: 20_000, Bytes: 200 << 20, FetchBytes: 1 << 30, PathBytes: 1024, Depth: 64, Timeout: 5 * time.Minute}
	if l.Files > 0 {
		d.Files = l.Files
	}
	if l.Bytes > 0 {
		d.Bytes = l.Bytes
	}
	if l.FetchBytes > 0 {
		d.FetchBytes = l.FetchBytes
	}
	if l.PathBytes > 0 {
		d.PathBytes = l.PathBytes
	}
	if l.Depth > 0 {
		d.Depth = l.Depth
	}
	if l.Timeout > 0 {
		d.Timeout = l.Timeout
	}
	return d
}
