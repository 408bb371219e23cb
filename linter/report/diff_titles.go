package report

import (
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
	"github.com/mcp-lint/mcp-lint/lockfile"
)

// titleChange is a change of a title, alone or among the annotations: what is
// said of it without the words of the title, so that those of many tools make
// one row.
type titleChange struct {
	said     string
	old, new string // with what hides in them spelled out
	ref      snapshot.Ref
}

// titleOf takes a change of a title apart, false for any other change and for a
// title that the change does not quote as a whole.
func titleOf(c *lockfile.Change) (titleChange, bool) {
	what := ""
	switch toolKind(c.Kind) {
	case lockfile.KindTitleChanged:
		what = strings.TrimPrefix(c.Path, "/")
	case lockfile.KindAnnotationsChanged:
		what = "the title among the annotations"
	}
	if what == "" || len(c.Text) == 0 {
		return titleChange{}, false
	}
	t := titleChange{ref: c.Entity}
	for _, p := range c.Text {
		switch p.Op {
		case lockfile.Skipped:
			return titleChange{}, false
		case lockfile.Removed:
			t.old += p.Text
		case lockfile.Added:
			t.new += p.Text
		default:
			t.old, t.new = t.old+p.Text, t.new+p.Text
		}
	}
	became, quote := " changed", "; it now reads “"+t.new+"”"
	switch {
	case t.old == "":
		became, quote = " added", ": “"+t.new+"”"
	case t.new == "":
		became, quote = " removed", "; it was “"+t.old+"”"
	}
	rest, ok := strings.CutSuffix(c.Message, what+became+quote)
	if !ok {
		return titleChange{}, false
	}
	t.said = rest + what + became
	if t.repeats() {
		t.said += ", no word more than the name"
	}
	return t, true
}

// repeats reports whether there is nothing in the titles that the name does not
// say.
func (t *titleChange) repeats() bool {
	for _, title := range [...]string{t.old, t.new} {
		if title != "" && !lockfile.RepeatsName(title, t.ref.Name) {
			return false
		}
	}
	return true
}

// joinTitles says what became of the titles of several entities: those that say
// something are listed.
func (g *changeGroup) joinTitles() {
	if len(g.titles) < 2 {
		return
	}
	g.What, g.Text, g.alike = g.titles[0].said, nil, true
	if g.titles[0].repeats() {
		return
	}
	for _, t := range g.titles {
		g.Text = append(g.Text, t.parts()...)
	}
}

// parts are one line of a list of titles, or two.
func (t *titleChange) parts() []lockfile.Part {
	var parts []lockfile.Part
	for _, side := range [...]lockfile.Part{{Op: lockfile.Removed, Text: t.old}, {Op: lockfile.Added, Text: t.new}} {
		if side.Text != "" {
			side.Text = snapshot.Visible(shorten(t.ref.Name, maxCode)) + ": " + strings.ReplaceAll(side.Text, "\n", `\n`) + "\n"
			parts = append(parts, side)
		}
	}
	return parts
}
