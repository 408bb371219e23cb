package report

import (
	"slices"
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
		b.WriteString(row(g.kindsMarkdown(), g.Severity.String(), g.whatMarkdown(), g.where(code)))
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
		texts := [][]lockfile.Part{g.Text}
		for _, inner := range g.Inner {
			texts = append(texts, inner.Text)
		}
		texts = slices.DeleteFunc(texts, func(parts []lockfile.Part) bool { return len(parts) == 0 })
		if len(texts) == 0 && len(raw) == 0 {
			continue
		}
		if g.Severity < severity.Error && !folded {
			folded = true
			b.WriteString("<details><summary>Texts and schemas of the less serious changes</summary>\n\n")
		}
		b.WriteString(g.kindsMarkdown() + ": " + g.where(code) + "\n\n")
		for _, text := range texts {
			b.WriteString(diffFence(text) + "\n")
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

// kindsMarkdown are the kinds of change that a row tells.
func (g *changeGroup) kindsMarkdown() string {
	var kinds []string
	for _, kind := range g.Kinds() {
		kinds = append(kinds, code(kind))
	}
	return strings.Join(kinds, ", ")
}

// whatMarkdown says what changed, and what came with it.
func (g *changeGroup) whatMarkdown() string {
	text := message(namedText(oneLine(g.what())))
	for i, inner := range g.Inner {
		between := "; "
		if i == 0 {
			between = ". With it: "
		}
		text += between + message(namedText(oneLine(inner.what()))) + inner.only(g, code)
	}
	return text
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
