//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package lockfile

import "errors"

// lockFolder is not available on this system; [guardFile] does the work.
func lockFolder(string) (release func(), err error) { return nil, errors.ErrUnsupported }
