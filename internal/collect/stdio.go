package collect

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/mcp-lint/mcp-lint/internal/sandbox"
)

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
	begun := time.Now()
	collected, err := converse(ctx, c, spec, o, preferredVersion)
	var first *turnedAway
	if !errors.As(err, &first) {
		return collected, err
	}
	// A process that refused a version may be in any state: ask a fresh one.
	return again(ctx, first, o, begun, func(o Options) (*Collected, error) {
		return converse(ctx, c, spec, o, first.wanted)
	})
}

// again asks a server that did not let itself be initialized once more, for the
// version that its refusal names or the way stateless servers want to be asked.
// It starts as fast as it did, begun ago, and some never answer what they do not
// know.
func again(ctx context.Context, first *turnedAway, o Options, begun time.Time, ask func(Options) (*Collected, error)) (*Collected, error) {
	o.StartTimeout = min(o.StartTimeout, time.Since(begun)+o.RequestTimeout)
	collected, err := ask(o)
	var second *turnedAway
	var failure *Failure
	switch {
	case err == nil:
		collected.noteRefusal(first)
		return collected, nil
	case errors.As(err, &second):
		return nil, first.Failure // the first answer says best what is wrong
	case errors.As(err, &failure) && failure.Kind == TimedOut && failure.step == stepInitialize && ctx.Err() == nil:
		return nil, first.Failure
	}
	return nil, err
}

func converse(ctx context.Context, c Command, spec sandbox.Spec, o Options, version string) (*Collected, error) {
	s, err := startServer(ctx, c, spec, o)
	if err != nil {
		return nil, startFailure(err)
	}
	defer s.end(leaveGrace)

	o.Progress("started; waiting for initialize")
	quiet := s.showStderr()
	err = s.connect(ctx, s.wire, version)
	quiet()
	return s.conclude(ctx, err, s.explain)
}
