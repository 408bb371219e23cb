package rules

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/yosida95/uritemplate/v3"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// invalidURI finds resources and resource templates whose address is none.
// Letters of other scripts, which RFC 3986 wants encoded, are let through:
// every client takes them.
var invalidURI = linter.Rule{
	ID:       "resources/invalid-uri",
	Title:    "Resource address that is no URI or URI template",
	Why:      "The protocol asks for an absolute URI, and clients check: one relative address has cost the whole list, and a template that does not parse can never be filled in.",
	Severity: linter.Severities{Recommended: severity.Warning},
	Bad:      `{"resources":[{"uri":"pilots/today","name":"Pilots","description":"Who is on duty today."}]}`,
	Good:     `{"resources":[{"uri":"harbour://pilots/today","name":"Pilots","description":"Who is on duty today."}],"resourceTemplates":[{"uriTemplate":"harbour://berths/{berth}","name":"Berth","description":"What is known about one berth."}]}`,
	Since:    firstVersion,
	References: []string{
		"https://github.com/modelcontextprotocol/python-sdk/issues/1574",
		"https://www.rfc-editor.org/rfc/rfc3986",
		"https://www.rfc-editor.org/rfc/rfc6570",
		"https://modelcontextprotocol.io/specification/2025-11-25/server/resources",
	},
	Check: func(p *linter.Pass) {
		for _, e := range p.Entities() {
			var fault, fix string
			switch key := identity(e.Ref.Kind); {
			case linter.IsBlank(e.Get(key).Text()):
				continue // none at all: another rule's business
			case e.Ref.Kind == snapshot.KindResource:
				fault, fix = uriFault(e.Ref.Name), "Give it an absolute URI with a scheme, percent-encoded where needed."
			case e.Ref.Kind == snapshot.KindResourceTemplate:
				fault, fix = templateFault(e.Ref.Name), "Write it as RFC 6570 has it, beginning with a scheme: harbour://berths/{berth}."
			}
			if fault != "" {
				p.Report(e, "/"+identity(e.Ref.Kind), linter.Finding{Message: quote(e.Ref.Name) + " " + fault, Fix: fix})
			}
		}
	},
}

// uriFault says why a text is no absolute URI, "" when it is one.
func uriFault(text string) string {
	if fault := schemeFault(text); fault != "" {
		return fault
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '%':
			if i+2 >= len(text) || !isHex(text[i+1]) || !isHex(text[i+2]) {
				return `has a "%" without two hex digits after it`
			}
			i += 2
		case c == '{' || c == '}':
			return `has a brace; expected a template among the "resourceTemplates"`
		case c <= ' ' || c == 0x7F || strings.IndexByte("\"<>\\^`|", c) >= 0:
			return "has " + quote(text[i:i+1]) + ", which must be percent-encoded"
		}
	}
	if _, err := url.Parse(text); err != nil {
		return "is no URI: its host or port cannot be read"
	}
	return ""
}

// schemeFault says why a text does not begin with a scheme, "" when it does.
func schemeFault(text string) string {
	scheme, rest, found := strings.Cut(text, ":")
	for i := range len(scheme) {
		c := scheme[i] | 0x20
		letter := c >= 'a' && c <= 'z' && scheme[i] >= 'A'
		if !letter && (i == 0 || (scheme[i] < '0' || scheme[i] > '9') && scheme[i] != '+' && scheme[i] != '-' && scheme[i] != '.') {
			found = false
		}
	}
	switch {
	case !found || scheme == "":
		return "has no scheme; expected an absolute URI"
	case rest == "":
		return "has nothing after the scheme"
	case len(scheme) == 1 && !strings.HasPrefix(rest, "//"):
		return "looks like a Windows path; expected file:///" + scheme + ":/…"
	}
	return ""
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f'
}

// longestTemplate is the length up to which a template is parsed.
const longestTemplate = 64 << 10

// templateFault says why a text is no template of absolute URIs, "" when it is
// one.
func templateFault(text string) string {
	if len(text) > longestTemplate {
		return "has " + plural(utf8.RuneCountInString(text), "character") + "; expected an address"
	}
	if _, err := uritemplate.New(text); err != nil {
		reason, _, _ := strings.Cut(err.Error(), ":")
		return "is no RFC 6570 template: " + snapshot.Visible(reason)
	}
	literal, _, variable := strings.Cut(text, "{")
	if variable {
		literal += "x" // what the variable stands for
	}
	if text[0] == '{' {
		return "" // the variable may bring the scheme
	}
	return schemeFault(literal)
}
