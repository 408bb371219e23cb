// Package install reads command lines that start MCP servers: what each would
// fetch and run, whether that is pinned, and whether it is known to be bad. It
// runs nothing, opens no file and asks no registry.
package install

import (
	"fmt"

	"github.com/mcp-lint/mcp-lint/internal/launch/advisory"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// Ecosystem is where a package comes from: OSV's names for registries, and our
// own for what no registry holds.
type Ecosystem string

// The ecosystems.
const (
	NPM      Ecosystem = "npm"
	PyPI     Ecosystem = "PyPI"
	Go       Ecosystem = "Go"
	Crates   Ecosystem = "crates.io"
	NuGet    Ecosystem = "NuGet"
	RubyGems Ecosystem = "RubyGems"
	Maven    Ecosystem = "Maven"
	JSR      Ecosystem = "JSR"

	Docker   Ecosystem = "docker"   // an image
	Git      Ecosystem = "git"      // a repository
	URL      Ecosystem = "url"      // a file on a web server
	Smithery Ecosystem = "smithery" // a server that Smithery's program fetches
	JBang    Ecosystem = "jbang"    // an alias of a JBang catalogue
	Local    Ecosystem = "local"    // a folder or file of this machine, which nothing fetches
)

// Class is what is to be said about a package.
type Class string

// The classes.
const (
	Fine           Class = "fine"
	Unpinned       Class = "unpinned"
	UnpinnedSource Class = "unpinned_source"
	NoDigest       Class = "no_digest"
	NoHashes       Class = "no_hashes"
	KnownBad       Class = "known_bad"
)

// Package is one thing that a command line fetches.
type Package struct {
	Ecosystem Ecosystem
	// Name is the package, the image without tag, or the place of a repository
	// without user, password and query.
	Name string
	// Spec is what is asked for, as it is written but for the @, : or # before
	// it: 2.4.1, ^1, ==0.9, latest, a tag with its digest, a commit. "" for none.
	// It may stand in an option of its own (gem exec --version), and the word is
	// then the name alone.
	Spec  string
	Class Class
	// Arg is the place of the argument that names the package, in argv; -1 for
	// one inside a shell string.
	Arg int
	// Start and End bound the whole package word inside that argument, in bytes;
	// both are 0 where Arg is -1.
	Start, End int
	// Runner is what fetches it, as messages have it: npx, uv tool run, docker
	// run. Its first word is a program. "" where that is not known.
	Runner string
}

// Packages lists everything that a command line would fetch, fine ones too, in
// the order in which they stand there. A package that is only named where known
// bad ones are looked for (see [Judge]) is listed when it is bad. bad may be nil.
func Packages(argv []string, bad *advisory.List) []Package {
	found := read(argv, bad).found
	packages := make([]Package, len(found))
	for i, f := range found {
		packages[i] = f.Package
		packages[i].Runner = f.runner
	}
	return packages
}

// Refused tells whether a command line must not be started, because it fetches a
// version that is known to be bad. The reason names the package, the version, and
// the source and date of what is known; it says nothing else of the command line.
func Refused(argv []string, bad *advisory.List) (reason string, refused bool) {
	for _, f := range read(argv, bad).found {
		if f.Class == KnownBad {
			return fmt.Sprintf("not started: %s", f.known()), true
		}
	}
	return "", false
}

// known says which version is known to be bad.
func (f *found) known() string {
	what := ""
	if f.advisory.Summary != "" {
		what = ": " + snapshot.Visible(f.advisory.Summary)
	}
	return fmt.Sprintf("%s of %s is known to be bad%s (%s)", f.badVersion(), f.Ecosystem, what, snapshot.Visible(f.advisory.String()))
}

// badVersion is the package with the version that is bad.
func (f *found) badVersion() string {
	if f.version == "" {
		return f.shown() + ", whatever its version,"
	}
	return f.shown() + " " + shown(f.version)
}
