package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// headerAnnotation finds x-mcp-header where the revision 2026-07-28 makes
// clients that speak HTTP drop the tool.
var headerAnnotation = linter.Rule{
	ID:         "compat/header-annotation",
	Title:      "x-mcp-header that makes clients drop the tool",
	Why:        "A client over HTTP must leave out a tool whose x-mcp-header it cannot mirror into a header. It logs a warning at most, so the tool is missing without a trace on the server.",
	Severity:   linter.Severities{Recommended: severity.Warning},
	Bad:        `{"name":"book_crane","description":"Reserves one crane for a lift and returns the number of the booking, or says who holds the crane.","inputSchema":{"type":"object","properties":{"load":{"type":"number","x-mcp-header":"Load","description":"Load in tonnes."}}}}`,
	Good:       `{"name":"book_crane","description":"Reserves one crane for a lift and returns the number of the booking, or says who holds the crane.","inputSchema":{"type":"object","properties":{"crane":{"type":"string","x-mcp-header":"Crane","description":"Number of the crane."}}}}`,
	Since:      firstVersion,
	References: []string{"https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http"},
	Clients: []linter.ClientFact{
		{Client: pythonSDK, Name: "the Python SDK", Does: "drops the tool over HTTP", Since: "2026-06", Source: "https://github.com/modelcontextprotocol/conformance/pull/371"},
		{Client: typescriptSDK, Name: "the TypeScript SDK", Does: "drops the tool over HTTP, except for a number", Since: "2026-07", Source: "https://github.com/modelcontextprotocol/inspector/pull/1735"},
	},
	CheckTool: func(p *linter.Pass, tool *linter.Entity) {
		s := surfaceOf(tool)
		var found []*site
		faults := map[*site]string{}
		var seen map[string]bool
		for at := range s.of(headerSite) {
			if seen == nil {
				seen = map[string]bool{}
			}
			name := strings.ToLower(at.value.Text())
			fault := headerFault(s, at, seen[name])
			if fault != "" && (fault != onNumber || len(factsAbout(p.Clients(), pythonSDK)) > 0) {
				found = append(found, at)
				faults[at] = fault
			}
			seen[name] = true
		}
		s.report(p, tool, found, func(sites []*site) linter.Finding {
			facts := p.Clients()
			if !slices.ContainsFunc(sites, func(at *site) bool { return faults[at] != onNumber }) {
				facts = factsAbout(facts, pythonSDK)
			}
			var shown []string
			for _, at := range sites {
				shown = append(shown, fmt.Sprintf("%s (%s)", s.labels([]*site{at}), faults[at]))
			}
			return linter.Finding{
				Message: fmt.Sprintf("x-mcp-header does not fit %s: %s", listed(shown), says(facts)),
				Fix:     "Put it on texts, whole numbers and booleans only that nothing but properties leads to, each with a header name of its own.",
			}
		})
	},
}

const onNumber = "it is a number"

// headerFault says what is wrong with an annotation, "" when nothing is.
func headerFault(s *surface, at *site, taken bool) string {
	name := at.value.Text()
	t := at.schema.Get("type").Text()
	switch {
	case !at.value.IsText():
		return "its value is no text"
	case name == "" || strings.ContainsFunc(name, func(r rune) bool { return !isTokenRune(r) }):
		return "its value is no header name"
	case taken:
		return "two parameters have the same header"
	case !at.direct || len(s.tokens(at.at)) == 2:
		return "not only properties lead to it"
	case t == "number":
		return onNumber
	case t != "string" && t != "integer" && t != "boolean":
		return "it is no text, whole number or boolean"
	}
	return ""
}

// isTokenRune: the characters of a header name (RFC 9110, section 5.6.2).
func isTokenRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("!#$%&'*+-.^_`|~", r)
}
