package main

import (
	"cmp"
	"errors"
	"math"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mcp-lint/mcp-lint/internal/audit"
	"github.com/mcp-lint/mcp-lint/internal/launch"
	"github.com/mcp-lint/mcp-lint/internal/version"
	"github.com/mcp-lint/mcp-lint/linter"
)

// shortFlags are those of the short form: mcp-lint without a command, with every
// option of the second seed. They are judged in its order; see run.
type shortFlags struct {
	runFlags
	file      string
	stdio     string
	env       []string
	timeout   milliseconds
	listRules bool
	late      lateFlags
}

func (f *shortFlags) add(flags *pflag.FlagSet) {
	f.runFlags.add(flags)
	f.conf.short, f.conf.minScore.loose, f.remote.lastWins = true, true, true
	flags.StringVarP(&f.file, "file", "f", "", "saved snapshot `file` instead of a command")
	flags.StringVar(&f.stdio, "stdio", "", "the server's command as one `text`, with quotation marks like a shell's")
	flags.StringArrayVarP(&f.env, "env", "e", nil, "set a variable of the server: `NAME=VALUE`")
	flags.Var(&f.timeout, "timeout", "both timeouts, in `milliseconds`")
	flags.StringVar(&f.out.sarifURI, "sarif-uri", "", "`path` of the snapshot in the repository, for SARIF")
	flags.BoolVar(&f.listRules, "list-rules", false, "list the rules and their severities")
	f.late = postpone(flags, "format", "min-severity", "preset", "fail-on", "min-score", "fail-under",
		"timeout", "start-timeout", "request-timeout", "sandbox")
}

// short runs the short form. What is wrong is said in this order: format,
// configuration, score, timeout, target.
func (a *app) short(cmd *cobra.Command, f *shortFlags, args []string) error {
	flags := cmd.Flags()
	if f.listRules {
		if err := f.late.judge("preset"); err != nil {
			return err
		}
		return a.listRules(linter.Preset(cmp.Or(f.conf.preset, string(linter.SnapshotPreset))))
	}
	if err := f.late.judge("format", "min-severity", "preset", "fail-on"); err != nil {
		return err
	}
	c, err := f.conf.read()
	if err != nil {
		return err
	}
	if err := f.late.judge("min-score", "fail-under", "timeout", "start-timeout", "request-timeout", "sandbox"); err != nil {
		return err
	}
	if err := f.conf.override(c); err != nil {
		return err
	}
	if err := a.oneTarget(cmd, f, args); err != nil {
		return err
	}
	if err := f.base.load(); err != nil {
		return err
	}
	if f.file != "" {
		a.warnUnused(f, flags, args)
		e := &audit.Engine{Version: version.Version(), Env: a.env}
		o, err := e.Saved(c, []audit.Document{a.document(f.file)})
		if err != nil {
			return err
		}
		a.apply(&f.base, o)
		return a.finish(o, c, f.out, f.save)
	}
	server, err := f.target(flags, args)
	if err != nil {
		return err
	}
	a.warnUnused(f, flags, args)
	return a.lintServer(cmd.Context(), &f.runFlags, c, server)
}

// oneTarget refuses none and several. An empty value counts as absent, and
// words beside --stdio do not count.
func (a *app) oneTarget(cmd *cobra.Command, f *shortFlags, args []string) error {
	command := f.stdio == "" && len(args) > 0
	var given []string
	for _, target := range []struct {
		name  string
		given bool
	}{
		{"--file", f.file != ""}, {"--url", f.remote.url != ""}, {"--stdio", f.stdio != ""}, {"a command", command},
	} {
		if target.given {
			given = append(given, target.name)
		}
	}
	switch {
	case len(given) > 1:
		return usagef("%s: expected one of them", strings.Join(given, " and "))
	case command:
		return a.mistyped(cmd)
	case len(given) == 1:
		return nil
	case cmd.Flags().NFlag() == 0:
		return usagef("no command, and no server to check")
	}
	return usagef("no server: expected its command after --, or --stdio, --url or --file")
}

// target is the server to ask: a command or a URL.
func (f *shortFlags) target(flags *pflag.FlagSet, args []string) (launch.Server, error) {
	if f.timeout.given {
		if !flags.Changed("start-timeout") {
			f.start.startTimeout = f.timeout.time
		}
		if !flags.Changed("request-timeout") {
			f.start.requestTimeout = f.timeout.time
		}
	}
	if f.remote.url != "" {
		return f.remote.server(&f.start)
	}
	if f.stdio != "" {
		var err error
		if args, err = launch.SplitWords(f.stdio); err != nil {
			return launch.Server{}, usagef("--stdio: %w", err)
		}
	}
	s, err := f.start.server(args)
	if err != nil {
		return s, err
	}
	s.Env = make(map[string]string, len(f.env))
	for _, variable := range f.env {
		name, value, found := strings.Cut(variable, "=")
		if name = linter.Trim(name); !found || !launch.IsEnvName(name) || strings.Contains(value, "\x00") {
			return s, usagef("--env: expected NAME=VALUE")
		}
		s.Env[name] = linter.Trim(value)
	}
	return s, nil
}

// warnUnused tells which options mean nothing for the target. They are no
// error, for the second seed left them out without a word.
func (a *app) warnUnused(f *shortFlags, flags *pflag.FlagSet, args []string) {
	if f.stdio != "" && len(args) > 0 {
		a.warn("words beside --stdio: not used, for that is the command")
	}
	unused := func(why string, names ...string) {
		names = slices.DeleteFunc(names, func(name string) bool { return !flags.Changed(name) })
		if len(names) > 0 {
			a.warn("--%s: not used, for %s", strings.Join(names, ", --"), why)
		}
	}
	if f.remote.url == "" {
		unused("there is no --url", "header", "header-env")
	}
	switch {
	case f.file != "":
		unused("no server is started", "env", "pass-env", "sandbox", "name", "advisories")
	case f.remote.url != "":
		unused("no server is started", "env", "pass-env", "sandbox", "advisories")
	}
}

// mistyped is an error when the first word without -- was meant to be one of
// our commands: one that comes with a later version, or nearly the name of one
// while no program has that name.
func (a *app) mistyped(cmd *cobra.Command) error {
	words := cmd.Flags().Args()
	if len(words) == 0 || cmd.ArgsLenAtDash() == 0 {
		return nil
	}
	word := words[0]
	if slices.Contains([]string{"check-config", "init-fixtures", "proxy", "eval", "survey", "pin"}, word) {
		return usagef("the command %s comes with a later version; a server of that name goes after --", word)
	}
	if strings.ContainsAny(word, `/\`) || a.isProgram(word) {
		return nil
	}
	var names []string
	for _, c := range cmd.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	if nearest := linter.Nearest(word, names); nearest != "" {
		return usagef("unknown command %q, and no program of that name is in PATH; did you mean %q?", word, nearest)
	}
	return nil
}

// isProgram reports whether a folder of PATH has a program of that name.
func (a *app) isProgram(name string) bool {
	path, _ := a.env("PATH")
	return slices.ContainsFunc(filepath.SplitList(path), func(dir string) bool {
		if !filepath.IsAbs(dir) {
			return false // as when the server is started
		}
		_, err := exec.LookPath(filepath.Join(dir, name))
		return err == nil
	})
}

// milliseconds is a flag that takes a time above 0.
type milliseconds struct {
	time  time.Duration
	given bool
}

func (m *milliseconds) String() string {
	if m == nil || !m.given {
		return ""
	}
	return strconv.FormatInt(m.time.Milliseconds(), 10)
}

// Type names the value in the help, where the flag's text does not.
func (m *milliseconds) Type() string { return "milliseconds" }

// longestTimeout is a day: nobody waits longer, and larger numbers would
// overflow.
const longestTimeout = 24 * time.Hour

func (m *milliseconds) Set(s string) error {
	n, ok := looseNumber(s)
	if !ok || n <= 0 {
		return errors.New("expected a number of milliseconds above 0")
	}
	n = math.Min(n*float64(time.Millisecond), float64(longestTimeout))
	m.time, m.given = max(time.Duration(n), 1), true
	return nil
}
