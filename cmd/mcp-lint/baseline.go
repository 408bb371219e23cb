package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/mcp-lint/mcp-lint/internal/audit"
	"github.com/mcp-lint/mcp-lint/linter/report"
)

// baselineFlag is --baseline FILE: an earlier report whose findings are known
// ones.
type baselineFlag struct {
	path   string
	report *report.Report // nil without the flag
}

func (f *baselineFlag) add(flags *pflag.FlagSet) {
	flags.Var(word{&f.path}, "baseline", "JSON report, written earlier by --json to this `file`, whose findings are known: only new ones fail the run")
}

// load reads the report. It comes before any server is started: a baseline
// that cannot be read must cost nothing, and --json may replace its file.
func (f *baselineFlag) load() error {
	if f.path == "" {
		return nil
	}
	data, err := readDocument(f.path)
	if err != nil {
		return fmt.Errorf("--baseline %s: %w; expected a report that --json wrote", f.path, reason(err))
	}
	if f.report, err = report.ReadBaseline(bytes.NewReader(data)); err != nil {
		return fmt.Errorf("--baseline %s: %w", f.path, err)
	}
	return nil
}

// apply compares the outcome of a run with the baseline.
func (a *app) apply(f *baselineFlag, o *audit.Outcome) {
	if f.report == nil {
		return
	}
	a.tellUnjudged(f, o.Compare(f.report, f.path))
	a.tellFixed(f, &o.Report)
}

// tellUnjudged warns of a baseline that is about other servers, as when a file
// is named by another path than before.
func (a *app) tellUnjudged(f *baselineFlag, keys []string) {
	const most = 5
	if len(keys) == 0 {
		return
	}
	more := ""
	if n := len(keys) - most; n > 0 {
		keys, more = keys[:most], fmt.Sprintf(" and %d more", n)
	}
	a.warn("%s has not judged %s%s: all findings there are new", f.path, strings.Join(keys, ", "), more)
}

// tellFixed offers to take out of the baseline what is mended.
func (a *app) tellFixed(f *baselineFlag, r *report.Report) {
	if f.report == nil || r.Baseline == nil || len(r.Baseline.Fixed) == 0 {
		return
	}
	a.warn("%s: fixed since then: %d; --json %s writes it without them", f.path, len(r.Baseline.Fixed), f.path)
}
