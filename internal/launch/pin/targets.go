package pin

import (
	"errors"
	"slices"

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
