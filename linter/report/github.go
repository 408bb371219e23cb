package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// maxCommands is how many annotations of one level GitHub takes from a step; it
// drops the others without a word
// (https://github.com/actions/toolkit/blob/main/docs/problem-matchers.md#limitations).
// Three levels of ten stay under its limit of 50 a job.
const maxCommands = 10

// maxTitle is what GitHub shows of an annotation's title, in characters.
const maxTitle = 255

// GitHubOptions says what the log of a workflow shows.
type GitHubOptions struct {
	// MinSeverity leaves out lower findings; they are still counted.
	MinSeverity severity.Level
	// Limits name the scores that are too low; without them none is.
	Limits Limits
}

// WriteGitHub writes the report for the log of a GitHub workflow: annotations as
// workflow commands, worst first and as many as GitHub shows, a notice when
// there are more, then the text report. Nothing that a server says is a command.
func WriteGitHub(w io.Writer, r *Report, o GitHubOptions) error {
	var b bytes.Buffer
	written := map[severity.Level]int{}
	left := 0
	for _, a := range commands(r, o.MinSeverity) {
		most := maxCommands
		if a.Severity == severity.Info {
			most-- // the last notice is about the rest
		}
		if written[a.Severity] == most {
			left++
			continue
		}
		written[a.Severity]++
		writeCommand(&b, &a)
	}
	if left > 0 {
		writeCommand(&b, &Annotation{Severity: severity.Info, Title: "mcp-lint", Message: counted(left, "more annotation is", "more annotations are") +
			" not shown: GitHub takes " + itoa(maxCommands) + " of a level from one step. The report in the log has all of them."})
	}
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	if err := WriteText(&b, r, TextOptions{MinSeverity: o.MinSeverity, Limits: o.Limits}); err != nil {
		return err
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("writing the annotations: %w", err)
	}
	return nil
}

// commands are the annotations of a report, worst first: servers that were not
// checked, findings that are new, lock changes.
func commands(r *Report, least severity.Level) []Annotation {
	var as []Annotation
	for i := range r.Servers {
		s := &r.Servers[i]
		if s.Error != nil {
			as = append(as, Annotation{Severity: severity.Error, Title: "not checked: " + oneLine(shorten(s.Key, maxCode)), Message: oneLine(errorText(s.Error))})
		}
		for j := range s.Findings {
			f := &s.Findings[j]
			if f.Suppressed != nil || !f.New || f.Severity < least {
				continue
			}
			as = append(as, Annotation{
				Location: f.Location, Severity: f.Severity,
				Title: f.Rule + " in " + entityText(f.Entity), Message: findingText(f),
			})
		}
		if s.Lock == nil {
			continue
		}
		for j := range s.Lock.Changes {
			c := &s.Lock.Changes[j]
			if c.Severity < least {
				continue
			}
			as = append(as, Annotation{
				Severity: c.Severity, Title: c.Kind + " in " + entityText(c.Entity), Message: changeText(c),
			})
		}
	}
	return worstFirst(as)
}

// writeCommand writes one annotation as a workflow command
// (https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions).
func writeCommand(b *bytes.Buffer, a *Annotation) {
	name := "notice"
	switch a.Severity {
	case severity.Error:
		name = "error"
	case severity.Warning:
		name = "warning"
	}
	var properties []string
	add := func(key, value string) { properties = append(properties, key+"="+propertyEscapes.Replace(value)) }
	if l := a.Location; l.File != "" && l.File != "-" && oneLine(l.File) == l.File {
		add("file", l.File)
		if l.Line > 0 {
			add("line", itoa(l.Line))
			if l.Column > 0 {
				add("col", itoa(l.Column))
			}
		}
	}
	add("title", oneLine(shorten(a.Title, maxTitle)))
	b.WriteString("::" + name + " " + strings.Join(properties, ",") + "::" + dataEscapes.Replace(shorten(a.Message, 2*maxExcerpt)) + "\n")
}

// How the runner's own toolkit escapes what stands in a command
// (https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts).
var (
	dataEscapes     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// inert puts a blank into each line that a workflow's runner would take for a
// command: one that begins with two colons, or has the older "##[" anywhere.
func inert(text []byte) []byte {
	if !bytes.Contains(text, []byte("::")) && !bytes.Contains(text, []byte("##[")) {
		return text
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	for i, l := range lines {
		l = bytes.ReplaceAll(l, []byte("##["), []byte("## ["))
		if begins := bytes.TrimLeftFunc(l, unicode.IsSpace); bytes.HasPrefix(begins, []byte("::")) {
			at := len(l) - len(begins) + 1
			l = slices.Insert(slices.Clone(l), at, ' ')
		}
		lines[i] = l
	}
	return bytes.Join(lines, nil)
}
