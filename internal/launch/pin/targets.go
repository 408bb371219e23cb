package pin

import (
	"errors"
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/internal/jsonc"
	"github.com/mcp-lint/mcp-lint/internal/launch"
	"github.com/mcp-lint/mcp-lint/internal/launch/install"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// unparsed is the rule of a command line that could not be read.
const unparsed = "launch/unparsed"

// targets are the packages of an entry that are to be pinned, and what of it
// cannot be.
func (p *Pinner) targets(s *launch.Server) (targets []*target, left []Left) {
	leave := func(at snapshot.Location, pkg, reason string) {
		l := Left{Server: s.Key, Location: at, Package: pkg, Reason: reason}
		if !slices.Contains(left, l) {
			left = append(left, l)
		}
	}
	if s.Invalid != nil {
		reason := s.Invalid.Error()
		if fault := (*jsonc.Error)(nil); errors.As(s.Invalid, &fault) { // the place is told already
			reason = fault.Path + ": " + fault.Message
		}
		leave(s.Location, "", "the entry cannot be read: "+snapshot.Visible(reason))
		return nil, left
	}
	argv := s.Argv()
	if argv == nil {
		return nil, nil // nothing is fetched: another machine runs it
	}
	for _, o := range install.Judge(argv, p.Bad) {
		if o.Rule == unparsed {
			leave(s.Location, o.Package, o.Message)
		}
	}
	for _, pkg := range install.Packages(argv, p.Bad) {
		at := s.Location
		if pkg.Arg >= 0 && pkg.Arg < len(s.Words) {
			at = s.Words[pkg.Arg].Location
		}
		switch pkg.Class {
		case install.Fine, install.NoHashes: // the version is exact
			continue
		case install.KnownBad:
			leave(at, pkg.Name, "it is known to be bad, so no version is chosen for it")
			continue
		}
		t, err := newTarget(s, argv, pkg)
		if err != nil {
			leave(at, pkg.Name, err.Error())
			continue
		}
		targets = append(targets, t)
	}
	return targets, left
}

// newTarget finds the word of a package, and how it is asked for. The error says
// why it cannot be written anew.
func newTarget(s *launch.Server, argv []string, pkg install.Package) (*target, error) {
	t := &target{server: s, pkg: pkg, arg: pkg.Arg, start: pkg.Start, end: pkg.End}
	if pkg.Arg < 0 {
		var ok bool
		if t.arg, t.start, t.end, ok = inShell(argv, pkg); !ok {
			return nil, errors.New("it stands in a text for a shell that cannot be rewritten with certainty; start the package's runner directly")
		}
	}
	if len(s.Words) != len(argv) || !s.Words[t.arg].Spelled() {
		return nil, errors.New("no single text of the file spells its word (it is put together, spread over lines or given by an alias)")
	}
	word := argv[t.arg][t.start:t.end]
	if strings.Contains(word, "$") {
		return nil, errors.New("a variable is part of it, so what it is now is not known")
	}
	var err error
	t.ask, t.spell, err = spelling(pkg, word)
	return t, err
}

// inShell finds a package inside of a text for a shell: the only place in the
// whole command line where it is written, between blanks or quotation marks.
func inShell(argv []string, pkg install.Package) (arg, start, end int, ok bool) {
	spellings := []string{pkg.Name}
	if pkg.Spec != "" {
		spellings = []string{pkg.Name + "@" + pkg.Spec, pkg.Name + pkg.Spec, pkg.Name + ":" + pkg.Spec}
	}
	count := 0
	for i, word := range argv {
		for _, text := range spellings {
			for at := 0; ; {
				n := strings.Index(word[at:], text)
				if n < 0 {
					break
				}
				from, to := at+n, at+n+len(text)
				if at = from + 1; isBounded(word, from, to) {
					arg, start, end = i, from, to
					count++
				}
			}
		}
	}
	return arg, start, end, count == 1
}

// isBounded reports whether a stretch of a text is a word of a shell, or the
// value of an option.
func isBounded(text string, from, to int) bool {
	const before, after = " \t\n\"'=;&|(", " \t\n\"';&|)"
	return (from == 0 || strings.IndexByte(before, text[from-1]) >= 0) && (to == len(text) || strings.IndexByte(after, text[to]) >= 0)
}

// npmRunners are the programs that take a commit behind a #.
func npmRunners() []string { return []string{"npx", "pnpx", "bunx", "npm", "pnpm", "yarn", "bun"} }

// pythonRunners are those that take it behind an @.
func pythonRunners() []string { return []string{"uvx", "uv", "pipx", "pip", "python"} }

// runs reports whether the package's runner is one of these programs.
func runs(pkg install.Package, programs []string) bool {
	program, _, _ := strings.Cut(pkg.Runner, " ")
	return slices.Contains(programs, program)
}
