package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcp-lint/mcp-lint/internal/launch/pin"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// pinReport is what pin did, or would do. Names, words and reasons hold foreign
// text; no variables, no other words of a command line.
type pinReport struct {
	Check bool
	Files []pinnedFile
}

// pinnedFile is one file in the report.
type pinnedFile struct {
	File      string      `json:"file"`
	Written   bool        `json:"written"`
	Changes   []pinChange `json:"changes"`
	NotPinned []pinLeft   `json:"notPinned"`
	// Error says why the file as a whole stays as it is, or null.
	Error *string `json:"error"`

	err      error
	failures []pinLeft
}

// pinChange is one package written anew.
type pinChange struct {
	Server    string `json:"server"`
	Ecosystem string `json:"ecosystem"`
	Before    string `json:"before"`
	After     string `json:"after"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
}

// pinLeft is something that stays unpinned.
type pinLeft struct {
	Server  string `json:"server"`
	Package string `json:"package"` // "" for the whole entry
	Reason  string `json:"reason"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
}

func (f *pinnedFile) fill(r pin.Result) {
	for _, c := range r.Changes {
		f.Changes = append(f.Changes, pinChange{
			Server: c.Server, Ecosystem: c.Ecosystem, Before: c.Before, After: c.After, Line: c.Location.Line, Column: c.Location.Column,
		})
	}
	left := func(from []pin.Left) (to []pinLeft) {
		for _, l := range from {
			to = append(to, pinLeft{Server: l.Server, Package: l.Package, Reason: l.Reason, Line: l.Location.Line, Column: l.Location.Column})
		}
		return to
	}
	f.NotPinned, f.failures = left(r.Left), left(r.Failures)
}

// failed reports whether the file could not be done for want of an answer, or at
// all.
func (f *pinnedFile) failed() bool { return f.err != nil || len(f.failures) > 0 }

// showPins prints the report; errors go to standard error, a line each.
func (a *app) showPins(r *pinReport) error {
	var b strings.Builder
	changes, left, files := 0, 0, 0
	for i := range r.Files {
		f := &r.Files[i]
		place := func(line int) string { return fmt.Sprintf("%s:%d", snapshot.Visible(f.File), line) }
		for _, c := range f.Changes {
			fmt.Fprintf(&b, "%s: %s: %s → %s\n", place(c.Line), brief(c.Server), brief(c.Before), brief(c.After))
		}
		for _, l := range f.NotPinned {
			fmt.Fprintf(&b, "%s: not pinned: %s\n", place(l.Line), l.text())
		}
		if f.err != nil {
			a.warn("%s", f.err)
		}
		for _, l := range f.failures {
			a.warn("%s: no answer: %s; the file stays as it is", place(l.Line), l.text())
		}
		if len(f.Changes) > 0 {
			files++
		}
		changes, left = changes+len(f.Changes), left+len(f.NotPinned)
	}
	b.WriteString(r.summary(changes, files, left))
	_, err := a.stdout.Write([]byte(b.String()))
	return err
}

func (l pinLeft) text() string {
	if l.Package == "" {
		return brief(l.Server) + ": " + l.Reason
	}
	return brief(l.Server) + ": " + brief(l.Package) + ": " + l.Reason
}

// brief is foreign text as a line repeats it.
func brief(text string) string {
	const longest = 200
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "") + "…"
	}
	return snapshot.Visible(text)
}

func (r *pinReport) summary(changes, files, left int) string {
	verb := "pinned"
	if r.Check {
		verb = "would be pinned"
	}
	line := fmt.Sprintf("%s %s in %s", number(changes, "package"), verb, number(files, "file"))
	if changes == 0 {
		line = "nothing to pin"
		if left > 0 || r.failed() {
			line = "nothing pinned"
		}
	}
	if left > 0 {
		line += fmt.Sprintf("; %d not pinned", left)
	}
	return line + ".\n"
}

func number(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func (r *pinReport) failed() bool {
	for i := range r.Files {
		if r.Files[i].failed() {
			return true
		}
	}
	return false
}

// verdict is the exit code: what could not be done comes before what is left.
func (r *pinReport) verdict() error {
	if r.failed() {
		return exit(exitError)
	}
	for _, f := range r.Files {
		if len(f.NotPinned) > 0 || r.Check && len(f.Changes) > 0 {
			return exit(exitFindings)
		}
	}
	return nil
}

// writeJSON writes the report as JSON; lists are never null.
func (r *pinReport) writeJSON(path string) error {
	document := struct {
		Version int          `json:"version"`
		Check   bool         `json:"check"`
		Files   []pinnedFile `json:"files"`
	}{1, r.Check, []pinnedFile{}}
	for _, f := range r.Files {
		f.Changes = append([]pinChange{}, f.Changes...)
		f.NotPinned = append(append([]pinLeft{}, f.NotPinned...), f.failures...)
		switch {
		case f.err != nil:
			f.Error = new(snapshot.Visible(f.err.Error()))
		case len(f.failures) > 0:
			f.Error = new("a registry gave no answer; the file stays as it is")
		}
		document.Files = append(document.Files, f)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(document); err != nil {
		return err
	}
	return writeFile(path, b.Bytes())
}
