// Package registry finds the exact version that a launcher would fetch now:
// of npm and PyPI packages, Go programs, container images and git repositories.
//
// It only asks. It sends no credentials, not even those that stand in an
// operator's registry URL, and it reads no setting of the repository that is
// pinned: which registries are asked is the operator's choice.
package registry

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// Ecosystem is where packages of one kind come from.
type Ecosystem string

// The ecosystems.
const (
	EcosystemNPM  Ecosystem = "npm"
	EcosystemPyPI Ecosystem = "PyPI"
	EcosystemGo   Ecosystem = "Go"
	EcosystemOCI  Ecosystem = "OCI"
	EcosystemGit  Ecosystem = "git"
)

// Package is what is asked for. Name and Spec are foreign text.
type Package struct {
	Ecosystem Ecosystem
	// Name is a package's name; for Go the path of the program's package, for
	// images the name without tag and digest, for git the clone URL.
	Name string
	// Spec is what may be chosen, in the ecosystem's own language: a tag, a
	// range, a branch. "" is what the launcher takes when nothing is said.
	Spec string
}

// Exact is one release that no registry will change: a version, an image's
// digest (sha256:…) or a commit (40 hex digits). It is checked to be of that
// form, whatever a registry says, and safe to be written into a file.
type Exact string

// Resolver finds the release that a package's spec means now.
type Resolver interface {
	// Resolve asks the registry. The error is an ErrUnresolvable when the
	// registry's answer is the reason; any other means that there was no answer.
	Resolve(context.Context, Package) (Exact, error)
}

// ErrUnresolvable is the kind of error that asking again does not change: no
// such package, no version that the spec allows, no access without credentials,
// a spec that is not understood.
var ErrUnresolvable = errors.New("unresolvable")

// unresolvable is an ErrUnresolvable that says only why.
type unresolvable string

func (u unresolvable) Error() string      { return string(u) }
func (unresolvable) Is(target error) bool { return target == ErrUnresolvable }

// unresolvablef words an ErrUnresolvable. Texts among the arguments are foreign;
// a spec may be among them once it is understood: until then it may be anything,
// an address with a password too.
func unresolvablef(format string, args ...any) error {
	const longest = 500
	text := fmt.Sprintf(format, args...)
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "") + "…"
	}
	return unresolvable(snapshot.Visible(text))
}

// Registries resolves packages of every ecosystem that it has a resolver for.
type Registries map[Ecosystem]Resolver

// New returns the resolvers of all ecosystems, with the registries of the
// settings. The client's redirect policy is replaced by a stricter one.
func New(client *http.Client, s Settings) Registries {
	c := newClient(client)
	return Registries{
		EcosystemNPM:  npm{c, s},
		EcosystemPyPI: pypi{c, s.PyPI},
		EcosystemGo:   goProxy{c, s.Go, s.GoPrivate},
		EcosystemOCI:  oci{c},
		EcosystemGit:  git{},
	}
}

// Resolve hands the package to its ecosystem's resolver.
func (r Registries) Resolve(ctx context.Context, p Package) (Exact, error) {
	resolver, ok := r[p.Ecosystem]
	if !ok {
		return "", unresolvablef("no registry is known for packages of %s", p.Ecosystem)
	}
	return resolver.Resolve(ctx, p)
}
