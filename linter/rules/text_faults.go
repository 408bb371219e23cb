package rules

import (
	"fmt"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// The faults of the JSON text itself. Both seeds' programs read over them (or,
// for depth, stop with exit 2), so only preset recommended has them.
var duplicateKey = linter.Rule{
	ID:         "schema/duplicate-key",
	Title:      "Object with two members of one name",
	Why:        "Parsers disagree on which one counts, so a reviewer, a client and a model may each see another definition.",
	Severity:   linter.Severities{Recommended: severity.Warning},
	Bad:        `{"name":"water_level","description":"Returns the newest water level of the harbour basin, in centimetres above the local chart datum.","inputSchema":{"type":"object","properties":{}},"annotations":{"title":"Level","title":"Water level"}}`,
	Good:       `{"name":"water_level","description":"Returns the newest water level of the harbour basin, in centimetres above the local chart datum.","inputSchema":{"type":"object","properties":{}},"annotations":{"title":"Water level"}}`,
	Since:      firstVersion,
	References: []string{jsonSpec + "#section-4"},
	Check: func(p *linter.Pass) {
		reportProblems(p, snapshot.DuplicateKey, func(problem *snapshot.Problem) linter.Finding {
			return linter.Finding{
				Message: fmt.Sprintf("the object has two members named %s", quote(problem.Detail)),
				Fix:     "Keep one of them.",
			}
		})
	},
}

var loneSurrogate = linter.Rule{
	ID:         "schema/lone-surrogate",
	Title:      "Text with half a character",
	Why:        "Half of a surrogate pair is no Unicode text: clients replace it, drop the text or fail on the whole list.",
	Severity:   linter.Severities{Recommended: severity.Warning},
	Bad:        `{"name":"water_level","description":"Returns the newest water level of the harbour basin, in centimetres above the local chart datum \ud83c.","inputSchema":{"type":"object","properties":{}}}`,
	Good:       `{"name":"water_level","description":"Returns the newest water level of the harbour basin, in centimetres above the local chart datum \ud83c\udf0a.","inputSchema":{"type":"object","properties":{}}}`,
	Since:      firstVersion,
	References: []string{jsonSpec + "#section-8.2"},
	Check: func(p *linter.Pass) {
		reportProblems(p, snapshot.LoneSurrogate, func(problem *snapshot.Problem) linter.Finding {
			return linter.Finding{
				Message: fmt.Sprintf("the text has %s without its other half", quote(problem.Detail)),
				Fix:     "Cut texts at character boundaries before you serialise them.",
			}
		})
	},
}

var tooDeep = linter.Rule{
	ID:         "schema/too-deep",
	Title:      "Definition nested too deeply",
	Why:        "Clients limit the nesting they accept, no model follows it, and a payload far down escapes review.",
	Severity:   linter.Severities{Recommended: severity.Error},
	Bad:        `{"name":"water_level","description":"Returns the newest water level of the harbour basin, in centimetres above the local chart datum.","inputSchema":{"type":"object","properties":{}},"_meta":{"office":` + deepExample + `}}`,
	Good:       `{"name":"water_level","description":"Returns the newest water level of the harbour basin, in centimetres above the local chart datum.","inputSchema":{"type":"object","properties":{}},"_meta":{"office":{"basin":1}}}`,
	Since:      firstVersion,
	References: []string{jsonSpec + "#section-9"},
	Check: func(p *linter.Pass) {
		reportProblems(p, snapshot.TooDeep, func(problem *snapshot.Problem) linter.Finding {
			return linter.Finding{
				Message: fmt.Sprintf("the definition nests %s levels deep; expected at most %d", problem.Detail, snapshot.MaxDepth),
				Fix:     "Flatten the schema, or refer to definitions instead of repeating them.",
			}
		})
	},
}

// deepExample nests 70 levels.
const deepExample = tenOpen + tenOpen + tenOpen + tenOpen + tenOpen + tenOpen + tenOpen + "1" +
	tenClose + tenClose + tenClose + tenClose + tenClose + tenClose + tenClose

const (
	tenOpen  = "[[[[[[[[[["
	tenClose = "]]]]]]]]]]"
)

// reportProblems reports what the parser noted. A fault outside the lists is
// one of the server's.
func reportProblems(p *linter.Pass, kind snapshot.ProblemKind, describe func(*snapshot.Problem) linter.Finding) {
	problems := p.Snapshot().Problems
	for i := range problems {
		problem := &problems[i]
		if problem.Kind != kind {
			continue
		}
		e := p.Entity(problem.Entity)
		if e == nil {
			continue // ignored by the configuration
		}
		f := describe(problem)
		f.Subject = problem.Detail
		if problem.More > 0 {
			f.Message += fmt.Sprintf(" (and %s not listed)", plural(problem.More, "fault"))
		}
		p.Report(e, problem.Pointer, f)
	}
}
