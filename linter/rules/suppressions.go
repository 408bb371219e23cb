package rules

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// expiredSuppression finds suppressions that would still silence something but
// are over. The findings count again.
var expiredSuppression = linter.Rule{
	ID:         "config/expired-suppression",
	Title:      "Suppression past its last day",
	Why:        "What was accepted for a while is still there. Somebody should decide again.",
	Severity:   linter.Severities{Recommended: severity.Warning},
	Bad:        `{"suppress":[{"rule":"description/too-short","reason":"the new texts come with the next release","until":"2020-01-01"}]}`,
	Good:       `{"suppress":[{"rule":"description/too-short","reason":"the new texts come with the next release","until":"2999-01-01"}]}`,
	Since:      firstVersion,
	References: []string{suppressDocs},
	Last:       true,
	Check: func(p *linter.Pass) {
		for _, s := range p.Suppressions() {
			if s.Expired && s.Matched > 0 {
				p.Report(p.Server(), "", linter.Finding{
					Message: fmt.Sprintf("%s ended on %s; %s counts again", named(s), s.Until, plural(s.Matched, "finding")),
					Fix:     "Remove the fault, or extend the suppression with a new reason.",
					Subject: SuppressionSubject(s.Suppression),
				})
			}
		}
	},
}

// unusedSuppression finds suppressions for this server that silence nothing.
// One without a server may be meant for another: [linter.Linter.Unused] tells
// after all have been judged.
var unusedSuppression = linter.Rule{
	ID:         "config/unused-suppression",
	Title:      "Suppression that silences nothing",
	Why:        "It will silence the next fault of that kind, which nobody has looked at.",
	Severity:   linter.Severities{Recommended: severity.Warning},
	Bad:        `{"suppress":[{"rule":"description/missing","server":"example","reason":"a test tool"}]}`,
	Good:       `{"suppress":[{"rule":"description/too-short","server":"example","reason":"a test tool"}]}`,
	Since:      firstVersion,
	References: []string{suppressDocs},
	Last:       true,
	Check: func(p *linter.Pass) {
		for _, s := range p.Suppressions() {
			f := linter.Finding{Subject: SuppressionSubject(s.Suppression)}
			switch {
			case s.Expired && s.Matched > 0:
				continue // the other rule's business
			case s.TextChanged > 0 && s.TextChanged == s.Matched:
				f.Message = fmt.Sprintf("%s was written for another text; %s counts again", named(s), plural(s.Matched, "finding"))
				f.Fix = "Read the new text, then update the hash or remove the suppression."
				if s.TextChanged == 1 {
					f.Fix = fmt.Sprintf("Read the new text, then set textSha256 to %s, or remove the suppression.", s.NowSHA256)
				}
			case s.Matched == 0 && s.Server != "" && s.Server == p.Snapshot().Key:
				f.Message = named(s) + " silences nothing"
				f.Fix = "Remove it."
			default:
				continue
			}
			p.Report(p.Server(), "", f)
		}
	},
}

// UnusedSuppressions are the findings of config/unused-suppression that only a
// look at all results gives: about suppressions that name no server, and, where
// servers are all there are and not nil, about those that name none of them.
// The place and the server are the caller's to fill in.
func UnusedSuppressions(l *linter.Linter, suppress []linter.Suppression, results []linter.Result, servers []string) []linter.Finding {
	level := severity.Off
	for _, r := range l.Rules() {
		if r.ID == unusedSuppression.ID {
			level = r.Effective
		}
	}
	if level == severity.Off {
		return nil
	}
	var findings []linter.Finding
	equal := make(map[string]int)
	add := func(i int, why, fix string) {
		s := linter.SuppressionState{Suppression: suppress[i], Index: i}
		subject := SuppressionSubject(suppress[i])
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%d", unusedSuppression.ID, subject, equal[subject]))
		equal[subject]++
		findings = append(findings, linter.Finding{
			Rule:        unusedSuppression.ID,
			Codes:       []string{},
			Severity:    level,
			Entity:      snapshot.Ref{Kind: snapshot.KindServer},
			Message:     named(s) + " silences nothing" + why,
			Fix:         fix,
			Fingerprint: hex.EncodeToString(sum[:]),
			Items:       []linter.Item{},
			New:         true,
			Subject:     subject,
		})
	}
	for _, i := range l.Unused(results...) {
		add(i, "", "Remove it.")
	}
	for i, s := range suppress {
		if s.Server != "" && servers != nil && !slices.Contains(servers, s.Server) {
			add(i, ": there is no server "+quote(s.Server), "Name one of the servers, or remove it.")
		}
	}
	return findings
}

// IsAboutSuppressions tells the rules that judge the configuration's
// suppressions. What they say is the same whatever a server is like.
func IsAboutSuppressions(id string) bool {
	return id == expiredSuppression.ID || id == unusedSuppression.ID
}

const suppressDocs = "https://github.com/mcp-lint/mcp-lint/blob/main/docs/config.md"

// named tells people which suppression is meant.
func named(s linter.SuppressionState) string {
	about := s.Rule
	if s.Entity != "" {
		about += " on " + quote(s.Entity)
	}
	return fmt.Sprintf("suppress[%d] (%s)", s.Index, about)
}

// SuppressionSubject is the subject of findings about a suppression: the same
// wherever that stands in the configuration.
func SuppressionSubject(s linter.Suppression) string {
	return s.Rule + " " + s.Server + " " + s.Entity + " " + s.Path
}
