package collect

import (
	"context"
	"errors"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcp-lint/mcp-lint/internal/sandbox"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// discoverVersion makes the typed layer ask with server/discover first.
const discoverVersion = "2026-07-28"

// Stdio starts a server, asks it for its lists, and ends it with everything it
// started. The error is a *Failure.
func Stdio(ctx context.Context, c Command, o Options) (*Collected, error) {
	o = o.withDefaults()
	if o.Sandbox == nil {
		return nil, failuref(Input, nil, "no sandbox given")
	}
	if len(c.Argv) == 0 || c.Argv[0] == "" {
		return nil, failuref(Input, nil, "no command given")
	}
	if c.Dir != "" && !filepath.IsLocal(filepath.FromSlash(c.Dir)) {
		return nil, failuref(Input, nil, "the working folder is outside the tree")
	}
	spec, failure := prepare(ctx, c, o)
	if failure != nil {
		return nil, failure
	}
	collected, err := converse(ctx, c, spec, o, preferredVersion)
	var refused *refusedVersion
	if errors.As(err, &refused) {
		// A process that refused a version may be in any state: ask a fresh
		// one for the version that the refusal names, or the way stateless
		// servers want to be asked.
		collected, err = converse(ctx, c, spec, o, refused.wanted)
		if errors.As(err, &refused) {
			return nil, refused.Failure
		}
	}
	return collected, err
}

// refusedVersion is the failure of a server that answered initialize with an
// error.
type refusedVersion struct {
	*Failure
	wanted string // the version to try next
}

// wantedVersion is the newest revision that the refusal names, in its data or
// its text, or the one of stateless servers when it names none.
func wantedVersion(refusal *jsonrpc.Error) string {
	revision := regexp.MustCompile(`\b20\d\d-\d\d-\d\d\b`)
	named := revision.FindAllString(string(refusal.Data)+" "+refusal.Message, -1)
	named = slices.DeleteFunc(named, func(v string) bool { return v == preferredVersion })
	if len(named) == 0 {
		return discoverVersion
	}
	return slices.Max(named)
}

func converse(ctx context.Context, c Command, spec sandbox.Spec, o Options, version string) (*Collected, error) {
	process, err := o.Sandbox.Start(ctx, spec)
	if err != nil {
		return nil, startFailure(err)
	}
	odd := &oddities{}
	s := &session{
		options: o,
		command: c,
		process: process,
		secrets: newRedactor(c.Secrets),
		odd:     odd,
	}
	s.wire = newTransport(lines(process.Stdin), process.Stdout, odd.addf, s.foreign)
	defer s.end(leaveGrace)

	o.Progress("started; waiting for initialize")
	return s.converse(ctx, version)
}

// converse connects, asks for everything, and makes a snapshot of the answers.
func (s *session) converse(ctx context.Context, version string) (*Collected, error) {
	quiet := s.showStderr()
	err := s.connect(ctx, version)
	quiet()
	if err != nil {
		failure := s.explain(ctx, "initialize", err)
		var refusal *jsonrpc.Error
		if errors.As(err, &refusal) && failure.Kind == Protocol {
			return nil, &refusedVersion{failure, wantedVersion(refusal)}
		}
		return nil, failure
	}
	parts, err := s.parts(ctx)
	if err != nil {
		var step *stepError
		if errors.As(err, &step) {
			return nil, s.explain(ctx, step.step, step.err)
		}
		return nil, s.explain(ctx, "the conversation", err)
	}
	held := s.secrets.parts(&parts)
	snap, err := snapshot.Parse("", snapshot.Assemble(parts))
	if err != nil {
		var place *snapshot.ParseError
		if errors.As(err, &place) {
			// The place is one in our own assembly of the answers.
			err = errors.New(place.Message)
		}
		return nil, failuref(Protocol, err, "the server's answers cannot be read: %s", s.foreign(err.Error()))
	}
	snap.Redacted = held
	for _, ref := range held {
		s.odd.addf("%s %s repeats a secret that the server was given; it is shown as %s", ref.Kind, s.foreign(ref.Name), redacted)
	}
	return &Collected{Snapshot: snap, Oddities: s.odd.lines()}, nil
}
