package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/lockfile"
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

// lockSummary is the text of the check run about the lock. What merging accepts
// and what the live server does against the lock never share a section.
func (r *Review) lockSummary(v *lockVerdict) string {
	if v.conclusion == Skipped {
		return v.title + ".\n"
	}
	var b strings.Builder
	r.writeLockFaults(&b, v)
	r.writeAccepted(&b, v, writeDiff)
	r.writeLive(&b, v, writeDiff)
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
	if b.Len() == 0 {
		b.WriteString("Every locked server says what " + code(r.Lock.Path) + " holds.\n")
	}
	return b.String()
}

// lockCommand is the command that locks a configured server, quoted for a shell:
// keys are foreign text.
func lockCommand(key, flags string) string {
	if strings.Trim(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") != "" || strings.HasPrefix(key, "-") || key == "" {
		key = "'" + strings.ReplaceAll(key, "'", `'\''`) + "'"
	}
	return "mcp-lint lock" + flags + " --name=" + key
}

// writeLockFaults says what is wrong with the lock file itself.
func (r *Review) writeLockFaults(b *strings.Builder, v *lockVerdict) {
	if v.gone {
		b.WriteString("**This pull request removes the lock file** " + code(r.Lock.Path) + ". After merging, nothing would notice a change of the tools.\n\n")
		return
	}
	if r.Lock.Error != nil {
		b.WriteString("**The lock file cannot be read**: " + prose(shorten(r.Lock.Error.Message, maxExcerpt)) + "\n\n")
	}
	if len(r.Lock.RemovedServers) > 0 {
		b.WriteString("**This pull request removes locked servers** from " + code(r.Lock.Path) + ":\n\n")
		for _, key := range r.Lock.RemovedServers {
			b.WriteString("- " + code(key) + "\n")
		}
		b.WriteByte('\n')
	}
}

// diffWriter is one of the ways to show a server's changes.
type diffWriter func(*strings.Builder, []lockfile.Change)

// writeAccepted writes what this pull request's change of the lock accepts.
func (r *Review) writeAccepted(b *strings.Builder, v *lockVerdict, diff diffWriter) {
	if v.accepted.total() == 0 {
		return
	}
	b.WriteString("### Merging accepts\n\nThe lock file of this pull request " + acceptsText(v.accepted) + " against the lock file of its base. Merging says that they are wanted.\n\n")
	for i := range r.Lock.Accepted {
		l := &r.Lock.Accepted[i]
		changes := make([]lockfile.Change, len(l.Changes))
		for j := range l.Changes {
			changes[j] = l.Changes[j].Change
		}
		b.WriteString("#### " + code(l.Key) + "\n\n")
		diff(b, changes)
	}
}

// writeLive writes what the live servers do otherwise than the head's lock says.
func (r *Review) writeLive(b *strings.Builder, v *lockVerdict, diff diffWriter) {
	if v.live.total() == 0 {
		return
	}
	b.WriteString("### Live servers differ from the lock\n\nWhat the servers of this pull request say is not what its lock file holds: " +
		changesText(v.live) + ". Review the changes; if they are wanted, refresh the lock and commit it.\n\n")
	for i := range r.Report.Servers {
		s := &r.Report.Servers[i]
		if s.Lock == nil || len(s.Lock.Changes) == 0 {
			continue
		}
		b.WriteString("#### " + code(s.Key) + "\n\nTo accept: " + code(lockCommand(s.Key, " --accept")) + "\n\n")
		diff(b, s.Lock.Changes)
	}
}
