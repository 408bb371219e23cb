// Package version knows which build this is.
package version

import (
	"regexp"
	"runtime/debug"
)

// Released is the version that this source tree becomes when it is released.
const Released = "0.1.0"

// Version is the version of the tag that the program was built from, else the
// released version with "-dev".
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return of("")
	}
	return of(info.Main.Version)
}

// of knows the tag from what the toolchain stamps on a build of anything else:
// (devel), a pseudo-version, or a tag with changes on top.
func of(stamp string) string {
	if tag := regexp.MustCompile(`^v(\d+\.\d+\.\d+)$`).FindStringSubmatch(stamp); tag != nil {
		return tag[1]
	}
	return Released + "-dev"
}
