package audit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/internal/launch"
	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// lookups replaces the variables of one entry by their values, and remembers
// both those that there are and those that there are not.
type lookups struct {
	env     func(string) (string, bool)
	literal bool
	missing map[string]bool
	found   []variable
	root    string // of the tree, seen from the folder that the server starts in
}

type variable struct{ name, value string }

func (e *Engine) lookups(s launch.Server) *lookups {
	return &lookups{env: e.Env, literal: s.Literal, missing: make(map[string]bool), root: "."}
}

// get looks a name up.
func (l *lookups) get(name string) (string, bool) {
	if launch.IsRootFolder(name) {
		return l.root, true
	}
	value, ok := l.env(name)
	if ok {
		l.found = append(l.found, variable{name, value})
	}
	return value, ok
}

// expand replaces every ${NAME} of a text. What was typed on a command line
// stays as it is.
func (l *lookups) expand(text string) string {
	if l.literal {
		return text
	}
	return launch.Expand(text, l.get, func(name string) { l.missing[name] = true })
}

// variable is the value of the variable that an entry names.
func (l *lookups) variable(name string) string {
	value, ok := l.get(name)
	if !ok {
		l.missing[name] = true
	}
	return value
}

// failure says which variables are missing, nil for none.
func (l *lookups) failure() *report.Error {
	if len(l.missing) == 0 {
		return nil
	}
	names := slices.Sorted(maps.Keys(l.missing))
	return &report.Error{Kind: report.ErrNeedsSecret, Message: fmt.Sprintf(
		"needs variables that are not set here: %s", snapshot.Visible(strings.Join(names, ", ")))}
}
