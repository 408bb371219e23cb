package main

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mcp-lint/mcp-lint/linter"
)

// not is a flag that says the opposite of another.
type not struct{ pflag.Value }

func (n not) String() string { return "false" }

func (n not) Set(s string) error {
	set, err := strconv.ParseBool(s)
	if err != nil {
		return errors.New("expected true or false")
	}
	return n.Value.Set(strconv.FormatBool(!set))
}

// percent is a flag that takes a number from 0 to 100.
type percent struct {
	number float64
	given  bool
	// loose reads the number as the short form does; see [looseNumber].
	loose bool
}

func (p *percent) String() string {
	if p == nil || !p.given {
		return ""
	}
	return strconv.FormatFloat(p.number, 'g', -1, 64)
}

// Type names the value in the help, where the flag's text does not.
func (p *percent) Type() string { return "score" }

func (p *percent) Set(s string) error {
	read := plainNumber
	if p.loose {
		read = looseNumber
	}
	n, ok := read(s)
	if !ok || n < 0 || n > 100 {
		return errors.New("expected a number from 0 to 100")
	}
	p.number, p.given = n, true
	return nil
}

// late is a flag whose value is judged when its turn comes instead of where it
// stands: of several values only the last counts, and what is said first is
// the same whatever the order of the flags.
type late struct {
	pflag.Value
	text  string
	given bool
}

func (l *late) Set(s string) error {
	l.text, l.given = s, true
	return nil
}

// lateFlags are late flags by name.
type lateFlags map[string]*late

// postpone makes flags late.
func postpone(flags *pflag.FlagSet, names ...string) lateFlags {
	all := make(lateFlags, len(names))
	for _, name := range names {
		f := flags.Lookup(name)
		all[name] = &late{Value: f.Value}
		f.Value = all[name]
	}
	return all
}

// judge reads the values of flags, in the order of the names.
func (l lateFlags) judge(names ...string) error {
	for _, name := range names {
		f := l[name]
		if !f.given {
			continue
		}
		if err := f.Value.Set(f.text); err != nil {
			return usagef("invalid argument %q for \"--%s\" flag: %w", f.text, name, err)
		}
	}
	return nil
}

// guarded refuses an option of the command as the value of the one before it:
// `--json --sarif x` lacks a file name, and would write a file called --sarif.
type guarded struct {
	pflag.Value
	flags *pflag.FlagSet
}

func (g guarded) Set(s string) error {
	if s == "--" || isOption(g.flags, s) {
		return errors.New("expected a value; found the next option")
	}
	return g.Value.Set(s)
}

// guard guards every flag that takes a value.
func guard(flags *pflag.FlagSet) {
	flags.VisitAll(func(f *pflag.Flag) {
		if f.NoOptDefVal != "" {
			return
		}
		if f.DefValue == "[]" {
			f.DefValue = "" // the help leaves it out only where it knows the type
		}
		f.Value = guarded{f.Value, flags}
	})
}

// isOption reports whether s is one of the flags, with or without a value.
func isOption(flags *pflag.FlagSet, s string) bool {
	if name, long := strings.CutPrefix(s, "--"); long {
		name, _, _ = strings.Cut(name, "=")
		return flags.Lookup(name) != nil
	}
	return len(s) == 2 && s[0] == '-' && flags.ShorthandLookup(s[1:]) != nil
}

// flagError says what is wrong with a flag. An unknown one may be part of a
// server's command line, so nothing but its name is repeated.
func flagError(cmd *cobra.Command, err error) error {
	hint := ""
	if !cmd.HasParent() && len(cmd.Flags().Args()) > 0 {
		hint = "; what is the server's goes after --"
	}
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return usagef("%w%s", err, hint)
	}
	name := unknown.GetSpecifiedName()
	if unknown.GetSpecifiedShortnames() != "" {
		return usagef("unknown flag: -%s%s", name, hint)
	}
	if slices.Contains([]string{"probe", "error-probes", "include-responses", "probe-timeout"}, name) {
		return usagef("--%s comes with a later version", name)
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if nearest := linter.Nearest(name, names); nearest != "" {
		return usagef("unknown flag: --%s; did you mean --%s?", name, nearest)
	}
	return usagef("unknown flag: --%s%s", name, hint)
}
