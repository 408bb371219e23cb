package rules

import (
	"fmt"
	"slices"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// textFormat finds formats of texts that clients refuse. A format that a model
// API does not know is no fault of the schema: validators may ignore it. What
// only old programs for Gemini refuse is said once for the whole server.
var textFormat = linter.Rule{
	ID:         "compat/format",
	Title:      "Text format that clients refuse",
	Why:        "The OpenAI API knows nine formats and refuses a schema with another one, uri included. Server and other models are fine, so the author never sees it.",
	Severity:   linter.Severities{Recommended: severity.Warning},
	Bad:        `{"name":"enter_ship","description":"Enters one ship into the register of the harbour office and returns the number that it got there.","inputSchema":{"type":"object","properties":{"owner_page":{"type":"string","format":"uri","description":"Page of the owner, shown beside the name."}}},"annotations":{"destructiveHint":false}}`,
	Good:       `{"name":"enter_ship","description":"Enters one ship into the register of the harbour office and returns the number that it got there.","inputSchema":{"type":"object","properties":{"owner_page":{"type":"string","description":"Page of the owner, shown beside the name."}}},"annotations":{"destructiveHint":false}}`,
	Since:      firstVersion,
	References: []string{"https://github.com/tailcallhq/forgecode/issues/2974", "https://github.com/google-gemini/gemini-cli/pull/6949"},
	Clients: []linter.ClientFact{
		{Client: openAI, Name: "OpenAI API", Does: "refuses every request that has the tool, in strict mode at least (it knows date-time, time, date, duration, email, hostname, ipv4, ipv6 and uuid)", Since: "2026-04", Source: "https://github.com/cyanheads/git-mcp-server/issues/47"},
		{Client: gemini, Name: "Gemini", Does: "lost every request of older programs, which know no format but enum and date-time", Since: "2025-06", Source: "https://github.com/google-gemini/gemini-cli/issues/2237"},
	},
	Check: func(p *linter.Pass) {
		if len(factsAbout(p.Clients(), openAI)) == 0 {
			reportOldFormats(p)
			return
		}
		faults := faultsAt(p, formatSite, func(_ *linter.Entity, at *site) bool {
			return isTextFormat(at) && !openAIFormat(at.value.Text())
		})
		reportSites(p, faults, func(sites []*site, where string) linter.Finding {
			f := linter.Finding{Severity: severity.Info}
			var formats []string
			for _, at := range sites {
				format := at.value.Text()
				if shown := unquoted(format); !slices.Contains(formats, shown) && len(formats) <= mostListed {
					formats = append(formats, shown)
				}
				if standardFormat(format) {
					f.Severity = severity.Warning
				}
			}
			f.Message = fmt.Sprintf("%s with a format that clients refuse (%s) in %s: %s", plural(len(sites), "text"), listed(formats), where, says(p.Clients()))
			f.Fix = "Leave format out, and say in the description what the text looks like."
			return f
		})
		reportOldFormats(p)
	},
}

// reportOldFormats reports what only old programs for Gemini refuse, a whole
// server's at once.
func reportOldFormats(p *linter.Pass) {
	facts := factsAbout(p.Clients(), gemini)
	if len(facts) == 0 {
		return
	}
	// What the OpenAI API refuses has been said with that.
	current := len(factsAbout(p.Clients(), openAI)) > 0
	var tools []*linter.Entity
	formats := map[*linter.Entity][]string{}
	for _, tool := range p.Tools() {
		for at := range surfaceOf(tool).of(formatSite) {
			format := at.value.Text()
			if !isTextFormat(at) || format == "date-time" || format == "enum" || current && !openAIFormat(format) {
				continue
			}
			if formats[tool] == nil {
				tools = append(tools, tool)
			}
			if shown := unquoted(format); !slices.Contains(formats[tool], shown) && len(formats[tool]) <= mostListed {
				formats[tool] = append(formats[tool], shown)
			}
		}
	}
	reportOnServer(p, tools, "/inputSchema", func(tools []*linter.Entity, names string) linter.Finding {
		var all []string
		for _, tool := range tools {
			for _, format := range formats[tool] {
				if !slices.Contains(all, format) && len(all) <= mostListed {
					all = append(all, format)
				}
			}
		}
		slices.Sort(all)
		return linter.Finding{
			Severity: severity.Info,
			Message:  fmt.Sprintf("%s (%s) in %s: %s", plural(len(all), "text format"), listed(all), names, says(facts)),
			Fix:      "Leave format out where users of old Gemini programs matter.",
		}
	})
}

// isTextFormat: formats of numbers are another vocabulary.
func isTextFormat(at *site) bool {
	t := at.schema.Get("type")
	return t == nil || typeAllows(t, "string")
}

// openAIFormat reports whether the OpenAI API knows a format. The Gemini API
// has enum, which says nothing new.
func openAIFormat(format string) bool {
	switch format {
	case "date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid":
		return true
	}
	return false
}

// standardFormat reports whether JSON Schema defines a format.
func standardFormat(format string) bool {
	switch format {
	case "uri", "uri-reference", "iri", "iri-reference", "uri-template", "idn-email", "idn-hostname",
		"json-pointer", "relative-json-pointer", "regex":
		return true
	}
	return openAIFormat(format)
}
