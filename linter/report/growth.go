package report

import (
	"fmt"
	"math"
	"strings"
)

// TokenGrowth is what a server's definitions and instructions cost a model's
// context before and after a pull request, in estimated tokens.
type TokenGrowth struct {
	Key    string `json:"key"`
	Before int    `json:"before"`
	After  int    `json:"after"`
}

// text says the change in words: "~1,200 tokens, ~1,000 in the base (+20%)".
func (g *TokenGrowth) text() string {
	s := "~" + grouped(g.After) + " tokens, ~" + grouped(g.Before) + " in the base"
	if g.Before > 0 {
		if percent := math.Round(100 * float64(g.After-g.Before) / float64(g.Before)); percent != 0 {
			return s + fmt.Sprintf(" (%+.0f%%)", percent)
		}
	}
	return s
}

// grown are the servers whose cost has changed.
func (r *Review) grown() []*TokenGrowth {
	var changed []*TokenGrowth
	for i := range r.Growth {
		if g := &r.Growth[i]; g.Before != g.After {
			changed = append(changed, g)
		}
	}
	return changed
}

// maxGrown bounds the servers of a list: their number is not ours.
const maxGrown = 50

// writeGrowth lists the servers whose token cost this pull request changes.
func (r *Review) writeGrowth(b *strings.Builder) {
	changed := r.grown()
	if len(changed) == 0 {
		return
	}
	b.WriteString("### Token cost\n\nWhat definitions and instructions take of a model's context, estimated:\n\n")
	for _, g := range changed[:min(len(changed), maxGrown)] {
		b.WriteString("- " + code(g.Key) + ": " + g.text() + "\n")
	}
	if more := len(changed) - maxGrown; more > 0 {
		b.WriteString("\n" + counted(more, "more server is", "more servers are") + " not listed here.\n")
	}
	b.WriteByte('\n')
}
