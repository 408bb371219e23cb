package audit

import (
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/internal/launch"
	"github.com/mcp-lint/mcp-lint/internal/launch/advisory"
	"github.com/mcp-lint/mcp-lint/internal/launch/install"
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/linter/rules"
)

// knownBad is the rule that a refused launch breaks.
const knownBad = "launch/known-bad"

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

// judgeLaunch says what is wrong with how a server is started and how its entry
// is written: nothing for one whose entry cannot be used, for that is said
// elsewhere. A list that cannot be read stops the collecting, so it needs no word
// here.
func (e *Engine) judgeLaunch(s launch.Server) []linter.Observation {
	if s.Invalid != nil {
		return nil
	}
	seen := launch.Observe(s)
	if bad, err := e.advisories(); err == nil {
		seen = append(judgeCommand(s, bad), seen...)
		for _, twin := range s.Twins {
			seen = append(seen, judgeCommand(twin, bad)...)
		}
	}
	return seen
}

// judgeCommand says what is wrong with a command line, each fault at the word
// that has it.
func judgeCommand(s launch.Server, bad *advisory.List) []linter.Observation {
	argv := s.Argv()
	if argv == nil {
		return nil
	}
	seen := install.Judge(argv, bad)
	if len(seen) == 0 {
		return nil
	}
	packages := install.Packages(argv, bad)
	for i := range seen {
		seen[i].Lower = s.Disabled
		seen[i].Location = s.Location
		if word := faultyWord(s, packages, seen[i].Package); word != nil {
			seen[i].Location = word.Location
		}
	}
	return seen
}

// faultyWord is the word of a command line that names a package; without a
// package, or where the word cannot be told, the command itself. It is nil when
// no file has the words.
func faultyWord(s launch.Server, packages []install.Package, name string) *launch.Word {
	if len(s.Words) == 0 {
		return nil
	}
	if name == "" {
		return &s.Words[0]
	}
	// The package may stand there twice, pinned and not.
	at := slices.IndexFunc(packages, func(p install.Package) bool { return p.Name == name && p.Class != install.Fine })
	if at >= 0 && packages[at].Arg >= 0 && packages[at].Arg < len(s.Words) {
		return &s.Words[packages[at].Arg]
	}
	for i := range s.Words { // it stands inside a shell's line
		if strings.Contains(s.Words[i].Text, name) {
			return &s.Words[i]
		}
	}
	return &s.Words[0]
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

// explainRefusal completes what was seen of a launch that was refused, of the
// tree in dir. Where a variable of the environment makes it bad, the entry alone
// does not show it.
func (e *Engine) explainRefusal(s launch.Server, dir string, failure *report.Error, seen []linter.Observation) []linter.Observation {
	isBad := func(o linter.Observation) bool { return o.Rule == knownBad }
	if failure.Kind != report.ErrRefused || slices.ContainsFunc(seen, isBad) {
		return seen
	}
	command, unset := e.lookups(s).command(s, dir)
	if unset != nil {
		return seen
	}
	s.Command, s.Args = command.Argv[0], command.Argv[1:]
	for _, o := range e.judgeLaunch(s) {
		if isBad(o) {
			seen = slices.DeleteFunc(seen, func(other linter.Observation) bool { return other.Package == o.Package })
			seen = append(seen, o)
		}
	}
	return seen
}

// observe judges a server that could not be collected by how it is started.
func (c *checked) observe(l *linter.Linter, seen []linter.Observation) {
	c.result = l.Observe(c.Key, seen...)
	if c.result.Findings != nil {
		c.report.Findings = c.result.Findings
	}
}

// aboutLaunch are the findings about how a server is started and configured.
func aboutLaunch(findings []linter.Finding) []linter.Finding {
	about := []linter.Finding{}
	for _, f := range findings {
		if rules.IsAboutEntries(f.Rule) {
			about = append(about, f)
		}
	}
	return about
}
