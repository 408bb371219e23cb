package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// WriteSurveyJSON writes the survey as one JSON document. Hidden characters are
// spelled as escapes.
func WriteSurveyJSON(w io.Writer, s *Survey) error {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(s); err != nil {
		return fmt.Errorf("encoding the survey: %w", err)
	}
	if _, err := w.Write(escapeHidden(buf.Bytes())); err != nil {
		return fmt.Errorf("writing the survey: %w", err)
	}
	return nil
}

// WriteSurveyMarkdown writes the survey's tables. Whatever servers say in it is
// neutralised.
func WriteSurveyMarkdown(w io.Writer, s *Survey) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s and %s of %s, preset %s, judged by %s. Tokens are estimated: characters of compact JSON divided by 4.\n\n",
		counted(s.Totals.Servers, "server", "servers"), counted(s.Totals.Tools, "tool", "tools"),
		counted(s.Totals.Servers+len(s.NotChecked), "listed server", "listed servers"), code(s.Preset), code(s.Tool.Name+" "+s.Tool.Version))
	s.writeServers(&b)
	s.writeSpread(&b)
	s.writeAnnotations(&b)
	s.writeRules(&b)
	s.writeLargest(&b)
	s.writeNotChecked(&b)
	if _, err := io.WriteString(w, strings.TrimRight(b.String(), "\n")+"\n"); err != nil {
		return fmt.Errorf("writing the survey: %w", err)
	}
	return nil
}

func (s *Survey) writeServers(b *strings.Builder) {
	b.WriteString("### Servers\n\n")
	b.WriteString(header("server", "version", "tools", "prompts", "resources", "definitions", "a tool, median", "largest", "instructions", "depth",
		"errors", "warnings", "info", "quality", "token cost"))
	for i := range s.Servers {
		r := &s.Servers[i]
		cost := "–"
		if t := &r.Scores.Tokens; t.Scored {
			cost = scored(t.Score, t.Grade)
		}
		b.WriteString(row(code(r.Key), codeOrDash(r.Server.Version), itoa(r.Counts.Tools), itoa(r.Counts.Prompts),
			itoa(r.Counts.Resources+r.Counts.ResourceTemplates), "~"+grouped(r.Definitions), "~"+grouped(r.MedianTool), "~"+grouped(r.LargestTool),
			"~"+grouped(r.Instructions), itoa(r.Depth), grouped(r.Errors), grouped(r.Warnings), grouped(r.Infos),
			scored(r.Scores.Quality.Score, r.Scores.Quality.Grade), cost))
	}
	t := &s.Totals
	b.WriteString(row("**all**", "", grouped(t.Tools), grouped(t.Prompts), grouped(t.Resources), "~"+grouped(t.Definitions), "", "", "", "",
		grouped(t.Errors), grouped(t.Warnings), grouped(t.Infos), "", ""))
	b.WriteByte('\n')
}

func scored(score int, grade string) string { return itoa(score) + " " + grade }

func codeOrDash(s string) string {
	if s == "" {
		return "–"
	}
	return code(s)
}

func (s *Survey) writeSpread(b *strings.Builder) {
	b.WriteString("### How servers spread\n\n")
	b.WriteString(header("a server's", "least", "median", "90th percentile", "most"))
	for _, line := range []struct {
		name string
		Spread
	}{
		{"tools", s.Spread.Tools},
		{"tokens of all definitions", s.Spread.Definitions},
		{"tokens of the instructions", s.Spread.Instructions},
		{"depth of the deepest tool", s.Spread.Depth},
		{"quality score", s.Spread.Quality},
		{"token cost score", s.Spread.TokenCost},
	} {
		b.WriteString(row(line.name, grouped(line.Min), grouped(line.Median), grouped(line.P90), grouped(line.Max)))
	}
	b.WriteByte('\n')
}

func (s *Survey) writeAnnotations(b *strings.Builder) {
	all, none, withTools := 0, 0, 0
	for i := range s.Servers {
		a := &s.Servers[i].Annotations
		switch {
		case a.Tools == 0:
			continue
		case a.Annotated == a.Tools:
			all++
		case a.Annotated == 0:
			none++
		}
		withTools++
	}
	b.WriteString("### Annotations\n\n")
	fmt.Fprintf(b, "Of %s with tools %d annotate every tool and %d annotate none.\n\n", counted(withTools, "server", "servers"), all, none)
	b.WriteString(header("server", "tools", "annotated", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"))
	line := func(name string, a SurveyAnnotations) {
		b.WriteString(row(name, grouped(a.Tools), share(a.Annotated, a.Tools), grouped(a.ReadOnly), grouped(a.Destructive),
			grouped(a.Idempotent), grouped(a.OpenWorld)))
	}
	for i := range s.Servers {
		if r := &s.Servers[i]; r.Annotations.Tools > 0 {
			line(code(r.Key), r.Annotations)
		}
	}
	line("**all**", s.Annotated)
	b.WriteByte('\n')
}

// share is "12 (40 %)".
func share(n, of int) string {
	if of == 0 {
		return grouped(n)
	}
	return grouped(n) + " (" + strconv.Itoa(n*100/of) + " %)"
}

func (s *Survey) writeRules(b *strings.Builder) {
	b.WriteString("### Findings\n\n")
	if len(s.Rules) == 0 {
		b.WriteString("None.\n\n")
		return
	}
	b.WriteString(header("rule", "severity", "servers", "findings"))
	for _, r := range s.Rules {
		b.WriteString(row(code(r.Rule), r.Severity.String(), share(r.Servers, len(s.Servers)), grouped(r.Findings)))
	}
	b.WriteByte('\n')
}

func (s *Survey) writeLargest(b *strings.Builder) {
	if len(s.Largest) == 0 {
		return
	}
	b.WriteString("### Largest tools\n\n")
	b.WriteString(header("server", "tool", "definition"))
	for _, t := range s.Largest {
		b.WriteString(row(code(t.Key), code(t.Name), "~"+grouped(t.Tokens)))
	}
	b.WriteByte('\n')
}

func (s *Survey) writeNotChecked(b *strings.Builder) {
	if len(s.NotChecked) == 0 {
		return
	}
	b.WriteString("### Not checked\n\n")
	b.WriteString(header("server", "kind", "why"))
	for _, f := range s.NotChecked {
		b.WriteString(row(code(f.Key), code(string(f.Error.Kind)), prose(shorten(errorText(&f.Error), maxExcerpt))))
	}
	b.WriteByte('\n')
}
