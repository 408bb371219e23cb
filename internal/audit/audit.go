// Package audit is the one orchestration: given a checkout (and, for a pull
// request, the tree it is compared with) it finds the servers, collects them,
// lints, compares with the lock, and fills one value that every face prints or
// publishes. It adds nothing that a laptop could not reproduce.
package audit

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/mcp-lint/mcp-lint/internal/config"
	"github.com/mcp-lint/mcp-lint/internal/launch"
	"github.com/mcp-lint/mcp-lint/internal/launch/advisory"
	"github.com/mcp-lint/mcp-lint/internal/sandbox"
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/linter/rules"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// parallel is how many servers are collected side by side. Starting a server
// is mostly waiting, and each has its own sandbox with its own limits.
const parallel = 4

// Engine holds what checking needs from outside. It is safe for concurrent use.
type Engine struct {
	Version string
	// Env looks up ${NAME} and passEnv. The command line passes the process's
	// environment; the bot passes what its operator bound to the repository,
	// never its own environment.
	Env func(name string) (value string, ok bool)
	// Host looks up the operator's own settings: PATH and the like for servers,
	// registry, certificate and proxy settings for fetching packages. nil means
	// that there are none.
	Host func(name string) (value string, ok bool)
	// Remote says which remote servers are asked.
	Remote Remote
	// Sandbox runs the servers.
	Sandbox *sandbox.Sandbox
	// NoSandbox says why Sandbox is nil. What would have to be started is then
	// not checked; saved snapshots and locks are.
	NoSandbox error
	// Advisories is what is known to be bad and never started; nil stands for the
	// list that comes with the program.
	Advisories *advisory.List
	// Cache is the folder of the fetch phase's results, "" for the user's.
	Cache string
	// Progress is told what is going on, one line at a time; it may be nil, and
	// servers that are collected side by side call it side by side.
	Progress func(string)
	// Warn is told, in the same way, what should be known and is no finding: what
	// a baseline could not tell, and what a server did that clients stumble over
	// where nothing is linted. nil stands for Progress.
	Warn func(string)
}

// unnamed is the key of a server that has none and never said its name.
const unnamed = "server"

// checkout is a tree with the folder that servers are started from.
type checkout struct {
	*tree
	dir    string
	static bool // start no server
	// foreign: what is started was written by whoever wrote the tree, and not
	// typed by the operator; see confined.
	foreign bool
	// grants are the remote servers that may be asked, where not every one may.
	grants *grants
	// guarded: variables are given only to entries that are among known ones;
	// see lookups.
	guarded bool
	known   []launch.Server
}

// checked is one server with everything that was learnt about it.
type checked struct {
	launch.Server
	report   report.Server
	snapshot *snapshot.Snapshot // nil when it could not be collected
	odd      bool               // something was odd while it was asked
	result   linter.Result
}

// checkAll collects and lints servers side by side; the result keeps their
// order. One server's failure is its own and stops no other.
func (e *Engine) checkAll(ctx context.Context, from checkout, servers []launch.Server, l *linter.Linter) []checked {
	results := make([]checked, len(servers))
	e.sideBySide(len(servers), func(i int) { results[i] = e.check(ctx, from, servers[i], l) })
	return results
}

// sideBySide calls ask for each of n servers, some at a time, and tells how many
// have answered, whatever they said.
func (e *Engine) sideBySide(n int, ask func(i int)) {
	var (
		group errgroup.Group
		done  atomic.Int64
	)
	group.SetLimit(parallel)
	for i := range n {
		group.Go(func() error {
			ask(i)
			if e.Progress != nil && n > 1 {
				e.Progress(fmt.Sprintf("%d of %d servers asked", done.Add(1), n))
			}
			return nil
		})
	}
	_ = group.Wait() // the functions return no errors
}

// check collects and lints one server.
func (e *Engine) check(ctx context.Context, from checkout, s launch.Server, l *linter.Linter) checked {
	seen := e.judgeLaunch(s)
	collected, failure := e.collect(ctx, from, s)
	if failure != nil {
		s.Key = cmp.Or(s.Key, unnamed)
		c := checked{Server: s, report: emptyServer(s)}
		c.report.Error = failure
		c.observe(l, e.explainRefusal(s, from.dir, failure, seen))
		return c
	}
	snap := collected.Snapshot
	s.Key = cmp.Or(s.Key, snap.Name, unnamed)
	c := checked{Server: s, report: emptyServer(s)}
	snap.Key = s.Key
	c.odd = len(collected.Oddities) > 0
	c.lint(l, snap, append(seen, observed(collected.Oddities)...)...)
	return c
}

// warn tells what should be known of a server and is no finding.
func (e *Engine) warn(key string, lines []string) {
	tell := e.Warn
	if tell == nil {
		tell = e.Progress
	}
	if tell == nil {
		return
	}
	for _, line := range lines {
		tell(snapshot.Visible(key) + ": " + line)
	}
}

// lint judges what a server says, and with it what was seen of it from outside.
func (c *checked) lint(l *linter.Linter, s *snapshot.Snapshot, seen ...linter.Observation) {
	c.snapshot, c.result = s, l.Lint(s, seen...)
	c.report.Server.Name, c.report.Server.Version, c.report.Server.ProtocolVersion = s.Name, s.Version, s.ProtocolVersion
	c.report.Counts = countsOf(s)
	for _, tool := range s.Tools {
		if l.Ignores(tool.Name) {
			c.report.Counts.Tools--
		}
	}
	if c.result.Findings != nil {
		c.report.Findings = c.result.Findings
	}
	c.report.Scores = &report.Scores{Quality: c.result.Quality, Tokens: c.result.Tokens}
}

// judgeSuppressions places what the rules say about the configuration in its
// file, and adds what can be said only when every server has been judged: which
// suppressions nobody needs. That stands with the first server.
//
// all tells that no other server is configured.
func judgeSuppressions(results []checked, c *config.Config, l *linter.Linter, all bool) {
	told := make(map[string]bool) // suppressions that a rule has spoken of
	judged := make([]linter.Result, 0, len(results))
	var keys []string
	places := suppressPlaces(c)
	for i := range results {
		if results[i].snapshot == nil {
			continue
		}
		judged = append(judged, results[i].result)
		if all {
			keys = append(keys, results[i].Key)
		}
		for j := range results[i].report.Findings {
			if f := &results[i].report.Findings[j]; rules.IsAboutSuppressions(f.Rule) {
				f.Location = cmp.Or(places[f.Subject], firstLine(c.File))
				told[f.Subject] = true
			}
		}
	}
	if len(judged) == 0 || len(judged) < len(results) {
		return
	}
	starts := slices.ContainsFunc(results, func(c checked) bool { return c.Command != "" })
	for _, f := range rules.UnusedSuppressions(l, c.Linter.Suppress, judged, keys) {
		if told[f.Subject] {
			continue // it is over, or about another text
		}
		if rule, _, _ := strings.Cut(f.Subject, " "); !starts && rules.IsAboutEntries(rule) {
			continue // about how servers are started, and none is
		}
		f.Entity.Name = results[0].report.Server.Name
		f.Location = cmp.Or(places[f.Subject], firstLine(c.File))
		results[0].report.Findings = append(results[0].report.Findings, f)
	}
}

// suppressPlaces finds the suppressions in the configuration's file, by the
// subject of findings about them.
func suppressPlaces(c *config.Config) map[string]snapshot.Location {
	places := make(map[string]snapshot.Location, len(c.SuppressAt))
	for i, at := range c.SuppressAt {
		places[rules.SuppressionSubject(c.Linter.Suppress[i])] = at
	}
	return places
}

func emptyServer(s launch.Server) report.Server {
	return report.Server{
		Key:      s.Key,
		Server:   report.ServerInfo{Transport: s.Transport(), CommandSHA256: s.CommandSHA256()},
		Findings: []linter.Finding{},
		Probes:   []report.Probe{},
	}
}

func countsOf(s *snapshot.Snapshot) report.Counts {
	return report.Counts{
		Tools:             len(s.Tools),
		Prompts:           len(s.Prompts),
		Resources:         len(s.Resources),
		ResourceTemplates: len(s.ResourceTemplates),
	}
}

func (e *Engine) newReport(servers []checked, limits report.Limits) report.Report {
	r := report.Report{
		Version: report.FormatVersion,
		Tool:    report.Tool{Name: "mcp-lint", Version: e.Version},
		Servers: make([]report.Server, 0, len(servers)),
	}
	for _, s := range servers {
		r.Servers = append(r.Servers, s.report)
	}
	r.Summary = report.Summarize(&r, limits)
	return r
}

// Limits are the thresholds of a configuration.
func Limits(c *config.Config) report.Limits {
	return report.Limits{FailOn: c.FailOn, LockFailOn: c.LockFailOn, MinScore: c.MinScore, FailUnder: c.FailUnder}
}

func newLinter(c *config.Config) (*linter.Linter, error) {
	l, err := linter.New(rules.All(), c.Linter)
	if err != nil {
		return nil, fmt.Errorf("configuration: %w", err)
	}
	return l, nil
}
