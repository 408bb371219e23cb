package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/mcp-lint/mcp-lint/internal/audit"
	"github.com/mcp-lint/mcp-lint/internal/jsonc"
	"github.com/mcp-lint/mcp-lint/internal/launch"
	"github.com/mcp-lint/mcp-lint/internal/sandbox"
	"github.com/mcp-lint/mcp-lint/internal/version"
)

func (a *app) lockCommand() *cobra.Command {
	var f lockFlags
	cmd := &cobra.Command{
		Use:   "lock [flags] [-- COMMAND [ARG…]] | --all [DIR]",
		Short: "Write what servers say to the lock, or check it against the lock",
		Long: `Without --check the lock is written or refreshed; what that accepts is shown
first, and changes of severity error need --accept. The server is the command
after --, a saved snapshot (--from), or the configured server that --name names.
With --all it is every server that the folder configures.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			argv, err := f.words(cmd, args)
			if err != nil {
				return err
			}
			if err := f.conflict(argv); err != nil {
				return err
			}
			work := a.lock
			switch {
			case len(f.remove) > 0:
				return a.unlock(&f) // starts no server
			case f.from != "":
				return a.lock(cmd.Context(), &f, nil) // nor does this
			case f.all:
				work = a.lockAll
			}
			return interruptible(cmd.Context(), func(ctx context.Context) error { return work(ctx, &f, argv) })
		},
	}
	flags := cmd.Flags()
	f.set = flags
	f.conf.addPath(flags)
	f.conf.addFailOn(flags)
	f.out.format = "text"
	flags.StringVar(&f.out.json, "json", "", "also write the JSON report to this `file`")
	f.start.add(flags)
	f.remote.add(flags)
	flags.BoolVar(&f.check, "check", false, "compare only; exit with 1 on changes at or above --fail-on (default warning)")
	flags.BoolVar(&f.accept, "accept", false, "write although there are changes of severity error")
	flags.BoolVar(&f.all, "all", false, "every configured server of DIR (default: this folder), side by side")
	flags.Var(word{&f.from}, "from", "saved snapshot `file` instead of a command; - is standard input")
	flags.Var(word{&f.path}, "lock", "lock `file` (default: the configuration's, mcp-lint.lock)")
	flags.Var(word{&f.profile}, "profile", "`name` of the circumstances (token, scope, flags) that the lists depend on: the lock has an entry for each")
	flags.StringArrayVar(&f.remove, "remove", nil, "take the entry with this `key` out of the lock, and do nothing else")
	return cmd
}

// lock compares or locks one server.
func (a *app) lock(ctx context.Context, f *lockFlags, argv []string) error {
	c, err := f.conf.load()
	if err != nil {
		return err
	}
	r, err := f.request(c, ".")
	if err != nil {
		return err
	}
	var o *audit.LockOutcome
	if f.from != "" {
		e := &audit.Engine{Version: version.Version(), Env: a.env}
		o, err = e.LockSaved(r, a.documents([]string{f.from})[0])
	} else {
		var server launch.Server
		if server, err = f.server(&r, argv); err != nil {
			return err
		}
		e := a.engine(sandbox.Mode(f.start.sandbox.mode))
		if e.Advisories, err = f.start.advisories.load(); err != nil {
			return err
		}
		o, err = e.LockServer(ctx, r, ".", server)
	}
	if err != nil {
		return err
	}
	return a.finishLock(o, f, r)
}

// server is the command after --, or the configured server of that name; the
// request is then for its entry.
func (f *lockFlags) server(r *audit.LockRequest, argv []string) (launch.Server, error) {
	switch {
	case f.remote.given():
		return f.remote.server(&f.start)
	case len(argv) > 0:
		return f.start.server(argv)
	}
	if f.start.name == "" {
		return launch.Server{}, usagef("no server: expected a command after --, --from FILE, --name of a configured server, or --all")
	}
	if err := f.start.checkPassEnv(); err != nil {
		return launch.Server{}, err
	}
	servers, err := audit.Discover(".", r.Config)
	if err != nil {
		return launch.Server{}, err
	}
	s, err := f.configured(servers)
	if err != nil {
		return s, err
	}
	r.Key = s.Key
	if r.Profile == "" {
		r.Profile = s.Profile
	}
	s.PassEnv = append(s.PassEnv, f.start.passEnv...)
	if f.set.Changed("start-timeout") {
		s.StartTimeout = f.start.startTimeout
	}
	if f.set.Changed("request-timeout") {
		s.RequestTimeout = f.start.requestTimeout
	}
	return s, nil
}

// configured finds the server that --name and --profile name: by its key, or by
// that of its entry in the lock.
func (f *lockFlags) configured(servers []launch.Server) (launch.Server, error) {
	name := f.start.name
	named := launch.Server{Key: name, Profile: f.profile}
	keys := make([]string, 0, len(servers))
	for _, s := range servers {
		if audit.LockKey(s) == audit.LockKey(named) {
			return s, nil
		}
		keys = append(keys, s.Key)
	}
	switch i := slices.Index(keys, name); {
	case i >= 0:
		return servers[i], nil
	case len(servers) == 0:
		return launch.Server{}, fmt.Errorf("no server is configured here, so none is named %q", name)
	}
	return launch.Server{}, fmt.Errorf("no configured server %q; %s", name, jsonc.Suggest(name, keys))
}
