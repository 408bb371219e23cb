package main

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/linter/rules"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// sarifCategory keeps the results of the command line apart from those of the
// App and the Action in code scanning.
const sarifCategory = "mcp-lint/cli/"

// outputFlags say which reports to write where.
type outputFlags struct {
	mainFlags
	format   string
	json     string
	sarif    string
	markdown string
	html     string
}

// add registers --format and the further files.
func (f *outputFlags) add(flags *pflag.FlagSet) {
	f.format = "text"
	words := []string{"text", "json", "sarif", "markdown", "html", "github"}
	choice{&f.format, words}.add(flags, "format", "`form` of the report on standard output")
	flags.StringVar(&f.json, "json", "", "also write the JSON report to this `file`")
	flags.StringVar(&f.sarif, "sarif", "", "also write the SARIF report to this `file`")
	flags.StringVar(&f.markdown, "markdown", "", "also write the Markdown report to this `file`")
	flags.StringVar(&f.html, "html", "", "also write the HTML report, one page that needs nothing else, to this `file`")
}

// write prints the report and writes the extra files; see writeFormat.
func (a *app) write(f outputFlags, r *report.Report, s []*snapshot.Snapshot, l report.Limits) error {
	if err := a.writeMain(f, r, s, l); err != nil {
		return err
	}
	return a.writeFiles(f, r, s)
}

func (a *app) writeFiles(f outputFlags, r *report.Report, s []*snapshot.Snapshot) error {
	return a.writeExtra(f, r, func(w io.Writer, format string) error {
		return a.writeFormat(w, &f.mainFlags, format, r, s, report.Limits{})
	})
}

// writeExtra writes the files that were asked for, each by write.
func (a *app) writeExtra(f outputFlags, r *report.Report, write func(w io.Writer, format string) error) error {
	for _, extra := range []struct{ path, format string }{{f.json, "json"}, {f.sarif, "sarif"}, {f.markdown, "markdown"}, {f.html, "html"}} {
		if extra.path == "" {
			continue
		}
		var b bytes.Buffer
		if err := write(&b, extra.format); err != nil {
			return err
		}
		if err := writeFile(extra.path, b.Bytes()); err != nil {
			return err
		}
	}
	if f.sarif != "" && !r.Complete() {
		a.warn("%s lacks what was not checked: code scanning would close its alerts", f.sarif)
	}
	return nil
}

// writeFormat writes a report. The snapshots are what its servers said, as far
// as it is known; nil is fine.
func (a *app) writeFormat(w io.Writer, f *mainFlags, format string, r *report.Report, s []*snapshot.Snapshot, l report.Limits) error {
	switch format {
	case "json":
		return report.WriteJSON(w, r)
	case "markdown":
		return report.WriteMarkdown(w, r)
	case "github":
		return report.WriteGitHub(w, r, report.GitHubOptions{MinSeverity: f.least(), Limits: l})
	case "html":
		return report.WriteHTML(w, r, report.HTMLOptions{Rules: rules.All(), Snapshots: s})
	case "sarif":
		here, _ := os.Getwd() // without it absolute paths are outside
		return report.WriteSARIF(w, r, report.SARIFOptions{
			Category:          sarifCategory,
			Rules:             rules.All(),
			URI:               f.sarifURI,
			Root:              here,
			IncludeSuppressed: true,
			Indent:            true,
		})
	}
	return report.WriteText(w, r, report.TextOptions{
		Color:       a.color(w) && !f.noColor,
		Width:       width(w),
		MinSeverity: f.least(),
		Limits:      l,
	})
}

// writeFile writes a whole file or none: the content goes to a temporary file
// beside it first. Missing folders are made. The error names path.
func writeFile(path string, data []byte) error {
	if err := replaceFile(path, data); err != nil {
		return fmt.Errorf("write %s: %w", path, reason(err))
	}
	return nil
}

func replaceFile(path string, data []byte) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	var mode fs.FileMode
	switch info, err := os.Stat(path); {
	case err == nil && !info.Mode().IsRegular():
		// A device or pipe (/dev/stderr) cannot be replaced, only written to.
		return os.WriteFile(path, data, 0o666)
	case err == nil:
		mode = info.Mode().Perm()
	}
	temporary := filepath.Join(dir, ".mcp-lint."+rand.Text())
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	defer os.Remove(temporary)
	_, err = f.Write(data)
	if mode != 0 && err == nil {
		err = f.Chmod(mode)
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return os.Rename(temporary, path)
}

// verdict is the exit code of a report: what was not checked is never clean.
func verdict(r *report.Report, limits report.Limits) error {
	failed := 0
	for _, s := range r.Servers {
		if s.Error != nil {
			failed++
		}
	}
	switch {
	case r.Refused():
		return exit(exitFindings)
	case failed == len(r.Servers) && failed > 0:
		return exit(exitError)
	case r.Fails(limits):
		return exit(exitFindings)
	case failed > 0:
		return exit(exitPartial)
	}
	return nil
}

// printErrors says on standard error which servers were not checked and why.
// The fault of a file begins with its name already, and the only server that
// was started needs none.
func (a *app) printErrors(r *report.Report) {
	for _, s := range r.Servers {
		switch {
		case s.Error == nil:
		case len(r.Servers) == 1 && s.Server.Transport == "streamable-http":
			a.warn("not checked: %s", s.Error.Message)
		case len(r.Servers) == 1 && s.Server.Transport == "stdio", strings.HasPrefix(s.Error.Message, s.Key+":"):
			a.warn("%s", s.Error.Message)
		default:
			a.warn("%s: %s", s.Key, s.Error.Message)
		}
	}
}
