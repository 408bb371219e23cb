package report

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// TextOptions says how the terminal report looks. The zero value is plain text,
// 80 columns, everything shown.
type TextOptions struct {
	Color bool
	// Width is the number of columns to wrap at; 0 means 80.
	Width int
	// MinSeverity hides lower findings; they are still counted.
	MinSeverity severity.Level
	// Limits name the scores that are too low; without them none is.
	Limits Limits
}

// WriteText writes the report for a terminal. Compared with a baseline, findings
// that are known are counted only. Text of servers cannot move the
// cursor, change colours or hide: it passes through [snapshot.Visible].
func WriteText(w io.Writer, r *Report, o TextOptions) error {
	t := newTextWriter(w, o)
	t.newOnly = r.Baseline != nil
	t.report(r)
	return t.end()
}

type textWriter struct {
	bytes.Buffer
	TextOptions
	w       io.Writer
	newOnly bool // known findings are counted, not written
	// sections tells that the changes of all servers have sections of their own.
	sections bool
	hidden   int             // findings under the minimum severity
	known    int             // known findings that were not written
	fixes    map[string]bool // fixes that were written for this server
}

func newTextWriter(w io.Writer, o TextOptions) *textWriter {
	if o.Width <= 0 {
		o.Width = 80
	}
	return &textWriter{TextOptions: o, w: w, fixes: map[string]bool{}}
}

// end writes the text. In the log of a workflow nothing in it is a command.
func (t *textWriter) end() error {
	if _, err := t.w.Write(inert(t.Bytes())); err != nil {
		return fmt.Errorf("writing the text report: %w", err)
	}
	return nil
}

func (t *textWriter) report(r *Report) {
	t.newOnly = t.newOnly || r.Baseline != nil
	for i := range r.Servers {
		t.server(&r.Servers[i])
	}
	for i := range r.Servers {
		for _, low := range lowScores(&r.Servers[i], t.Limits) {
			t.wrapped(0, "fails: ", low+" ("+oneLine(r.Servers[i].Key)+")", red)
		}
	}
	t.fixed(r.Baseline)
	counts := countsLine(r)
	if t.hidden > 0 {
		counts += "; " + itoa(t.hidden) + " not shown (minimum severity " + t.MinSeverity.String() + ")"
	}
	if t.known > 0 && r.Baseline == nil {
		counts += "; " + itoa(t.known) + " known not shown"
	}
	t.wrapped(0, "", counts, "")
}

// maxTextFixed bounds the fixed findings that are listed.
const maxTextFixed = 20

// fixed lists what the baseline has and nobody finds any more.
func (t *textWriter) fixed(b *Baseline) {
	if b == nil || len(b.Fixed) == 0 {
		return
	}
	t.hanging(0, "fixed since ", oneLine(b.Source), green)
	for i := range b.Fixed[:min(len(b.Fixed), maxTextFixed)] {
		f := &b.Fixed[i]
		t.hanging(2, "- ", oneLine(f.Rule)+" on "+entityText(f.Entity)+" ("+oneLine(f.Key)+"): "+oneLine(shorten(f.Message, maxExcerpt)), "")
	}
	if more := len(b.Fixed) - maxTextFixed; more > 0 {
		t.WriteString("  - and " + itoa(more) + " more\n")
	}
	t.WriteString("\n")
}

// ANSI styles.
const (
	bold      = "1"
	dim       = "2"
	underline = "4"
	red       = "31"
	green     = "32"
	yellow    = "33"
	blue      = "34"
)

func (t *textWriter) style(style, s string) string {
	if !t.Color || s == "" || style == "" {
		return s
	}
	return "\x1b[" + style + "m" + s + "\x1b[0m"
}

// level shows a severity with its sign, padded to one width.
func (t *textWriter) level(l severity.Level) string {
	switch l {
	case severity.Error:
		return t.style(red, "x error  ")
	case severity.Warning:
		return t.style(yellow, "! warning")
	}
	return t.style(blue, "i info   ")
}

// hanging is wrapped with the further lines under the lead, not beside it.
func (t *textWriter) hanging(indent int, lead, text, style string) {
	for i, l := range wrap(lead+text, max(t.Width-indent-2, 20)) {
		if i == 1 {
			indent += 2
		}
		t.WriteString(strings.Repeat(" ", indent) + t.style(style, l) + "\n")
	}
}

// wrapped writes foreign or own text after an indent of blanks, broken at the
// width; lead stands before its first line.
func (t *textWriter) wrapped(indent int, lead, text, style string) {
	blank := strings.Repeat(" ", indent)
	for _, l := range wrap(text, max(t.Width-indent-len(lead), 20)) {
		t.WriteString(blank + lead + t.style(style, l) + "\n")
		lead = strings.Repeat(" ", len(lead))
	}
}

func (t *textWriter) server(s *Server) {
	clear(t.fixes)
	key := oneLine(shorten(s.Key, maxCode))
	t.WriteString(t.style(bold, key))
	rest := max(t.Width-cells(key)-len("  streamable-http  "), 20)
	switch named := strings.TrimSpace(s.Server.Name + " " + s.Server.Version); {
	case s.Server.Name == s.Key && s.Server.Version != "":
		t.WriteString(" " + fit(oneLine(s.Server.Version), rest))
	case s.Server.Name != "" && s.Server.Name != s.Key:
		t.WriteString("  " + fit(oneLine(named), rest))
	}
	if s.Server.Transport != "" {
		t.WriteString(t.style(dim, "  "+oneLine(s.Server.Transport)))
	}
	t.WriteString("\n")
	if s.Error != nil {
		t.hanging(2, "not checked: ", oneLine(errorText(s.Error)), red)
	} else {
		t.wrapped(2, "", facts(s), "")
	}
	if s.Scores != nil {
		for _, score := range scoreTexts(s) {
			t.wrapped(2, "", score, "")
		}
		t.ranking(s.Scores.Tokens.Tools)
	}
	t.WriteString("\n")
	t.findings(s.Findings)
	if s.Lock != nil && len(s.Lock.Changes) > 0 && !t.sections {
		d := newServerDiff(s.Lock.Changes)
		t.WriteString("  " + t.style(bold, d.Title()) + "\n")
		t.diff(d)
	}
}

// ranking lists the tools that waste most tokens, worst first, with where the
// tokens of their definitions are. Without waste there is nothing to rank.
func (t *textWriter) ranking(tools []linter.ToolScore) {
	const (
		margin  = 4
		heading = "most wasted by"
	)
	columns := []string{"     wasted", "  definition", "  description", "     schema"}
	room := t.Width - margin - len(strings.Join(columns, ""))
	worst := wasteful(tools)
	if len(worst) == 0 {
		return
	}
	widest := len(heading)
	names := make([]string, len(worst))
	for i, tool := range worst {
		names[i] = fit(oneLine(tool.Name), max(room, len(heading)))
		widest = max(widest, cells(names[i]))
	}
	t.WriteString(t.style(dim, "  "+heading+strings.Repeat(" ", widest+2-len(heading))+strings.Join(columns, "")) + "\n")
	for i, tool := range worst {
		line := strings.Repeat(" ", margin) + names[i] + strings.Repeat(" ", widest-cells(names[i]))
		for j, tokens := range []int{tool.Wasted, tool.Tokens, tool.Description, tool.Schema} {
			line += fmt.Sprintf(" %*s", len(columns[j])-1, "~"+grouped(tokens))
		}
		t.WriteString(line + "\n")
	}
}

// maxTextItems bounds the members of a grouped finding that are named.
const maxTextItems = 8

// findings writes what is not suppressed, one group an entity, in the order in
// which the entities come.
func (t *textWriter) findings(all []linter.Finding) {
	shown, _ := active(all)
	shown = slices.DeleteFunc(shown, func(f *linter.Finding) bool {
		switch {
		case t.newOnly && !f.New:
			t.known++
		case f.Severity < t.MinSeverity:
			t.hidden++
		default:
			return false
		}
		return true
	})
	groups := map[snapshot.Ref][]*linter.Finding{}
	var order []snapshot.Ref
	for _, f := range shown {
		ref := f.Entity
		if ref.Kind == snapshot.KindServer {
			ref.Name = "" // there is only one
		}
		if groups[ref] == nil {
			order = append(order, ref)
		}
		groups[ref] = append(groups[ref], f)
	}
	for _, ref := range order {
		title := entityText(ref)
		if ref.Kind == snapshot.KindServer {
			title = "(server)"
		}
		t.wrapped(2, "", title, bold)
		for _, f := range groups[ref] {
			t.finding(f)
		}
		t.WriteString("\n")
	}
}

func (t *textWriter) finding(f *linter.Finding) {
	rule := oneLine(f.Rule)
	if len(f.Codes) > 0 {
		rule += " " + oneLine(strings.Join(f.Codes, ","))
	}
	if !f.New {
		rule += " (known)"
	}
	t.head(f.Severity, rule, cmp.Or(placeText(f.Location), oneLine(f.Path)))
	message := oneLine(f.Message)
	if items := itemsText(f, maxTextItems); items != "" {
		message += " " + items
	}
	t.wrapped(6, "", message, "")
	// What mends ten tools in one way is said once.
	if f.Fix != "" && !t.fixes[f.Fix] {
		t.fixes[f.Fix] = true
		t.wrapped(6, "fix: ", oneLine(f.Fix), dim)
	}
}

// head is the first line of a finding or change; a place for which the line
// has no room stands on the next one.
func (t *textWriter) head(l severity.Level, what, place string) {
	const margin = len("    x error    ") + len("  ")
	t.WriteString("    " + t.level(l) + "  " + what)
	if margin+cells(what)+len("  ")+cells(place) > t.Width {
		t.WriteString("\n")
		t.wrapped(6, "", place, dim)
		return
	}
	if place != "" {
		t.WriteString("  " + t.style(dim, place))
	}
	t.WriteString("\n")
}
