package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// lintSummary is the text of the check run about findings.
func (r *Review) lintSummary(v *lintVerdict) string {
	var b strings.Builder
	if v.conclusion == Skipped {
		return v.title + ".\n"
	}
	if len(r.Report.Servers) == 0 {
		b.WriteString("No server is configured here.\n\n")
	}
	for _, s := range newsFirst(r.Report.Servers) {
		writeServer(&b, s)
		for _, low := range lowScores(s, r.Limits) {
			b.WriteString("**Fails**: " + low + ".\n\n")
		}
		writeFindings(&b, r.findings(s))
	}
	r.writeGrowth(&b)
	r.writePending(&b)
	b.WriteString(countsLine(&r.Report) + "\n")
	return b.String()
}

// newsFirst puts the servers with the worst new findings before the others,
// which keep their order: a reviewer must not look for the news.
func newsFirst(servers []Server) []*Server {
	worst := make(map[*Server]severity.Level, len(servers))
	ordered := make([]*Server, len(servers))
	for i := range servers {
		s := &servers[i]
		ordered[i] = s
		for _, f := range s.Findings {
			if f.New && f.Suppressed == nil {
				worst[s] = max(worst[s], f.Severity)
			}
		}
	}
	slices.SortStableFunc(ordered, func(a, b *Server) int { return cmp.Compare(worst[b], worst[a]) })
	return ordered
}

// maxPending bounds the changes of the configuration that are listed: a pull
// request must not push its findings out of the page with them.
const maxPending = 50

// writePending lists what the head's configuration would change after merging.
func (r *Review) writePending(b *strings.Builder) {
	if len(r.Pending) == 0 {
		return
	}
	b.WriteString("### Pending configuration changes\n\nThis pull request changes the configuration. These changes count only once they are merged:\n\n")
	for _, p := range r.Pending[:min(len(r.Pending), maxPending)] {
		b.WriteString("- " + prose(shorten(p, maxExcerpt)) + "\n")
	}
	if more := len(r.Pending) - maxPending; more > 0 {
		b.WriteString("\n" + counted(more, "more change of the configuration is", "more changes of the configuration are") + " not listed here.\n")
	}
	b.WriteByte('\n')
}

// maxSummary is GitHub's limit of a check run's summary: 65,535 bytes, whatever
// its documentation calls them.
const maxSummary = 65_535

// lockSummary is the text of the check run about the lock. What merging accepts and what the live server does against the
// lock never share a section.
func (r *Review) lockSummary(v *lockVerdict, o SummaryOptions) string {
	if v.conclusion == Skipped {
		return v.title + ".\n"
	}
	limit := o.MaxBytes
	if limit <= 0 {
		limit = maxSummary
	}
	sections := r.lockSections(v)
	text := ""
	for detail := diffFull; detail <= diffCounts; detail++ {
		var b strings.Builder
		markdownNotes(&b, r.lockNotes(v))
		markdownSections(&b, sections, detail)
		r.writeUnchecked(&b, v)
		if b.Len() > 0 && o.DetailsURL != "" {
			b.WriteString(detailsLink(o.DetailsURL))
		}
		if text = b.String(); len(text) <= limit {
			break
		}
	}
	if text == "" {
		return "Every locked server says what " + code(r.Lock.Path) + " holds.\n"
	}
	return Clip(text, limit)
}

// writeUnchecked lists the servers that the verdict knows nothing about.
func (r *Review) writeUnchecked(b *strings.Builder, v *lockVerdict) {
	if len(v.notChecked) > 0 {
		b.WriteString("### Not checked\n\n")
		for _, s := range v.notChecked {
			b.WriteString("- " + code(s.Key) + ": " + prose(errorText(s.Error)) + "\n")
		}
		b.WriteByte('\n')
	}
	if len(v.unlocked) > 0 && r.Lock.InHead {
		b.WriteString("### Not in the lock\n\n")
		for _, s := range v.unlocked {
			b.WriteString("- " + code(s.Key) + ", added by " + code(lockCommand(s.Key, "")) + "\n")
		}
		b.WriteString("\nTheir tools can change without notice.\n\n")
	}
}

// lockCommand is the command that locks a configured server, quoted for a shell:
// keys are foreign text.
func lockCommand(key, flags string) string {
	if strings.Trim(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") != "" || strings.HasPrefix(key, "-") || key == "" {
		key = "'" + strings.ReplaceAll(key, "'", `'\''`) + "'"
	}
	return "mcp-lint lock" + flags + " --name=" + key
}
