package audit

import (
	"context"

	"github.com/mcp-lint/mcp-lint/internal/launch"
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// compareBase marks the findings that the base has already. What the base says
// is read from the full definitions in its lock; a server without a locked
// entry is collected from the base tree. When neither works, all findings of
// that server count as new. What a server's definitions cost before comes along.
func (rv *auditing) compareBase(ctx context.Context, results []checked, l *linter.Linter) {
	if rv.base.tree == nil {
		return
	}
	rv.out.Compared = true
	launched := rv.baseServers()
	for i := range results {
		r := &results[i]
		if r.snapshot == nil {
			continue
		}
		known := rv.baseSnapshot(ctx, r, launched)
		if known == nil {
			continue
		}
		base := l.Lint(known)
		markKnown(r.report.Findings, base.Findings)
		rv.out.Growth = append(rv.out.Growth, growth(r, known, &base))
	}
}

// growth compares what a model reads of a server with what it read in the base.
func growth(r *checked, known *snapshot.Snapshot, base *linter.Result) report.TokenGrowth {
	g := report.TokenGrowth{Key: r.Key, Before: base.Tokens.Definitions, After: r.result.Tokens.Definitions}
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

// baseSnapshot is what a server said in the base, nil when that is not known.
// The base's server is started only to tell which findings are new.
func (rv *auditing) baseSnapshot(ctx context.Context, r *checked, launched map[string]launch.Server) *snapshot.Snapshot {
	key := r.Key
	if rv.baseLock != nil {
		if locked := rv.baseLock.Server(key); locked != nil {
			if s, err := locked.Snapshot(key); err == nil {
				return s
			}
		}
	}
	s, ok := launched[key]
	if !ok || len(r.report.Findings) == 0 && s.From == "" {
		return nil
	}
	collected, failure := rv.collect(ctx, rv.base, s)
	if failure != nil {
		return nil
	}
	collected.Snapshot.Key = key
	return collected.Snapshot
}

// markKnown clears New on findings that the base has. A grouped finding is
// known only when every one of its items is.
func markKnown(findings, base []linter.Finding) {
	known := make(map[string]bool, len(base))
	for _, f := range base {
		known[f.Fingerprint] = true
		for _, item := range f.Items {
			known[item.Fingerprint] = true
		}
	}
	for i := range findings {
		f := &findings[i]
		isNew := !known[f.Fingerprint]
		for _, item := range f.Items {
			isNew = isNew || !known[item.Fingerprint]
		}
		f.New = isNew
	}
}
