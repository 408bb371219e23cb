package pin

import (
	"errors"
	"strings"

	"github.com/mcp-lint/mcp-lint/internal/launch"
	"github.com/mcp-lint/mcp-lint/internal/launch/install"
	"github.com/mcp-lint/mcp-lint/internal/registry"
)

// target is one package that is to be pinned.
type target struct {
	server *launch.Server
	pkg    install.Package
	// arg is the place of its word in the command line, start and end bound the
	// package in the word's text.
	arg, start, end int
	ask             registry.Package
	spell           func(registry.Exact) string

	version registry.Exact
	err     error
}

func (t *target) before() string { return t.server.Words[t.arg].Text[t.start:t.end] }

func (t *target) after() string { return t.spell(t.version) }

func (t *target) left(reason string) Left {
	return Left{Server: t.server.Key, Location: t.server.Words[t.arg].Location, Package: t.pkg.Name, Reason: reason}
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
		return nil, errors.New("no single text of the file spells its word (it is put together or spread over lines)")
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
