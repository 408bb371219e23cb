package report

import (
	"strings"
	"unicode"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/owenrumney/go-sarif/v2/sarif"
)

// Limits of a rule's description
// (https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning,
// reportingDescriptor object), in characters.
const (
	maxRuleText = 1024
	maxRuleName = 255
	maxTags     = 10
)

// lockRulePrefix makes a rule ID of a change kind.
const lockRulePrefix = "lock/"

// sarifRules are the descriptions in a run, each once.
type sarifRules struct {
	rules []*sarif.ReportingDescriptor
	at    map[string]int
}

func newSARIFRules(rules []linter.Rule) *sarifRules {
	c := &sarifRules{rules: []*sarif.ReportingDescriptor{}, at: map[string]int{}}
	for i := range rules {
		if _, known := c.at[rules[i].ID]; !known {
			c.add(describeRule(&rules[i]))
		}
	}
	return c
}

func (c *sarifRules) add(d *sarif.ReportingDescriptor) {
	c.at[d.ID] = len(c.rules)
	c.rules = append(c.rules, d)
}

// index finds a rule; one that is not known yet is added with what its ID says.
func (c *sarifRules) index(id string, level severity.Level) int {
	if _, known := c.at[id]; !known {
		if kind, isLock := strings.CutPrefix(id, lockRulePrefix); isLock {
			c.add(describeLockRule(kind, level))
		} else if id == cutRule {
			d := describe(id, "Results were left out", "There are more results than GitHub keeps of one run; the most serious ones are written.", level)
			d.HelpURI = ptr(homepage)
			c.add(d)
		} else {
			c.add(describe(id, readable(id), readable(id), level))
		}
	}
	return c.at[id]
}

func describeRule(r *linter.Rule) *sarif.ReportingDescriptor {
	d := describe(r.ID, r.Title, r.Why, defaultLevel(r.Severity))
	text, md := r.Why, r.Why
	if len(r.Clients) > 0 {
		text += "\n\nWhat clients do:"
		md += "\n\n" + header("client", "what it does", "since", "source")
		for _, c := range r.Clients {
			text += "\n- " + c.Name + " " + c.Does
			if c.Since != "" {
				text += " (since " + c.Since + ")"
			}
			text += ": " + c.Source
			md += row(c.Name, c.Does, c.Since, "<"+c.Source+">")
		}
		md = strings.TrimSuffix(md, "\n")
	}
	if r.Bad != "" {
		text += "\n\nBad:\n" + r.Bad
		md += "\n\nBad:\n\n" + fence("json", strings.Split(r.Bad, "\n"))
	}
	if r.Good != "" {
		text += "\n\nGood:\n" + r.Good
		md += "\n\nGood:\n\n" + fence("json", strings.Split(r.Good, "\n"))
	}
	for _, ref := range r.References {
		text += "\n\n" + ref
		md += "\n\n<" + ref + ">"
	}
	d.Help = sarif.NewMultiformatMessageString(text).WithMarkdown(md)
	if r.SecuritySeverity > 0 {
		// Text, as GitHub wants it; its presence makes a security alert.
		d.Properties["security-severity"] = decimal(r.SecuritySeverity)
		addTags(d, "security")
	}
	addTags(d, r.Codes...)
	return d
}

// describe makes a description with all that GitHub demands of one.
func describe(id, title, why string, level severity.Level) *sarif.ReportingDescriptor {
	d := sarif.NewRule(id).WithName(cut(pascal(id), maxRuleName))
	d.ShortDescription = sarif.NewMultiformatMessageString(cut(sentence(title, ""), maxRuleText))
	d.FullDescription = sarif.NewMultiformatMessageString(cut(sentence(why, ""), maxRuleText))
	d.Help = sarif.NewMultiformatMessageString(why).WithMarkdown(why)
	d.HelpURI = ptr(homepage + "/blob/main/docs/rules.md#" + anchor(id))
	d.DefaultConfiguration = sarif.NewReportingConfiguration().WithLevel(sarifLevel(level))
	category, _, _ := strings.Cut(id, "/")
	d.Properties = sarif.Properties{"tags": []string{"mcp", category}}
	return d
}

func addTags(d *sarif.ReportingDescriptor, tags ...string) {
	have := append(d.Properties["tags"].([]string), tags...)
	d.Properties["tags"] = have[:min(len(have), maxTags)]
}

// defaultLevel is the severity of a rule where it is on at all.
func defaultLevel(s linter.Severities) severity.Level {
	for _, l := range []severity.Level{s.Recommended, s.Snapshot, s.Agents} {
		if l != severity.Off {
			return l
		}
	}
	return severity.Info
}

// pascal makes a name of an ID: schema/missing-type is SchemaMissingType.
func pascal(id string) string {
	words := strings.FieldsFunc(id, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(words, "")
}

// anchor is how GitHub links to the heading of a rule in the documentation.
func anchor(id string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, id)
}

func readable(id string) string {
	return strings.NewReplacer("/", ": ", "-", " ", "_", " ").Replace(id)
}

// cut shortens to n characters.
func cut(s string, n int) string {
	if rs := []rune(s); len(rs) > n {
		return string(rs[:n-1]) + "…"
	}
	return s
}
