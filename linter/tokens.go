package linter

import (
	"cmp"
	"math"
	"slices"

	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// Tokens is the first seed's score (agents-lint, section 8), static part: what
// the definitions and their faults cost an agent's context. It is a function
// of the tools and the findings, so a rule that is off costs nothing.
type Tokens struct {
	// Scored is false for a server without tools, which has no score (D34):
	// Score and Grade are then those of nothing wasted, and nobody shows them or
	// holds them against a limit.
	Scored bool   `json:"scored"`
	Score  int    `json:"score"`
	Grade  string `json:"grade"`
	Wasted int    `json:"wasted"`
	// Definitions is the estimated size of all tools' definitions; Instructions
	// that of the server's instructions.
	Definitions  int `json:"definitions"`
	Instructions int `json:"instructions"`
	// Tools are sorted by waste, the worst first; equal ones in document order.
	Tools []ToolScore `json:"tools"`
}

// ToolScore is one tool's share of [Tokens].
type ToolScore struct {
	Name   string `json:"name"`
	Wasted int    `json:"wasted"`
	Score  int    `json:"score"`
	Grade  string `json:"grade"`
	// Tokens is the estimated size of the definition, of which Description and
	// Schema (input and output) are parts.
	Tokens      int `json:"tokens"`
	Description int `json:"description"`
	Schema      int `json:"schema"`
}

const (
	// freeTokens is the size up to which a definition costs nothing; each
	// token over it counts twice.
	freeTokens = 300
	// Half lives: the waste at which a score has fallen to 50.
	toolHalfLife   = 5_000
	serverHalfLife = 10_000
	// callsPerTask is how many tools a task is taken to use.
	callsPerTask = 3
)

func (r *run) tokens() Tokens {
	t := Tokens{Score: 100, Grade: "A", Tools: make([]ToolScore, 0, len(r.tools))}
	t.Instructions = estimate(r.snapshot.Instructions)
	if len(r.tools) == 0 {
		return t
	}
	// The usage of tools that share a name is that of all of them.
	usage := map[string]int{}
	t.Scored = true
	for _, e := range r.tools {
		if e.waste > 0 {
			usage[e.Ref.Name] += e.waste
		}
	}
	overheads, usages := 0, 0
	for _, e := range r.tools {
		overhead := 2 * max(0, e.Tokens()-freeTokens)
		used := usage[e.Ref.Name]
		delete(usage, e.Ref.Name)
		overheads, usages = overheads+overhead, usages+used
		score := decay(float64(overhead+used), toolHalfLife)
		t.Definitions += e.Tokens()
		t.Tools = append(t.Tools, ToolScore{
			Name: e.Ref.Name, Wasted: overhead + used, Score: score, Grade: tokenGrade(score),
			Tokens: e.Tokens(), Description: e.measured().description / 4,
			Schema: e.measured().input/4 + e.measured().output/4,
		})
	}
	slices.SortStableFunc(t.Tools, func(a, b ToolScore) int { return cmp.Compare(b.Wasted, a.Wasted) })
	waste := float64(overheads) + callsPerTask*float64(usages)/float64(len(r.tools))
	t.Wasted = int(math.Round(waste))
	t.Score = decay(waste, serverHalfLife)
	t.Grade = tokenGrade(t.Score)
	return t
}

// EstimateTokens is what a value costs a model's context, estimated like
// [Entity.Tokens]; 0 for an absent one.
func EstimateTokens(n *snapshot.Node) int { return estimate(n) }

// estimate is the size of a value in a model's context.
func estimate(n *snapshot.Node) int {
	if n == nil {
		return 0
	}
	return measureJSON(n.Raw()).chars / 4
}

func decay(waste, halfLife float64) int {
	return int(math.Round(100 * math.Pow(0.5, waste/halfLife)))
}

func tokenGrade(score int) string { return letter(score, 90, 75, 50, 25) }
