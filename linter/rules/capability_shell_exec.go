package rules

import (
	"fmt"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// shellExec finds tools with which a model can run anything: commands, code,
// and (as an info of its own) SQL that changes data.
var shellExec = linter.Rule{
	ID:               "capability/shell-exec",
	Title:            "Tool that runs whatever the model writes",
	Why:              "Whoever gets text in front of the model, in an issue or a web page, then runs commands where the server runs.",
	Severity:         linter.Severities{Recommended: severity.Warning, Snapshot: severity.Warning},
	Bad:              `{"name":"run_command","description":"Runs a shell command on the computer of the harbour office and returns what it printed, at most 10,000 characters.","inputSchema":{"type":"object","properties":{"command":{"type":"string","description":"Command line to execute."}}},"annotations":{"readOnlyHint":false,"destructiveHint":true}}`,
	Good:             `{"name":"run_command","description":"Runs one of the maintenance commands of the harbour office and returns what it printed, at most 10,000 characters.","inputSchema":{"type":"object","properties":{"command":{"type":"string","description":"Command to execute.","enum":["rotate-logs","sync-clock"]}}},"annotations":{"readOnlyHint":false,"destructiveHint":false}}`,
	SecuritySeverity: 7.5,
	Since:            firstVersion,
	References:       []string{toolsSpec + "#security-considerations"},
	CheckTool: func(p *linter.Pass, tool *linter.Entity) {
		if p.Preset() == linter.SnapshotPreset {
			reportSeedShell(p, tool)
			return
		}
		params := tool.Params()
		s := toolSignals{tool: tool}
		for i := range params {
			param := &params[i]
			kind := executableParam(param.Name)
			if kind == 0 || !takesAnyText(param.Schema, telling) {
				continue
			}
			if f, ok := kind.judge(param, &s); ok {
				p.Report(tool, param.Pointer(), f)
				return
			}
		}
	},
}

func reportSeedShell(p *linter.Pass, tool *linter.Entity) {
	f := linter.Finding{
		Message: "the name says that the tool runs commands",
		Fix:     "Offer the few commands that are needed as tools of their own, or as an enum.",
	}
	params := tool.Params()
	for i := range params {
		if param := &params[i]; seedShellParam(param.Name) && seedOpen(param) {
			f.Message = fmt.Sprintf("parameter %s takes any command", quote(param.Name))
			p.Report(tool, param.Pointer(), f)
			return
		}
	}
	if seedShellName(tool.Words()) {
		p.Report(tool, "", f)
	}
}

// executable is what a parameter's name says that it holds.
type executable uint8

const (
	aCommand     executable = iota + 1
	aCommandLine            // which only a shell has
	codeText
	commandArguments
	sqlText
	anyQuery // of a language that the name does not tell
)

// executableParam reads a parameter's name; 0 when it is about nothing that
// could be run.
func executableParam(name string) executable {
	var buf [longestLastWord]byte
	word, rest := lastWord(name, &buf)
	switch string(word) {
	case "command", "commands", "cmd", "cmds", "shell":
		return aCommand
	case "commandline", "cmdline":
		return aCommandLine
	case "line":
		if word, _ := lastWord(rest, &buf); string(word) == "command" || string(word) == "cmd" {
			return aCommandLine
		}
	case "code", "script", "scripts", "expression", "javascript", "typescript", "js", "python", "snippet",
		"program", "function", "source", "eval":
		return codeText
	case "args", "argv", "arguments", "argument", "flags":
		return commandArguments
	case "sql":
		return sqlText
	case "query", "queries", "statement", "statements":
		return anyQuery
	}
	return 0
}

// judge looks for the second signal: what the descriptions and the tool's name
// say happens with the parameter.
func (kind executable) judge(param *linter.Param, tool *toolSignals) (linter.Finding, bool) {
	description := param.Schema.Get("description").Text()
	if onlyNames(description) {
		return linter.Finding{}, false
	}
	said := readSignals(description)
	about := tool.get()
	switch kind {
	case aCommand, aCommandLine, commandArguments:
		if said&signalRouted != 0 || kind == commandArguments && said&(signalCommand|signalShell) == 0 {
			return linter.Finding{}, false
		}
		anywhere := said | about.name | about.summary
		inShell := kind != aCommand || anywhere&signalShell != 0 || said.has(signalCommand|signalLine) ||
			about.name.has(signalRuns|signalCommand) // run_command names both
		if !inShell || anywhere&(signalRuns|signalStarts) == 0 {
			return linter.Finding{}, false
		}
		return linter.Finding{
			Message: fmt.Sprintf("parameter %s is run as a command, and the schema allows any", quote(param.Label())),
			Fix:     "Offer the few commands that are needed as tools of their own, or as an enum; where any command is the purpose, let who runs the server switch the tool off.",
		}, true
	case codeText:
		if (said|about.description)&signalSandboxed != 0 || !runsCode(description) && !(about.runsCode && oneWord(param.Name)) {
			return linter.Finding{}, false
		}
		if runsInPage(description) || description == "" && runsInPage(about.tool.Description()) {
			return linter.Finding{
				Severity: severity.Info,
				Message:  fmt.Sprintf("parameter %s is executed as code in a web page, with the rights that its user has there", quote(param.Label())),
				Fix:      "Say in the description which pages and sessions it can reach, and let who runs the server switch it off.",
			}, true
		}
		return linter.Finding{
			Message: fmt.Sprintf("parameter %s is executed as code, and the schema allows any", quote(param.Label())),
			Fix:     "Offer what the code is needed for as tools of their own, or say in the description which sandbox it runs in.",
		}, true
	default:
		if !writesBySQL(kind, said, description, about) {
			return linter.Finding{}, false
		}
		return linter.Finding{
			Severity: severity.Info,
			Message:  fmt.Sprintf("parameter %s takes any SQL, statements that change data included", quote(param.Label())),
			Fix:      "Connect with a role that may only read and set readOnlyHint, or say which statements run.",
		}, true
	}
}

// onlyNames reports whether a parameter is described as the name of something
// that is there already.
func onlyNames(description string) bool {
	word, rest := nextWord(description)
	if strings.EqualFold(word, "the") {
		word, _ = nextWord(rest)
	}
	switch strings.ToLower(word) {
	case "name", "names", "id", "identifier", "key", "path", "number", "type":
		return true
	}
	return false
}

func runsCode(description string) bool {
	return oneSentence(description, func(s signals) bool { return s.has(signalRuns | signalCode) })
}

// runsInPage reports whether a text says that code runs in a page, where it
// cannot touch the server, and speaks of no shell.
func runsInPage(text string) bool {
	return readSignals(text)&signalShell == 0 &&
		oneSentence(text, func(s signals) bool { return s.has(signalRuns | signalCode | signalPage) })
}

// oneWord tells code from country_code.
func oneWord(name string) bool {
	var buf [longestLastWord]byte
	_, rest := lastWord(name, &buf)
	return rest == ""
}

// writesBySQL reports whether a parameter is SQL that may change data: nothing
// says that only reading is possible.
func writesBySQL(kind executable, said signals, description string, about *toolSignals) bool {
	isSQL := kind == sqlText || (said|about.name|about.summary)&signalSQL != 0
	if !isSQL || (said|about.name|about.description)&signalRuns == 0 {
		return false
	}
	if readOnly, _ := hint(about.tool, readOnlyHint); readOnly {
		return false
	}
	if e, _ := effectOf(about.tool); e == effectReads {
		return false
	}
	return !about.onlyReads && !onlyReads(description, said)
}

// onlyReads reports whether a text says that only SQL that reads is run.
func onlyReads(text string, said signals) bool {
	text = lowerASCII(text[:min(len(text), longestSignalText)])
	return strings.Contains(text, "read-only") || strings.Contains(text, "readonly") || strings.Contains(text, "read only") ||
		strings.Contains(text, "select") && said&signalSQLWrites == 0
}
