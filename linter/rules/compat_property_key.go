package rules

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// maxPropertyKey is the length of the longest key that the Claude API takes.
const maxPropertyKey = 64

// propertyKey finds parameters whose name the Claude API refuses. It looks at
// the arguments themselves only: names further down may be anything.
var propertyKey = linter.Rule{
	ID:         "compat/property-key",
	Title:      "Parameter name outside the alphabet of clients",
	Why:        "The Claude API takes keys of letters, digits, _, . and -, up to 64 characters. One other key, often one taken from a query string, stops the session until the server is removed.",
	Severity:   linter.Severities{Recommended: severity.Error},
	Bad:        `{"name":"list_ships","description":"Lists the ships that are in the harbour now, newest arrival first, with berth and flag.","inputSchema":{"type":"object","properties":{"filter[flag]":{"type":"string","description":"Flag of the ships to list."}}},"annotations":{"readOnlyHint":true}}`,
	Good:       `{"name":"list_ships","description":"Lists the ships that are in the harbour now, newest arrival first, with berth and flag.","inputSchema":{"type":"object","properties":{"filter.flag":{"type":"string","description":"Flag of the ships to list."}}},"annotations":{"readOnlyHint":true}}`,
	Since:      firstVersion,
	References: []string{"https://github.com/twilio-labs/mcp/issues/58", "https://github.com/ComposioHQ/composio/issues/3500"},
	Clients: []linter.ClientFact{
		{Client: claude, Name: "Claude API", Does: "refuses every request that has the tool, so the whole session fails", Source: "https://github.com/beautyfree/appstore-connect-mcp/issues/2"},
		{Client: bedrock, Name: "Bedrock", Does: "refuses the request", Source: "https://github.com/aws-solutions-library-samples/accelerated-intelligent-document-processing-on-aws/issues/709"},
	},
	CheckTool: func(p *linter.Pass, tool *linter.Entity) {
		properties := tool.Get("inputSchema").Get("properties")
		var items []linter.Item
		names := map[string]string{} // by path
		for _, m := range properties.Members() {
			if portableKey(m.Name) || properties.Get(m.Name) != m.Value {
				continue
			}
			path := snapshot.AppendPointer("/inputSchema/properties", m.Name)
			items = append(items, linter.Item{Path: path, Subject: m.Name})
			names[path] = m.Name
		}
		if len(items) == 0 {
			return
		}
		p.ReportGroup(tool, "/inputSchema/properties", items, func(items []linter.Item) linter.Finding {
			renames := make([]string, len(items))
			taken := map[string]bool{}
			for i, item := range items[:min(len(items), mostListed)] {
				name := names[item.Path]
				renames[i] = quote(name) + " (better " + suggestKey(name, properties, taken) + ")"
			}
			return linter.Finding{
				Message: fmt.Sprintf("%s outside of A-Z a-z 0-9 _ . - or over %d characters: %s: %s", plural(len(items), "parameter name"), maxPropertyKey, listed(renames), says(p.Clients())),
				Fix:     "Rename the parameters, and map the names back when the tool is called.",
			}
		})
	},
}

func portableKey(name string) bool {
	if name == "" || len(name) > maxPropertyKey {
		return false
	}
	for i := range len(name) {
		if !keyByte(name[i]) {
			return false
		}
	}
	return true
}

func keyByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '-'
}

// suggestKey makes a name that clients take: filter[name] becomes filter.name.
func suggestKey(name string, properties *snapshot.Node, taken map[string]bool) string {
	var b strings.Builder
	for i := 0; i < len(name) && b.Len() < maxPropertyKey; i++ {
		switch c := name[i]; {
		case keyByte(c):
			b.WriteByte(c)
		case c == '[' && i+1 < len(name) && name[i+1] != ']':
			b.WriteByte('.')
		case c != '[' && c != ']' && c < 0x80:
			b.WriteByte('_')
		}
	}
	key := strings.Trim(b.String(), "_.")
	if key == "" {
		key = "value"
	}
	for n, base := 2, key; properties.Has(key) || taken[key]; n++ {
		suffix := "_" + strconv.Itoa(n)
		key = base[:min(len(base), maxPropertyKey-len(suffix))] + suffix
	}
	taken[key] = true
	return key
}
