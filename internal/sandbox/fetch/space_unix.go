//go:build unix

package fetch

import "golang.org/x/sys/unix"

// freeSpace is how many bytes an ordinary user may still write below dir; ok is
// false when the system does not say.
func freeSpace(dir string) (bytes int64, ok bool) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, false
	}
	return int64(s.Bavail) * int64(s.Bsize), true
}
