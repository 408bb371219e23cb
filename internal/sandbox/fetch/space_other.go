//go:build !unix

package fetch

// freeSpace is not known here.
func freeSpace(string) (bytes int64, ok bool) { return 0, false }
