package report

import (
	"html"
	"net/url"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
)

// maxComment is GitHub's limit of a comment: 65,536 characters. We count bytes,
// which are never fewer.
const maxComment = 65_536

// CommentOptions says how a comment is written.
type CommentOptions struct {
	// MaxBytes bounds the comment; 0 means GitHub's limit.
	MaxBytes int
	// Marker is the text of the HTML comment on the first line by which the
	// comment is found again. Empty leaves that line out, for a caller that
	// writes its own.
	Marker string
	// DetailsURL links to the full report; empty leaves the link out.
	DetailsURL string
}

// Comment is what a reviewer is told on the pull request, and whether it is
// worth a comment at all: only a change of the lock or of locked tools is.
// The text fits MaxBytes with as much as there is room for: every change with
// its texts and schemas, then without the schemas, then one row a tool, then
// counts only.
func (r *Review) Comment(o CommentOptions) (markdown string, wanted bool) {
	v := r.lockVerdict()
	if r.Empty || !v.changedLock(&r.Lock) {
		return "", false
	}
	limit := o.MaxBytes
	if limit <= 0 {
		limit = maxComment
	}
	sections := r.lockSections(&v)
	for detail := diffFull; detail <= diffCounts; detail++ {
		var b strings.Builder
		b.WriteString(markerLine(o.Marker))
		r.commentHead(&b, &v)
		r.commentBody(&b, &v, sections, detail)
		if o.DetailsURL != "" {
			b.WriteString(detailsLink(o.DetailsURL))
		}
		if markdown = b.String(); len(markdown) <= limit {
			return markdown, true
		}
	}
	return Clip(markdown, limit), true
}

func markerLine(marker string) string {
	marker = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(marker), "<!--"), "-->"))
	if marker == "" {
		return ""
	}
	return "<!-- " + marker + " -->\n"
}

// commentHead says both verdicts with their counts.
func (r *Review) commentHead(b *strings.Builder, v *lockVerdict) {
	lint := r.lintVerdict()
	b.WriteString("### mcp-lint\n\n" + header("check", "verdict", ""))
	b.WriteString(row(code(LockCheck), string(v.conclusion), prose(v.title)))
	b.WriteString(row(code(LintCheck), string(lint.conclusion), prose(lint.title)))
	b.WriteByte('\n')
}

func (r *Review) commentBody(b *strings.Builder, v *lockVerdict, sections []lockSection, detail diffDetail) {
	markdownNotes(b, r.lockNotes(v))
	markdownSections(b, sections, detail)
	if detail < diffCounts {
		r.writeGrowth(b)
	}
	if detail < diffPerEntity {
		r.writeNewFindings(b)
		r.writePending(b)
	}
}

// maxCommentFindings bounds the findings in a comment: its subject is the lock.
const maxCommentFindings = 20

// writeNewFindings writes the new findings of all servers, worst first.
func (r *Review) writeNewFindings(b *strings.Builder) {
	var fresh []*linter.Finding
	for i := range r.Report.Servers {
		shown, _ := active(r.findings(&r.Report.Servers[i]))
		for _, f := range shown {
			if f.New {
				fresh = append(fresh, f)
			}
		}
	}
	if len(fresh) == 0 {
		return
	}
	sortFindings(fresh)
	b.WriteString("### New findings\n\n" + header("severity", "rule", "where", "what", "place"))
	for _, f := range fresh[:min(len(fresh), maxCommentFindings)] {
		b.WriteString(findingRow(f))
	}
	if more := len(fresh) - maxCommentFindings; more > 0 {
		b.WriteString("\n" + counted(more, "more is", "more are") + " in the check run.\n")
	}
	b.WriteByte('\n')
}

// detailsLink links to our own pages. Anything but an http address, and
// characters that could end the link, are left out.
func detailsLink(address string) string {
	u, err := url.Parse(address)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") {
		return ""
	}
	return `<a href="` + html.EscapeString(u.String()) + `">Full report</a>` + "\n"
}
