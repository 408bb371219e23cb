package audit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/internal/collect"
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

	// guarded gives no variable but those that every server gets; withheld are
	// the others that there are.
	guarded  bool
	withheld map[string]bool
}

type variable struct{ name, value string }

func (e *Engine) lookups(s launch.Server) *lookups {
	return &lookups{env: e.Env, literal: s.Literal, missing: make(map[string]bool), root: ".", withheld: make(map[string]bool)}
}

// get looks a name up.
func (l *lookups) get(name string) (string, bool) {
	if launch.IsRootFolder(name) {
		return l.root, true
	}
	value, ok := l.env(name)
	if ok && l.guarded && !collect.IsForEveryServer(name) {
		l.withheld[name] = true
		return "", false
	}
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

// failure says which variables are missing or withheld, nil for none. One that
// is withheld counts even where the entry has something else to put in its place:
// that would be another server than the one that is merged.
func (l *lookups) failure() *report.Error {
	needs := func(names map[string]bool, format string) *report.Error {
		return &report.Error{Kind: report.ErrNeedsSecret, Message: fmt.Sprintf(format, snapshot.Visible(shown(names)))}
	}
	switch {
	case len(l.withheld) > 0:
		return needs(l.withheld, "needs variables that it does not get: %s; the base has no such entry, "+
			"and what a change adds or points elsewhere is given no variables (without --base it is, once somebody has read it)")
	case len(l.missing) > 0:
		return needs(l.missing, "needs variables that are not set here: %s")
	}
	return nil
}

// shown lists the names of variables, but for those that read like the value that
// was written where a name belongs.
func shown(names map[string]bool) string {
	var list []string
	hidden := false
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if name = launch.ShownVariable(name); name == "" {
			hidden = true
			continue
		}
		list = append(list, name)
	}
	if hidden {
		list = append(list, "one whose name is not shown, for it reads like a value")
	}
	return strings.Join(list, ", ")
}
