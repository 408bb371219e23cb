package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mcp-lint/mcp-lint/linter"
)

// maxBars bounds the tools of a chart; the others are one line.
const maxBars = 100

// maxBarName is where a tool's name is cut beside its bar, in characters.
const maxBarName = 64

// openBars is how many bars are shown without being asked for.
const openBars = 12

// htmlChart shows where the tokens go: the whole server, then its tools, the
// largest first.
type htmlChart struct {
	Total        htmlBar
	Instructions int
	Bars         []htmlBar // shown at once
	Folded       []htmlBar
}

// Shown are the bars that are shown at once, the server's first.
func (c *htmlChart) Shown() []htmlBar {
	if len(c.Bars) == 1 {
		return c.Bars
	}
	return append([]htmlBar{c.Total}, c.Bars...)
}

// htmlTable is a table of bars.
type htmlTable struct {
	Caption string
	Bars    []htmlBar
}

// htmlBar is the size of a definition and its parts, in estimated tokens.
type htmlBar struct {
	Name                              string
	Tokens, Description, Schema, Rest int
	Wasted                            int
	scale                             int // tokens of a full bar; 0 for none
}

// Parts are the bar's rectangles in percent of its width.
func (b htmlBar) Parts() []htmlPart {
	if b.scale == 0 {
		return nil
	}
	var parts []htmlPart
	x := 0
	for _, p := range []struct {
		class string
		size  int
	}{{"d", b.Description}, {"s", b.Schema}, {"o", b.Rest}} {
		if p.size > 0 {
			parts = append(parts, htmlPart{p.class, b.percent(x), b.percent(p.size)})
		}
		x += p.size
	}
	return parts
}

func (b htmlBar) percent(n int) string {
	return fmt.Sprintf("%.2f", 100*float64(n)/float64(b.scale))
}

type htmlPart struct{ Class, X, Width string }

// newChart is nil for a server that costs nothing.
func newChart(t *linter.Tokens) *htmlChart {
	if t.Definitions+t.Instructions == 0 {
		return nil
	}
	c := &htmlChart{Instructions: t.Instructions}
	bars := make([]htmlBar, 0, len(t.Tools))
	largest := 0
	for i := range t.Tools {
		tool := &t.Tools[i]
		// Rounding can make the parts a token more than the whole.
		rest := max(0, tool.Tokens-tool.Description-tool.Schema)
		bars = append(bars, htmlBar{Name: tool.Name, Tokens: tool.Tokens, Description: tool.Description, Schema: tool.Schema, Rest: rest, Wasted: tool.Wasted})
		c.Total.Description += tool.Description
		c.Total.Schema += tool.Schema
		c.Total.Rest += rest
		largest = max(largest, tool.Tokens)
	}
	c.Total.Tokens = t.Definitions
	c.Total.scale = max(t.Definitions, c.Total.Description+c.Total.Schema+c.Total.Rest)
	slices.SortStableFunc(bars, func(a, b htmlBar) int { return cmp.Compare(b.Tokens, a.Tokens) })
	if len(bars) > maxBars {
		others := htmlBar{Name: itoa(len(bars)-maxBars) + " more tools"}
		for _, b := range bars[maxBars:] {
			others.Tokens += b.Tokens
			others.Description += b.Description
			others.Schema += b.Schema
			others.Rest += b.Rest
			others.Wasted += b.Wasted
		}
		bars = append(bars[:maxBars], others)
	}
	for i := range bars[:min(len(bars), maxBars)] {
		bars[i].Name = shorten(bars[i].Name, maxBarName)
		bars[i].scale = max(largest, bars[i].Description+bars[i].Schema+bars[i].Rest)
	}
	c.Bars = bars
	if len(bars) > openBars+3 { // nobody opens a fold for three
		c.Bars, c.Folded = bars[:openBars], bars[openBars:]
	}
	return c
}
