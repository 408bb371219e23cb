package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mcp-lint/mcp-lint/internal/audit"
	"github.com/mcp-lint/mcp-lint/internal/config"
	"github.com/mcp-lint/mcp-lint/internal/jsonc"
	"github.com/mcp-lint/mcp-lint/internal/launch"
	"github.com/mcp-lint/mcp-lint/internal/sandbox"
	"github.com/mcp-lint/mcp-lint/internal/version"
)

// lockFlags are those of `mcp-lint lock`.
type lockFlags struct {
	conf    configFlags
	out     outputFlags
	start   startFlags
	remote  remoteFlags
	check   bool
	accept  bool
	all     bool
	from    string
	path    string
	profile string
	remove  []string

	set *pflag.FlagSet // tells which were given
}

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

// words are the server's command or, with --all, the folder.
func (f *lockFlags) words(cmd *cobra.Command, args []string) ([]string, error) {
	if f.all && cmd.ArgsLenAtDash() < 0 {
		return args, atMost(1, "one folder")(cmd, args)
	}
	return commandAfterDash(cmd, args)
}

// conflict refuses flags that cannot be meant together.
func (f *lockFlags) conflict(argv []string) error {
	given := func(name string) bool {
		if name == "a command" {
			return len(argv) > 0 && !f.all
		}
		flag := f.set.Lookup(name)
		return flag.Changed && (flag.Value.Type() != "bool" || flag.Value.String() == "true")
	}
	for _, pair := range [][2]string{
		{"check", "accept"},
		{"from", "a command"}, {"url", "from"}, {"url", "a command"},
		{"all", "name"}, {"all", "profile"}, {"all", "from"}, {"all", "url"}, {"all", "pass-env"},
		{"remove", "all"}, {"remove", "check"}, {"remove", "accept"}, {"remove", "name"}, {"remove", "from"},
		{"remove", "url"}, {"remove", "json"}, {"remove", "a command"},
	} {
		if given(pair[0]) && given(pair[1]) {
			return usagef("%s and %s: expected one of them", flagName(pair[0]), flagName(pair[1]))
		}
	}
	switch {
	case f.all && f.set.ArgsLenAtDash() >= 0:
		return usagef("--all and a command: expected one of them")
	case f.remote.given() && f.remote.url == "":
		return usagef("--header, --header-env: expected --url with them")
	case f.profile != "" && !launch.IsProfile(f.profile):
		return usagef("--profile: expected a profile's name: %s", launch.ProfileWords)
	case slices.Contains(f.remove, ""):
		return usagef("--remove: expected a key of the lock, found an empty one")
	}
	return nil
}

func flagName(name string) string {
	if name == "a command" {
		return name
	}
	return "--" + name
}

// request is what the flags and the configuration ask for. dir is the folder
// that the configured lock is relative to.
func (f *lockFlags) request(c *config.Config, dir string) (audit.LockRequest, error) {
	// --fail-on is about findings elsewhere; here it is about changes.
	if f.conf.failOn != "" {
		c.LockFailOn = c.FailOn
	}
	r := audit.LockRequest{Path: f.path, Key: f.start.name, Profile: f.profile, Check: f.check, Accept: f.accept, Config: c}
	if r.Path == "" {
		r.Path = filepath.Join(dir, filepath.FromSlash(c.Lock))
	}
	if f.out.json != "" && sameFile(f.out.json, r.Path) {
		return r, usagef("--json: expected another file than the lock")
	}
	return r, nil
}

func sameFile(a, b string) bool {
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
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
		o, err = a.engine(sandbox.Mode(f.start.sandbox.mode)).LockServer(ctx, r, ".", server)
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
		return f.remote.server(f.start.name)
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

// lockAll compares or locks every configured server of a folder.
func (a *app) lockAll(ctx context.Context, f *lockFlags, words []string) error {
	dir := "."
	if len(words) > 0 {
		dir = words[0]
	}
	c, err := f.confOf(dir)
	if err != nil {
		return err
	}
	r, err := f.request(c, dir)
	if err != nil {
		return err
	}
	if f.set.Changed("start-timeout") {
		r.StartTimeout = f.start.startTimeout
	}
	if f.set.Changed("request-timeout") {
		r.RequestTimeout = f.start.requestTimeout
	}
	o, err := a.engine(sandbox.Mode(f.start.sandbox.mode)).LockAll(ctx, r, dir)
	if err != nil {
		return err
	}
	return a.finishLock(o, f, r)
}

// confOf is the configuration that --config names, else that of the folder.
func (f *lockFlags) confOf(dir string) (*config.Config, error) {
	if f.conf.path != "" {
		return f.conf.load()
	}
	c, err := audit.ReadConfig(dir)
	if err != nil {
		return nil, err
	}
	return c, f.conf.override(c)
}

// unlock takes entries out of the lock.
func (a *app) unlock(f *lockFlags) error {
	c, err := f.conf.load()
	if err != nil {
		return err
	}
	r, err := f.request(c, ".")
	if err != nil {
		return err
	}
	if err := audit.Unlock(r.Path, f.remove, f.profile); err != nil {
		return err
	}
	return a.say("Removed %s from %s.", listed(f.remove), r.Path)
}
