package rules

import (
	"fmt"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

const (
	// minPrefixed is how many tools must share a prefix before the others are
	// said to lack it (D23).
	minPrefixed = 3
	// Of the tools that share a prefix, preset recommended wants four fifths: a
	// server of two halves has two groups of names, and none is wrong.
	clearMajority, ofAll = 4, 5
)

// servicePrefix finds tools that lack the prefix that the others have. To say
// that there is no common prefix at all is left to preset agents: clients put
// the server's name before a tool's, and 54 of 80 real servers have no other.
var servicePrefix = linter.Rule{
	ID:       "naming/service-prefix",
	Codes:    []string{"S5"},
	Title:    "Tool without the prefix of its neighbours",
	Why:      "Beside a dozen servers a model finds tools by their prefix: the one without it is overlooked, or taken for another server's.",
	Severity: linter.Severities{Recommended: severity.Warning, Agents: severity.Warning},
	Bad: `{"tools":[{"name":"harbour_tides","description":"Returns the newest water level of one basin in centimetres above the chart datum of the port.","inputSchema":{"type":"object","properties":{}}},` +
		`{"name":"harbour_pilots","description":"Names everybody who is on duty as a pilot tonight, with the boat and the channel each listens to.","inputSchema":{"type":"object","properties":{}}},` +
		`{"name":"harbour_fuel","description":"Quotes today's price per tonne for every grade of bunker fuel that the eastern terminal has in stock.","inputSchema":{"type":"object","properties":{}}},` +
		`{"name":"harbour_berths","description":"Says which quays are free until tomorrow, how deep they are and which length of vessel fits there.","inputSchema":{"type":"object","properties":{}}},` +
		`{"name":"weigh_truck","description":"Weighs the lorry that stands on the bridge at this moment and prints the ticket in the gate house.","inputSchema":{"type":"object","properties":{}}}]}`,
	Good: `{"tools":[{"name":"harbour_tides","description":"Returns the newest water level of one basin in centimetres above the chart datum of the port.","inputSchema":{"type":"object","properties":{}}},` +
		`{"name":"harbour_pilots","description":"Names everybody who is on duty as a pilot tonight, with the boat and the channel each listens to.","inputSchema":{"type":"object","properties":{}}},` +
		`{"name":"harbour_weigh_truck","description":"Weighs the lorry that stands on the bridge at this moment and prints the ticket in the gate house.","inputSchema":{"type":"object","properties":{}}}]}`,
	Since:      firstVersion,
	References: []string{toolGuide},
	Check: func(p *linter.Pass) {
		tools := p.Tools()
		if len(tools) < 2 {
			return
		}
		count := map[string]int{}
		common := ""
		for _, tool := range tools {
			if prefix := prefixOf(tool); prefix != "" {
				count[prefix]++
				if count[prefix] > count[common] {
					common = prefix
				}
			}
		}
		have := count[common]
		if 2*have <= len(tools) {
			if p.Preset() == linter.Agents {
				p.Report(p.Server(), "", linter.Finding{
					Message:  "the names of the tools share no prefix that tells which service they belong to",
					Fix:      "Begin each name with the name of the service.",
					Severity: severity.Info,
				})
			}
			return
		}
		if have < minPrefixed || p.Preset() == linter.Recommended && ofAll*have < clearMajority*len(tools) {
			return
		}
		for _, tool := range tools {
			// The bare prefix as a name lacks nothing.
			if words := tool.Words(); len(words) == 0 || words[0] != common {
				p.Report(tool, "/name", linter.Finding{
					Message: fmt.Sprintf("%s lacks the prefix %s, which %d of %d tools have", quote(tool.Ref.Name), quote(common), have, len(tools)),
					Fix:     "Begin its name as the others do.",
				})
			}
		}
	},
}

// prefixOf is the first word of a name that goes on after it, unless that says
// what the tool does.
func prefixOf(tool *linter.Entity) string {
	words := tool.Words()
	if len(words) < 2 || strings.Trim(words[0], "0123456789") == "" {
		return ""
	}
	if action(words) == words[0] {
		return ""
	}
	return words[0]
}
