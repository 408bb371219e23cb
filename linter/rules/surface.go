package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// siteKind is what a place in a schema may be of interest for.
type siteKind uint8

const (
	typeListSite siteKind = iota
	nullUnionSite
	booleanSite
	arraySite
	enumSite
	emptyMemberSite // the empty text in a list of values
	formatSite
	refSite
	headerSite
	oldBoundSite
	valueSite   // a default, example, constant or list of values
	openAPISite // a word of OpenAPI
)

// site is a place in a tool's schemas that a rule speaks about.
type site struct {
	kind siteKind
	// output: it is in the output schema, which models do not get.
	output bool
	// direct: only properties lead from the root to it.
	direct bool
	// at is the place of the keyword, or of the schema itself.
	at int32
	// schema has the keyword, and value is the keyword's value.
	schema, value *snapshot.Node
	keyword       string
}

// surface is what the rules about values and clients look at in a tool: the
// sites of its schemas in document order. One walk collects them for all
// rules; a schema without any costs no memory.
type surface struct {
	sites  []site
	places []surfacePlace
}

// surfacePlace is a member (index -1) or an element of its parent (-1: the tool).
type surfacePlace struct {
	name   string
	index  int32
	parent int32
}

type surfaceKey struct{}

func surfaceOf(tool *linter.Entity) *surface {
	return tool.Memo(surfaceKey{}, func() any {
		var way [32]surfaceStep
		w := surfaceWalk{repeats: tool.Repeats(), way: way[:0]}
		for _, key := range []string{"inputSchema", "outputSchema"} {
			if schema := tool.Get(key); schema.Type() == snapshot.Object {
				w.output = key == "outputSchema"
				w.push(key, -1)
				w.schema(schema, true, false)
				w.pop()
			}
		}
		found := w.surface // without the stack, which is not kept
		return &found
	}).(*surface)
}

// of yields the sites of a kind.
func (s *surface) of(kind siteKind) func(func(*site) bool) {
	return func(yield func(*site) bool) {
		for i := range s.sites {
			if s.sites[i].kind == kind && !yield(&s.sites[i]) {
				return
			}
		}
	}
}

// tokens are the steps from the tool to a place.
func (s *surface) tokens(at int32) []string {
	n := 0
	for i := at; i >= 0; i = s.places[i].parent {
		n++
	}
	tokens := make([]string, n)
	for i := at; i >= 0; i = s.places[i].parent {
		n--
		if tokens[n] = s.places[i].name; s.places[i].index >= 0 {
			tokens[n] = strconv.Itoa(int(s.places[i].index))
		}
	}
	return tokens
}

// pointer is the JSON pointer of a place inside the tool, or of the nearest
// value above it when names make it longer than anybody reads.
func (s *surface) pointer(at int32) string {
	const most = 1024
	pointer := ""
	for _, token := range s.tokens(at) {
		next := snapshot.AppendPointer(pointer, token)
		if len(next) > most {
			break
		}
		pointer = next
	}
	return pointer
}

// label names the parameter around a place for people, as [linter.Param] does,
// or the one around that when it would be longer than anybody reads; "" stands
// for the schema itself.
func (s *surface) label(at int32) string {
	const most = 256
	var b strings.Builder
	tokens := s.tokens(at)
	for i := 1; i < len(tokens); i++ {
		switch tokens[i] {
		case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas":
			if i+1 < len(tokens) {
				i++
				if b.Len()+len(tokens[i]) > most {
					return b.String()
				}
				if b.Len() > 0 {
					b.WriteByte('.')
				}
				b.WriteString(tokens[i])
			}
		case "items", "prefixItems":
			b.WriteString("[]")
		}
	}
	return b.String()
}

// labels lists the parameters around places, each once and quoted.
func (s *surface) labels(sites []*site) string {
	var names []string
	seen := map[string]bool{}
	for _, at := range sites {
		name := s.label(at.at)
		if seen[name] {
			continue
		}
		seen[name] = true
		switch {
		case name != "":
			names = append(names, quote(name))
		case at.output:
			names = append(names, "the output schema")
		default:
			names = append(names, "the input schema")
		}
	}
	return listed(names)
}

// What one finding lists at most: a hostile schema repeats a fault a million
// times under a name of a megabyte.
const (
	mostItems = 100
	mostText  = 16 << 10 // bytes of their pointers and names
)

// items returns the first of the places as members of a finding.
func (s *surface) items(sites []*site) []linter.Item {
	var items []linter.Item
	size := 0
	for _, at := range sites {
		pointer, label := s.pointer(at.at), s.label(at.at)
		if size += len(pointer) + len(label); len(items) == mostItems || len(items) > 0 && size > mostText {
			break
		}
		items = append(items, linter.Item{Path: pointer, Subject: label})
	}
	return items
}

// report adds one finding on a tool for several of its sites, each an item.
// describe gets those that the finding lists.
func (s *surface) report(p *linter.Pass, tool *linter.Entity, sites []*site, describe func([]*site) linter.Finding) {
	if len(sites) == 0 {
		return
	}
	path := "/inputSchema"
	if sites[0].output {
		path = "/outputSchema"
	}
	items := s.items(sites)
	byPath := map[string][]*site{}
	for i, item := range items {
		byPath[item.Path] = append(byPath[item.Path], sites[i])
	}
	more := len(sites) - len(items)
	p.ReportGroup(tool, path, items, func(items []linter.Item) linter.Finding {
		kept := make([]*site, 0, len(items))
		seen := map[string]bool{}
		for _, item := range items {
			if !seen[item.Path] { // those of one path stay together
				kept = append(kept, byPath[item.Path]...)
			}
			seen[item.Path] = true
		}
		f := describe(kept)
		if more > 0 {
			f.Message += fmt.Sprintf(" (and %s not listed)", plural(more, "place"))
		}
		return f
	})
}

// siteFault is a fault at some sites of one tool.
type siteFault struct {
	tool  *linter.Entity
	sites []*site
}

// faultsAt collects the sites of a kind that are at fault, tool by tool.
func faultsAt(p *linter.Pass, kind siteKind, faulty func(*linter.Entity, *site) bool) []siteFault {
	var faults []siteFault
	for _, tool := range p.Tools() {
		var found []*site
		for at := range surfaceOf(tool).of(kind) {
			if faulty == nil || faulty(tool, at) {
				found = append(found, at)
			}
		}
		if found != nil {
			faults = append(faults, siteFault{tool, found})
		}
	}
	return faults
}

// reportSites adds a finding a tool, or one on the server when many tools have
// the fault: a generator wrote it then, and one change mends it. describe gets
// the sites that a finding is about and where they are, in words.
func reportSites(p *linter.Pass, faults []siteFault, describe func(sites []*site, where string) linter.Finding) {
	if len(faults) < sharedBy {
		for _, fault := range faults {
			s := surfaceOf(fault.tool)
			s.report(p, fault.tool, fault.sites, func(sites []*site) linter.Finding { return describe(sites, s.labels(sites)) })
		}
		return
	}
	g := sharedSites{sites: map[string][]*site{}}
	for _, fault := range faults {
		g.add(fault)
	}
	p.ReportGroup(p.Server(), "", g.items, func(items []linter.Item) linter.Finding {
		var sites []*site
		seen := map[string]bool{}
		for _, item := range items {
			if seen[item.Path] {
				continue // those of one path stay together
			}
			seen[item.Path] = true
			sites = append(sites, g.sites[item.Path]...)
		}
		f := describe(sites, toolNames(ownersIn(items)))
		if g.more > 0 {
			f.Message += fmt.Sprintf(" (and %s not listed)", plural(g.more, "place"))
		}
		return f
	})
}

// sharedSites are the members of a finding on the server, with what they are
// by their paths.
type sharedSites struct {
	items []linter.Item
	sites map[string][]*site
	size  int
	more  int
}

// What one finding on the server looks at; [linter.Pass.ReportGroup] lists
// fewer.
const (
	mostSharedItems = 5_000
	mostSharedText  = 1 << 20
)

func (g *sharedSites) add(fault siteFault) {
	s := surfaceOf(fault.tool)
	base := snapshot.AppendPointer("/tools", fault.tool.Ref.Name)
	for i, at := range fault.sites {
		if i == mostItems || len(g.items) == mostSharedItems || g.size > mostSharedText {
			g.more += len(fault.sites) - i
			return
		}
		path, label := base+s.pointer(at.at), s.label(at.at)
		g.size += len(path) + len(label)
		g.items = append(g.items, linter.Item{Path: path, Subject: label, Of: fault.tool})
		g.sites[path] = append(g.sites[path], at)
	}
}

// surfaceWalk goes through every schema of a tool once. The way down is a
// stack; a place is written down when it has a site.
type surfaceWalk struct {
	surface
	repeats bool
	output  bool
	way     []surfaceStep
}

type surfaceStep struct {
	name  string
	index int32
	place int32 // where it stands in places, -1 when nowhere yet
}

func (w *surfaceWalk) push(name string, index int32) {
	w.way = append(w.way, surfaceStep{name, index, -1})
}

func (w *surfaceWalk) pop() { w.way = w.way[:len(w.way)-1] }

// here returns the place of the innermost step.
func (w *surfaceWalk) here() int32 {
	parent := int32(-1)
	for i := range w.way {
		s := &w.way[i]
		if s.place < 0 {
			s.place = int32(len(w.places))
			w.places = append(w.places, surfacePlace{s.name, s.index, parent})
		}
		parent = s.place
	}
	return parent
}

// add notes a site at a keyword of the current schema, "" for the schema.
func (w *surfaceWalk) add(kind siteKind, schema *snapshot.Node, keyword string, value *snapshot.Node, direct bool) {
	if keyword != "" {
		w.push(keyword, -1)
		defer w.pop()
	}
	if w.sites == nil {
		w.sites, w.places = make([]site, 0, 8), make([]surfacePlace, 0, 16)
	}
	if n := len(w.sites); n == cap(w.sites) {
		w.sites = slices.Grow(w.sites, n) // double: append would copy a million five times
	}
	w.sites = append(w.sites, site{kind: kind, output: w.output, direct: direct, at: w.here(), schema: schema, value: value, keyword: keyword})
}
