package rules

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/rules/internal/similar"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

const (
	// wasteOverlap is what a model wastes on the wrong one of two tools
	// (agents-lint, section 8).
	wasteOverlap = 500
	// likeness is the cosine from which two tools read alike (agents-lint,
	// section 4), clearLikeness the one from which readers agreed on the 2,110
	// tools of 80 real servers: at 0.6 most findings named a thing and its part
	// (get_workflow, get_workflow_task), at 0.8 about one in four.
	likeness      = 0.5
	clearLikeness = 0.8
	// maxArguments is how many arguments of a tool are compared.
	maxArguments = 256
)

// overlap finds tools that a model cannot tell apart (D25). Of two tools, the
// one that is listed first has the finding.
var overlap = linter.Rule{
	ID:       "tools/overlap",
	Codes:    []string{"S4"},
	Title:    "Two tools that read alike",
	Why:      "When name, text and arguments hardly differ, the model picks one of them by chance and often the wrong one.",
	Severity: linter.Severities{Recommended: severity.Warning, Agents: severity.Warning},
	Bad: `{"tools":[{"name":"get_ship","description":"Returns what the harbour office knows about one ship: its length, its flag and where it lies now.","inputSchema":{"type":"object","properties":{"ship":{"type":"string","description":"Call sign."}}},"annotations":{"readOnlyHint":true}},` +
		`{"name":"get_ship_details","description":"Returns what the harbour office knows about one ship: its length, its flag and where it lies now.","inputSchema":{"type":"object","properties":{"ship":{"type":"string","description":"Call sign."}}},"annotations":{"readOnlyHint":true}}]}`,
	Good: `{"tools":[{"name":"get_ship","description":"Returns what the harbour office knows about one ship: its length, its flag and where it lies now.","inputSchema":{"type":"object","properties":{"ship":{"type":"string","description":"Call sign."}}},"annotations":{"readOnlyHint":true}},` +
		`{"name":"get_ship_visits","description":"Returns the days on which a vessel called at the harbour in the last ten years, the newest one first.","inputSchema":{"type":"object","properties":{"ship":{"type":"string","description":"Call sign."}}},"annotations":{"readOnlyHint":true}}]}`,
	Since:      firstVersion,
	References: []string{toolGuide},
	Check: func(p *linter.Pass) {
		tools, threshold := p.Tools(), likeness
		var copied map[*linter.Entity]bool
		if p.Preset() == linter.Recommended {
			threshold = clearLikeness
			tools, copied = reportCopies(p)
		}
		if len(tools) < 2 {
			return
		}
		var set similar.Set
		for _, tool := range tools {
			set.Add(append(slices.Clip(tool.Words()), tool.Description())...)
		}
		shapes := newShapes(tools, p.Preset())
		unfinished := 0
		set.Search(threshold, shapes.related, func(i int, m similar.Match) {
			switch {
			case copied[tools[i]]:
			case m.Count == 0:
				unfinished++
			default:
				reportOverlap(p, tools[i], tools[m.Nearest], fmt.Sprintf("reads like %s (likeness %.2f)",
					quote(tools[m.Nearest].Ref.Name), math.Min(m.Similarity, 1)), m.Count-1, m.Cut)
			}
		})
		if unfinished > 0 {
			p.Report(p.Server(), "", linter.Finding{
				Message:  fmt.Sprintf("%s share so many words with others that not all pairs were compared", plural(unfinished, "tool")),
				Fix:      "Let each description say what only this tool does.",
				Severity: severity.Info,
			})
		}
	},
}

// reportOverlap reports a tool of which others read alike: the nearest, and how
// many more.
func reportOverlap(p *linter.Pass, tool, other *linter.Entity, message string, more int, cut bool) {
	switch {
	case cut:
		message += fmt.Sprintf(" and at least %s; the search ended there", plural(more, "other tool"))
	case more > 0:
		message += " and " + plural(more, "other tool")
	}
	p.Report(tool, "", linter.Finding{
		Message: message,
		Fix:     "Say in each description when to use it rather than the other, or make one tool of them.",
		Subject: other.Ref.Name,
		Waste:   wasteOverlap,
	})
}

// reportCopies reports tools whose description a later one of another name has
// as well, whatever the two do. It returns the tools to compare, of those with
// one description or one name the first, and the reported ones.
func reportCopies(p *linter.Pass) (different []*linter.Entity, copied map[*linter.Entity]bool) {
	names := map[string]bool{}
	groups := map[string][]*linter.Entity{} // by description
	for _, tool := range p.Tools() {
		if names[tool.Ref.Name] {
			continue // naming/duplicate-name's business
		}
		names[tool.Ref.Name] = true
		text := linter.Trim(tool.Description())
		if text == "" {
			different = append(different, tool)
			continue
		}
		if groups[text] == nil {
			different = append(different, tool)
		}
		groups[text] = append(groups[text], tool)
	}
	copied = map[*linter.Entity]bool{}
	for _, first := range different {
		group := groups[linter.Trim(first.Description())]
		for i := range len(group) - 1 {
			next := group[i+1]
			reportOverlap(p, group[i], next, "has the same description as "+quote(next.Ref.Name), len(group)-i-2, false)
			copied[group[i]] = true
		}
	}
	return different, copied
}

// shapes are what tools must have in common before their texts are compared.
type shapes struct {
	verbs []int     // by tool: the verb of its name, 0 for none
	args  [][]int32 // by tool: its arguments, sorted
	// Only in preset recommended: by tool, what its name says besides the verb,
	// sorted.
	nouns [][]int32
}

func newShapes(tools []*linter.Entity, preset linter.Preset) shapes {
	s := shapes{verbs: make([]int, len(tools)), args: make([][]int32, len(tools))}
	verbs, args, nouns := numbers{}, numbers{}, numbers{}
	for i, tool := range tools {
		verb := action(tool.Words())
		if verb != "" {
			s.verbs[i] = actions[verb]
			if preset == linter.Agents { // to the first seed all verbs differ
				s.verbs[i] = int(verbs.of(verb)) + 1
			}
		}
		params := tool.Params()
		for j := range params {
			if params[j].Top && len(s.args[i]) < maxArguments {
				s.args[i] = append(s.args[i], args.of(params[j].Name))
			}
		}
		slices.Sort(s.args[i])
		if preset == linter.Agents {
			continue
		}
		var own []int32
		for _, word := range tool.Words() {
			if word != verb && len(own) < maxArguments {
				own = append(own, nouns.of(strings.TrimSuffix(word, "s")))
			}
		}
		slices.Sort(own)
		s.nouns = append(s.nouns, own)
	}
	return s
}

// numbers gives each text a number.
type numbers map[string]int32

func (n numbers) of(text string) int32 {
	id, ok := n[text]
	if !ok {
		id = int32(len(n))
		n[text] = id
	}
	return id
}

// related reports whether two tools do the same to, as far as one can tell, the
// same: no different verbs, and half of the arguments shared. In preset
// recommended one name must also say no more than the other does: update_plugin
// and update_theme are told apart by their nouns however alike the rest is.
func (s *shapes) related(i, j int) (ok bool, steps int) {
	if s.verbs[i] != s.verbs[j] && s.verbs[i] != 0 && s.verbs[j] != 0 {
		return false, 0
	}
	if s.nouns != nil {
		a, b := s.nouns[i], s.nouns[j]
		if steps = len(a) + len(b); shared(a, b) < min(len(a), len(b)) {
			return false, steps
		}
	}
	a, b := s.args[i], s.args[j]
	larger := max(len(a), len(b))
	if 2*min(len(a), len(b)) < larger {
		return false, steps
	}
	return 2*shared(a, b) >= larger, steps + len(a) + len(b)
}

// shared counts what two sorted lists have in common.
func shared(a, b []int32) int {
	n := 0
	for x, y := 0, 0; x < len(a) && y < len(b); {
		switch {
		case a[x] == b[y]:
			n, x, y = n+1, x+1, y+1
		case a[x] < b[y]:
			x++
		default:
			y++
		}
	}
	return n
}
