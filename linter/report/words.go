package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
)

// facts is what is known of a server: what it offers, or what its entry is when
// only that was judged.
func facts(s *Server) string {
	e := s.Entry
	if e == nil {
		return inventory(s.Counts)
	}
	parts := []string{"command of the entry"}
	if e.Remote {
		parts[0] = strings.TrimRight("remote, not checked: "+oneLine(e.Address), ": ")
	}
	if e.Client != "" {
		parts = append(parts, "for "+e.Client)
	}
	if e.Scope != "" {
		parts = append(parts, "project "+oneLine(shorten(e.Scope, maxCode)))
	}
	if e.Disabled {
		parts = append(parts, "disabled")
	}
	return strings.Join(parts, ", ")
}

// inventory is "14 tools, 2 prompts": tools always, the rest when there is any.
func inventory(c Counts) string {
	parts := []string{counted(c.Tools, "tool", "tools")}
	if c.Prompts > 0 {
		parts = append(parts, counted(c.Prompts, "prompt", "prompts"))
	}
	if c.Resources > 0 {
		parts = append(parts, counted(c.Resources, "resource", "resources"))
	}
	if c.ResourceTemplates > 0 {
		parts = append(parts, counted(c.ResourceTemplates, "resource template", "resource templates"))
	}
	return strings.Join(parts, ", ")
}

// scoreTexts says both scores and the size of what a model reads, in words.
// Token counts are estimates (characters divided by four) and always carry a ~.
func scoreTexts(s *Server) []string {
	q, t := s.Scores.Quality, s.Scores.Tokens
	quality := fmt.Sprintf("quality %d/100 (%s)", q.Score, q.Grade)
	if s.scoreLeavesOut() {
		quality += ", compat findings left out"
	}
	var size []string
	if t.Definitions > 0 {
		size = append(size, "definitions ~"+grouped(t.Definitions)+" tokens")
	}
	if t.Instructions > 0 {
		size = append(size, "instructions ~"+grouped(t.Instructions)+" tokens")
	}
	cost := "token cost not scored (no tools)"
	if t.Scored {
		cost = fmt.Sprintf("token cost %d/100 (%s), ~%s tokens wasted (estimated", t.Score, t.Grade, grouped(t.Wasted))
		if len(s.Probes) == 0 {
			cost += ", static checks only"
		}
		cost += ")"
	}
	texts := []string{quality, cost}
	if len(size) > 0 {
		texts = append(texts, strings.Join(size, ", "))
	}
	return texts
}

// scoreLeavesOut tells whether there are findings that count nothing in the
// quality score: those about what single clients do with a definition that may
// be right by the specification ([linter.Rule].Clients).
func (s *Server) scoreLeavesOut() bool {
	return slices.ContainsFunc(s.Findings, func(f linter.Finding) bool {
		return f.Suppressed == nil && strings.HasPrefix(f.Rule, "compat/")
	})
}

// maxWasteful bounds the tools of a ranking.
const maxWasteful = 5

// wasteful are the few tools that waste most tokens, the worst first.
func wasteful(tools []linter.ToolScore) []linter.ToolScore {
	worst := slices.DeleteFunc(slices.Clone(tools), func(tool linter.ToolScore) bool { return tool.Wasted == 0 })
	slices.SortStableFunc(worst, func(a, b linter.ToolScore) int {
		return cmp.Or(cmp.Compare(b.Wasted, a.Wasted), cmp.Compare(b.Tokens, a.Tokens))
	})
	return worst[:min(len(worst), maxWasteful)]
}

// grouped writes thousands with commas: 12,345.
func grouped(n int) string {
	s := itoa(n)
	for at := len(s) - 3; at > 0 && s[at-1] != '-'; at -= 3 {
		s = s[:at] + "," + s[at:]
	}
	return s
}

// errorText says on one line why a server could not be checked: the message,
// which stands on its own, or what the kind says.
func errorText(e *Error) string {
	if e.Message != "" {
		return strings.Join(strings.FieldsFunc(shorten(e.Message, maxExcerpt), isLineEnd), " / ")
	}
	switch e.Kind {
	case ErrStart:
		return "it could not be started"
	case ErrCrash:
		return "it ended before it had answered"
	case ErrTimeout:
		return "it did not answer in time"
	case ErrProtocol:
		return "it does not speak MCP as the specification says"
	case ErrNeedsAuthorization:
		return "it wants an authorization that was not given"
	case ErrNeedsSecret:
		return "it needs a secret that was not given"
	case ErrRefused:
		return "it would fetch what is known to be bad, so it was not started"
	case ErrSandbox:
		return "the sandbox could not run it"
	case ErrInput:
		return "its configuration or file cannot be used"
	}
	return "it could not be collected"
}

func isLineEnd(r rune) bool { return r == '\n' || r == '\r' }

// countsLine is the last line of a report: findings by severity, then tools
// without any, and what else the reader must know. It claims nothing about
// servers that were not linted.
func countsLine(r *Report) string {
	var t, lock tally
	var linted, compared, tools, dirty, suppressed, notChecked int
	unlisted := false
	for i := range r.Servers {
		s := &r.Servers[i]
		if s.Error != nil {
			notChecked++
		}
		if s.Scores != nil {
			linted++
			tools += s.Counts.Tools
		}
		shown, hidden := active(s.Findings)
		suppressed += hidden
		seen := map[string]bool{}
		for _, f := range shown {
			t.addFinding(f)
			unlisted = unlisted || !namesAllTools(f)
			for name := range toolsNamed(f) {
				if !seen[name] {
					seen[name] = true
					dirty++
				}
			}
		}
		if s.Lock != nil {
			compared++
			for j := range s.Lock.Changes {
				lock.add(s.Lock.Changes[j].Severity)
			}
		}
	}
	var parts []string
	known, fixed := baselineCounts(r)
	if linted > 0 || t.total() > 0 {
		parts = append(parts, fmt.Sprintf("%s, %s, %d info",
			counted(t.errors, "error", "errors"), counted(t.warnings, "warning", "warnings"), t.infos)+known)
	}
	if tools > 0 && !unlisted { // else tools may have findings that are not here
		parts = append(parts, fmt.Sprintf("%d/%d tools clean", max(tools-dirty, 0), tools))
	}
	switch {
	case lock.total() > 0:
		parts = append(parts, "lock: "+changesText(lock))
	case compared > 0:
		parts = append(parts, "lock: no changes")
	}
	if fixed != "" {
		parts = append(parts, fixed)
	}
	if suppressed > 0 {
		parts = append(parts, itoa(suppressed)+" suppressed")
	}
	if notChecked > 0 {
		parts = append(parts, counted(notChecked, "server", "servers")+" not checked")
	}
	return strings.Join(parts, "; ")
}

// baselineCounts says how many of the findings were there before, as " (27 known)",
// and how many are gone; "" where there is nothing to say.
func baselineCounts(r *Report) (known, fixed string) {
	if r.Baseline == nil {
		return "", ""
	}
	known = " (" + itoa(r.Baseline.Known) + " known)"
	if n := len(r.Baseline.Fixed); n > 0 {
		fixed = itoa(n) + " fixed"
	}
	return known, fixed
}

// maxFixedNames bounds the fixed findings that are named: they are good news.
const maxFixedNames = 5

// fixedText says which findings of the baseline are gone, "" when none is.
func fixedText(b *Baseline) string {
	if b == nil || len(b.Fixed) == 0 {
		return ""
	}
	var names []string
	for _, f := range b.Fixed[:min(len(b.Fixed), maxFixedNames)] {
		names = append(names, f.Rule+" in "+entityText(f.Entity))
	}
	text := strings.Join(names, ", ")
	if more := len(b.Fixed) - len(names); more > 0 {
		text += " and " + itoa(more) + " more"
	}
	return text + "; write the baseline again to drop " + pronoun(len(b.Fixed))
}

func pronoun(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}
