package report

import (
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
	"github.com/mcp-lint/mcp-lint/lockfile"
)

// maxInner bounds the texts that are told under what they came with; further ones
// keep rows of their own.
const maxInner = 20

// nest tells the texts that came with something new under it: a parameter and
// its description are one thing to read, though two changes. They are counted as
// two, and the row is as serious as the worst of them.
func (d *serverDiff) nest() {
	type place struct {
		of   snapshot.Ref
		path string
	}
	hosts := map[place]*changeGroup{}
	for _, g := range d.Groups {
		if g.hosts() {
			for _, e := range g.entities {
				hosts[place{e, g.path}] = g
			}
		}
	}
	if len(hosts) == 0 {
		return
	}
	rest := d.Groups[:0]
	for _, g := range d.Groups {
		var host *changeGroup
		if g.isNewText() {
			for path := g.path; path != "" && host == nil; path = path[:strings.LastIndexByte(path, '/')] {
				host = hosts[place{g.entities[0], path}]
			}
		}
		if host == nil || len(host.Inner) == maxInner || slices.ContainsFunc(g.entities, func(e snapshot.Ref) bool { return hosts[place{e, host.path}] != host }) {
			rest = append(rest, g)
			continue
		}
		host.Inner = append(host.Inner, g)
		host.Severity = max(host.Severity, g.Severity)
		host.urgency = min(host.urgency, g.urgency)
	}
	d.Groups = rest
}

// hosts reports whether a change is that something new has come which may have
// texts in it.
func (g *changeGroup) hosts() bool {
	return g.path != "" && g.before == "" && g.after != "" && toolKind(g.Kind) != lockfile.KindSchemaTextChanged && strings.Contains(g.path, "Schema")
}

func (g *changeGroup) isNewText() bool {
	return toolKind(g.Kind) == lockfile.KindSchemaTextChanged && g.before == "" && strings.HasPrefix(g.path, "/")
}

// Kinds are the kinds of change that a row tells, its own first.
func (g *changeGroup) Kinds() []string {
	kinds := []string{g.Kind}
	for _, inner := range g.Inner {
		if inner.Kind != g.Kind {
			return append(kinds, inner.Kind) // all are of one kind
		}
	}
	return kinds
}

// only names the entities of an inner change where it is not that of all of its
// row, " (tool `a`)".
func (g *changeGroup) only(host *changeGroup, code func(string) string) string {
	if len(g.entities) == len(host.entities) {
		return ""
	}
	return " (" + g.whose(code) + ")"
}
