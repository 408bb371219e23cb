package linter

import (
	"cmp"

	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// Observation is a fault that somebody else saw: in the command that starts a
// server, in the file that names it, or in how it behaved while it was asked.
// The configuration's severities and suppressions apply to it like to what a
// rule finds in the snapshot.
type Observation struct {
	// Rule is the ID of a rule that has no check of its own. What such a rule
	// reports is about how a server is run, so it counts nothing in the scores.
	Rule string
	// Entity is what it is about; the zero value is the server.
	Entity snapshot.Ref
	// Path, Severity, Message, Fix, Package and Subject are as in [Finding]; a
	// zero Severity is that of the preset.
	Path     string
	Severity severity.Level
	Message  string
	Fix      string
	Package  string
	Subject  string
	// Lower makes it one level less severe than the preset and Severity have it:
	// it is about something that is switched off. A severity that the
	// configuration gives the rule stands.
	Lower bool
	// Location is the place in the file that the fault stands in; the zero value
	// leaves it to whoever places findings.
	Location snapshot.Location
}

// Observe judges a server that could not be asked by what was seen from
// outside. key goes into the fingerprints. No other rule runs and no score is
// given; suppressions that silence nothing cannot be judged without the
// snapshot and are not reported.
func (l *Linter) Observe(key string, seen ...Observation) Result {
	r := newRun(l, &snapshot.Snapshot{Key: key})
	r.observe(seen)
	return r.result()
}

// observe reports what others saw. A rule that the linter does not have, or
// that is off, reports nothing.
func (r *run) observe(seen []Observation) {
	passes := make(map[string]*Pass)
	for i := range r.linter.rules {
		if rule := &r.linter.rules[i]; rule.observed() && rule.Effective != severity.Off {
			passes[rule.ID] = &Pass{run: r, rule: rule}
		}
	}
	for _, o := range seen {
		p := passes[o.Rule]
		if p == nil {
			continue
		}
		f := Finding{
			Severity: o.Severity, Message: o.Message, Fix: o.Fix,
			Package: o.Package, Subject: o.Subject, Location: o.Location,
			observed: true,
		}
		if o.Lower {
			f.Severity = max(cmp.Or(f.Severity, p.rule.Effective)-1, severity.Info)
		}
		if e := r.named(o.Entity); e != nil {
			p.Report(e, o.Path, f)
		}
	}
}

// named is the first entity of a kind and name: the server for the zero value,
// nil for one that the configuration ignores. An entity that the snapshot lacks
// stands as it was named: what was seen of it is no less true.
func (r *run) named(ref snapshot.Ref) *Entity {
	if ref == (snapshot.Ref{}) || ref.Kind == snapshot.KindServer {
		return r.server
	}
	for _, e := range r.entities {
		if e.Ref == ref {
			return e
		}
	}
	if ref.Kind == snapshot.KindTool && r.linter.Ignores(ref.Name) {
		return nil
	}
	return &Entity{run: r, Ref: ref}
}
