package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"

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
	choice{&f.minSeverity, []string{"info", "warning", "error"}}.add(flags, "min-severity", "hide findings below this `severity` in the text report; they still count")
	flags.BoolVar(&f.noColor, "no-color", false, "no colours")
	flags.Var(not{flags.Lookup("no-color").Value}, "color", "colours on a terminal; undoes a --no-color before it")
	flags.Lookup("color").NoOptDefVal = "true"
}

// writeMain writes the report that --format describes.
func (a *app) writeMain(f outputFlags, r *report.Report, l report.Limits) error {
	if f.path == "" {
		return a.writeReport(a.stdout, f, r, l)
	}
	var b bytes.Buffer
	if err := a.writeReport(&b, f, r, l); err != nil {
		return err
	}
	return writeFile(f.path, b.Bytes())
}

func (a *app) writeReport(w io.Writer, f outputFlags, r *report.Report, l report.Limits) error {
	if f.format != "text" {
		return a.writeFormat(w, f.format, f.shown(f.format, r), l)
	}
	o := report.TextOptions{Color: a.color(w) && !f.noColor, Width: width(w), Limits: l}
	if f.minSeverity != "" {
		var err error
		if o.MinSeverity, err = severity.Parse(f.minSeverity); err != nil {
			return err
		}
	}
	return report.WriteText(w, r, o)
}

// shown is the report as a format wants it: in SARIF every place is relative to
// the current folder, or all of them are at the file that --sarif-uri names.
// Lines are those of the file that was read, and so not the other's.
func (f *mainFlags) shown(format string, r *report.Report) *report.Report {
	if format != "sarif" {
		return r
	}
	moved := *r
	moved.Servers = slices.Clone(r.Servers)
	for i := range moved.Servers {
		s := &moved.Servers[i]
		s.Findings = slices.Clone(s.Findings)
		for j := range s.Findings {
			at := &s.Findings[j].Location
			if f.sarifURI != "" {
				*at = snapshot.Location{File: f.sarifURI, Line: 1}
			} else {
				at.File = belowHere(at.File)
			}
		}
	}
	return &moved
}

// belowHere is a path relative to the current folder, for one that is in it.
func belowHere(path string) string {
	if !filepath.IsAbs(path) {
		return path
	}
	here, err := os.Getwd()
	if err != nil {
		return path
	}
	relative, err := filepath.Rel(here, path)
	if err != nil || !filepath.IsLocal(relative) {
		return path
	}
	return filepath.ToSlash(relative)
}
