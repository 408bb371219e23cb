package lockfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

const (
	// patience is how long a writer waits for another one.
	patience = 30 * time.Second
	// pause is the time between two attempts.
	pause = 10 * time.Millisecond
	// stale is the age at which a guard file belongs to a process that died. A
	// writer holds it for milliseconds.
	stale = 2 * time.Minute
)

// errBusy is what a lock returns that somebody else holds.
var errBusy = errors.New("another mcp-lint is writing")

// exclusively calls fn while no other process or goroutine is inside it for a
// file of the same folder.
func exclusively(path string, fn func() error) error {
	dir := filepath.Dir(path)
	deadline := time.Now().Add(patience)
	for {
		release, err := lockFolder(dir)
		if errors.Is(err, errors.ErrUnsupported) {
			release, err = guardFile(path)
		}
		switch {
		case err == nil:
			defer release()
			return fn()
		case !errors.Is(err, errBusy):
			return fmt.Errorf("writing the lock file: %w", err)
		case time.Now().After(deadline):
			return fmt.Errorf("writing the lock file: %w to %s for over %s", errBusy, dir, patience)
		}
		time.Sleep(pause)
	}
}

// guardFile locks by creating a file beside path, for systems and file systems
// without locks on folders. The file is removed afterwards; one that a killed
// process left behind is taken over when it is stale.
func guardFile(path string) (release func(), err error) {
	guard := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".writing")
	f, err := os.OpenFile(guard, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err == nil {
		f.Close()
		return func() { os.Remove(guard) }, nil
	}
	info, statErr := os.Stat(guard)
	switch {
	case statErr == nil && time.Since(info.ModTime()) > stale:
		os.Remove(guard)
		return nil, errBusy
	case statErr == nil, errors.Is(err, fs.ErrExist):
		return nil, errBusy // on Windows a file that is being removed denies access
	}
	return nil, err
}
