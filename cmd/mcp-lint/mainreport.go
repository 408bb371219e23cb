package main

import (
	"bytes"
	"io"

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
	f.addPlace(flags)
	choice{&f.minSeverity, []string{"info", "warning", "error"}}.add(flags, "min-severity", "hide findings below this `severity` in the text report and the annotations; they still count")
}

// addPlace registers where the main report goes and whether it has colours.
func (f *mainFlags) addPlace(flags *pflag.FlagSet) {
	flags.StringVarP(&f.path, "output", "o", "", "write the report to this `file` instead of standard output")
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
	return a.writeTo(f.path, func(w io.Writer) error { return a.writeFormat(w, &f.mainFlags, f.format, r, s, l) })
}

// writeTo has a whole document written to a file, or to standard output when
// path is "".
func (a *app) writeTo(path string, write func(io.Writer) error) error {
	if path == "" {
		return write(a.stdout)
	}
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	return writeFile(path, b.Bytes())
}
