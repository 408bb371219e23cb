package report

import (
	"strconv"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/lockfile"
)

func itoa(n int) string { return strconv.Itoa(n) }

// counted is "1 tool" or "2 tools".
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return itoa(n) + " " + many
}

// tally counts by severity.
type tally struct{ errors, warnings, infos int }

func (t *tally) add(l severity.Level) { t.addMany(l, 1) }

// addFinding counts a finding and those that it stands for.
func (t *tally) addFinding(f *linter.Finding) { t.addMany(f.Severity, 1+f.More) }

func (t *tally) addMany(l severity.Level, n int) {
	switch l {
	case severity.Error:
		t.errors += n
	case severity.Warning:
		t.warnings += n
	case severity.Info:
		t.infos += n
	}
}

func (t tally) total() int { return t.errors + t.warnings + t.infos }

// String lists what is not zero: "2 errors, 1 info"; "" when all is.
func (t tally) String() string {
	var parts []string
	if t.errors > 0 {
		parts = append(parts, counted(t.errors, "error", "errors"))
	}
	if t.warnings > 0 {
		parts = append(parts, counted(t.warnings, "warning", "warnings"))
	}
	if t.infos > 0 {
		parts = append(parts, itoa(t.infos)+" info")
	}
	return strings.Join(parts, ", ")
}

// tallyChanges counts lock changes, and those at or above the threshold.
func tallyChanges(changes []lockfile.Change, threshold severity.Level) (t tally, failing int) {
	for i := range changes {
		t.add(changes[i].Severity)
		if changes[i].Severity.Reaches(threshold) {
			failing++
		}
	}
	return t, failing
}

// changesText is "3 changes (2 errors)": the number and what of it is serious.
func changesText(t tally) string {
	s := counted(t.total(), "change", "changes")
	if serious := (tally{errors: t.errors, warnings: t.warnings}).String(); serious != "" {
		s += " (" + serious + ")"
	}
	return s
}
