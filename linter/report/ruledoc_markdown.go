package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// exampleColumns is how wide examples are in Markdown.
const exampleColumns = 100

// foldedLines is the length from which an example is folded away.
const foldedLines = 30

// WriteRulesMarkdown writes the page about rules: one section a rule, with the
// anchors that SARIF documents link to, grouped by category. A single rule is
// written without the page around it.
func WriteRulesMarkdown(w io.Writer, rules []linter.Rule, options RuleOptions) error {
	var b strings.Builder
	if len(rules) != 1 {
		rulesIndex(&b, rules)
	}
	for _, category := range categories(rules) {
		if len(rules) != 1 {
			b.WriteString("## " + category + "\n\n")
		}
		for i := range rules {
			if rules[i].Category() == category {
				ruleSection(&b, &rules[i], options)
			}
		}
	}
	_, err := io.WriteString(w, strings.TrimRight(b.String(), "\n")+"\n")
	return err
}

// categories are those of the rules, in the order in which they come.
func categories(rules []linter.Rule) []string {
	var all []string
	seen := make(map[string]bool)
	for i := range rules {
		if c := rules[i].Category(); !seen[c] {
			seen[c] = true
			all = append(all, c)
		}
	}
	return all
}

func rulesIndex(b *strings.Builder, rules []linter.Rule) {
	b.WriteString(`# Rules

<!-- Generated from the rules' metadata: go generate ./cmd/mcp-lint -->

` + "`mcp-lint rules ID`" + ` shows one of these in the terminal. The columns are the severities under the presets
(docs/config.md): *recommended* is ours, *snapshot* and *agents* are exactly the two programs that mcp-lint
replaces; – means that the rule is off. A configuration may give every rule another severity. Tests run every
example: the bad one gives the finding, the good one does not.

`)
	b.WriteString("| rule | codes | recommended | snapshot | agents | finds |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, category := range categories(rules) {
		for i := range rules {
			r := &rules[i]
			if r.Category() != category {
				continue
			}
			b.WriteString(row("["+r.ID+"](#"+anchor(r.ID)+")", strings.Join(r.Codes, ", "),
				levelCell(r.Severity.Recommended), levelCell(r.Severity.Snapshot), levelCell(r.Severity.Agents), message(r.Title)))
		}
	}
	b.WriteString("\n")
}

func levelCell(l severity.Level) string {
	if l == severity.Off {
		return "–"
	}
	return l.String()
}

func ruleSection(b *strings.Builder, r *linter.Rule, options RuleOptions) {
	fmt.Fprintf(b, "### %s\n\n**%s.** %s\n\n", r.ID, message(r.Title), message(r.Why))
	facts := []string{"Severity: " + severitiesText(r.Severity)}
	if len(r.Codes) > 0 {
		facts = append(facts, "code "+strings.Join(r.Codes, ", "))
	}
	b.WriteString(strings.Join(append(facts, "since "+r.Since), "; ") + ".\n\n")
	for i, option := range options.of(r) {
		fmt.Fprintf(b, "- option %s %s: %s\n", code(option.Name), option.defaults(), message(option.Means))
		if i == len(r.Options)-1 {
			b.WriteString("\n")
		}
	}
	exampleBlock(b, "Bad", r.Bad)
	exampleBlock(b, "Good", r.Good)
	for i, fact := range r.Clients {
		if i == 0 {
			b.WriteString("| client | what it does | since | source |\n| --- | --- | --- | --- |\n")
		}
		b.WriteString(row(message(fact.Name)+" ("+code(fact.Client)+")", message(fact.Does), sinceCell(fact.Since), "<"+fact.Source+">"))
	}
	if len(r.Clients) > 0 {
		b.WriteString("\n")
	}
	for i, reference := range r.References {
		lead := ", "
		if i == 0 {
			lead = "See "
		}
		b.WriteString(lead + "<" + reference + ">")
	}
	b.WriteString("\n\n")
}

// sinceCell is a version or a month, which needs no escapes where nothing else
// is in the cell.
func sinceCell(since string) string {
	if strings.Trim(since, "0123456789.-") == "" {
		return since
	}
	return message(since)
}

func exampleBlock(b *strings.Builder, title, text string) {
	if text == "" {
		return
	}
	lines, shortened := exampleLines(text, exampleLayout{width: exampleColumns})
	block := fence("json", lines)
	if shortened {
		block += "\n(Shortened; `--format json` has all of it.)\n"
	}
	if len(lines) > foldedLines {
		fmt.Fprintf(b, "<details><summary>%s (%d lines)</summary>\n\n%s\n</details>\n\n", title, len(lines), block)
		return
	}
	fmt.Fprintf(b, "%s:\n\n%s\n", title, block)
}
