package rules

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

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
					Subject: subject(s),
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
	Severity:   linter.Severities{Recommended: severity.Info},
	Bad:        `{"suppress":[{"rule":"description/missing","server":"example","reason":"a test tool"}]}`,
	Good:       `{"suppress":[{"rule":"description/too-short","server":"example","reason":"a test tool"}]}`,
	Since:      firstVersion,
	References: []string{suppressDocs},
	Last:       true,
	Check: func(p *linter.Pass) {
		for _, s := range p.Suppressions() {
			f := linter.Finding{Subject: subject(s)}
			switch {
			case s.Expired && s.Matched > 0:
				continue // the other rule's business
			case s.TextChanged > 0 && s.TextChanged == s.Matched:
				f.Message = fmt.Sprintf("%s was written for another text; %s counts again", named(s), plural(s.Matched, "finding"))
				f.Fix = "Read the new text, then update the hash or remove the suppression."
				f.Severity = severity.Warning
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

// UnusedSuppressions are the findings of config/unused-suppression about the
// suppressions that name no server: they can be judged only when every server
// has been linted. The place and the server are the caller's to fill in.
func UnusedSuppressions(l *linter.Linter, suppress []linter.Suppression, results []linter.Result) []linter.Finding {
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
	for _, i := range l.Unused(results...) {
		s := linter.SuppressionState{Suppression: suppress[i], Index: i}
		sum := sha256.Sum256([]byte(unusedSuppression.ID + "\x00" + subject(s)))
		findings = append(findings, linter.Finding{
			Rule:        unusedSuppression.ID,
			Codes:       []string{},
			Severity:    level,
			Entity:      snapshot.Ref{Kind: snapshot.KindServer},
			Message:     named(s) + " silences nothing",
			Fix:         "Remove it.",
			Fingerprint: hex.EncodeToString(sum[:]),
			Items:       []linter.Item{},
			New:         true,
			Subject:     subject(s),
		})
	}
	return findings
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

// subject is the same wherever the suppression stands in the configuration.
func subject(s linter.SuppressionState) string {
	return s.Rule + " " + s.Server + " " + s.Entity + " " + s.Path
}
