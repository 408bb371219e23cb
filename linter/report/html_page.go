package report

import (
	"cmp"
	"html/template"
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// What of a report the page shows.
const (
	maxPageFindings    = 2000 // of all servers
	maxEntityFindings  = 100
	maxPageDefinitions = 3 << 20 // bytes of all definitions
	maxPageServers     = 300
	maxCleanNames      = 500
	maxFixed           = 50
)

// htmlPage is what the template shows.
type htmlPage struct {
	*Report
	Style     template.CSS
	StyleHash string
	Counts    string
	Sections  []*htmlServer
	Unlisted  int // servers
	Fixed     []FixedFinding
	MoreFixed int
	Rules     []*htmlRule
	Lock      *htmlLock // nil for a report that is no review

	options     *HTMLOptions
	rules       map[string]*htmlRule
	findings    int // shown so far
	definitions int // bytes shown so far
	anchors     int
}

// htmlLock is what a review says about the lock.
type htmlLock struct {
	Notes    []lockNote
	Sections []lockSection
}

// htmlRule is a rule that a finding of the page names.
type htmlRule struct {
	*linter.Rule
	Anchor string
}

// htmlServer is one server's section.
type htmlServer struct {
	*Server
	Anchor     string
	Inventory  string
	Error      string
	Findings   tally
	Groups     []*htmlGroup
	Unlisted   int // findings that the page has no room for
	Clean      []string
	MoreClean  int
	Suppressed []*linter.Finding
	Hushed     int // suppressed findings that the page has no room for
	Chart      *htmlChart
	Diff       *serverDiff // nil where nothing differs, or a section tells it
	Known      bool        // its snapshot is
	LeavesOut  bool        // findings that the quality score leaves out
}

// htmlScore is a score in words; Grade is "" for one that there is not.
type htmlScore struct {
	Name  string
	Score int
	Grade string
	Note  string
}

// ScoreCards are the server's scores.
func (v *htmlServer) ScoreCards() []htmlScore {
	if v.Scores == nil {
		return nil
	}
	q, t := v.Scores.Quality, v.Scores.Tokens
	cards := []htmlScore{{"Quality", q.Score, q.Grade, "what a model and its users make of the definitions"}}
	if !t.Scored {
		return append(cards, htmlScore{Name: "Token cost", Note: "no tools"})
	}
	note := "~" + grouped(t.Definitions) + " tokens of definitions, ~" + grouped(t.Wasted) + " wasted (estimated"
	if len(v.Probes) == 0 {
		note += ", static checks only"
	}
	return append(cards, htmlScore{"Token cost", t.Score, t.Grade, note + ")"})
}

// CleanCount is how many tools have no findings.
func (v *htmlServer) CleanCount() int { return len(v.Clean) + v.MoreClean }

// htmlGroup is an entity with its findings and its definition.
type htmlGroup struct {
	Entity     snapshot.Ref
	Anchor     string
	Findings   []*htmlFinding
	More       int
	Worst      severity.Level
	Definition *definition
	Left       string // why there is no definition

	source *snapshot.Entity
}

// htmlFinding is a finding with the links to its places in the definition.
type htmlFinding struct {
	*linter.Finding
	Rule  *htmlRule
	Name  string // of the rule
	Place htmlPlace
	Items []htmlPlace
	More  int // items
}

// htmlPlace is a place in a definition; Anchor is "" when it is not shown.
type htmlPlace struct{ Text, Anchor string }

func (p *htmlPlace) keep(shown map[string]bool) {
	if !shown[p.Anchor] {
		p.Anchor = ""
	}
}

func newPage(r *Report, o *HTMLOptions) *htmlPage {
	p := &htmlPage{Report: r, Counts: countsLine(r), options: o, rules: map[string]*htmlRule{}}
	if o.review != nil {
		v := o.review.lockVerdict()
		p.Lock = &htmlLock{o.review.lockNotes(&v), o.review.lockSections(&v)}
	}
	for i := range o.Rules {
		p.rules[o.Rules[i].ID] = &htmlRule{Rule: &o.Rules[i]}
	}
	for i := range r.Servers {
		if i == maxPageServers {
			p.Unlisted = len(r.Servers) - i
			break
		}
		var snap *snapshot.Snapshot
		if i < len(o.Snapshots) {
			snap = o.Snapshots[i]
		}
		p.Sections = append(p.Sections, p.server(&r.Servers[i], snap))
	}
	if r.Baseline != nil {
		p.Fixed = r.Baseline.Fixed[:min(len(r.Baseline.Fixed), maxFixed)]
		p.MoreFixed = len(r.Baseline.Fixed) - len(p.Fixed)
	}
	slices.SortFunc(p.Rules, func(a, b *htmlRule) int { return cmp.Compare(a.ID, b.ID) })
	return p
}

func (p *htmlPage) anchor(prefix string) string {
	p.anchors++
	return prefix + itoa(p.anchors)
}

func (p *htmlPage) server(s *Server, snap *snapshot.Snapshot) *htmlServer {
	v := &htmlServer{Server: s, Anchor: p.anchor("s"), Inventory: facts(s), Known: snap != nil}
	if s.Error != nil {
		v.Error = errorText(s.Error)
	}
	v.LeavesOut = s.scoreLeavesOut()
	if s.Scores != nil {
		v.Chart = newChart(&s.Scores.Tokens)
	}
	p.group(v, s, snap)
	if s.Lock != nil && len(s.Lock.Changes) > 0 && p.Lock == nil {
		v.Diff = newServerDiff(s.Lock.Changes)
	}
	return v
}

// group puts findings with their entities: the worst first, else in the order
// in which they come.
func (p *htmlPage) group(v *htmlServer, s *Server, snap *snapshot.Snapshot) {
	find := newEntityIndex(snap)
	groups := map[groupKey]*htmlGroup{}
	for i := range s.Findings {
		f := &s.Findings[i]
		if f.Suppressed != nil {
			if len(v.Suppressed) < maxRows {
				v.Suppressed = append(v.Suppressed, f)
			} else {
				v.Hushed++
			}
			continue
		}
		v.Findings.add(f.Severity)
		key := groupKey{ref: f.Entity, source: find.entity(f)}
		if key.ref.Kind == snapshot.KindServer {
			key.ref.Name = "" // there is only one
		}
		g := groups[key]
		if g == nil {
			g = &htmlGroup{Entity: key.ref, source: key.source}
			groups[key] = g
			v.Groups = append(v.Groups, g)
		}
		g.Worst = max(g.Worst, f.Severity)
		g.Findings = append(g.Findings, &htmlFinding{Finding: f})
	}
	slices.SortStableFunc(v.Groups, func(a, b *htmlGroup) int { return cmp.Compare(b.Worst, a.Worst) })
	room := 0
	for _, g := range v.Groups {
		if p.findings >= maxPageFindings {
			v.Unlisted += len(g.Findings)
			continue
		}
		room++
		p.fill(g, snap)
	}
	dirty := v.Groups
	v.Groups = v.Groups[:room]
	v.Clean, v.MoreClean = cleanTools(s, snap, dirty)
}

// groupKey tells tools of one name apart where the snapshot is known.
type groupKey struct {
	ref    snapshot.Ref
	source *snapshot.Entity
}

// fill completes a group that is shown.
func (p *htmlPage) fill(g *htmlGroup, snap *snapshot.Snapshot) {
	g.Anchor = p.anchor("e")
	slices.SortStableFunc(g.Findings, func(a, b *htmlFinding) int { return compareFindings(a.Finding, b.Finding) })
	if g.More = len(g.Findings) - maxEntityFindings; g.More > 0 {
		g.Findings = g.Findings[:maxEntityFindings]
	}
	p.findings += len(g.Findings)

	m := &marks{ids: map[*snapshot.Node]string{}, way: map[*snapshot.Node]bool{}}
	var root *snapshot.Node
	if g.source != nil {
		root = g.source.Node
	}
	instructions := ""
	link := func(pointer string) string {
		switch {
		case root != nil:
			return m.mark(root, pointer, p.anchor("m"))
		case g.Entity.Kind == snapshot.KindServer && snap != nil && snap.Instructions != nil && strings.HasPrefix(pointer, "/instructions"):
			instructions = cmp.Or(instructions, p.anchor("m"))
			return instructions
		}
		return ""
	}
	for _, f := range g.Findings {
		f.Name, f.Rule = f.Finding.Rule, p.rule(f.Finding.Rule)
		if f.Path != "" {
			f.Place = htmlPlace{shorten(f.Path, maxCode), link(f.Path)}
		}
		items := unnamed(f.Finding)
		for i := range f.Finding.Items {
			// What the message names is marked all the same.
			link(f.Finding.Items[i].Path)
		}
		for _, it := range items[:min(len(items), maxItems)] {
			f.Items = append(f.Items, htmlPlace{shorten(itemName(&it), maxCode), link(it.Path)})
		}
		f.More = len(items) - len(f.Items)
	}
	switch {
	case p.definitions > maxPageDefinitions:
		g.Left = "Its definition is left out: the page is long enough."
	case root != nil:
		g.Definition = newDefinition(root, m)
	case instructions != "":
		g.Definition = newInstructions(snap.Instructions, instructions)
	}
	shown := map[string]bool{}
	if d := g.Definition; d != nil {
		for _, sp := range slices.Concat(d.Excerpt, d.Whole) {
			p.definitions += len(sp.Text) + len(`<span class="hidden"></span>`)
			shown[sp.ID] = true
		}
	}
	// What was cut away cannot be linked to.
	for _, f := range g.Findings {
		f.Place.keep(shown)
		for i := range f.Items {
			f.Items[i].keep(shown)
		}
	}
}

// rule returns a rule's description, which then stands in the page; nil when it
// is not known.
func (p *htmlPage) rule(id string) *htmlRule {
	r := p.rules[id]
	if r != nil && r.Anchor == "" {
		r.Anchor = p.anchor("r")
		p.Rules = append(p.Rules, r)
	}
	return r
}

// cleanTools names the tools without findings, in the order of the server.
func cleanTools(s *Server, snap *snapshot.Snapshot, dirty []*htmlGroup) (names []string, more int) {
	found := map[string]bool{}
	for _, g := range dirty {
		for _, f := range g.Findings {
			for name := range toolsNamed(f.Finding) {
				found[name] = true
			}
		}
	}
	if s.Scores == nil {
		return nil, 0
	}
	scored := map[string]bool{} // those that the configuration does not ignore
	for _, t := range s.Scores.Tokens.Tools {
		scored[t.Name] = true
	}
	add := func(name string) {
		switch {
		case found[name] || !scored[name]:
		case len(names) < maxCleanNames:
			names = append(names, shorten(name, maxCode))
		default:
			more++
		}
	}
	if snap == nil {
		for _, t := range s.Scores.Tokens.Tools {
			add(t.Name)
		}
		return names, more
	}
	for _, t := range snap.Tools {
		add(t.Name)
	}
	return names, more
}

// entityIndex finds the entities of a snapshot that findings are about.
type entityIndex struct {
	snap  *snapshot.Snapshot
	named map[snapshot.Ref][]*snapshot.Entity
}

func newEntityIndex(snap *snapshot.Snapshot) *entityIndex {
	x := &entityIndex{snap: snap, named: map[snapshot.Ref][]*snapshot.Entity{}}
	if snap != nil {
		for e := range snap.Entities() {
			ref := snapshot.Ref{Kind: e.Kind, Name: e.Name}
			x.named[ref] = append(x.named[ref], e)
		}
	}
	return x
}

// entity is the entity of a finding. Entities of one name are told apart by the
// place in their file, as far as it is known.
func (x *entityIndex) entity(f *linter.Finding) *snapshot.Entity {
	candidates := x.named[f.Entity]
	if len(candidates) == 0 {
		return nil
	}
	if len(candidates) > 1 && x.snap.File != "" && f.Location.File == x.snap.File {
		// The last one that begins before it: entities come in the order of the file.
		at, _ := slices.BinarySearchFunc(candidates, f.Location, func(e *snapshot.Entity, l snapshot.Location) int {
			start := x.snap.Location(e.Node)
			return cmp.Or(cmp.Compare(start.Line, l.Line), cmp.Compare(start.Column, l.Column), -1)
		})
		return candidates[max(at-1, 0)]
	}
	return candidates[0]
}
