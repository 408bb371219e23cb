//go:build !unix

package source

import "os/exec"

// inGroup does nothing where there are no groups: only the process itself is
// ended. Fetching, which has helpers, is for the bot, and that runs on Linux.
func inGroup(*exec.Cmd) {}
