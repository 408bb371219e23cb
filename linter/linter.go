// Package linter judges a snapshot: it runs rules over what an MCP server
// tells a model and returns findings and two scores. It knows nothing of
// networks, processes or GitHub.
package linter

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// Linter holds rules and a configuration. It is immutable; one serves any
// number of concurrent calls of [Linter.Lint].
type Linter struct {
	preset   Preset
	rules    []active // all rules, in registry order
	options  map[string]float64
	ignore   []string
	suppress []suppression
}

// active is a rule under a configuration.
type active struct {
	Rule
	configured bool // the configuration names its severity
	facts      []ClientFact
}

// Result is what one snapshot is worth.
type Result struct {
	// Findings are sorted: entity kind, entity name, severity, rule, document
	// order. Suppressed ones are included and marked.
	Findings []Finding
	Quality  Quality
	Tokens   Tokens

	// used tells which of the linter's suppressions silenced something.
	used []bool
}

// New checks the configuration against the rules. An unknown preset, rule,
// client or option is an error that names the nearest valid one; so is a suppression
// without rule or reason. Only the first problem is reported, the same one
// every time.
func New(rules []Rule, c Config) (*Linter, error) {
	l := &Linter{preset: c.Preset, options: maps.Clone(c.Options), ignore: slices.Clone(c.IgnoreTools)}
	if l.preset == "" {
		l.preset = Recommended
	}
	if !slices.Contains(Presets(), l.preset) {
		return nil, fmt.Errorf("unknown preset %s", suggest(string(l.preset), presetNames()))
	}
	ids := make([]string, 0, len(rules))
	var options []string
	for _, r := range rules {
		if slices.Contains(ids, r.ID) {
			return nil, fmt.Errorf("rule %s is listed twice", r.ID)
		}
		ids = append(ids, r.ID)
		options = append(options, r.Options...)
		level, configured := c.Rules[r.ID]
		if !configured {
			level = r.Severity.For(l.preset)
		}
		facts := narrow(r.Clients, c.Clients)
		if len(r.Clients) > 0 && len(facts) == 0 {
			level = severity.Off
		}
		r.Effective = level
		l.rules = append(l.rules, active{Rule: r, configured: configured, facts: facts})
	}
	for _, id := range slices.Sorted(maps.Keys(c.Rules)) {
		if !slices.Contains(ids, id) {
			return nil, fmt.Errorf("unknown rule %s", suggest(id, ids))
		}
		if level := c.Rules[id]; level < severity.Off || level > severity.Error {
			return nil, fmt.Errorf("rule %s has severity %s; expected error, warning, info or off", id, level)
		}
	}
	known := Clients(rules)
	for _, name := range c.Clients {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("unknown client %s", suggest(name, known))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Options)) {
		if !slices.Contains(options, name) {
			return nil, fmt.Errorf("unknown option %s", suggest(name, options))
		}
		if v := c.Options[name]; !(v >= 0) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("option %s is %v; expected a number of at least 0", name, v)
		}
	}
	var err error
	l.suppress, err = readSuppressions(c, ids)
	return l, err
}

func presetNames() []string {
	var names []string
	for _, p := range Presets() {
		names = append(names, string(p))
	}
	return names
}

// Preset returns the preset in force.
func (l *Linter) Preset() Preset { return l.preset }

// Rules returns the metadata of all rules in registry order, with Effective
// filled in.
func (l *Linter) Rules() []Rule {
	rules := make([]Rule, len(l.rules))
	for i := range l.rules {
		rules[i] = l.rules[i].Rule
	}
	return rules
}

// Ignores reports whether the configuration leaves out the tool of that name.
func (l *Linter) Ignores(tool string) bool {
	return slices.ContainsFunc(l.ignore, func(pattern string) bool { return matchName(pattern, tool) })
}

// Lint judges a snapshot, and with it what was seen of the server from outside.
// The snapshot's Key goes into the fingerprints, so it must be set before. Lint
// does not change the snapshot and may be called concurrently.
func (l *Linter) Lint(s *snapshot.Snapshot, seen ...Observation) Result {
	r := newRun(l, s)
	r.check(false)
	r.observe(seen)
	r.check(true)
	result := r.result()
	result.Quality, result.Tokens = r.quality(), r.tokens()
	return result
}

// result puts what was found in order.
func (r *run) result() Result {
	r.tellUnlisted()
	r.sort()
	r.fingerprint()
	return Result{Findings: r.found, used: r.used}
}
