package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mcp-lint/mcp-lint/internal/audit"
	"github.com/mcp-lint/mcp-lint/internal/collect"
	"github.com/mcp-lint/mcp-lint/internal/config"
	"github.com/mcp-lint/mcp-lint/internal/launch"
	"github.com/mcp-lint/mcp-lint/internal/sandbox"
	"github.com/mcp-lint/mcp-lint/linter/report"
)

// startFlags say how a server given on the command line is started.
type startFlags struct {
	name           string
	passEnv        []string
	startTimeout   time.Duration
	requestTimeout time.Duration
	sandbox        sandboxFlag
	advisories     advisoriesFlag
}

func (f *startFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.name, "name", "", "server `key` in the report and the lock (default: the server's own name)")
	flags.StringArrayVar(&f.passEnv, "pass-env", nil, "hand on the variable of this `name`; servers get no others but PATH, HOME and the like")
	f.startTimeout, f.requestTimeout = collect.DefaultStartTimeout, collect.DefaultRequestTimeout
	flags.Var(duration{&f.startTimeout}, "start-timeout", "`time` from the process's start until initialize is answered")
	flags.Var(duration{&f.requestTimeout}, "request-timeout", "`time` for each request after that")
	f.sandbox.add(flags, sandbox.None)
	f.advisories.add(flags)
}

// server is the entry for a command line.
func (f *startFlags) server(argv []string) (launch.Server, error) {
	if len(argv) == 0 || argv[0] == "" {
		return launch.Server{}, usagef("no server: expected its command after --")
	}
	if err := f.checkPassEnv(); err != nil {
		return launch.Server{}, err
	}
	return launch.Server{
		Key:            f.name,
		Literal:        true,
		Command:        argv[0],
		Args:           argv[1:],
		PassEnv:        f.passEnv,
		StartTimeout:   f.startTimeout,
		RequestTimeout: f.requestTimeout,
	}, nil
}

// checkPassEnv refuses NAME=VALUE without repeating the value.
func (f *startFlags) checkPassEnv() error {
	for _, name := range f.passEnv {
		if !launch.IsEnvName(name) {
			return usagef("--pass-env: expected the name of a variable; its value is taken from the environment")
		}
	}
	return nil
}

// commandAfterDash returns the words after --, and refuses words before it.
func commandAfterDash(cmd *cobra.Command, args []string) ([]string, error) {
	switch dash := cmd.ArgsLenAtDash(); {
	case dash == 0 || len(args) == 0:
		return args, nil
	case slices.Contains(sandboxModes(), args[0]):
		return nil, usagef("unexpected %q: the mode of the sandbox is written --sandbox=%s", args[0], args[0])
	}
	return nil, usagef("unexpected %q: the server's command goes after --", args[0])
}

// runFlags are those of `mcp-lint run`, which the short form shares.
type runFlags struct {
	conf   configFlags
	out    outputFlags
	start  startFlags
	remote remoteFlags
	base   baselineFlag
	save   string
}

func (f *runFlags) add(flags *pflag.FlagSet) {
	f.conf.add(flags)
	f.out.add(flags)
	f.out.addMain(flags)
	f.start.add(flags)
	f.remote.add(flags)
	f.base.add(flags)
	flags.StringVar(&f.save, "save", "", "also write what the server said, hidden characters escaped, to this `file`")
}

func (a *app) runCommand() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run [flags] {--url URL | -- COMMAND [ARG…]}",
		Short: "Start a server, ask it for its lists, and lint them",
		RunE: func(cmd *cobra.Command, args []string) error {
			argv, err := commandAfterDash(cmd, args)
			if err != nil {
				return err
			}
			server, err := f.server(argv)
			if err != nil {
				return err
			}
			c, err := f.conf.load()
			if err != nil {
				return err
			}
			if err := f.base.load(); err != nil {
				return err
			}
			return a.lintServer(cmd.Context(), &f, c, server)
		},
	}
	f.add(cmd.Flags())
	return cmd
}

// server is the entry for what the command line names.
func (f *runFlags) server(argv []string) (launch.Server, error) {
	switch {
	case f.remote.url != "" && len(argv) > 0:
		return launch.Server{}, usagef("--url and a command: expected one of them")
	case f.remote.given():
		return f.remote.server(&f.start)
	}
	return f.start.server(argv)
}

// lintServer collects one server, lints what it says and reports it.
func (a *app) lintServer(ctx context.Context, f *runFlags, c *config.Config, s launch.Server) error {
	bad, err := f.start.advisories.load()
	if err != nil {
		return err
	}
	return interruptible(ctx, func(ctx context.Context) error {
		e := a.engine(sandbox.Mode(f.start.sandbox.mode))
		e.Advisories = bad
		o, err := e.Servers(ctx, c, ".", []launch.Server{s})
		if err != nil || ctx.Err() != nil {
			return err
		}
		a.apply(&f.base, o)
		return a.finish(o, c, f.out, f.save)
	})
}

// hasFindings tells whether there is more to say than that nothing was checked.
func hasFindings(r *report.Report) bool {
	return slices.ContainsFunc(r.Servers, func(s report.Server) bool { return len(s.Findings) > 0 })
}

// finish writes the snapshot and the reports of a run and gives its exit code.
func (a *app) finish(o *audit.Outcome, c *config.Config, out outputFlags, save string) error {
	if save != "" {
		if len(o.Snapshots) != 1 {
			return usagef("--save: expected one server, found %d", len(o.Snapshots))
		}
		if s := o.Snapshots[0]; s != nil {
			if len(s.Redacted) > 0 {
				// What held the secret is named, and nothing at all is written.
				first := s.Redacted[0]
				return fmt.Errorf("--save: %s %q repeats a secret that the server was given; nothing is written", first.Kind, first.Name)
			}
			if err := writeFile(save, s.Save()); err != nil {
				return err
			}
		}
	}
	a.printErrors(&o.Report)
	limits := audit.Limits(c)
	decided := verdict(&o.Report, limits)
	if out.format == "text" && out.path == "" && decided == exit(exitError) && !hasFindings(&o.Report) {
		// Nothing was checked, and that was said. A file is written all the same:
		// the report of an earlier run must not stay there.
		if err := a.writeFiles(out, &o.Report, o.Snapshots); err != nil {
			return err
		}
		return decided
	}
	if err := a.write(out, &o.Report, o.Snapshots, limits); err != nil {
		return err
	}
	return decided
}
