package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// wasteUnbounded is what a list without end costs a model that has not been
// measured (agents-lint, section 8).
const wasteUnbounded = 2000

// unboundedList finds tools that list everything there is (D27). Preset agents
// looks at names and the tool's own arguments; recommended also lets through
// what any other or nested argument narrows and what the caller must scope.
var unboundedList = linter.Rule{
	ID:         "tools/unbounded-list",
	Codes:      []string{"S7"},
	Title:      "List without limit, paging or filter",
	Why:        "The answer grows with the data until it no longer fits the model's context, and the model has no way to ask for less.",
	Severity:   linter.Severities{Recommended: severity.Warning, Agents: severity.Warning},
	Bad:        `{"name":"list_ships","description":"Returns every ship that has ever called at the harbour, with its length, its flag and its call sign.","inputSchema":{"type":"object","properties":{}},"annotations":{"readOnlyHint":true}}`,
	Good:       `{"name":"list_ships","description":"Returns the ships that called at the harbour, the newest first, with length, flag and call sign of each.","inputSchema":{"type":"object","properties":{"limit":{"type":"integer","description":"Ships at most."}}},"annotations":{"readOnlyHint":true}}`,
	Since:      firstVersion,
	References: []string{toolGuide},
	CheckTool: func(p *linter.Pass, tool *linter.Entity) {
		words := tool.Words()
		recommended := p.Preset() == linter.Recommended
		named := namesList(words)
		if !named && !(recommended && endsInList(words)) {
			return
		}
		if recommended && tool.Get("inputSchema").Get("required").Len() > 0 {
			return // a list within something is bounded by it
		}
		certain := !recommended || saysAll(tool.Description())
		if !named && !certain {
			return
		}
		params := tool.Params()
		for i := range params {
			if bounds(&params[i], p.Preset()) {
				return
			}
		}
		f := linter.Finding{
			Message: fmt.Sprintf("%s lists everything: no argument limits, pages or filters the result", quote(tool.Ref.Name)),
			Fix:     "Add a limit with a default, a cursor, or a filter.",
			Waste:   wasteUnbounded,
		}
		if !certain {
			f.Severity = severity.Info // the name alone: there may be three of them
		}
		p.Report(tool, "/inputSchema", f)
	},
}

// namesList reports whether a name's words are those of list_x or get_all_x,
// with or without a prefix. After a verb, list is a noun: get_list_items.
func namesList(words []string) bool {
	if len(words) > 2 && action(words) != words[0] {
		words = words[1:]
	}
	switch {
	case len(words) > 1 && words[0] == "list":
		return true
	case len(words) > 2 && words[0] == "get" && words[1] == "all":
		return true
	}
	return false
}

// endsInList reports whether a name is like documents_list.
func endsInList(words []string) bool {
	return len(words) > 1 && words[len(words)-1] == "list" && action(words) == "list"
}

// saysAll reports whether the beginning of a description promises all of
// something, and nothing that is few by nature.
func saysAll(description string) bool {
	const beginning = 200
	words := linter.Words(description[:min(len(description), beginning)])
	for i, word := range words {
		switch word {
		case "all", "every", "entire", "complete":
		default:
			continue
		}
		next := ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		switch next {
		case "active", "running", "open", "opened", "loaded", "connected", "attached", "available", "allowed", "supported", "configured":
		default:
			return true
		}
	}
	return false
}

// bounds reports whether an argument bounds a list: in preset agents by the
// first seed's words (D27). In recommended every argument does that does not
// plainly say something else: a selector, an owner and a namespace have no words
// in common, and to say of a list with one of them that nothing filters it is
// false.
func bounds(param *linter.Param, preset linter.Preset) bool {
	words := linter.Words(param.Name)
	plain := strings.Join(words, "")
	switch plain {
	case "limit", "count", "top", "first", "perpage", "offset", "cursor", "query", "search", "since", "until", "status", "type":
		return true
	}
	if strings.HasPrefix(plain, "max") || strings.HasPrefix(plain, "page") || strings.HasPrefix(plain, "filter") {
		return true
	}
	if preset != linter.Recommended {
		return strings.HasSuffix(plain, "token")
	}
	// An object is as good as what is in it, which is looked at by itself.
	return !isObject(param.Schema) && !aboutAnswer(words)
}

// aboutAnswer reports whether an argument's name says how the answer looks, how
// the call is made, or what comes in addition: none makes a list shorter.
func aboutAnswer(words []string) bool {
	for i, word := range words {
		switch word {
		case "include", "with", "show", "add", "also", "expand", "hide":
			if i == 0 {
				return true
			}
		case "fields", "columns", "format", "compact", "verbose", "detail", "details", "detailed", "pretty", "raw", "json", "order", "sort",
			"sorting", "language", "locale", "timezone", "timeout", "key", "secret", "password", "dry", "debug", "test", "refresh", "force", "reason":
			return true
		case "token": // next_token, but not api_token
			return i == 0 || !slices.Contains([]string{"next", "page", "continuation", "sync", "resume"}, words[i-1])
		}
	}
	return false
}

// isObject reports whether a parameter holds others.
func isObject(schema *snapshot.Node) bool {
	return schema.Has("properties") || schema.Get("type").Text() == "object"
}
