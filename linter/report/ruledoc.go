package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// RuleOption describes one of the configuration's options for rules.
type RuleOption struct {
	Name string `json:"name"`
	// Default is nil where nothing is set: then the rule has no such limit, or a
	// preset has its own.
	Default *float64 `json:"default"`
	// Means is a sentence.
	Means string `json:"means"`
}

// RuleOptions are the configuration's options by name.
type RuleOptions map[string]RuleOption

// of lists the options that a rule reads.
func (o RuleOptions) of(r *linter.Rule) []RuleOption {
	options := make([]RuleOption, 0, len(r.Options))
	for _, name := range r.Options {
		option, known := o[name]
		if !known {
			option.Name = name
		}
		options = append(options, option)
	}
	return options
}

func (o RuleOption) defaults() string {
	if o.Default == nil {
		return "(no default)"
	}
	return "(default " + strconv.FormatFloat(*o.Default, 'f', -1, 64) + ")"
}

// WriteRuleText explains a rule for a terminal.
func WriteRuleText(w io.Writer, r *linter.Rule, options RuleOptions, o TextOptions) error {
	t := newTextWriter(w, o)
	head := r.ID
	if len(r.Codes) > 0 {
		head += " (" + strings.Join(r.Codes, ", ") + ")"
	}
	t.wrapped(0, "", head, bold)
	t.wrapped(0, "", r.Title, "")
	t.WriteString("\n")
	t.wrapped(0, "", r.Why, "")
	t.WriteString("\n")
	t.wrapped(0, "Severity: ", severitiesText(r.Severity), "")
	for _, option := range options.of(r) {
		t.wrapped(0, "Option:   ", option.Name+" "+option.defaults()+": "+option.Means, "")
	}
	t.wrapped(0, "Since:    ", r.Since, "")
	for _, part := range []struct{ title, text string }{{"Bad:", r.Bad}, {"Good:", r.Good}} {
		if part.text == "" {
			continue
		}
		t.WriteString("\n" + t.style(bold, part.title) + "\n")
		lines, shortened := exampleLines(part.text, exampleLayout{width: t.Width - 2, fold: true})
		for _, line := range lines {
			t.WriteString("  " + line + "\n")
		}
		if shortened {
			t.WriteString(t.style(dim, "  (shortened; --format json has all of it)") + "\n")
		}
	}
	for i, fact := range r.Clients {
		if i == 0 {
			t.WriteString("\n" + t.style(bold, "Clients:") + "\n")
		}
		t.hanging(2, "", factText(fact), "")
		t.WriteString("    " + t.style(dim, fact.Source) + "\n")
	}
	for i, reference := range r.References {
		if i == 0 {
			t.WriteString("\n" + t.style(bold, "References:") + "\n")
		}
		t.WriteString("  " + t.style(dim, reference) + "\n")
	}
	return t.end()
}

// severitiesText is "error; snapshot warning, agents off".
func severitiesText(s linter.Severities) string {
	var parts []string
	for _, p := range linter.Presets() {
		parts = append(parts, string(p)+" "+s.For(p).String())
	}
	return strings.Join(parts, ", ")
}

// factText is a sentence about one client.
func factText(fact linter.ClientFact) string {
	text := fact.Name + " (" + fact.Client + ") " + fact.Does
	if fact.Since != "" {
		text += ", since " + fact.Since
	}
	return text + "."
}

// WriteRuleList writes one rule a line, aligned: ID, codes when asked for,
// severity under the preset, title. At a width above 0 long titles are broken.
func WriteRuleList(w io.Writer, rules []linter.Rule, o RuleListOptions) error {
	var ids, codes int
	for i := range rules {
		ids = max(ids, len(rules[i].ID))
		if o.Codes {
			codes = max(codes, len(strings.Join(rules[i].Codes, " "))+len("  "))
		}
	}
	var b strings.Builder
	for i := range rules {
		r := &rules[i]
		lead := fmt.Sprintf("%-*s  ", ids, r.ID)
		if o.Codes {
			lead += fmt.Sprintf("%-*s", codes, strings.Join(r.Codes, " "))
		}
		lead += fmt.Sprintf("%-*s  ", len("warning"), r.Severity.For(o.Preset))
		title := []string{r.Title}
		if o.Width > 0 {
			title = wrap(r.Title, max(o.Width-len(lead), 20))
		}
		for _, line := range title {
			b.WriteString(lead + line + "\n")
			lead = strings.Repeat(" ", len(lead))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// RuleListOptions says what a list of rules shows.
type RuleListOptions struct {
	Preset linter.Preset
	Codes  bool
	Width  int // 0 for lines as long as they are
}

// ruleJSON is a rule as `rules --format json` publishes it.
type ruleJSON struct {
	ID       string   `json:"id"`
	Codes    []string `json:"codes"`
	Title    string   `json:"title"`
	Why      string   `json:"why"`
	Severity struct {
		Recommended severity.Level `json:"recommended"`
		Snapshot    severity.Level `json:"snapshot"`
		Agents      severity.Level `json:"agents"`
	} `json:"severity"`
	SecuritySeverity float64          `json:"securitySeverity"` // 0 for no security rule
	Options          []RuleOption     `json:"options"`
	Clients          []clientFactJSON `json:"clients"`
	Bad              string           `json:"bad"`
	Good             string           `json:"good"`
	References       []string         `json:"references"`
	Since            string           `json:"since"`
}

type clientFactJSON struct {
	Client string `json:"client"`
	Name   string `json:"name"`
	Does   string `json:"does"`
	Since  string `json:"since"`
	Source string `json:"source"`
}

// WriteRulesJSON writes everything about rules as an array.
func WriteRulesJSON(w io.Writer, rules []linter.Rule, options RuleOptions) error {
	all := make([]ruleJSON, 0, len(rules))
	for i := range rules {
		r := &rules[i]
		j := ruleJSON{
			ID: r.ID, Codes: slices.Clone(r.Codes), Title: r.Title, Why: r.Why,
			SecuritySeverity: r.SecuritySeverity, Options: options.of(r), Clients: []clientFactJSON{},
			Bad: r.Bad, Good: r.Good, References: slices.Clone(r.References), Since: r.Since,
		}
		j.Severity.Recommended, j.Severity.Snapshot, j.Severity.Agents = r.Severity.Recommended, r.Severity.Snapshot, r.Severity.Agents
		fill(&j.Codes)
		fill(&j.References)
		for _, fact := range r.Clients {
			j.Clients = append(j.Clients, clientFactJSON(fact))
		}
		all = append(all, j)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(all); err != nil {
		return fmt.Errorf("encoding the rules: %w", err)
	}
	_, err := w.Write(escapeHidden(b.Bytes()))
	return err
}
