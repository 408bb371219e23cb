package audit

import (
	"context"
	"fmt"

	"github.com/mcp-lint/mcp-lint/internal/config"
	"github.com/mcp-lint/mcp-lint/internal/launch"
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// Document is a saved snapshot as it was read, or the reason why it was not.
type Document struct {
	Name string
	Data []byte
	Err  error
}

// Outcome is a report with the snapshots behind it.
type Outcome struct {
	Report report.Report
	// Snapshots has one element a server of the report, nil for a server that
	// could not be read or collected.
	Snapshots []*snapshot.Snapshot

	linter *linter.Linter
	limits report.Limits
}

// Compare marks what an earlier report, called source, has already. It returns
// the keys of the servers that the earlier report has not judged.
func (o *Outcome) Compare(earlier *report.Report, source string) (unjudged []string) {
	unjudged = report.ApplyBaseline(&o.Report, earlier, report.BaselineOptions{Source: source, Judges: judges(o.linter)})
	o.Report.Summary = report.Summarize(&o.Report, o.limits)
	return unjudged
}

// judges tells what a linter looks for.
func judges(l *linter.Linter) func(rule string, entity snapshot.Ref) bool {
	on := make(map[string]bool)
	for _, r := range l.Rules() {
		on[r.ID] = r.Effective != severity.Off
	}
	return func(rule string, entity snapshot.Ref) bool {
		return on[rule] && (entity.Kind != snapshot.KindTool || !l.Ignores(entity.Name))
	}
}

// Servers starts servers from dir, lints what they say and reports it.
func (e *Engine) Servers(ctx context.Context, c *config.Config, dir string, servers []launch.Server) (*Outcome, error) {
	l, err := newLinter(c)
	if err != nil {
		return nil, err
	}
	t, err := openTree(dir)
	if err != nil {
		return nil, err
	}
	defer t.close()
	results := e.checkAll(ctx, checkout{tree: t, dir: dir}, servers, l)
	for i := range results {
		refuseTooDeep(&results[i], c.Linter.Preset)
	}
	judgeSuppressions(results, c, l, false)
	return e.outcome(results, c, l), nil
}

// Saved lints saved snapshots and reports them.
func (e *Engine) Saved(c *config.Config, documents []Document) (*Outcome, error) {
	l, err := newLinter(c)
	if err != nil {
		return nil, err
	}
	results := make([]checked, 0, len(documents))
	for _, d := range documents {
		s := launch.Server{Key: d.Name, From: d.Name}
		r := checked{Server: s, report: emptyServer(s)}
		snap, err := parse(d)
		if err != nil {
			r.report.Error = &report.Error{Kind: report.ErrInput, Message: err.Error()}
		} else {
			snap.Key = d.Name
			r.lint(l, snap)
			refuseTooDeep(&r, c.Linter.Preset)
		}
		results = append(results, r)
	}
	judgeSuppressions(results, c, l, false)
	return e.outcome(results, c, l), nil
}

func parse(d Document) (*snapshot.Snapshot, error) {
	if d.Err != nil {
		return nil, d.Err
	}
	return snapshot.Parse(d.Name, d.Data)
}

func (e *Engine) outcome(results []checked, c *config.Config, l *linter.Linter) *Outcome {
	o := &Outcome{Report: e.newReport(results, Limits(c)), linter: l, limits: Limits(c)}
	for _, r := range results {
		o.Snapshots = append(o.Snapshots, r.snapshot)
	}
	return o
}

// refuseTooDeep ends the check of a server whose definitions are nested too
// deeply, under the preset whose program refuses them; elsewhere that is a
// finding.
func refuseTooDeep(c *checked, preset linter.Preset) {
	if c.snapshot == nil || preset != linter.Agents {
		return
	}
	problem := linter.TooDeep(c.snapshot)
	if problem == nil {
		return
	}
	launched := aboutLaunch(c.report.Findings)
	c.report = emptyServer(c.Server)
	c.report.Findings = launched
	c.report.Error = &report.Error{Kind: report.ErrInput, Message: tooDeep(c.snapshot, problem)}
	c.snapshot = nil
}

func tooDeep(s *snapshot.Snapshot, p *snapshot.Problem) string {
	what := "a definition"
	if p.Entity != nil {
		what = string(p.Entity.Kind) + " " + snapshot.Visible(p.Entity.Name)
	}
	place := ""
	if s.File != "" {
		at := s.Position(p.Offset)
		place = fmt.Sprintf("%s:%d:%d: ", snapshot.Visible(s.File), at.Line, at.Column)
	}
	return fmt.Sprintf("%s%s is nested %s levels deep; at most %d are read", place, what, p.Detail, snapshot.MaxDepth)
}
