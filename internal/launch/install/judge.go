package install

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/internal/launch/advisory"
	"github.com/mcp-lint/mcp-lint/linter"
)

// The rules whose findings come from here; linter/rules has what they say about
// themselves. launch/unreadable-entry is for whoever reads the entry.
const (
	unpinned       = "launch/unpinned"
	unpinnedSource = "launch/unpinned-source"
	noDigest       = "launch/no-digest"
	noHashes       = "launch/no-hashes"
	knownBad       = "launch/known-bad"
	unparsed       = "launch/unparsed"
)

// Judge says what is wrong with a command line: what it fetches that is not
// pinned or known to be bad, and what could not be read. What is known to be bad
// is looked for in every word, file names and addresses included, and stands for
// everything else about that package. Without a fault it returns nil; bad may be
// nil.
//
// Messages name packages and options, images, and the hosts and paths of
// repositories; they repeat nothing else of the command line, which may hold a
// secret.
func Judge(argv []string, bad *advisory.List) []linter.Observation {
	r := read(argv, bad)
	var seen []linter.Observation
	add := func(o linter.Observation) {
		same := func(other linter.Observation) bool { return other.Rule == o.Rule && other.Subject == o.Subject }
		if !slices.ContainsFunc(seen, same) {
			seen = append(seen, o)
		}
	}
	for i := range r.found {
		if f := &r.found[i]; f.Class == KnownBad || f.Class != Fine && f.Class != NoHashes && !r.isBad(f) {
			add(f.observation())
		}
	}
	for _, n := range r.notes {
		add(linter.Observation{Rule: n.rule, Package: n.pkg, Subject: n.subject, Message: n.message, Fix: n.fix})
	}
	return seen
}

// isBad reports whether the same package is known to be bad elsewhere in the
// command line.
func (r *reader) isBad(f *found) bool {
	return slices.ContainsFunc(r.found, func(o found) bool {
		return o.Class == KnownBad && o.Ecosystem == f.Ecosystem && strings.EqualFold(o.Name, f.Name)
	})
}

func (f *found) observation() linter.Observation {
	o := linter.Observation{Package: f.Name, Subject: string(f.Ecosystem) + ":" + f.Name, Fix: f.fix}
	switch f.Class {
	case KnownBad:
		o.Rule = knownBad
		o.Subject += "@" + advisory.Normalize(string(f.Ecosystem), f.version)
		o.Message = f.known()
		o.Fix = "Do not start it. Remove it or take a version that is good; where it has run, replace every secret that it could read."
	case NoDigest:
		o.Rule = noDigest
		o.Message = fmt.Sprintf("%s starts the image %s%s, which can become another one at any time; expected a digest, sha256 and 64 hexadecimal digits",
			f.runner, f.shown(), f.spec())
	case UnpinnedSource:
		o.Rule = unpinnedSource
		o.Message = fmt.Sprintf("%s fetches %s%s, which can change at any time; expected a full commit, 40 hexadecimal digits", f.runner, f.shown(), f.spec())
		switch f.Ecosystem {
		case JBang:
			o.Message = fmt.Sprintf("%s starts %s, an alias whose meaning can change at any time; expected coordinates with an exact version", f.runner, f.shown())
		case URL:
			o.Message = fmt.Sprintf("%s fetches %s and runs what it gets; expected a package at an exact version, or a source at a full commit", f.runner, f.shown())
		}
	default:
		o.Rule = unpinned
		o.Message = fmt.Sprintf("%s fetches %s in whatever version there is; expected an exact version", f.runner, f.shown())
		if f.Spec != "" {
			o.Message = fmt.Sprintf("%s fetches %s in a version that is left open%s; expected an exact version", f.runner, f.shown(), f.spec())
		}
	}
	return o
}

// plainSpec is what versions, ranges, tags and branches look like. Anything else
// may be an address with a password in it.
var plainSpec = regexp.MustCompile(`^[A-Za-z0-9.,^~*<>=!|+ _${}-]{1,100}$`)

// spec is what is asked for, in brackets, where it can be repeated.
func (f *found) spec() string {
	spec, digest, _ := strings.Cut(f.Spec, "@")
	if f.Ecosystem != Docker && digest != "" || !plainSpec.MatchString(spec) {
		return ""
	}
	return " (" + spec + ")"
}
