package audit

import (
	"path/filepath"

	"github.com/mcp-lint/mcp-lint/internal/sandbox"
	"github.com/mcp-lint/mcp-lint/linter/report"
)

// confined refuses a command that a tree must not choose. The sandbox shows a
// program outside the system's folders together with the folder that it is
// installed in, for a toolchain needs its libraries. (Without a sandbox there is
// nothing that is not shown.) Which folder of the host
// that is, is for the operator to say, with PATH: /srv/app/bin/python in a pull
// request would show all of /srv/app to it.
func confined(command string) *report.Error {
	if !filepath.IsAbs(command) || sandbox.InSystem(command) {
		return nil
	}
	return &report.Error{Kind: report.ErrInput, Message: "the command is an absolute path outside the system's folders; " +
		"expected a program's name, which is looked up in PATH, or a path inside the repository"}
}
