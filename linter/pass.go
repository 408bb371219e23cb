package linter

import (
	"slices"

	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// Pass is one rule's view of one snapshot. Everything it hands out is shared
// by all rules of the run, built at the first question and read-only.
type Pass struct {
	run    *run
	rule   *active
	quotas quotas
}

// Snapshot returns what is being judged. Tools that the configuration ignores
// are still in it: rules go through [Pass.Tools].
func (p *Pass) Snapshot() *snapshot.Snapshot { return p.run.snapshot }

// Preset tells which reading applies where the presets differ.
func (p *Pass) Preset() Preset { return p.run.linter.preset }

// Option returns a configured number, or def when the configuration does not
// name it. The rule must list the name in its Options.
func (p *Pass) Option(name string, def float64) float64 {
	if v, ok := p.run.linter.options[name]; ok {
		return v
	}
	return def
}

// Server is the server itself, for findings that are about no entity.
func (p *Pass) Server() *Entity { return p.run.server }

// Tools returns the tools that are not ignored, in document order.
func (p *Pass) Tools() []*Entity { return p.run.tools }

// Prompts returns the prompts in document order.
func (p *Pass) Prompts() []*Entity { return p.run.prompts }

// Entities returns everything that has a definition, in the order tools,
// prompts, resources, resource templates. The server is not among them.
func (p *Pass) Entities() []*Entity { return p.run.entities }

// Entity returns the run's view of an entity of the snapshot: nil when the
// configuration ignores it, the server for nil.
func (p *Pass) Entity(e *snapshot.Entity) *Entity { return p.run.find(e) }

// Suppressions tells how the configured suppressions fared. Only a rule that
// runs last has a use for it.
func (p *Pass) Suppressions() []SuppressionState { return p.run.suppressions }

// Report adds a finding on an entity. pointer is a JSON pointer inside it; it
// may name something absent, the location is then that of the nearest value
// above. The rule sets Message and, where they apply, Fix, Subject, Waste,
// Severity and Codes; a zero Severity is that of the preset, nil Codes are the
// rule's. The rest is filled in here. A configured severity beats all.
//
// Of very many findings the report lists the first and says how many more
// there are; all count in the scores. A rule that has stopped keeping what it
// found sets More to how many others the finding stands for.
func (p *Pass) Report(e *Entity, pointer string, f Finding) {
	p.identify(e, pointer, &f)
	f.Suppressed = p.run.suppress(e, &f, f.Path)
	p.score(e, &f, nil)
	p.list(e, &f)
}

// ReportGroup adds one finding for several members of an entity. describe gets
// the members that the finding is about and returns what [Pass.Report] expects.
// Members whose path the configuration suppresses form a finding of their own,
// and [Finding.Part] asks for some of the members after the run: describe may be
// called any number of times, and must not depend on what the rule does later.
// Of very many members the finding lists the first; a rule that hands over only
// [MaxItems] sets MoreItems. Where members have [Item.Of], all have it: then they
// alone count in the scores.
func (p *Pass) ReportGroup(e *Entity, pointer string, items []Item, describe func([]Item) Finding) {
	kept, rest := p.run.splitSuppressed(e, p.rule.ID, items)
	part := func(items []Item) Finding {
		f := describe(items)
		p.identify(e, pointer, &f)
		return f
	}
	add := func(f *Finding, items []Item, by *Suppressed) {
		f.Suppressed, f.part = by, part
		p.score(e, f, items)
		group(f, items)
		p.list(e, f)
	}
	if len(kept) > 0 {
		f := part(kept)
		f.Items = kept
		add(&f, kept, p.run.suppress(e, &f, f.Path))
	}
	for _, hidden := range rest {
		f := part(hidden.items)
		add(&f, hidden.items, hidden.by)
	}
}

// identify sets what decides whether a finding is suppressed and listed, and
// the codes.
func (p *Pass) identify(e *Entity, pointer string, f *Finding) {
	if f.Severity == severity.Off || p.rule.configured {
		f.Severity = p.rule.Effective
	}
	if f.Codes == nil {
		f.Codes = p.rule.Codes
	}
	if f.Codes == nil {
		f.Codes = []string{}
	}
	f.Rule, f.Entity, f.Path = p.rule.ID, e.Ref, pointer
	f.Items = nil
}

// fill sets the rest, which only a listed finding needs.
func (p *Pass) fill(e *Entity, f *Finding) {
	if f.Items == nil {
		f.Items = []Item{}
	}
	f.New = true
	if f.Location == (snapshot.Location{}) {
		f.Location = p.run.locate(e, f.Path)
	}
	for i := range f.Items {
		item := &f.Items[i]
		item.Location, item.New = p.run.locate(e, item.Path), true
	}
	if len(f.Items) > 0 && f.Items[0].Of != nil {
		f.Location = f.Items[0].Location // the server has no place of its own
	}
}

// group gives a finding its members; those that are not listed do not keep
// their memory.
func group(f *Finding, items []Item) {
	listed, size := 0, 0
	for listed < min(len(items), MaxItems) {
		if size += itemSize(&items[listed]); listed > 0 && size > maxItemsSize {
			break
		}
		listed++
	}
	f.Items = items
	if more := len(items) - listed; more > 0 {
		f.Items, f.MoreItems = slices.Clone(items[:listed]), f.MoreItems+more
	}
}
