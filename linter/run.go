package linter

import (
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// run is one call of Lint: the index that all rules share, and what they
// found.
type run struct {
	linter   *Linter
	snapshot *snapshot.Snapshot

	server         *Entity
	tools, prompts []*Entity
	entities       []*Entity
	bySource       map[*snapshot.Entity]*Entity // built by find
	byToken        map[string]*Entity           // built by toolAt
	deep           deepWalk
	texts          textCollector
	suppressions   []SuppressionState
	used           []bool
	found          []Finding
	unlisted       map[int]unlisted // by place in found, before it is sorted
	capped         bool             // the quality score is, see injectionCap
}

func newRun(l *Linter, s *snapshot.Snapshot) *run {
	r := &run{linter: l, snapshot: s, used: make([]bool, len(l.suppress)), found: []Finding{}}
	r.server = &Entity{run: r, Ref: snapshot.Ref{Kind: snapshot.KindServer, Name: serverName(s)}}
	r.entities = make([]*Entity, 0, len(s.Tools)+len(s.Prompts)+len(s.Resources)+len(s.ResourceTemplates))
	block := make([]Entity, cap(r.entities))
	for e := range s.Entities() {
		if e.Kind == snapshot.KindTool && l.Ignores(e.Name) {
			continue
		}
		at := len(r.entities)
		block[at] = Entity{run: r, source: e, Ref: snapshot.Ref{Kind: e.Kind, Name: e.Name}}
		r.entities = append(r.entities, &block[at])
	}
	r.tools, r.prompts = r.kind(snapshot.KindTool), r.kind(snapshot.KindPrompt)
	r.markFaulty()
	r.prepareSuppressions()
	return r
}

// serverName is the name under which the server itself is reported.
func serverName(s *snapshot.Snapshot) string {
	if s.Name != "" {
		return s.Name
	}
	return "server"
}

// kind returns the entities of one kind; they stand together.
func (r *run) kind(k snapshot.Kind) []*Entity {
	is := func(e *Entity) bool { return e.Ref.Kind == k }
	first := slices.IndexFunc(r.entities, is)
	if first < 0 {
		return nil
	}
	rest := r.entities[first:]
	if n := slices.IndexFunc(rest, func(e *Entity) bool { return !is(e) }); n >= 0 {
		rest = rest[:n:n]
	}
	return rest
}

// markFaulty notes the entities whose text may repeat a key. The list of
// problems is bounded; when it was cut, every entity may.
func (r *run) markFaulty() {
	for _, p := range r.snapshot.Problems {
		if e := r.find(p.Entity); e != nil {
			e.repeats = true
		}
		if p.Entity == nil && p.More > 0 {
			for _, e := range r.entities {
				e.repeats = true
			}
		}
	}
}

// find returns the run's view of a snapshot's entity.
func (r *run) find(e *snapshot.Entity) *Entity {
	if e == nil {
		return r.server
	}
	if r.bySource == nil {
		r.bySource = make(map[*snapshot.Entity]*Entity, len(r.entities))
		for _, own := range r.entities {
			r.bySource[own.source] = own
		}
	}
	return r.bySource[e]
}

// check runs the rules that are on, either the ordinary ones or the last ones.
func (r *run) check(last bool) {
	var onTools, onAll []*Pass
	for i := range r.linter.rules {
		rule := &r.linter.rules[i]
		if rule.Last != last || rule.Effective == severity.Off {
			continue
		}
		p := &Pass{run: r, rule: rule}
		if rule.CheckTool != nil {
			onTools = append(onTools, p)
		}
		if rule.Check != nil {
			onAll = append(onAll, p)
		}
	}
	for _, tool := range r.tools {
		for _, p := range onTools {
			p.rule.CheckTool(p, tool)
		}
	}
	for _, p := range onAll {
		p.rule.Check(p)
	}
}

// locate returns the place of a pointer inside an entity, or of the nearest
// value above it that exists.
func (r *run) locate(e *Entity, pointer string) snapshot.Location {
	s := r.snapshot
	if s.File == "" {
		return snapshot.Location{}
	}
	if e.source == nil {
		if loc := s.Location(r.serverNode(pointer)); loc.Line > 0 {
			return loc
		}
		return snapshot.Location{File: s.File, Line: 1, Column: 1}
	}
	for {
		if n := e.source.Node.At(pointer); n != nil {
			return s.Location(n)
		}
		pointer = pointer[:max(0, strings.LastIndexByte(pointer, '/'))]
	}
}

// serverNode returns the node of a pointer on the server itself: of what it
// says outside of its lists, or of a tool as /tools/NAME.
func (r *run) serverNode(pointer string) *snapshot.Node {
	if pointer == "/instructions" {
		return r.snapshot.Instructions
	}
	if tool, inside := r.toolAt(pointer); tool != nil {
		if n := tool.Node().At(inside); n != nil {
			return n
		}
		return tool.Node()
	}
	if rest, ok := strings.CutPrefix(pointer, "/serverInfo"); ok {
		return r.snapshot.ServerInfo.At(rest)
	}
	return nil
}

// toolAt takes a pointer on the server that leads to a tool apart, which is
// /tools/NAME/POINTER: the first tool of that name, nil when there is none, and
// the pointer inside it.
func (r *run) toolAt(pointer string) (tool *Entity, inside string) {
	rest, ok := strings.CutPrefix(pointer, "/tools/")
	if !ok {
		return nil, ""
	}
	if r.byToken == nil {
		r.byToken = make(map[string]*Entity, len(r.tools))
		for _, tool := range r.tools {
			token := snapshot.AppendPointer("", tool.Ref.Name)[1:]
			if r.byToken[token] == nil {
				r.byToken[token] = tool
			}
		}
	}
	token, _, _ := strings.Cut(rest, "/")
	return r.byToken[token], rest[len(token):]
}
