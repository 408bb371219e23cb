package main

import (
	"bytes"

	"github.com/spf13/pflag"

	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// mainFlags shape the main report of the commands that have them; without them
// it goes to standard output as it is.
type mainFlags struct {
	path        string // "" for standard output
	minSeverity string // "" for all
	sarifURI    string // where SARIF says that the snapshot is, "" for its own place
	noColor     bool
}

// addMain registers what shapes and moves the main report.
func (f *mainFlags) addMain(flags *pflag.FlagSet) {
	flags.StringVarP(&f.path, "output", "o", "", "write the report to this `file` instead of standard output")
	choice{&f.minSeverity, []string{"info", "warning", "error"}}.add(flags, "min-severity", "hide findings below this `severity` in the text report and the annotations; they still count")
	flags.BoolVar(&f.noColor, "no-color", false, "no colours")
	flags.Var(not{flags.Lookup("no-color").Value}, "color", "colours on a terminal; undoes a --no-color before it")
	flags.Lookup("color").NoOptDefVal = "true"
}

// least is the lowest severity that is shown.
func (f *mainFlags) least() severity.Level {
	level, err := severity.Parse(f.minSeverity)
	if err != nil { // none given; others the flag refuses
		return severity.Off
	}
	return level
}

// writeMain writes the report that --format describes.
func (a *app) writeMain(f outputFlags, r *report.Report, s []*snapshot.Snapshot, l report.Limits) error {
	if f.path == "" {
		return a.writeFormat(a.stdout, &f.mainFlags, f.format, r, s, l)
	}
	var b bytes.Buffer
	if err := a.writeFormat(&b, &f.mainFlags, f.format, r, s, l); err != nil {
		return err
	}
	return writeFile(f.path, b.Bytes())
}
