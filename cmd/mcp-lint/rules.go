package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/mcp-lint/mcp-lint/internal/jsonc"
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/rules"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

func (a *app) rulesCommand() *cobra.Command {
	preset := string(linter.Recommended)
	cmd := &cobra.Command{
		Use:   "rules [ID]",
		Short: "List the rules, or explain one",
		Args:  atMost(1, "one rule"),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 {
				return a.explainRule(args[0])
			}
			return a.listRules(linter.Preset(preset))
		},
	}
	presetChoice(&preset).add(cmd.Flags(), "preset", "`rules` whose severities are shown")
	return cmd
}

func (a *app) listRules(preset linter.Preset) error {
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	for _, r := range rules.All() {
		level := r.Severity.For(preset)
		if level == severity.Off {
			continue
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", r.ID, strings.Join(r.Codes, " "), level, r.Title)
	}
	return w.Flush()
}

func (a *app) explainRule(id string) error {
	var ids []string
	for _, r := range rules.All() {
		if r.ID == id {
			return a.printRule(r)
		}
		ids = append(ids, r.ID)
	}
	return fmt.Errorf("unknown rule %q; %s", id, jsonc.Suggest(id, ids))
}

func (a *app) printRule(r linter.Rule) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s", r.ID)
	if len(r.Codes) > 0 {
		fmt.Fprintf(&b, " (%s)", strings.Join(r.Codes, ", "))
	}
	fmt.Fprintf(&b, "\n%s\n\n%s\n\n", r.Title, r.Why)
	fmt.Fprintf(&b, "Severity: recommended %s, snapshot %s, agents %s\n", r.Severity.Recommended, r.Severity.Snapshot, r.Severity.Agents)
	if len(r.Options) > 0 {
		fmt.Fprintf(&b, "Options: %s\n", strings.Join(r.Options, ", "))
	}
	fmt.Fprintf(&b, "\nBad:\n%s\n\nGood:\n%s\n", indent(r.Bad), indent(r.Good))
	for i, ref := range r.References {
		if i == 0 {
			b.WriteString("\nReferences:\n")
		}
		fmt.Fprintf(&b, "  %s\n", ref)
	}
	_, err := a.stdout.Write([]byte(b.String()))
	return err
}

func indent(s string) string {
	return "  " + strings.ReplaceAll(strings.TrimSpace(s), "\n", "\n  ")
}
