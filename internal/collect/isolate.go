package collect

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/mcp-lint/mcp-lint/internal/sandbox"
	"github.com/mcp-lint/mcp-lint/internal/sandbox/fetch"
)

// isolate completes a spec for the sandbox. A command of npx or uvx becomes the
// program of the package, which is fetched first: the run has no network. Any
// other program is found by its real path and bound with its own folder.
func isolate(ctx context.Context, spec sandbox.Spec, c Command, o Options) (sandbox.Spec, *Failure) {
	env := sandboxEnv(o.Env)
	plan, isPackage, err := fetch.Parse(c.Argv)
	if err != nil {
		return spec, fetchFailure(err)
	}
	if isPackage {
		ctx, cancel := context.WithTimeout(ctx, o.StartTimeout)
		defer cancel()
		fetched, err := fetch.Fetch(ctx, plan, fetch.Options{
			Sandbox: o.Sandbox, Cache: o.Cache, Env: o.Env, Progress: o.Progress,
		})
		if err != nil {
			return spec, fetchFailure(deadline(ctx, err))
		}
		command := fetched.Command()
		spec.Argv, spec.ReadOnly = command.Argv, command.ReadOnly
		for _, variable := range command.Env {
			name, value, _ := strings.Cut(variable, "=")
			env[name] = value
		}
		spec.Env = environ(c.Env, env)
		return spec, nil
	}
	if isPath(c.Argv[0]) {
		// A program of the tree itself.
		spec.Env = environ(env, c.Env)
		return spec, nil
	}
	path, _ := o.Env("PATH")
	binds, resolved, err := sandbox.Toolchain(c.Argv[0], path)
	if err != nil {
		return spec, startFailure(err)
	}
	if len(binds) > 0 {
		env["PATH"] = filepath.Dir(resolved) + ":/usr/local/bin:/usr/bin:/bin"
	}
	spec.Argv = append([]string{resolved}, c.Argv[1:]...)
	spec.ReadOnly = binds
	spec.Env = environ(env, c.Env)
	return spec, nil
}

// sandboxEnv is the minimal environment inside the sandbox, which has a PATH, a
// home and a temporary folder of its own: the locale, and nothing about the
// operator.
func sandboxEnv(lookup func(string) (string, bool)) map[string]string {
	env := make(map[string]string)
	for _, name := range []string{"LANG", "LC_ALL", "LC_CTYPE", "TZ"} {
		if value, ok := lookup(name); ok {
			env[name] = value
		}
	}
	return env
}

func isPath(command string) bool {
	return strings.ContainsAny(command, `/\`) && !filepath.IsAbs(command)
}

func fetchFailure(err error) *Failure {
	var failure *fetch.Failure
	var unavailable *sandbox.Unavailable
	switch {
	case errors.As(err, &unavailable):
		return startFailure(err)
	case errors.Is(err, context.DeadlineExceeded):
		return failuref(TimedOut, err, "the package could not be fetched in time (--start-timeout)")
	case errors.Is(err, context.Canceled):
		return failuref(TimedOut, err, "fetching the package was interrupted")
	case !errors.As(err, &failure):
		return failuref(Sandbox, err, "the package could not be fetched: %s", cause(err))
	case failure.Kind == fetch.Unsupported:
		return failuref(Input, err, "%s", failure.Message)
	}
	return failuref(Start, err, "%s", failure.Message)
}
