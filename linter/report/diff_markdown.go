package report

import (
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/lockfile"
)

// diffDetail is how much of a diff is written: what does not fit is told in less
// detail, never cut.
type diffDetail int

const (
	diffFull      diffDetail = iota
	diffTexts                // without the raw diffs of schemas
	diffPerEntity            // a row for every tool
	diffCounts               // numbers only
)

// markdown writes one server's changes: a table, then what became of the texts
// and schemas; those of errors are open, the others folded.
func (d *serverDiff) markdown(b *strings.Builder, detail diffDetail) {
	if detail == diffPerEntity {
		d.markdownPerEntity(b)
		return
	}
	b.WriteString(header("change", "severity", "what", "where"))
	for _, g := range d.Groups {
		b.WriteString(row(code(g.Kind), g.Severity.String(), message(namedText(oneLine(g.what()))), g.where(code)))
	}
	if d.More > 0 {
		b.WriteString("\n" + counted(d.More, "more change is", "more changes are") + " not listed here.\n")
	}
	b.WriteByte('\n')
	folded := false
	for _, g := range d.Groups {
		raw := g.Raw
		if detail > diffFull {
			raw = nil
		}
		if len(g.Text) == 0 && len(raw) == 0 {
			continue
		}
		if g.Severity < severity.Error && !folded {
			folded = true
			b.WriteString("<details><summary>Texts and schemas of the less serious changes</summary>\n\n")
		}
		b.WriteString(code(g.Kind) + ": " + g.where(code) + "\n\n")
		if len(g.Text) > 0 {
			b.WriteString(diffFence(g.Text) + "\n")
		}
		switch {
		case len(raw) == 0:
		case folded:
			b.WriteString(diffFence(raw) + "\n")
		default:
			b.WriteString("<details><summary>Raw diff</summary>\n\n" + diffFence(raw) + "\n</details>\n\n")
		}
	}
	if folded {
		b.WriteString("</details>\n\n")
	}
}

// diffFence is a comparison in a code block, in which nothing is markup.
func diffFence(parts []lockfile.Part) string {
	var lines []string
	for _, l := range diffLines(parts) {
		lines = append(lines, l.signed())
	}
	return fence("diff", lines)
}

// markdownPerEntity is the short form: a row for every entity.
func (d *serverDiff) markdownPerEntity(b *strings.Builder) {
	b.WriteString(header("where", "changes"))
	for _, e := range d.entities[:min(len(d.entities), maxRows)] {
		b.WriteString(row(entityMarkdown(e.ref), e.String()))
	}
	if more := len(d.entities) - maxRows; more > 0 {
		b.WriteString("\n" + itoa(more) + " more are not listed here.\n")
	}
	b.WriteByte('\n')
}
