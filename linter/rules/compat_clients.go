package rules

import (
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
)

// The clients that the rules about clients know, as the configuration names
// them. claude is the API that the programs of that family send tools to, so
// what is known of it holds for each of them (see [linter.ClientFact]).
const (
	claude        = "claude"
	claudeCode    = "claude-code"
	claudeDesktop = "claude-desktop"
	openAI        = "openai"
	gemini        = "gemini"
	bedrock       = "bedrock"
	vscode        = "vscode"
	copilotCLI    = "copilot-cli"
	jetbrains     = "jetbrains"
	cursor        = "cursor"
	openCode      = "opencode"
	typescriptSDK = "typescript-sdk"
	pythonSDK     = "python-sdk"
)

// says tells what the clients do, one clause each.
func says(facts []linter.ClientFact) string {
	clauses := make([]string, len(facts))
	for i, fact := range facts {
		clauses[i] = fact.Name + " " + fact.Does
	}
	return strings.Join(clauses, "; ")
}

// factsAbout leaves the facts about some clients.
func factsAbout(facts []linter.ClientFact, clients ...string) []linter.ClientFact {
	var kept []linter.ClientFact
	for _, fact := range facts {
		if slices.Contains(clients, fact.Client) {
			kept = append(kept, fact)
		}
	}
	return kept
}
