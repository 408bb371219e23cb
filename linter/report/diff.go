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
	maxWhat    = 400  // characters of what changed, in words
	maxSaid    = 160  // the same where the text itself stands below
	maxNames   = 10   // entities named in a grouped row
)

// serverDiff is what is shown of one server's changes. It is made once; the
// terminal, Markdown and HTML only write it down.
type serverDiff struct {
	Total    tally
	Groups   []*changeGroup // errors first, the odd one out before what many share
	More     int            // groups that are not shown
	entities []entityTally  // worst first
}

// entityTally counts the changes of one entity.
type entityTally struct {
	ref snapshot.Ref
	tally
}

// changeGroup is one change that several entities share, told once.
type changeGroup struct {
	Kind     string
	Severity severity.Level
	// What says the change in words; names in it stand between backticks.
	What string
	// Text is the change of a text word by word, Raw that of a schema or another
	// value line by line. What hides in them is spelled out.
	Text, Raw []lockfile.Part

	path, renamedFrom string
	entities          []snapshot.Ref
	alike             bool // its changes have the same message
}

// newServerDiff sorts changes worst first and joins those that differ in their
// entity only. A removed tool that an added one replaces is told with it.
func newServerDiff(changes []lockfile.Change) *serverDiff {
	d := &serverDiff{}
	d.Total, _ = tallyChanges(changes, severity.Off)
	d.entities = tallyEntities(changes)

	renamed := map[string]bool{}
	for i := range changes {
		if c := &changes[i]; c.RenamedFrom != "" {
			renamed[c.RenamedFrom] = true
		}
	}
	index := map[groupKeyOf]*changeGroup{}
	for i := range changes {
		c := &changes[i]
		if c.Kind == lockfile.KindToolRemoved && renamed[c.Entity.Name] {
			continue
		}
		key := keyOf(c)
		g := index[key]
		if g == nil {
			g = &changeGroup{
				Kind: c.Kind, Severity: c.Severity, What: c.Message, Text: textOf(c), Raw: c.Raw,
				path: c.Path, renamedFrom: c.RenamedFrom, alike: true,
			}
			index[key] = g
			d.Groups = append(d.Groups, g)
		}
		g.alike = g.alike && g.What == c.Message
		g.entities = append(g.entities, c.Entity)
	}
	slices.SortStableFunc(d.Groups, func(a, b *changeGroup) int {
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(len(a.entities), len(b.entities)))
	})
	if d.More = len(d.Groups) - maxRows; d.More > 0 {
		d.Groups = d.Groups[:maxRows]
	}
	for _, g := range d.Groups {
		if !g.alike {
			g.What = sameWords(g.Text)
		}
	}
	d.dropRepeatedRaw()
	return d
}

// Title is the heading of the changes of a live server, in every format.
func (d *serverDiff) Title() string { return "Differs from the lock: " + changesText(d.Total) }

// groupKeyOf is what changes have in common that one line tells.
type groupKeyOf struct {
	kind, path, message, before, after, renamed string
	level                                       severity.Level
	entity                                      snapshot.Kind
}

func keyOf(c *lockfile.Change) groupKeyOf {
	k := groupKeyOf{c.Kind, c.Path, c.Message, c.Before, c.After, c.RenamedFrom, c.Severity, c.Entity.Kind}
	if words := wordsOf(c.Text); words != "" {
		k.message, k.before, k.after = words, "", "" // the same words in texts that differ otherwise
	}
	return k
}

// wordsOf are the words that are gone and new in a text that has others too, ""
// where they are not all known.
func wordsOf(parts []lockfile.Part) string {
	var b strings.Builder
	kept := false
	for i, p := range parts {
		switch p.Op {
		case lockfile.Same:
			kept = true
		case lockfile.Skipped:
			if i > 0 && parts[i-1].Op != lockfile.Same {
				return ""
			}
		default:
			b.WriteString(string(p.Op) + " " + strings.TrimSpace(p.Text) + "\n")
		}
	}
	if !kept {
		return ""
	}
	return b.String()
}

// sameWords says what became of several texts in which the same words changed.
func sameWords(parts []lockfile.Part) string {
	var said []string
	for _, p := range parts {
		if text := strings.TrimSpace(p.Text); text != "" && (p.Op == lockfile.Removed || p.Op == lockfile.Added) {
			said = append(said, string(p.Op)+" “"+shorten(strings.ReplaceAll(text, "\n", `\n`), maxCode)+"”")
		}
	}
	if said == nil {
		return "the same change of blanks in each"
	}
	return "the same words in each: " + strings.Join(said, ", ")
}

// textOf is the comparison of a change's texts; for a change that has none, of
// a report that was written elsewhere, its excerpts.
func textOf(c *lockfile.Change) []lockfile.Part {
	if len(c.Text) == 1 && c.Text[0].Op == lockfile.Added && len(c.Text[0].Text) < maxSaid && strings.Contains(c.Message, c.Text[0].Text) {
		return nil // the message quotes all of it
	}
	if c.Text != nil || c.Raw != nil {
		return c.Text
	}
	var parts []lockfile.Part
	for _, side := range []lockfile.Part{{Op: lockfile.Removed, Text: c.Before}, {Op: lockfile.Added, Text: c.After}} {
		if side.Text != "" {
			side.Text = shorten(side.Text, maxExcerpt)
			parts = append(parts, side)
		}
	}
	return parts
}

// dropRepeatedRaw leaves a schema's comparison with the first of the changes in
// it.
func (d *serverDiff) dropRepeatedRaw() {
	seen := map[string]bool{}
	for _, g := range d.Groups {
		if g.Raw == nil {
			continue
		}
		var key strings.Builder
		key.WriteString(string(g.entities[0].Kind) + "\x00" + g.entities[0].Name + "\x00")
		for _, p := range g.Raw {
			key.WriteString(string(p.Op) + p.Text)
		}
		if seen[key.String()] {
			g.Raw = nil
		}
		seen[key.String()] = true
	}
}

func tallyEntities(changes []lockfile.Change) []entityTally {
	index := map[snapshot.Ref]int{}
	var all []entityTally
	for i := range changes {
		c := &changes[i]
		at, known := index[c.Entity]
		if !known {
			at = len(all)
			index[c.Entity] = at
			all = append(all, entityTally{ref: c.Entity})
		}
		all[at].add(c.Severity)
	}
	slices.SortStableFunc(all, func(a, b entityTally) int {
		return cmp.Or(cmp.Compare(b.errors, a.errors), cmp.Compare(b.warnings, a.warnings), cmp.Compare(b.infos, a.infos))
	})
	return all
}

// what is the sentence of a group, shorter where its text is shown as well.
func (g *changeGroup) what() string {
	if len(g.Text) > 0 {
		return shorten(g.What, maxSaid)
	}
	return shorten(g.What, maxWhat)
}

// where names the entities of a group and the place inside them; code writes a
// name in the form of the format.
func (g *changeGroup) where(code func(string) string) string {
	first := g.entities[0]
	var s string
	switch {
	case first.Kind == snapshot.KindServer:
		s = "server"
	case len(g.entities) == 1:
		s = entityWord(first.Kind, 1) + " " + code(first.Name)
	default:
		names := make([]string, 0, maxNames)
		for _, e := range g.entities[:min(len(g.entities), maxNames)] {
			names = append(names, code(e.Name))
		}
		s = itoa(len(g.entities)) + " " + entityWord(first.Kind, len(g.entities)) + ": " + strings.Join(names, ", ")
		if more := len(g.entities) - maxNames; more > 0 {
			s += " and " + itoa(more) + " more"
		}
	}
	if g.renamedFrom != "" {
		s += ", renamed from " + code(g.renamedFrom)
	}
	if g.path != "" {
		s += " at " + code(g.path)
	}
	return s
}

// entityWord is "tool" or "tools".
func entityWord(k snapshot.Kind, n int) string {
	word := string(k)
	if k == snapshot.KindResourceTemplate {
		word = "resource template"
	}
	if n != 1 {
		word += "s"
	}
	return word
}

// diffLine is a line of a comparison: Sign is '-' for one before, '+' for one
// after, ' ' for both, and '…' where lines are left out.
type diffLine struct {
	Sign  rune
	Spans []diffSpan
}

// diffSpan is a piece of a line; Marked tells the words that are gone or new
// beside others that stay.
type diffSpan struct {
	Text   string
	Marked bool
}

// diffLines puts a comparison in lines. Lines in which something changed come
// twice, before and after; words are marked where a part of a line stays.
func diffLines(parts []lockfile.Part) []diffLine {
	var d lineBuilder
	for _, p := range parts {
		if p.Op == lockfile.Skipped {
			d.skip()
			continue
		}
		for i, text := range strings.Split(p.Text, "\n") {
			if i > 0 {
				d.end(p.Op)
			}
			if text != "" {
				d.add(p.Op, text)
			}
		}
	}
	if len(d.before)+len(d.after) > 0 {
		d.end(lockfile.Same)
	}
	d.settle()
	return d.lines
}

// lineBuilder collects the lines before and after until both end together.
type lineBuilder struct {
	lines         []diffLine
	olds, news    []diffLine
	before, after []diffSpan // the lines that are being written
}

// skip says that something is left out: within a line, or between two.
func (d *lineBuilder) skip() {
	if len(d.before)+len(d.after) > 0 {
		d.add(lockfile.Same, "…")
		return
	}
	d.settle()
	d.lines = append(d.lines, diffLine{Sign: '…'})
}

func (d *lineBuilder) add(op lockfile.Op, text string) {
	span := diffSpan{text, op != lockfile.Same}
	if op != lockfile.Added {
		d.before = append(d.before, span)
	}
	if op != lockfile.Removed {
		d.after = append(d.after, span)
	}
}

// end ends a line of the side that the operation is about.
func (d *lineBuilder) end(op lockfile.Op) {
	switch op {
	case lockfile.Removed:
		d.olds, d.before = append(d.olds, diffLine{'-', d.before}), nil
		return
	case lockfile.Added:
		d.news, d.after = append(d.news, diffLine{'+', d.after}), nil
		return
	}
	if slices.Equal(d.before, d.after) && !slices.ContainsFunc(d.before, func(s diffSpan) bool { return s.Marked }) {
		d.settle()
		d.lines = append(d.lines, diffLine{' ', d.after})
	} else {
		if len(d.before) > 0 {
			d.olds = append(d.olds, diffLine{'-', d.before})
		}
		if len(d.after) > 0 {
			d.news = append(d.news, diffLine{'+', d.after})
		}
		d.settle()
	}
	d.before, d.after = nil, nil
}

// settle writes the lines that have been collected of both sides.
func (d *lineBuilder) settle() {
	d.lines = append(append(d.lines, marked(d.olds)...), marked(d.news)...)
	d.olds, d.news = nil, nil
}

// marked takes the marks off lines that are gone or new as a whole: their sign
// says it.
func marked(lines []diffLine) []diffLine {
	for i, l := range lines {
		if !slices.ContainsFunc(l.Spans, func(s diffSpan) bool { return !s.Marked }) {
			for j := range l.Spans {
				lines[i].Spans[j].Marked = false
			}
		}
	}
	return lines
}

// signed is a line as plain text: its sign, and [-…-] or {+…+} around words that
// are gone or new.
func (l *diffLine) signed() string {
	var b strings.Builder
	b.WriteRune(l.Sign)
	b.WriteByte(' ')
	for _, s := range l.Spans {
		text := namedText(snapshot.Visible(s.Text))
		switch {
		case !s.Marked:
			b.WriteString(text)
		case l.Sign == '-':
			b.WriteString("[-" + text + "-]")
		default:
			b.WriteString("{+" + text + "+}")
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// entityMarkdown names an entity: tool `read_file`, server.
func entityMarkdown(ref snapshot.Ref) string {
	if ref.Kind == snapshot.KindServer {
		return "server"
	}
	return string(ref.Kind) + " " + code(ref.Name)
}
