package audit

import (
	"strings"

	"github.com/mcp-lint/mcp-lint/internal/launch"
	"github.com/mcp-lint/mcp-lint/internal/launch/advisory"
	"github.com/mcp-lint/mcp-lint/internal/launch/install"
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/report"
)

// RefusedError is the error of a launch that was refused because it fetches what
// is known to be bad. Nothing was started.
type RefusedError struct{ Reason string }

func (e *RefusedError) Error() string { return e.Reason }

// advisories is what is known to be bad.
func (e *Engine) advisories() (*advisory.List, error) {
	if e.Advisories != nil {
		return e.Advisories, nil
	}
	return advisory.Builtin()
}

// judgeLaunch says what is wrong with how a server is started: nothing for one
// that is reached by its URL, read from a file, or whose entry cannot be used. A
// list that cannot be read stops the collecting, so it needs no word here.
func (e *Engine) judgeLaunch(s launch.Server) []linter.Observation {
	if s.Command == "" || s.Invalid != nil {
		return nil
	}
	bad, err := e.advisories()
	if err != nil {
		return nil
	}
	seen := install.Judge(s.Argv(), bad)
	for i := range seen {
		seen[i].Location = s.Location
	}
	return seen
}

// refuse says why a command line must not be started, nil when it may.
func (e *Engine) refuse(argv []string) *report.Error {
	bad, err := e.advisories()
	if err != nil {
		return &report.Error{Kind: report.ErrInput, Message: err.Error()}
	}
	if reason, refused := install.Refused(argv, bad); refused {
		return &report.Error{Kind: report.ErrRefused, Message: reason}
	}
	return nil
}

// observe judges a server that could not be collected by how it is started.
func (c *checked) observe(l *linter.Linter, seen []linter.Observation) {
	c.result = l.Observe(c.Key, seen...)
	if c.result.Findings != nil {
		c.report.Findings = c.result.Findings
	}
}

// aboutLaunch are the findings about how a server is started.
func aboutLaunch(findings []linter.Finding) []linter.Finding {
	about := []linter.Finding{}
	for _, f := range findings {
		if strings.HasPrefix(f.Rule, "launch/") {
			about = append(about, f)
		}
	}
	return about
}
