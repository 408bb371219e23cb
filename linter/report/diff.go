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
	maxWhat    = 900  // characters of what changed, in words
	maxSaid    = 120  // characters of a text in them that stands below as a whole
	maxNames   = 10   // entities named in a grouped row
)

// serverDiff is what is shown of one server's changes. It is made once; the
// terminal, Markdown and HTML only write it down.
type serverDiff struct {
	Total    tally
	Groups   []*changeGroup // errors first, the odd one out before what many share
	More     int            // changes that are not shown
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
	// Inner are the texts that came with what the change is about.
	Inner []*changeGroup

	path, renamedFrom string
	before, after     string
	entities          []snapshot.Ref
	titles            []titleChange // of each entity, nil where it is no title
	alike             bool          // its changes have the same message
	urgency           int           // see urgencyOf
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
		title, titled := titleOf(c)
		if titled {
			key.message, key.before, key.after, key.whole = title.said, "", "", ""
		}
		g := index[key]
		if g == nil {
			g = &changeGroup{
				Kind: c.Kind, Severity: c.Severity, What: c.Message, Text: textOf(c), Raw: c.Raw,
				path: c.Path, renamedFrom: c.RenamedFrom, before: c.Before, after: c.After,
				alike: true, urgency: urgencyOf(c),
			}
			index[key] = g
			d.Groups = append(d.Groups, g)
		}
		g.alike = g.alike && g.What == c.Message
		g.entities = append(g.entities, c.Entity)
		if titled {
			g.titles = append(g.titles, title)
		}
	}
	for _, g := range d.Groups {
		if g.joinTitles(); !g.alike {
			g.What = sameWords(g.Text)
		}
		if g.explained() {
			g.What = strings.TrimSuffix(g.What, "; review the diff of the lock")
		}
	}
	d.nest()
	d.sort()
	if len(d.Groups) > maxRows {
		for _, g := range d.Groups[maxRows:] {
			d.More += len(g.entities)
			for _, inner := range g.Inner {
				d.More += len(inner.entities)
			}
		}
		d.Groups = d.Groups[:maxRows]
	}
	d.dropRepeatedRaw()
	return d
}

// Title is the heading of the changes of a live server, in every format.
func (d *serverDiff) Title() string { return "Differs from the lock: " + changesText(d.Total) }

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

// what is the sentence of a group, with less of the text that it quotes where
// that is shown as well.
func (g *changeGroup) what() string {
	if len(g.Text) > 0 {
		return shorten(g.requoted(func(quote string) string { return "“" + shorten(quote, maxSaid) + "”" }), maxWhat)
	}
	return shorten(g.What, maxWhat)
}

// said is what without the text that it quotes where that is shown below it.
func (g *changeGroup) said() string {
	if len(g.Text) == 0 {
		return g.what()
	}
	const none = "\x00"
	s := g.requoted(func(string) string { return none })
	for _, lead := range [...]string{"; it now reads ", "; they now read ", "; it was ", ": "} {
		s = strings.ReplaceAll(s, lead+none, "")
	}
	if at := strings.LastIndex(s, "; gone is “"); at >= 0 {
		s = s[:at]
	}
	return shorten(strings.ReplaceAll(s, none, ""), maxWhat)
}

// requoted is the sentence with another quotation of its text.
func (g *changeGroup) requoted(quote func(string) string) string {
	s := g.What
	for _, text := range [...]string{g.after, g.before} {
		if quoted := "“" + text + "”"; text != "" && strings.Contains(s, quoted) {
			return strings.Replace(s, quoted, quote(text), 1)
		}
	}
	return s
}

// where names the entities of a group and the place inside them; code writes a
// name in the form of the format.
func (g *changeGroup) where(code func(string) string) string {
	s := g.whose(code)
	if g.renamedFrom != "" {
		s += ", renamed from " + code(g.renamedFrom)
	}
	if g.path != "" {
		s += " at " + code(g.path)
	}
	return s
}

// whose names the entities of a group.
func (g *changeGroup) whose(code func(string) string) string {
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

// entityMarkdown names an entity: tool `read_file`, server.
func entityMarkdown(ref snapshot.Ref) string {
	if ref.Kind == snapshot.KindServer {
		return "server"
	}
	return string(ref.Kind) + " " + code(ref.Name)
}
