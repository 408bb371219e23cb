package audit

import (
	"maps"
	"slices"

	"github.com/mcp-lint/mcp-lint/internal/launch"
)

// lookups looks the variables of an entry of the tree up.
//
// An entry is given variables where they cannot go elsewhere than they go
// today: where the tree is compared with a base, only an entry that the base
// has as well. Else a pull request could name any variable of the job that
// checks it, and the host to send it to.
func (c checkout) lookups(e *Engine, s launch.Server) *lookups {
	l := e.lookups(s)
	l.guarded = c.guarded && !slices.ContainsFunc(c.known, func(known launch.Server) bool { return sameVariables(s, known) })
	return l
}

// sameVariables reports whether two entries hand the same variables to the same
// launch.
func sameVariables(a, b launch.Server) bool {
	return launch.SameLaunch(a, b) && maps.Equal(a.HeaderEnv, b.HeaderEnv) && slices.Equal(a.PassEnv, b.PassEnv)
}
