package report

import (
	"cmp"
	"slices"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// SurveyVersion is the version of the survey's JSON.
const SurveyVersion = 1

// largestTools is how many of the largest tool definitions a survey names.
const largestTools = 20

// Survey compares many servers: what each costs a model's context, how its
// tools are annotated, and what the rules find. Servers that could not be
// asked are in no figure but NotChecked.
type Survey struct {
	Version int    `json:"version"`
	Tool    Tool   `json:"tool"`
	Preset  string `json:"preset"`
	// Servers keeps the order of the list.
	Servers    []SurveyServer    `json:"servers"`
	NotChecked []SurveyFailure   `json:"notChecked"`
	Spread     SurveySpread      `json:"spread"`
	Rules      []SurveyRule      `json:"rules"` // most servers first
	Largest    []SurveyTool      `json:"largestTools"`
	Totals     SurveyTotals      `json:"totals"`
	Annotated  SurveyAnnotations `json:"annotations"` // over all tools
}

// SurveyServer is one server's row.
type SurveyServer struct {
	Key    string     `json:"key"`
	Server ServerInfo `json:"server"`
	Counts Counts     `json:"counts"`
	// Definitions and Instructions are estimated tokens.
	Definitions  int `json:"definitionTokens"`
	Instructions int `json:"instructionTokens"`
	// MedianTool is the median size of the tools' definitions, in estimated
	// tokens, LargestTool the largest.
	MedianTool  int `json:"medianToolTokens"`
	LargestTool int `json:"largestToolTokens"`
	// Depth is how deep the deepest tool definition nests.
	Depth       int               `json:"depth"`
	Annotations SurveyAnnotations `json:"annotations"`
	Errors      int               `json:"errors"`
	Warnings    int               `json:"warnings"`
	Infos       int               `json:"infos"`
	Scores      Scores            `json:"scores"`
}

// SurveyAnnotations counts tools by what their annotations say; a hint counts
// when it is true or false.
type SurveyAnnotations struct {
	Tools       int `json:"tools"`
	Annotated   int `json:"annotated"` // with at least one of the four hints
	ReadOnly    int `json:"readOnlyHint"`
	Destructive int `json:"destructiveHint"`
	Idempotent  int `json:"idempotentHint"`
	OpenWorld   int `json:"openWorldHint"`
}

// SurveyFailure is a server that could not be asked.
type SurveyFailure struct {
	Key   string `json:"key"`
	Error Error  `json:"error"`
}

// SurveyTotals sums over all servers.
type SurveyTotals struct {
	Servers     int `json:"servers"`
	Tools       int `json:"tools"`
	Prompts     int `json:"prompts"`
	Resources   int `json:"resources"` // templates among them
	Definitions int `json:"definitionTokens"`
	Errors      int `json:"errors"`
	Warnings    int `json:"warnings"`
	Infos       int `json:"infos"`
}

// SurveySpread is how the servers spread.
type SurveySpread struct {
	Tools        Spread `json:"tools"`
	Definitions  Spread `json:"definitionTokens"`
	Instructions Spread `json:"instructionTokens"`
	Depth        Spread `json:"depth"`
	Quality      Spread `json:"quality"`
	TokenCost    Spread `json:"tokenCost"` // of the servers with tools
}

// Spread holds the least value, the median, the 90th percentile and the
// greatest, each a value that occurs; all are 0 when there is none.
type Spread struct {
	Min    int `json:"min"`
	Median int `json:"median"`
	P90    int `json:"p90"`
	Max    int `json:"max"`
}

// SurveyRule is how often one rule reported at one severity.
type SurveyRule struct {
	Rule     string         `json:"rule"`
	Severity severity.Level `json:"severity"`
	Findings int            `json:"findings"`
	Servers  int            `json:"servers"`
}

// SurveyTool is one large tool.
type SurveyTool struct {
	Key    string `json:"key"`
	Name   string `json:"name"`
	Tokens int    `json:"tokens"`
}

// NewSurvey makes the survey of a report. snapshots stand in the order of its
// servers. Suppressed findings do not count.
func NewSurvey(r *Report, snapshots []*snapshot.Snapshot, preset linter.Preset) *Survey {
	s := &Survey{
		Version: SurveyVersion, Tool: r.Tool, Preset: string(preset),
		Servers: []SurveyServer{}, NotChecked: []SurveyFailure{}, Rules: []SurveyRule{}, Largest: []SurveyTool{},
	}
	rules := map[SurveyRule]*SurveyRule{}
	for i := range r.Servers {
		from := &r.Servers[i]
		if from.Error != nil || from.Scores == nil || snapshots[i] == nil {
			s.NotChecked = append(s.NotChecked, SurveyFailure{from.Key, whyNotLinted(from.Error)})
			continue
		}
		row := surveyRow(from, snapshots[i])
		s.countRules(rules, from.Findings)
		for _, tool := range from.Scores.Tokens.Tools {
			s.Largest = append(s.Largest, SurveyTool{from.Key, tool.Name, tool.Tokens})
		}
		s.Servers = append(s.Servers, row)
		s.Totals.add(&row)
		s.Annotated.add(row.Annotations)
	}
	for _, rule := range rules {
		s.Rules = append(s.Rules, *rule)
	}
	slices.SortFunc(s.Rules, func(a, b SurveyRule) int {
		return cmp.Or(cmp.Compare(b.Servers, a.Servers), cmp.Compare(b.Findings, a.Findings),
			cmp.Compare(a.Rule, b.Rule), cmp.Compare(b.Severity, a.Severity))
	})
	slices.SortStableFunc(s.Largest, func(a, b SurveyTool) int { return cmp.Compare(b.Tokens, a.Tokens) })
	s.Largest = slices.Clip(s.Largest[:min(len(s.Largest), largestTools)])
	s.spread()
	return s
}

// whyNotLinted is the error, or the one of a server that has none and yet was
// not linted.
func whyNotLinted(e *Error) Error {
	if e == nil {
		return Error{Kind: ErrInput, Message: "not linted"}
	}
	return *e
}

func surveyRow(from *Server, snap *snapshot.Snapshot) SurveyServer {
	row := SurveyServer{Key: from.Key, Server: from.Server, Counts: from.Counts, Scores: *from.Scores}
	fill(&row.Scores.Tokens.Tools)
	tokens := &from.Scores.Tokens
	row.Definitions, row.Instructions = tokens.Definitions, tokens.Instructions
	sizes := make([]int, 0, len(tokens.Tools))
	judged := make(map[string]bool, len(tokens.Tools)) // the configuration may ignore some
	for _, tool := range tokens.Tools {
		sizes = append(sizes, tool.Tokens)
		judged[tool.Name] = true
	}
	tools := spreadOf(sizes)
	row.MedianTool, row.LargestTool = tools.Median, tools.Max
	for _, tool := range snap.Tools {
		if !judged[tool.Name] {
			continue
		}
		row.Depth = max(row.Depth, tool.Depth)
		row.Annotations.count(tool.Node)
	}
	var t tally
	for i := range from.Findings {
		if f := &from.Findings[i]; f.Suppressed == nil {
			t.addFinding(f)
		}
	}
	row.Errors, row.Warnings, row.Infos = t.errors, t.warnings, t.infos
	return row
}

func (s *Survey) countRules(rules map[SurveyRule]*SurveyRule, findings []linter.Finding) {
	here := map[SurveyRule]bool{}
	for i := range findings {
		f := &findings[i]
		if f.Suppressed != nil {
			continue
		}
		kind := SurveyRule{Rule: f.Rule, Severity: f.Severity}
		if rules[kind] == nil {
			rules[kind] = &SurveyRule{Rule: f.Rule, Severity: f.Severity}
		}
		rules[kind].Findings += 1 + f.More
		if !here[kind] {
			here[kind] = true
			rules[kind].Servers++
		}
	}
}

func (a *SurveyAnnotations) count(tool *snapshot.Node) {
	a.Tools++
	annotations := tool.Get("annotations")
	any := false
	for _, hint := range []struct {
		name  string
		count *int
	}{
		{"readOnlyHint", &a.ReadOnly},
		{"destructiveHint", &a.Destructive},
		{"idempotentHint", &a.Idempotent},
		{"openWorldHint", &a.OpenWorld},
	} {
		if _, given := annotations.Get(hint.name).Bool(); given {
			*hint.count++
			any = true
		}
	}
	if any {
		a.Annotated++
	}
}

func (a *SurveyAnnotations) add(b SurveyAnnotations) {
	a.Tools += b.Tools
	a.Annotated += b.Annotated
	a.ReadOnly += b.ReadOnly
	a.Destructive += b.Destructive
	a.Idempotent += b.Idempotent
	a.OpenWorld += b.OpenWorld
}

func (t *SurveyTotals) add(row *SurveyServer) {
	t.Servers++
	t.Tools += row.Counts.Tools
	t.Prompts += row.Counts.Prompts
	t.Resources += row.Counts.Resources + row.Counts.ResourceTemplates
	t.Definitions += row.Definitions
	t.Errors += row.Errors
	t.Warnings += row.Warnings
	t.Infos += row.Infos
}

func (s *Survey) spread() {
	of := func(value func(*SurveyServer) (int, bool)) Spread {
		var values []int
		for i := range s.Servers {
			if v, ok := value(&s.Servers[i]); ok {
				values = append(values, v)
			}
		}
		return spreadOf(values)
	}
	s.Spread = SurveySpread{
		Tools:        of(func(r *SurveyServer) (int, bool) { return r.Counts.Tools, true }),
		Definitions:  of(func(r *SurveyServer) (int, bool) { return r.Definitions, true }),
		Instructions: of(func(r *SurveyServer) (int, bool) { return r.Instructions, true }),
		Depth:        of(func(r *SurveyServer) (int, bool) { return r.Depth, r.Counts.Tools > 0 }),
		Quality:      of(func(r *SurveyServer) (int, bool) { return r.Scores.Quality.Score, true }),
		TokenCost:    of(func(r *SurveyServer) (int, bool) { return r.Scores.Tokens.Score, r.Scores.Tokens.Scored }),
	}
}

// spreadOf sorts values.
func spreadOf(values []int) Spread {
	n := len(values)
	if n == 0 {
		return Spread{}
	}
	slices.Sort(values)
	// The nearest rank: the least value that so many of a hundred do not exceed.
	rank := func(percent int) int { return values[(n*percent+99)/100-1] }
	return Spread{Min: values[0], Median: rank(50), P90: rank(90), Max: values[n-1]}
}
