package linter

import (
	"slices"
	"strings"
)

// ClientFact says what one client does with a definition that a rule reports,
// as that client's users or authors reported it. It is a fact about the
// client: the definition may be right by every specification.
type ClientFact struct {
	// Client is what the configuration's clients name: claude, openai, gemini,
	// vscode and the like, in lower-case kebab case. A name that continues
	// another one after a hyphen is a member of that family: claude-code is a
	// program that sends what it gets to claude.
	Client string
	// Name is the program for people: "Claude API", "Copilot CLI".
	Name string
	// Does completes the sentence that Name begins: "refuses the whole request".
	Does string
	// Since is the version or month from which that is known, "" when no source
	// says it.
	Since string
	// Source is the URL of the report or documentation.
	Source string
}

// Clients lists the names that the rules know something about, sorted.
func Clients(rules []Rule) []string {
	var names []string
	for i := range rules {
		for _, fact := range rules[i].Clients {
			names = append(names, fact.Client)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Clients returns the rule's facts about the clients that the configuration
// names, all of them when it names none.
func (p *Pass) Clients() []ClientFact { return p.rule.facts }

// narrow leaves the facts about the named clients. A family stands for all its
// members, and a member meets everything that is known of the family itself.
func narrow(facts []ClientFact, clients []string) []ClientFact {
	if len(clients) == 0 {
		return facts
	}
	var kept []ClientFact
	for _, fact := range facts {
		if slices.ContainsFunc(clients, func(name string) bool { return related(name, fact.Client) }) {
			kept = append(kept, fact)
		}
	}
	return kept
}

// related reports whether two names are equal or one is the other's family.
func related(a, b string) bool {
	return strings.HasPrefix(a+"-", b+"-") || strings.HasPrefix(b+"-", a+"-")
}
