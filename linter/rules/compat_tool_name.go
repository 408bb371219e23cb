package rules

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// Lengths of tool names, alone and as clients put the server's key in front.
const (
	maxPlainName      = 64  // Claude Desktop, OpenAI
	maxCursorName     = 59  // key and name together
	maxClaudeCodeName = 128 // mcp__key__name
	oldClaudeCodeName = 64
)

// clientToolName finds names that the protocol allows and clients do not. What the
// protocol does not allow either is another rule's.
var clientToolName = linter.Rule{
	ID:         "compat/tool-name",
	Title:      "Tool name that clients refuse",
	Why:        "MCP allows 128 characters and dots. Model APIs take neither everywhere, and clients put the server's key in front of the name before they count.",
	Severity:   linter.Severities{Recommended: severity.Warning},
	Bad:        `{"name":"harbour.water_level","description":"Returns the newest water level of the harbour basin, in centimetres above the local chart datum.","inputSchema":{"type":"object","properties":{}}}`,
	Good:       `{"name":"harbour_water_level","description":"Returns the newest water level of the harbour basin, in centimetres above the local chart datum.","inputSchema":{"type":"object","properties":{}}}`,
	Options:    []string{"toolNameMaxLength"},
	Since:      firstVersion,
	References: []string{"https://github.com/l22-io/orchard-mcp/issues/14", "https://github.com/github/copilot-cli/issues/2581", "https://github.com/microsoft/vscode/issues/308463", "https://github.com/mims-harvard/ToolUniverse/issues/65", toolsSpec},
	Clients:    slices.Concat(dotFacts(), plainLengthFacts(), cursorFacts(), claudeCodeFacts(), oldClaudeCodeFacts()),
	CheckTool: func(p *linter.Pass, tool *linter.Entity) {
		name := tool.Ref.Name
		if nameFault(name) != "" {
			return
		}
		key := clientKey(p.Snapshot().Key)
		keyLength := utf8.RuneCountInString(key)
		f := linter.Finding{Severity: severity.Info}
		var faults []string
		say := func(level severity.Level, known []linter.ClientFact, format string, args ...any) {
			facts := inForce(p.Clients(), known)
			if len(facts) > 0 {
				faults = append(faults, fmt.Sprintf(format, args...)+" ("+says(facts)+")")
				f.Severity = max(f.Severity, level)
			}
		}
		if strings.Contains(name, ".") {
			say(severity.Warning, dotFacts(), "the name has a dot, which MCP allows")
		}
		if len(faults) > 0 {
			f.Fix = "Use an underscore in place of the dot: " + strings.ReplaceAll(name, ".", "_") + "."
		}
		if len(name) > maxPlainName {
			say(severity.Warning, plainLengthFacts(), "the name has %d characters", len(name))
		}
		if with := max(keyLength, 1) + len(name); with > maxCursorName {
			say(severity.Warning, cursorFacts(), "with the server's key in front the name has %s%d characters", atLeastWithout(key), with)
		}
		switch full := len("mcp__") + keyLength + len("__") + len(name); {
		case key == "":
		case full > maxClaudeCodeName:
			say(severity.Warning, claudeCodeFacts(), "as mcp__%s__… the name has %d characters", unquoted(key), full)
		case full > oldClaudeCodeName:
			say(severity.Info, oldClaudeCodeFacts(), "as mcp__%s__… the name has %d characters", unquoted(key), full)
		}
		if budget := p.Option("toolNameMaxLength", maxToolName); float64(len(name)) > budget {
			faults = append(faults, fmt.Sprintf("the name has %d characters; expected at most %s", len(name), number(budget)))
			f.Severity = severity.Warning
		}
		if len(faults) == 0 {
			return
		}
		if f.Fix == "" {
			f.Fix = "Shorten the name; about 40 characters leave room for every key."
		}
		f.Message = strings.Join(faults, "; ")
		p.Report(tool, "/name", f)
	},
}

func dotFacts() []linter.ClientFact {
	return []linter.ClientFact{
		{Client: claudeDesktop, Name: "Claude Desktop", Does: "refuses every tool of the server for one dot", Since: "2026-02", Source: "https://github.com/barryw/ImmichMCP/issues/3"},
		{Client: copilotCLI, Name: "Copilot CLI", Does: "fails on every prompt for one dot", Since: "0.0.423", Source: "https://github.com/github/copilot-cli/issues/1879"},
		{Client: openAI, Name: "Codex", Does: "fails on every prompt for one dot", Since: "0.73.0", Source: "https://github.com/openai/codex/issues/8174"},
	}
}

func plainLengthFacts() []linter.ClientFact {
	return []linter.ClientFact{
		{Client: claudeDesktop, Name: "Claude Desktop", Does: "refuses every tool of the server for one name of more than 64", Since: "2026-03", Source: "https://github.com/anthropics/claude-code/issues/34960"},
		{Client: openAI, Name: "OpenAI API", Does: "refuses every request with a name of more than 64", Since: "2025-05", Source: "https://github.com/microsoft/foundry-dev-tools/issues/201"},
	}
}

func cursorFacts() []linter.ClientFact {
	return []linter.ClientFact{
		{Client: cursor, Name: "Cursor", Does: "drops the tool from 60 on", Since: "2025-04", Source: "https://github.com/ComposioHQ/composio/issues/2788"},
	}
}

func claudeCodeFacts() []linter.ClientFact {
	return []linter.ClientFact{
		{Client: claudeCode, Name: "Claude Code", Does: "leaves out the tool when mcp__KEY__NAME has over 128", Since: "2026-10", Source: "https://github.com/xsyetopz/claudetto/wiki/Claude-Code-MCP-Runtime"},
	}
}

func oldClaudeCodeFacts() []linter.ClientFact {
	return []linter.ClientFact{
		{Client: claudeCode, Name: "Claude Code", Does: "lost every request with such a name over 64, until its limit rose to 128", Since: "1.0.30", Source: "https://github.com/anthropics/claude-code/issues/2326"},
	}
}

// inForce leaves the facts that the configuration's clients left in force.
func inForce(facts, known []linter.ClientFact) []linter.ClientFact {
	var kept []linter.ClientFact
	for _, fact := range known {
		if slices.Contains(facts, fact) {
			kept = append(kept, fact)
		}
	}
	return kept
}

// clientKey is the server's key in the configuration of a client, "" when the
// server has none: a saved snapshot is known by its path.
func clientKey(key string) string {
	if _, own, ok := strings.Cut(key, "#"); ok {
		return own
	}
	if strings.ContainsAny(key, `/\`) || strings.HasSuffix(key, ".json") {
		return ""
	}
	return key
}

// atLeastWithout marks a number that counts the shortest key there is.
func atLeastWithout(key string) string {
	if key == "" {
		return "at least "
	}
	return ""
}
