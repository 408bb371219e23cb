package audit

import (
	"context"

	"github.com/mcp-lint/mcp-lint/internal/launch"
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// compareBase marks the findings that the base has already. What the base says
// is read from the full definitions in its lock; a server without a locked
// entry is collected from the base tree. When neither works, all findings of
// that server count as new.
func (rv *auditing) compareBase(ctx context.Context, results []checked, l *linter.Linter) {
	if rv.base.tree == nil {
		return
	}
	rv.out.Compared = true
	launched := rv.baseServers()
	for i := range results {
		if len(results[i].report.Findings) == 0 {
			continue
		}
		if known := rv.baseSnapshot(ctx, results[i].Key, launched); known != nil {
			markKnown(results[i].report.Findings, l.Lint(known).Findings)
		}
	}
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

func (rv *auditing) baseSnapshot(ctx context.Context, key string, launched map[string]launch.Server) *snapshot.Snapshot {
	if rv.baseLock != nil {
		if locked := rv.baseLock.Server(key); locked != nil {
			if s, err := locked.Snapshot(key); err == nil {
				return s
			}
		}
	}
	s, ok := launched[key]
	if !ok {
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
// known only when every one of its items is, and one that stands for others
// that are not listed only when it stood for as many.
func markKnown(findings, base []linter.Finding) {
	known := make(map[string]bool, len(base))
	more := map[string]int{}
	for _, f := range base {
		known[f.Fingerprint] = true
		if f.More+f.MoreItems > 0 {
			more[f.Fingerprint] = f.More + f.MoreItems
		}
		for _, item := range f.Items {
			known[item.Fingerprint] = true
		}
	}
	for i := range findings {
		f := &findings[i]
		isNew := !known[f.Fingerprint] || f.More+f.MoreItems > more[f.Fingerprint]
		for _, item := range f.Items {
			isNew = isNew || !known[item.Fingerprint]
		}
		f.New = isNew
	}
}
