package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/mcp-lint/mcp-lint/internal/audit"
	"github.com/mcp-lint/mcp-lint/internal/sandbox"
	"github.com/mcp-lint/mcp-lint/internal/version"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// The exit codes, which CI scripts branch on.
const (
	exitClean       = 0   // nothing at or above the threshold
	exitFindings    = 1   // findings, changes or scores that fail the run
	exitError       = 2   // usage, connection or input error
	exitPartial     = 3   // several servers: some not checked, the rest clean
	exitInterrupted = 130 // 128 + SIGINT, as shells say it
)

// app is the program with everything it takes from the process, so that tests
// and the commands see the same thing.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	env            func(string) (string, bool)
}

// exit is an outcome that is not an error: the run did its work and ends with
// this code.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit %d", int(e)) }

// usageError is a fault of the command line itself.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// atMost is for commands that take up to n words; expected says which.
func atMost(n int, expected string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) > n {
			return usagef("unexpected %q: expected %s", args[n], expected)
		}
		return nil
	}
}

func (a *app) run(ctx context.Context, args []string) int {
	root := a.root()
	root.SetArgs(args)
	return a.exitCode(root.ExecuteContext(ctx))
}

// root is the program's command with all others below it; by itself it is the
// short form.
func (a *app) root() *cobra.Command {
	var short shortFlags
	root := &cobra.Command{
		Use:   "mcp-lint [flags] {-- COMMAND [ARG…] | --file FILE | --url URL | --stdio TEXT}",
		Short: "Lint what an MCP server tells a model, and lock it against silent change",
		Long: `Lint what an MCP server tells a model, and lock it against silent change.

With one of the commands below it does what that says. Without one it lints a
single server, the short form: with the rules of --preset snapshot unless others
are chosen, and exit code 1 for a quality score under 70, whatever the findings.`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       version.Version(),
		CompletionOptions: cobra.CompletionOptions{
			HiddenDefaultCmd: true,
		},
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return a.short(cmd, &short, args) },
	}
	short.add(root.Flags())
	root.SetVersionTemplate("mcp-lint {{.Version}}\n")
	// Terminals of 80 columns would break the flags' help inside words.
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), "Flags.FlagUsages", "Flags.FlagUsagesWrapped 80"))
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if cmd == root {
			if mistyped := a.mistyped(root); mistyped != nil {
				return mistyped // its flags are unknown here, and not what is wrong
			}
		}
		return flagError(cmd, err)
	})
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.AddCommand(
		a.runCommand(),
		a.checkCommand(),
		a.checkConfigCommand(),
		a.lockCommand(),
		a.ciCommand(),
		a.initCommand(),
		a.pinCommand(),
		a.surveyCommand(),
		a.rulesCommand(),
		a.versionCommand(),
	)
	root.InitDefaultHelpCmd()
	if help, _, err := root.Find([]string{"help"}); err == nil {
		help.Args = func(_ *cobra.Command, topic []string) error {
			if cmd, _, _ := root.Find(topic); cmd == root && len(topic) > 0 {
				return usagef("unknown command %q", topic[0])
			}
			return nil
		}
	}
	guard(root.Flags())
	for _, cmd := range root.Commands() {
		guard(cmd.Flags())
	}
	return root
}

// exitCode ends a run: an error is one line.
func (a *app) exitCode(err error) int {
	var (
		code    exit
		usage   usageError
		refused *audit.RefusedError
	)
	switch {
	case err == nil:
		return exitClean
	case errors.As(err, &code):
		return int(code)
	}
	a.warn("%s", strings.ReplaceAll(err.Error(), "\n", " "))
	switch {
	case errors.As(err, &usage):
		fmt.Fprintln(a.stderr, "Run 'mcp-lint --help' for the commands, 'mcp-lint COMMAND --help' for their flags.")
	case errors.Is(err, errInterrupted):
		return exitInterrupted
	case errors.As(err, &refused):
		return exitFindings
	}
	return exitError
}

// warn prints one line that is no part of the report.
func (a *app) warn(format string, args ...any) {
	line := []rune(snapshot.Visible(fmt.Sprintf(format, args...)))
	const head, tail = 1500, 500
	if len(line) > head+tail {
		// A name may be endless; what is wrong with it stands behind it.
		line = slices.Concat(line[:head], []rune("…"), line[len(line)-tail:])
	}
	fmt.Fprintf(a.stderr, "mcp-lint: %s\n", string(line))
}

// engine is the checking engine for this process. Where there is no sandbox,
// servers that should run in one are not checked, and nothing else is lost.
func (a *app) engine(mode sandbox.Mode) *audit.Engine {
	e := &audit.Engine{
		Version: version.Version(),
		Env:     a.env,
		Host:    a.env,
		Remote:  audit.Remote{Any: true},
		Warn:    func(line string) { a.warn("%s", line) },
	}
	if isTerminal(a.stderr) {
		e.Progress = newProgress(a.stderr, patience).tell
	}
	e.Sandbox, e.NoSandbox = sandbox.New(mode, sandbox.Options{})
	if e.NoSandbox == nil && mode != sandbox.None {
		for _, missing := range e.Sandbox.Missing() {
			a.warn("sandbox: %s", missing)
		}
	}
	return e
}

// color reports whether w is a terminal whose user wants colours.
func (a *app) color(w io.Writer) bool {
	noColor, _ := a.env("NO_COLOR")
	return noColor == "" && isTerminal(w)
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// width is the terminal's width, or 80.
func width(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
			return columns
		}
	}
	return 80
}
