package main

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mcp-lint/mcp-lint/internal/audit"
	"github.com/mcp-lint/mcp-lint/internal/config"
	"github.com/mcp-lint/mcp-lint/internal/launch"
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
