package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mcp-lint/mcp-lint/internal/audit"
	"github.com/mcp-lint/mcp-lint/internal/config"
	"github.com/mcp-lint/mcp-lint/internal/jsonc"
	"github.com/mcp-lint/mcp-lint/internal/launch"
	"github.com/mcp-lint/mcp-lint/internal/sandbox"
	"github.com/mcp-lint/mcp-lint/internal/version"
	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
	"github.com/mcp-lint/mcp-lint/lockfile"
)

// lockFlags are those of `mcp-lint lock`.
type lockFlags struct {
	conf   configFlags
	out    outputFlags
	start  startFlags
	remote remoteFlags
	check  bool
	accept bool
	from   string
	path   string
}

func (a *app) lockCommand() *cobra.Command {
	var f lockFlags
	cmd := &cobra.Command{
		Use:   "lock [flags] [-- COMMAND [ARG…]]",
		Short: "Write what a server says to the lock, or check it against the lock",
		Long: `Without --check the lock is written or refreshed; what that accepts is shown
first, and changes of severity error need --accept. The server is the command
after --, a saved snapshot (--from), or the configured server that --name names.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			argv, err := commandAfterDash(cmd, args)
			if err != nil {
				return err
			}
			switch {
			case f.check && f.accept:
				return usagef("--check and --accept: expected one of them")
			case f.from != "" && len(argv) > 0:
				return usagef("--from and a command: expected one of them")
			case f.remote.url != "" && (f.from != "" || len(argv) > 0):
				return usagef("--url and --from or a command: expected one of them")
			case f.from != "" && f.remote.given():
				return usagef("--header, --header-env: expected --url with them")
			case f.from != "":
				return a.lock(cmd.Context(), cmd.Flags(), f, nil) // starts no server
			}
			return interruptible(cmd.Context(), func(ctx context.Context) error { return a.lock(ctx, cmd.Flags(), f, argv) })
		},
	}
	flags := cmd.Flags()
	f.conf.addPath(flags)
	f.conf.addFailOn(flags)
	f.out.format = "text"
	flags.StringVar(&f.out.json, "json", "", "also write the JSON report to this `file`")
	f.start.add(flags)
	f.remote.add(flags)
	flags.BoolVar(&f.check, "check", false, "compare only; exit with 1 on changes at or above --fail-on (default warning)")
	flags.BoolVar(&f.accept, "accept", false, "write although there are changes of severity error")
	flags.StringVar(&f.from, "from", "", "saved snapshot `file` instead of a command; - is standard input")
	flags.StringVar(&f.path, "lock", "", "lock `file` (default: the configuration's, mcp-lint.lock)")
	return cmd
}

func (a *app) lock(ctx context.Context, flags *pflag.FlagSet, f lockFlags, argv []string) error {
	c, err := f.conf.load()
	if err != nil {
		return err
	}
	// --fail-on is about findings elsewhere; here it is about changes.
	if f.conf.failOn != "" {
		c.LockFailOn = c.FailOn
	}
	r := audit.LockRequest{Path: f.path, Key: f.start.name, Check: f.check, Accept: f.accept, Config: c}
	if r.Path == "" {
		r.Path = c.Lock
	}
	o, err := a.lockOutcome(ctx, flags, f, r, argv)
	if err != nil {
		return err
	}
	return a.finishLock(o, f, r)
}

func (a *app) lockOutcome(ctx context.Context, flags *pflag.FlagSet, f lockFlags, r audit.LockRequest, argv []string) (*audit.LockOutcome, error) {
	if f.from != "" {
		e := &audit.Engine{Version: version.Version(), Env: a.env}
		return e.LockSaved(r, a.documents([]string{f.from})[0])
	}
	server, err := f.server(flags, r.Config, argv)
	if err != nil {
		return nil, err
	}
	return a.engine(sandbox.Mode(f.start.sandbox.mode)).LockServer(ctx, r, ".", server)
}

// server is the command after --, or the configured server of that name.
func (f *lockFlags) server(flags *pflag.FlagSet, c *config.Config, argv []string) (launch.Server, error) {
	switch {
	case f.remote.given():
		return f.remote.server(f.start.name)
	case len(argv) > 0:
		return f.start.server(argv)
	}
	if f.start.name == "" {
		return launch.Server{}, usagef("no server: expected a command after --, --from FILE, or --name of a configured server")
	}
	if err := f.start.checkPassEnv(); err != nil {
		return launch.Server{}, err
	}
	servers, err := audit.Discover(".", c)
	if err != nil {
		return launch.Server{}, err
	}
	keys := make([]string, 0, len(servers))
	for _, s := range servers {
		keys = append(keys, s.Key)
	}
	i := slices.Index(keys, f.start.name)
	switch {
	case len(servers) == 0:
		return launch.Server{}, fmt.Errorf("no server is configured here, so none is named %q", f.start.name)
	case i < 0:
		return launch.Server{}, fmt.Errorf("no configured server %q; %s", f.start.name, jsonc.Suggest(f.start.name, keys))
	}
	s := servers[i]
	s.PassEnv = append(s.PassEnv, f.start.passEnv...)
	if flags.Changed("start-timeout") {
		s.StartTimeout = f.start.startTimeout
	}
	if flags.Changed("request-timeout") {
		s.RequestTimeout = f.start.requestTimeout
	}
	return s, nil
}

func (a *app) finishLock(o *audit.LockOutcome, f lockFlags, r audit.LockRequest) error {
	if o.Empty {
		a.warn("%s: the server has no tools", o.Key)
	}
	changes := o.Report.Servers[0].Lock.Changes
	if len(changes) > 0 || f.check {
		if err := a.write(f.out, &o.Report, nil, report.Limits{}); err != nil {
			return err
		}
	} else if err := a.writeFiles(f.out, &o.Report, nil); err != nil {
		return err
	}
	switch {
	case f.check:
		if slices.ContainsFunc(changes, func(ch lockfile.Change) bool { return ch.Severity.Reaches(r.Config.LockFailOn) }) {
			return exit(exitFindings)
		}
		return nil
	case o.Refused > 0:
		a.warn("Refusing to update %s: %d error-level changes. Re-run with --accept after reviewing them.",
			r.Path, o.Refused)
		return exit(exitFindings)
	}
	_, err := fmt.Fprintf(a.stdout, "Locked %s in %s.\n", snapshot.Visible(o.Key), snapshot.Visible(r.Path))
	return err
}
