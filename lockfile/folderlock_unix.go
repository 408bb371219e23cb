//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package lockfile

import (
	"errors"
	"os"
	"syscall"
)

// lockFolder takes an advisory lock on the folder itself: it leaves no file
// behind, and the system drops it when the process ends in whatever way.
func lockFolder(dir string) (release func(), err error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	for {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err != syscall.EINTR {
			break
		}
	}
	switch {
	case err == nil:
		return func() { f.Close() }, nil
	case errors.Is(err, syscall.EWOULDBLOCK):
		err = errBusy
	default:
		// Network file systems refuse locks, or want a file open for writing.
		err = errors.ErrUnsupported
	}
	f.Close()
	return nil, err
}
