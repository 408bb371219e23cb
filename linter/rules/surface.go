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
	var items []linter.Item
	byPath := map[string][]*site{}
	size := 0
	for _, at := range sites {
		pointer, label := s.pointer(at.at), s.label(at.at)
		if size += len(pointer) + len(label); len(items) == mostItems || len(items) > 0 && size > mostText {
			break
		}
		items = append(items, linter.Item{Path: pointer, Subject: label})
		byPath[pointer] = append(byPath[pointer], at)
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
