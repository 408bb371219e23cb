package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
)

// WriteMarkdown writes the report for people: one section a server with its
// inventory, scores, findings and lock changes, worst first, and the counts.
// Whatever servers say in it is neutralised.
func WriteMarkdown(w io.Writer, r *Report) error { return writeMarkdown(w, r, nil) }

// WriteReviewMarkdown is [WriteMarkdown] with what the review says about the
// lock in sections of its own: what merging accepts, and what the live servers
// differ from it.
func WriteReviewMarkdown(w io.Writer, r *Review) error { return writeMarkdown(w, &r.Report, r) }

func writeMarkdown(w io.Writer, r *Report, review *Review) error {
	var b strings.Builder
	b.WriteString("## mcp-lint\n\n")
	for i := range r.Servers {
		s := &r.Servers[i]
		writeServer(&b, s)
		writeTokens(&b, s)
		writeFindings(&b, s.Findings)
		if s.Lock != nil && len(s.Lock.Changes) > 0 && review == nil {
			d := newServerDiff(s.Lock.Changes)
			b.WriteString("#### " + d.Title() + "\n\n")
			d.markdown(&b, diffFull)
		}
	}
	if review != nil {
		v := review.lockVerdict()
		markdownNotes(&b, review.lockNotes(&v))
		markdownSections(&b, review.lockSections(&v), diffFull)
	}
	if fixed := fixedText(r.Baseline); fixed != "" {
		b.WriteString("Fixed since the baseline: " + prose(fixed) + ".\n\n")
	}
	b.WriteString(countsLine(r) + "\n")
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("writing the Markdown report: %w", err)
	}
	return nil
}

// writeServer writes a server's heading, inventory and scores, or why it could
// not be checked.
func writeServer(b *strings.Builder, s *Server) {
	b.WriteString("### " + code(s.Key) + "\n\n")
	if s.Error != nil {
		b.WriteString("**Not checked**: " + prose(errorText(s.Error)) + "\n\n")
	}
	var known []string
	if s.Server.Name != "" {
		known = append(known, code(strings.TrimSpace(s.Server.Name+" "+s.Server.Version)))
	}
	if s.Error == nil {
		known = append(known, prose(facts(s)))
	}
	if s.Scores != nil {
		known = append(known, scoreTexts(s)...)
	}
	if len(known) > 0 {
		b.WriteString(strings.Join(known, " · ") + "\n\n")
	}
}

// writeTokens writes where the tokens of the most wasteful tools are.
func writeTokens(b *strings.Builder, s *Server) {
	if s.Scores == nil {
		return
	}
	worst := wasteful(s.Scores.Tokens.Tools)
	if len(worst) == 0 {
		return
	}
	b.WriteString(header("most wasted by", "wasted", "definition", "description", "schema"))
	for _, tool := range worst {
		b.WriteString(row(code(tool.Name), "~"+grouped(tool.Wasted), "~"+grouped(tool.Tokens), "~"+grouped(tool.Description), "~"+grouped(tool.Schema)))
	}
	b.WriteByte('\n')
}

// writeFindings writes the findings that are not suppressed as a table: new
// before known, worst first.
func writeFindings(b *strings.Builder, findings []linter.Finding) {
	shown, suppressed := active(findings)
	sortFindings(shown)
	if len(shown) > 0 {
		b.WriteString(header("severity", "rule", "where", "what", "place"))
		for _, f := range shown[:min(len(shown), maxRows)] {
			b.WriteString(findingRow(f))
		}
		if more := len(shown) - maxRows; more > 0 {
			b.WriteString("\n" + counted(more, "more finding is", "more findings are") + " not listed here.\n")
		}
		b.WriteByte('\n')
	}
	if suppressed > 0 {
		b.WriteString(counted(suppressed, "finding is", "findings are") + " suppressed by the configuration.\n\n")
	}
}

func findingRow(f *linter.Finding) string {
	level := f.Severity.String()
	if !f.New {
		level += " (known)"
	}
	what := message(shorten(f.Message, maxExcerpt)) + itemsMarkdown(f)
	if f.Fix != "" {
		what += "<br>Fix: " + message(shorten(f.Fix, maxExcerpt))
	}
	where := entityMarkdown(f.Entity)
	if f.Path != "" {
		where += " at " + code(f.Path)
	}
	place := ""
	if p := placeText(f.Location); p != "" {
		place = code(p)
	}
	return row(level, code(f.Rule), where, what, place)
}

// maxItems bounds the members of a grouped finding that are named.
const maxItems = 20

func itemsMarkdown(f *linter.Finding) string {
	items := unnamed(f)
	if len(items) == 0 {
		return ""
	}
	var names []string
	for _, it := range items[:min(len(items), maxItems)] {
		names = append(names, code(itemName(&it)))
	}
	s := "<br>" + strings.Join(names, ", ")
	if more := len(items) - maxItems; more > 0 {
		s += " and " + itoa(more) + " more"
	}
	return s
}

// active returns the findings that are not suppressed, and how many are.
func active(findings []linter.Finding) (shown []*linter.Finding, suppressed int) {
	for i := range findings {
		if findings[i].Suppressed != nil {
			suppressed += 1 + findings[i].More
			continue
		}
		shown = append(shown, &findings[i])
	}
	return shown, suppressed
}

// sortFindings puts new ones before known ones and the worst first.
func sortFindings(fs []*linter.Finding) { slices.SortStableFunc(fs, compareFindings) }

func compareFindings(a, b *linter.Finding) int {
	if a.New != b.New {
		if a.New {
			return -1
		}
		return 1
	}
	return cmp.Compare(b.Severity, a.Severity)
}
