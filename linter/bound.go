package linter

import (
	"fmt"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// What a report lists is bounded, for a hostile snapshot can earn millions of
// findings. The rest counts in the scores as if it were listed, and the last
// one listed of its kind says how many they are. Each rule and severity has
// bounds of its own, so that a flood of one hides none of another.
const (
	// maxOnEntity findings of one rule and severity are listed on an entity that
	// is judged at a stretch, and maxOfRule on all of them.
	maxOnEntity = 500
	maxOfRule   = 5_000
	// maxFindings are listed in all; beyond them only the first fewOfRule of a
	// rule and severity.
	maxFindings = 50_000
	fewOfRule   = 100
	// MaxItems members of a grouped finding are listed.
	MaxItems = 500
	// Names have no bound, and every finding repeats some: what is longer than
	// usualSize, in bytes, counts towards maxSize of a rule and severity.
	usualSize = 1 << 10
	maxSize   = 1 << 20
	// maxItemsSize is what the members of one finding take at most.
	maxItemsSize = 64 << 10
)

// quota is what has been listed of one rule, severity and fate.
type quota struct {
	listed   int
	size     int     // of what was unusually long in them
	entity   *Entity // the last one that had a finding
	onEntity int     // listed on it
	last     int     // place in found of the last one listed
}

// quotas are those of a rule: by suppressed or not, and severity.
type quotas [2][severity.Error + 1]quota

// unlisted counts the findings that stand behind a listed one.
type unlisted struct{ here, elsewhere int }

// list adds a complete finding to the report, or counts it when there are too
// many of its kind. All findings come through here, and through score before.
func (p *Pass) list(e *Entity, f *Finding) {
	r, more := p.run, f.More
	f.More = 0
	q := p.quota(f)
	if q.entity != e {
		q.entity, q.onEntity = e, 0
	}
	if !r.full(q) {
		q.listed++
		q.size += max(0, size(f)-usualSize)
		q.onEntity++
		q.last = len(r.found)
		p.fill(e, f)
		r.found = append(r.found, *f)
	} else {
		more++
	}
	if more == 0 {
		return
	}
	if r.unlisted == nil {
		r.unlisted = map[int]unlisted{}
	}
	behind := r.unlisted[q.last]
	if q.onEntity > 0 {
		behind.here += more
	} else {
		behind.elsewhere += more
	}
	r.unlisted[q.last] = behind
}

// full reports whether the next finding of a kind is only counted.
func (r *run) full(q *quota) bool {
	return q.onEntity >= maxOnEntity || q.listed >= maxOfRule || q.size >= maxSize ||
		q.listed >= fewOfRule && len(r.found) >= maxFindings
}

// size is how much of a report a finding takes, in bytes.
func size(f *Finding) int {
	n := len(f.Entity.Name) + len(f.Path) + len(f.Message) + len(f.Subject)
	for i := range f.Items {
		n += itemSize(&f.Items[i])
	}
	return n
}

func itemSize(i *Item) int { return len(i.Path) + len(i.Subject) }

// Lists reports whether a finding that a rule is about to report on an entity,
// with its own severity, may still be listed. Of one that is not, nobody needs
// the pointer, the message and the rest of the words; it must be reported all
// the same, for it counts.
func (p *Pass) Lists(e *Entity) bool {
	for i := range p.run.linter.suppress {
		if p.run.linter.suppress[i].Rule == p.rule.ID {
			return true // it may be about the pointer
		}
	}
	q := p.quotas[0][p.rule.Effective]
	if q.entity != e {
		q.onEntity = 0
	}
	return !p.run.full(&q)
}

func (p *Pass) quota(f *Finding) *quota {
	fate := 0
	if f.Suppressed != nil {
		fate = 1
	}
	return &p.quotas[fate][min(max(f.Severity, severity.Off), severity.Error)]
}

// score counts a finding with all its members, and the others like it that it
// stands for, for both scores.
func (p *Pass) score(e *Entity, f *Finding, items []Item) {
	if f.Suppressed != nil {
		return
	}
	times := 1 + f.More
	lost := penalty(f.Severity)
	if p.rule.Last || p.rule.observed() || len(p.rule.Clients) > 0 {
		lost = 0 // about the configuration, the launch or clients: no fault of what the server says
	}
	if len(items) == 0 || items[0].Of == nil {
		e.waste += max(0, f.Waste) * times
		e.penalty += lost * times
	} else {
		scoreMembers(items, lost)
	}
	if lost == 0 {
		return
	}
	p.run.capped = p.run.capped || f.Severity == severity.Error && strings.HasPrefix(f.Rule, "injection/")
}

// scoreMembers counts the members of a group of tools as a finding on each
// tool; those of one tool stand together.
func scoreMembers(items []Item, lost int) {
	var last *Entity
	for i := range items {
		of := items[i].Of
		of.waste += max(0, items[i].Waste)
		if of != last {
			of.penalty += lost
		}
		last = of
	}
}

// tellUnlisted writes down what the report leaves out.
func (r *run) tellUnlisted() {
	for at, more := range r.unlisted {
		f := &r.found[at]
		f.More = more.here + more.elsewhere
		switch {
		case more.elsewhere == 0:
			f.Message += fmt.Sprintf(" (and %d more of this rule on this %s are not listed)", more.here, kindName(f.Entity.Kind))
		case more.here == 0:
			f.Message += fmt.Sprintf(" (and %d more of this rule elsewhere are not listed)", more.elsewhere)
		default:
			f.Message += fmt.Sprintf(" (and %d more of this rule on this %s and %d elsewhere are not listed)",
				more.here, kindName(f.Entity.Kind), more.elsewhere)
		}
	}
}

func kindName(k snapshot.Kind) string {
	if k == snapshot.KindResourceTemplate {
		return "resource template"
	}
	return string(k)
}
