package collect

import (
	"context"

	"github.com/mcp-lint/mcp-lint/internal/sandbox"
)

// prepare says how the server's process is run: as it is in mode none, else
// with what its command needs bound into the sandbox.
func prepare(ctx context.Context, c Command, o Options) (sandbox.Spec, *Failure) {
	spec := sandbox.Spec{
		Argv: c.Argv,
		Env:  environ(MinimalEnv(o.Env), c.Env),
		Tree: c.Tree,
		Dir:  c.Dir,
		Limits: sandbox.Limits{
			Stdout: maxOutput,
			// Far above what a server that answers in time can need.
			Wall: o.StartTimeout + maxLists*o.RequestTimeout,
		},
	}
	if o.Sandbox.Mode() == sandbox.None {
		return spec, nil
	}
	return isolate(ctx, spec, c, o)
}
