package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/mcp-lint/mcp-lint/internal/audit"
	"github.com/mcp-lint/mcp-lint/internal/config"
	"github.com/mcp-lint/mcp-lint/internal/sandbox"
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// choice is a flag that takes one of a few words.
type choice struct {
	value *string
	words []string
}

func (c choice) String() string {
	if c.value == nil {
		return ""
	}
	return *c.value
}

// Type names the value in the help, where the flag's text does not.
func (c choice) Type() string { return "word" }

func (c choice) Set(s string) error {
	if !slices.Contains(c.words, s) {
		return fmt.Errorf("expected one of %s", strings.Join(c.words, ", "))
	}
	*c.value = s
	return nil
}

// add registers the choice; its words follow the text.
func (c choice) add(flags *pflag.FlagSet, name, text string) {
	flags.Var(c, name, text+": "+strings.Join(c.words, ", "))
}

func presetChoice(value *string) choice {
	c := choice{value: value}
	for _, p := range linter.Presets() {
		c.words = append(c.words, string(p))
	}
	return c
}

// duration is a flag that takes a time above 0.
type duration struct{ *time.Duration }

func (d duration) String() string {
	if d.Duration == nil {
		return ""
	}
	return d.Duration.String()
}

// Type names the value in the help.
func (d duration) Type() string { return "duration" }

func (d duration) Set(s string) error {
	v, err := time.ParseDuration(s)
	if err != nil || v <= 0 {
		return errors.New("expected a time above 0 with its unit, like 90s or 2m")
	}
	*d.Duration = v
	return nil
}

// word is a flag that takes any text but none: "$UNSET" must not pass for a flag
// that was not given.
type word struct{ *string }

func (w word) String() string {
	if w.string == nil {
		return ""
	}
	return *w.string
}

// Type names the value in the help.
func (w word) Type() string { return "word" }

func (w word) Set(s string) error {
	if s == "" {
		return errors.New("expected a name, found an empty one")
	}
	*w.string = s
	return nil
}

// configFlags are the flags that choose or override the configuration.
type configFlags struct {
	path      string
	preset    string
	failOn    string
	minScore  percent
	failUnder percent
	// short: what the configuration leaves out is as in the short form.
	short bool
}

func (f *configFlags) add(flags *pflag.FlagSet) {
	f.addPath(flags)
	presetChoice(&f.preset).add(flags, "preset", "`rules` to use, whatever the configuration extends")
	f.addFailOn(flags)
	flags.Var(&f.minScore, "min-score", "quality `score` (0 to 100) below which the exit code is 1")
	flags.Var(&f.failUnder, "fail-under", "token `score` (0 to 100) below which the exit code is 1")
}

func (f *configFlags) addPath(flags *pflag.FlagSet) {
	flags.StringVarP(&f.path, "config", "c", "", "configuration `file` (default "+strings.Join(config.Names(), ", ")+")")
}

func (f *configFlags) addFailOn(flags *pflag.FlagSet) {
	choice{&f.failOn, []string{"info", "warning", "error", "never"}}.add(flags, "fail-on", "`severity` at or above which the exit code is 1")
}

// load reads the configuration: the file named, else the first of the default
// names in the current folder, else the defaults. The flags beat it.
func (f *configFlags) load() (*config.Config, error) {
	c, err := f.read()
	if err != nil {
		return nil, err
	}
	return c, f.override(c)
}

// override puts what the flags say in place of what the configuration says.
func (f *configFlags) override(c *config.Config) (err error) {
	c.Linter.Today = time.Now() // suppressions expire
	if f.minScore.given {
		c.MinScore = f.minScore.number
	}
	if f.failUnder.given {
		c.FailUnder = f.failUnder.number
	}
	if f.failOn != "" {
		c.FailOn, err = severity.Parse(f.failOn)
	}
	return err
}

func (f *configFlags) read() (*config.Config, error) {
	parse, defaults := config.Parse, config.Default
	if f.short {
		parse, defaults = config.ParseShort, config.DefaultShort
	}
	paths := []string{f.path}
	if f.path == "" {
		paths = config.Names()
	}
	for _, path := range paths {
		data, err := readDocument(path)
		if errors.Is(err, os.ErrNotExist) && f.path == "" {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, reason(err))
		}
		return parse(filepath.ToSlash(path), data, audit.Known(), linter.Preset(f.preset))
	}
	return defaults(linter.Preset(f.preset)), nil
}

// sandboxFlag is --sandbox[=MODE].
type sandboxFlag struct{ mode string }

func (f *sandboxFlag) add(flags *pflag.FlagSet, value sandbox.Mode) {
	f.mode = string(value)
	choice{&f.mode, sandboxModes()}.add(flags, "sandbox", "run servers isolated; without a `mode` best-effort")
	flags.Lookup("sandbox").NoOptDefVal = string(sandbox.BestEffort)
}

func sandboxModes() []string {
	return []string{string(sandbox.Require), string(sandbox.BestEffort), string(sandbox.None)}
}
