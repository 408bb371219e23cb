package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
	"github.com/mcp-lint/mcp-lint/lockfile"
)

// Caps that keep one hostile or huge server from filling a whole page; GitHub's
// own limits are applied by whoever posts.
const (
	maxRows    = 200  // table rows of one server
	maxExcerpt = 1500 // characters of a text before or after
	maxNames   = 5    // entities named in a grouped row
)

// changeGroup is one change that several entities share, told once.
type changeGroup struct {
	lockfile.Change
	entities []snapshot.Ref
}

// groupChanges sorts changes worst first and joins those that differ in their
// entity only. A removed tool that an added one replaces is told with it.
func groupChanges(changes []lockfile.Change) []changeGroup {
	type key struct {
		kind, path, message, before, after, renamed string
		level                                       severity.Level
		entity                                      snapshot.Kind
	}
	renamed := map[string]bool{}
	for i := range changes {
		if c := &changes[i]; c.RenamedFrom != "" {
			renamed[c.RenamedFrom] = true
		}
	}
	var groups []changeGroup
	index := map[key]int{}
	for i := range changes {
		c := &changes[i]
		if c.Kind == lockfile.KindToolRemoved && renamed[c.Entity.Name] {
			continue
		}
		k := key{c.Kind, c.Path, c.Message, c.Before, c.After, c.RenamedFrom, c.Severity, c.Entity.Kind}
		at, known := index[k]
		if !known {
			at = len(groups)
			index[k] = at
			groups = append(groups, changeGroup{Change: *c})
		}
		groups[at].entities = append(groups[at].entities, c.Entity)
	}
	slices.SortStableFunc(groups, func(a, b changeGroup) int { return cmp.Compare(b.Severity, a.Severity) })
	return groups
}

// where names the entities of a group and the place inside them, as Markdown.
func (g *changeGroup) where() string { return g.whereIn(code) }

// whereText is where as plain text.
func (g *changeGroup) whereText() string { return g.whereIn(oneLine) }

func (g *changeGroup) whereIn(code func(string) string) string {
	names := make([]string, 0, maxNames)
	for _, e := range g.entities[:min(len(g.entities), maxNames)] {
		if e.Kind == snapshot.KindServer {
			continue
		}
		names = append(names, code(e.Name))
	}
	s := string(g.Entity.Kind)
	if len(names) > 0 {
		s += " " + strings.Join(names, ", ")
	}
	if more := len(g.entities) - maxNames; more > 0 {
		s += " and " + itoa(more) + " more"
	}
	if g.RenamedFrom != "" {
		s += ", renamed from " + code(g.RenamedFrom)
	}
	if g.Path != "" {
		s += " at " + code(g.Path)
	}
	return s
}

// writeDiff writes one server's changes: a table, worst first, then the texts
// before and after; those of errors are open, the others folded.
func writeDiff(b *strings.Builder, changes []lockfile.Change) {
	groups := groupChanges(changes)
	b.WriteString(header("change", "severity", "what", "where"))
	for i := range groups[:min(len(groups), maxRows)] {
		g := &groups[i]
		b.WriteString(row(code(g.Kind), g.Severity.String(), message(shorten(g.Message, maxExcerpt)), g.where()))
	}
	if more := len(groups) - maxRows; more > 0 {
		b.WriteString("\n" + counted(more, "more change is", "more changes are") + " not listed here.\n")
	}
	b.WriteByte('\n')

	folded := 0
	for i := range groups[:min(len(groups), maxRows)] {
		g := &groups[i]
		if g.Before == "" && g.After == "" {
			continue
		}
		if g.Severity < severity.Error {
			if folded == 0 {
				b.WriteString("<details><summary>Texts of the less serious changes</summary>\n\n")
			}
			folded++
		}
		b.WriteString(code(g.Kind) + ": " + g.where() + "\n\n" + fence("diff", diffLines(g.Before, g.After)) + "\n")
	}
	if folded > 0 {
		b.WriteString("</details>\n\n")
	}
}

// diffLines shows a text before and after with hidden characters spelled out.
func diffLines(before, after string) []string {
	var lines []string
	for _, side := range []struct{ sign, text string }{{"- ", before}, {"+ ", after}} {
		if side.text == "" {
			continue
		}
		for _, l := range textLines(shorten(side.text, maxExcerpt)) {
			lines = append(lines, side.sign+l)
		}
	}
	return lines
}

// writeDiffPerEntity is the short form of writeDiff: one row an entity.
func writeDiffPerEntity(b *strings.Builder, changes []lockfile.Change) {
	tallies := map[snapshot.Ref]*tally{}
	var order []snapshot.Ref
	for i := range changes {
		c := &changes[i]
		if tallies[c.Entity] == nil {
			tallies[c.Entity] = new(tally)
			order = append(order, c.Entity)
		}
		tallies[c.Entity].add(c.Severity)
	}
	slices.SortStableFunc(order, func(x, y snapshot.Ref) int {
		a, b := tallies[x], tallies[y]
		return cmp.Or(cmp.Compare(b.errors, a.errors), cmp.Compare(b.warnings, a.warnings), cmp.Compare(b.infos, a.infos))
	})
	b.WriteString(header("where", "changes"))
	for _, ref := range order[:min(len(order), maxRows)] {
		b.WriteString(row(entityMarkdown(ref), tallies[ref].String()))
	}
	if more := len(order) - maxRows; more > 0 {
		b.WriteString("\n" + itoa(more) + " more are not listed here.\n")
	}
	b.WriteByte('\n')
}

// entityMarkdown names an entity: tool `read_file`, server.
func entityMarkdown(ref snapshot.Ref) string {
	if ref.Kind == snapshot.KindServer {
		return "server"
	}
	return string(ref.Kind) + " " + code(ref.Name)
}
