// Package pin computes how a configuration file is written with exact versions:
// which words of which entries change, into what, and what cannot be pinned and
// why. It asks registries through the resolver that it is given, and writes
// nothing itself.
package pin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/mcp-lint/mcp-lint/internal/launch"
	"github.com/mcp-lint/mcp-lint/internal/launch/advisory"
	"github.com/mcp-lint/mcp-lint/internal/registry"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// parallel is how many packages are asked for at once.
const parallel = 8

// Pinner pins files.
type Pinner struct {
	// Registries say which version a package has now; for several files it is
	// best one that remembers.
	Registries registry.Resolver
	// Bad is what must never be pinned; nil is empty.
	Bad *advisory.List
	// Read reads the servers of a file, with the places of their words.
	Read func(file string, data []byte) ([]launch.Server, error)
}

// Result is what becomes of one file.
type Result struct {
	// Changes are in the order of the file; they say what Data has that the file
	// has not.
	Changes []Change
	// Left are what stays as it is though it is not pinned.
	Left []Left
	// Failures are those about which a registry gave no answer. With one of them
	// there are no Changes: a file is pinned as a whole.
	Failures []Left
	// Data is the file with the changes, and the file itself without any.
	Data []byte
}

// Change is one package that is written anew.
type Change struct {
	Server    string // the entry's key
	Location  snapshot.Location
	Ecosystem string
	// Before and After are the words for the package, and nothing else of the
	// command line. Before is foreign text.
	Before, After string
}

// Left is something of an entry that stays as it is.
type Left struct {
	Server   string
	Location snapshot.Location
	// Package is the package's name, "" where the entry itself is the reason.
	// Like Server it is foreign text.
	Package string
	Reason  string
}

// File pins one file. The error is about the file as a whole: it cannot be read,
// or the changed one would not say what it should.
func (p *Pinner) File(ctx context.Context, file string, data []byte) (Result, error) {
	servers, err := p.Read(file, data)
	if err != nil {
		return Result{}, err
	}
	var (
		result  = Result{Data: data}
		targets []*target
	)
	for i := range servers {
		t, left := p.targets(&servers[i])
		targets = append(targets, t...)
		result.Left = append(result.Left, left...)
	}
	if err := p.resolve(ctx, targets); err != nil {
		return Result{}, err
	}
	var edits []*target
	for _, t := range targets {
		switch {
		case t.err == nil:
			edits = append(edits, t)
		case errors.Is(t.err, registry.ErrUnresolvable):
			result.Left = append(result.Left, t.left(t.err.Error()))
		default:
			result.Failures = append(result.Failures, t.left(snapshot.Visible(t.err.Error())))
		}
	}
	slices.SortStableFunc(result.Left, func(a, b Left) int {
		return cmp.Or(cmp.Compare(a.Location.Line, b.Location.Line), cmp.Compare(a.Location.Column, b.Location.Column))
	})
	if len(result.Failures) > 0 || len(edits) == 0 {
		return result, nil
	}
	return p.apply(file, data, servers, edits, result)
}

// resolve asks for every package once, and fills in the answers.
func (p *Pinner) resolve(ctx context.Context, targets []*target) error {
	same := make(map[registry.Package][]*target)
	var asked errgroup.Group
	asked.SetLimit(parallel)
	for _, t := range targets {
		same[t.ask] = append(same[t.ask], t)
	}
	for ask, wanting := range same {
		asked.Go(func() error {
			version, err := p.Registries.Resolve(ctx, ask)
			for _, t := range wanting {
				t.version, t.err = version, err
				if err == nil {
					t.err = p.refuse(t)
				}
			}
			return nil
		})
	}
	_ = asked.Wait() // no answer is an error of its own
	return ctx.Err()
}

// refused is the reason why a version is not taken.
type refused string

func (r refused) Error() string      { return string(r) }
func (refused) Is(target error) bool { return target == registry.ErrUnresolvable }

// refuse says why an answer is not taken: it is known to be bad, or a shell might
// read it as something else.
func (p *Pinner) refuse(t *target) error {
	for _, a := range p.Bad.Of(string(t.pkg.Ecosystem), t.ask.Name) {
		if a.Affects(string(t.version)) {
			return refused(fmt.Sprintf("the registry gives %s, which is known to be bad (%s)", t.version, snapshot.Visible(a.String())))
		}
	}
	if t.pkg.Arg < 0 && !plainInShells.MatchString(string(t.version)) {
		return refused(fmt.Sprintf("it stands in a text for a shell, which might not take %s as it is", t.version))
	}
	return nil
}

// plainInShells are versions that no shell reads as anything else.
var plainInShells = regexp.MustCompile(`^[A-Za-z0-9.:+-]+$`)
