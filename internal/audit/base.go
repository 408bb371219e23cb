package audit

import (
	"context"

	"golang.org/x/sync/errgroup"

	"github.com/mcp-lint/mcp-lint/internal/collect"
	"github.com/mcp-lint/mcp-lint/internal/launch"
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/linter/rules"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// compare marks the findings that were there before: in the earlier report of
// the request, else in the base tree. It returns nil when there is neither.
func (rv *auditing) compare(ctx context.Context, r Request, results []checked, l *linter.Linter) *report.Baseline {
	var base *report.Report
	name := r.BaseName
	switch {
	case r.Earlier != nil:
		base = r.Earlier
	case rv.base.tree != nil:
		base = rv.baseReport(ctx, results, l)
		if name == "" {
			name = "the base of the pull request"
		}
	default:
		return nil
	}
	rv.out.Compared = true
	head := report.Report{Servers: make([]report.Server, len(results))}
	for i := range results {
		head.Servers[i] = results[i].report // which shares its findings
	}
	unjudged := report.ApplyBaseline(&head, base, report.BaselineOptions{Source: name, Judges: judges(l)})
	if r.Earlier != nil {
		for _, key := range unjudged {
			rv.warn(key, []string{name + " has not judged this server: all findings are new"})
		}
	}
	return head.Baseline
}

// baseReport judges the base's servers as the head's were: with the same
// configuration, so what is wrong with that is in both. What the base says is
// read from the full definitions in its lock; a server without a locked entry
// is collected from the base tree. When neither works, all its findings are
// new.
func (rv *auditing) baseReport(ctx context.Context, results []checked, l *linter.Linter) *report.Report {
	launched := rv.baseServers()
	servers := make([]report.Server, len(results))
	grown := make([]*report.TokenGrowth, len(results))
	var group errgroup.Group
	group.SetLimit(parallel)
	for i := range results {
		servers[i].Key = results[i].Key
		seen := rv.judgeLaunch(launched[results[i].Key])
		if results[i].snapshot == nil {
			servers[i].Findings = l.Observe(results[i].Key, seen...).Findings
			continue
		}
		group.Go(func() error {
			found := results[i].report.Findings
			asked, failure := rv.askBase(ctx, &results[i], launched)
			if failure != nil && len(found) > 0 && ctx.Err() == nil {
				rv.warn(results[i].Key, []string{"that of the base cannot be asked, so all findings are new: " + failure.Message})
			}
			servers[i].Findings = aboutSuppressions(found)
			if asked == nil {
				servers[i].Findings = append(servers[i].Findings, l.Observe(results[i].Key, seen...).Findings...)
			} else {
				base := l.Lint(asked.Snapshot, append(seen, observed(asked.Oddities)...)...)
				servers[i].Findings = append(servers[i].Findings, base.Findings...)
				grown[i] = growth(&results[i], asked.Snapshot, &base)
			}
			return nil
		})
	}
	_ = group.Wait() // the functions return no errors
	for _, g := range grown {
		if g != nil {
			rv.out.Growth = append(rv.out.Growth, *g)
		}
	}
	return &report.Report{Servers: servers}
}

// aboutSuppressions are the findings that no change of a server makes or mends.
func aboutSuppressions(findings []linter.Finding) (about []linter.Finding) {
	for _, f := range findings {
		if rules.IsAboutSuppressions(f.Rule) {
			about = append(about, f)
		}
	}
	return about
}

// growth compares what a model reads of a server with what it read in the base.
func growth(r *checked, known *snapshot.Snapshot, base *linter.Result) *report.TokenGrowth {
	g := &report.TokenGrowth{Key: r.Key, Before: base.Tokens.Definitions, After: r.result.Tokens.Definitions}
	if known.InstructionsKnown && r.snapshot.InstructionsKnown {
		g.Before += base.Tokens.Instructions
		g.After += r.result.Tokens.Instructions
	}
	return g
}

func (rv *auditing) baseServers() map[string]launch.Server {
	own, _, err := rv.base.readConfig()
	if err != nil {
		return nil
	}
	servers, _ := rv.base.servers(own)
	launched := make(map[string]launch.Server, len(servers))
	for _, s := range servers {
		launched[s.Key] = s
	}
	return launched
}

// askBase is what a server of the base says; nil without an error when the base
// has none of that key. A lock does not hold what a server did while it was
// asked, so where the head's did something odd the base's is asked as well.
func (rv *auditing) askBase(ctx context.Context, head *checked, launched map[string]launch.Server) (*collect.Collected, *report.Error) {
	key := head.Key
	s, ok := launched[key]
	if rv.baseLock != nil {
		if locked := rv.baseLock.Server(LockKey(head.Server)); locked != nil {
			if snap, err := locked.Snapshot(key); err == nil {
				asked := &collect.Collected{Snapshot: snap}
				if head.odd && ok {
					if live, failure := rv.collect(ctx, rv.base, s); failure == nil {
						asked.Oddities = live.Oddities
					}
				}
				return asked, nil
			}
		}
	}
	if !ok {
		return nil, nil
	}
	collected, failure := rv.collect(ctx, rv.base, s)
	if failure != nil {
		return nil, failure
	}
	collected.Snapshot.Key = key
	return collected, nil
}
