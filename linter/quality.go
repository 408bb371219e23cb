package linter

import (
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// Quality is the second seed's score (snapshot-lint, section 5).
type Quality struct {
	Score int    `json:"score"`
	Grade string `json:"grade"`
}

// injectionCap is the most that a server with an injection error can have, so
// that one poisoned tool among many fails the usual gate of 70.
const injectionCap = 50

func penalty(l severity.Level) int {
	switch l {
	case severity.Error:
		return 25
	case severity.Warning:
		return 8
	case severity.Info:
		return 2
	}
	return 0
}

// quality scores entities from 0 to 100 and takes their mean. Entities of one
// kind and name are one. Findings about no entity count against the server.
// Suppressed findings, and those about the configuration or about clients,
// count nothing.
func (r *run) quality() Quality {
	lost := make(map[snapshot.Ref]int, len(r.entities))
	for _, e := range r.entities {
		lost[e.Ref] += e.penalty
	}
	server := r.server.penalty
	score := 100 - server
	if n := len(lost); n > 0 {
		sum := 0
		for _, p := range lost {
			sum += max(0, 100-p)
		}
		// Rounds towards zero; below zero it makes no difference.
		score = (sum - server*n) / n
	}
	score = max(0, score)
	if r.capped {
		score = min(score, injectionCap)
	}
	return Quality{Score: score, Grade: letter(score, 90, 80, 70, 60)}
}

// letter is the grade of a score, given the least scores of A, B, C and D.
func letter(score int, least ...int) string {
	for i, l := range least {
		if score >= l {
			return string(rune('A' + i))
		}
	}
	return "F"
}
