package rules

import (
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// unconstrainedNetwork finds parameters that say to which address a server
// connects.
var unconstrainedNetwork = linter.Rule{
	ID:               "capability/unconstrained-network",
	Title:            "Tool that connects to any address",
	Why:              "The server connects from inside its network: an address that the model takes from a poisoned text can be a metadata service, or carry data out.",
	Severity:         linter.Severities{Recommended: severity.Warning, Snapshot: severity.Warning},
	Bad:              `{"name":"fetch_page","description":"Fetches one web page and returns its text as Markdown, cut after 10,000 characters; scripts are not run.","inputSchema":{"type":"object","properties":{"url":{"type":"string","description":"Address of the page to fetch."}}},"annotations":{"readOnlyHint":true}}`,
	Good:             `{"name":"fetch_page","description":"Fetches one web page of the port authority and returns its text as Markdown, cut after 10,000 characters.","inputSchema":{"type":"object","properties":{"url":{"type":"string","description":"Address of the page to fetch.","pattern":"^https://port\\.example/"}}},"annotations":{"readOnlyHint":true}}`,
	SecuritySeverity: 6.0,
	Since:            firstVersion,
	References:       []string{toolsSpec + "#security-considerations", "https://cwe.mitre.org/data/definitions/918.html"},
	Check: func(p *linter.Pass) {
		var faults []paramFault
		for _, tool := range p.Tools() {
			if params := addresses(p.Preset(), tool); params != nil {
				fault := paramFault{tool: tool, params: params}
				if open, _ := hint(tool, openWorldHint); open {
					fault.severity = severity.Info
				}
				faults = append(faults, fault)
			}
		}
		reportParams(p, faults, func(subject string, s severity.Level) linter.Finding {
			f := linter.Finding{
				Severity: s,
				Message:  subject + ": the server connects to whatever address the model gives",
				Fix:      "Limit it with a pattern or an enum of hosts, or say which are refused (private networks, metadata services); where any address is the purpose, set openWorldHint to true.",
			}
			if s == severity.Info {
				f.Message += ", as openWorldHint says"
				f.Fix = "Say in the description which addresses are refused (private networks, metadata services)."
			}
			return f
		})
	},
}

// addresses returns the parameters of a tool to which the server connects.
func addresses(preset linter.Preset, tool *linter.Entity) []*linter.Param {
	var found []*linter.Param
	params := tool.Params()
	s := toolSignals{tool: tool}
	for i := range params {
		param := &params[i]
		var connects bool
		if preset == linter.SnapshotPreset {
			connects = seedNetworkParam(param) && seedOpen(param)
		} else {
			connects = connectsTo(param, &s)
		}
		if connects {
			found = append(found, param)
		}
	}
	return found
}

// addressKind is what a parameter's name says about an address.
type addressKind uint8

const (
	noAddress     addressKind = iota
	maybeAddress              // a host, a link, a site: of many sorts
	anAddress                 // a URL, of whatever
	fileAddress               // the URL of a picture, page or recording
	calledAddress             // one that is called by its very name: a webhook
)

func addressKindOf(name string) addressKind {
	var buf [longestLastWord]byte
	word, rest := lastWord(name, &buf)
	kind := noAddress
	switch string(word) {
	case "url", "urls", "uri", "uris":
		kind = anAddress
	case "webhook", "webhooks":
		return calledAddress
	case "callback", "proxy", "endpoint", "host", "hosts", "hostname", "domain", "site", "sites", "website", "href",
		"link", "links", "page", "address", "feed", "server":
		return maybeAddress
	}
	if kind == noAddress || rest == "" {
		return kind
	}
	switch word, _ = lastWord(rest, &buf); string(word) {
	case "webhook", "hook", "callback", "proxy", "base":
		return calledAddress
	case "image", "img", "picture", "photo", "audio", "video", "media", "file", "pdf", "page", "document", "doc",
		"feed", "csv":
		return fileAddress
	}
	return kind
}

// connectsTo looks for the second signal: that the server connects to what the
// parameter names, and not only stores, compares or shows it.
func connectsTo(param *linter.Param, tool *toolSignals) bool {
	kind := addressKindOf(param.Name)
	description := param.Schema.Get("description").Text()
	if format := param.Schema.Get("format").Text(); kind <= maybeAddress && (format == "uri" || format == "url") {
		// The format of text that carries its content along is uri as well.
		if strings.Contains(lowerASCII(description[:min(len(description), longestSignalText)]), "data ur") {
			return false
		}
		kind = anAddress
	}
	if kind == noAddress || !takesAnyText(param.Schema, tellingURL) {
		return false
	}
	said := readSignals(description)
	if said&(signalConfined|signalNoted) != 0 || oneSentence(description, signals.limitsHosts) || namesHost(description) {
		return false
	}
	about := tool.get()
	if about.limitsHosts || about.name&signalNoted != 0 {
		return false
	}
	switch kind {
	case calledAddress:
		return true
	case fileAddress:
		return (said|about.name|about.summary)&(signalContacts|signalProcesses) != 0
	case anAddress:
		return said.connects() || said&signalProcesses != 0 || about.summary.connects() || about.name&(signalContacts|signalHTTP) != 0
	}
	// The host of a database is what the operator says it is.
	return said.has(signalAddress|signalContacts) && (said|about.summary)&(signalNoted|signalSQL) == 0
}

// namesHost reports whether a text names the host that the address is of, and
// no example of one.
func namesHost(text string) bool {
	for word := range strings.FieldsSeq(text[:min(len(text), longestSignalText)]) {
		if strings.Contains(word, "example") || strings.Contains(word, "@") {
			continue
		}
		for _, end := range [...]string{".com", ".org", ".io", ".net", ".dev"} {
			if _, rest, found := strings.Cut(word, end); found && (rest == "" || !alphanumeric(rest[0])) {
				return true
			}
		}
	}
	return false
}
