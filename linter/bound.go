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
	// maxItems members of a grouped finding are listed.
	maxItems = 500
)

// quota is what has been listed of one rule, severity and fate.
type quota struct {
	listed   int
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
	r := p.run
	q := p.quota(f)
	if q.entity != e {
		q.entity, q.onEntity = e, 0
	}
	full := q.onEntity >= maxOnEntity || q.listed >= maxOfRule ||
		q.listed >= fewOfRule && len(r.found) >= maxFindings
	if !full {
		q.listed++
		q.onEntity++
		q.last = len(r.found)
		p.fill(e, f)
		r.found = append(r.found, *f)
		return
	}
	if r.unlisted == nil {
		r.unlisted = map[int]unlisted{}
	}
	more := r.unlisted[q.last]
	if q.onEntity > 0 {
		more.here++
	} else {
		more.elsewhere++
	}
	r.unlisted[q.last] = more
}

func (p *Pass) quota(f *Finding) *quota {
	fate := 0
	if f.Suppressed != nil {
		fate = 1
	}
	return &p.quotas[fate][min(max(f.Severity, severity.Off), severity.Error)]
}

// score counts a finding with all its members for both scores.
func (p *Pass) score(e *Entity, f *Finding, items []Item) {
	if f.Suppressed != nil {
		return
	}
	lost := penalty(f.Severity)
	if p.rule.Last || len(p.rule.Clients) > 0 {
		lost = 0 // about the configuration or about clients: no fault of the server's
	}
	if len(items) == 0 || items[0].Of == nil {
		e.waste += max(0, f.Waste)
		e.penalty += lost
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
