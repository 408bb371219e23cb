package report_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// surveyed is a report of three servers, of which one could not be asked.
func surveyed(t *testing.T) (*report.Report, []*snapshot.Snapshot) {
	t.Helper()
	parse := func(document string) *snapshot.Snapshot {
		s, err := snapshot.Parse("tools.json", []byte(document))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	tides := parse(`{"tools":[
		{"name":"a","annotations":{"readOnlyHint":true,"openWorldHint":"yes"}},
		{"name":"b","inputSchema":{"properties":{"x":{"items":{}}}}},
		{"name":"ignored","annotations":{"idempotentHint":true},"deep":[[[[[[]]]]]]}]}`)
	long := finding("description/too-short", severity.Warning, tool("a"), "short")
	long.More = 2
	silent := finding("description/too-short", severity.Warning, tool("b"), "short")
	silent.Suppressed = &linter.Suppressed{Reason: "known"}
	r := &report.Report{Tool: report.Tool{Name: "mcp-lint", Version: "1.0.0"}, Servers: []report.Server{
		{
			Key: "tides", Server: report.ServerInfo{Version: "2.0"}, Counts: report.Counts{Tools: 2, ResourceTemplates: 1, Resources: 2},
			Findings: []linter.Finding{long, silent, finding("schema/untyped-param", severity.Error, tool("b"), "no type")},
			Scores: &report.Scores{
				Quality: linter.Quality{Score: 80, Grade: "B"},
				Tokens: linter.Tokens{Scored: true, Score: 90, Grade: "A", Definitions: 1400, Instructions: 7, Tools: []linter.ToolScore{
					{Name: "b", Tokens: 1000}, {Name: "a", Tokens: 400},
				}},
			},
		},
		{Key: "<b>broken</b> @octocat", Error: &report.Error{Kind: report.ErrCrash, Message: "it ended | with `exit code 1` @octocat"}},
		{
			Key: "empty", Findings: []linter.Finding{finding("description/too-short", severity.Warning, tool("x"), "short")},
			Scores: &report.Scores{Quality: linter.Quality{Score: 100, Grade: "A"}, Tokens: linter.Tokens{Score: 100, Grade: "A"}},
		},
	}}
	return r, []*snapshot.Snapshot{tides, nil, parse(`{"tools":[]}`)}
}

func TestSurveyCounts(t *testing.T) {
	t.Parallel()
	r, snapshots := surveyed(t)
	s := report.NewSurvey(r, snapshots, linter.Recommended)
	if s.Totals != (report.SurveyTotals{Servers: 2, Tools: 2, Resources: 3, Definitions: 1400, Errors: 1, Warnings: 4}) {
		t.Errorf("totals %+v", s.Totals)
	}
	if s.Annotated != (report.SurveyAnnotations{Tools: 2, Annotated: 1, ReadOnly: 1}) {
		t.Errorf("annotations %+v: only true and false are hints, and ignored tools are in no figure", s.Annotated)
	}
	tides := s.Servers[0]
	if tides.Depth != 5 || tides.MedianTool != 400 || tides.LargestTool != 1000 {
		t.Errorf("%+v", tides)
	}
	if d := cmp.Diff([]report.SurveyRule{
		{Rule: "description/too-short", Severity: severity.Warning, Findings: 4, Servers: 2},
		{Rule: "schema/untyped-param", Severity: severity.Error, Findings: 1, Servers: 1},
	}, s.Rules); d != "" {
		t.Error(d)
	}
	if s.Spread.TokenCost != (report.Spread{Min: 90, Median: 90, P90: 90, Max: 90}) || s.Spread.Quality != (report.Spread{Min: 80, Median: 80, P90: 100, Max: 100}) {
		t.Errorf("spread %+v: a server without tools has no token cost", s.Spread)
	}
	if len(s.NotChecked) != 1 || s.NotChecked[0].Error.Kind != report.ErrCrash {
		t.Errorf("not checked %+v", s.NotChecked)
	}
}

func TestSurveyMarkdown(t *testing.T) {
	t.Parallel()
	r, snapshots := surveyed(t)
	var b bytes.Buffer
	if err := report.WriteSurveyMarkdown(&b, report.NewSurvey(r, snapshots, linter.Recommended)); err != nil {
		t.Fatal(err)
	}
	golden(t, "survey.golden", b.String())
	harmless(t, b.String())
}

func TestSurveyJSON(t *testing.T) {
	t.Parallel()
	r, snapshots := surveyed(t)
	r.Servers[0].Key = "ti\u202edes"
	for _, r := range []*report.Report{r, {}} {
		var b bytes.Buffer
		if err := report.WriteSurveyJSON(&b, report.NewSurvey(r, snapshots, linter.Agents)); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(b.String(), "null") || strings.Contains(b.String(), "\u202e") {
			t.Errorf("lists are lists and hidden characters escapes:\n%s", &b)
		}
		var back report.Survey
		if err := json.Unmarshal(b.Bytes(), &back); err != nil || back.Preset != "agents" || back.Version != report.SurveyVersion {
			t.Errorf("%v: %+v", err, back)
		}
	}
}
