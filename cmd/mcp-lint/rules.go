package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcp-lint/mcp-lint/docs"
	"github.com/mcp-lint/mcp-lint/internal/jsonc"
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/linter/rules"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

//go:generate go run . rules --format markdown --output ../../docs/rules.md

// rulesFlags are those of `mcp-lint rules`.
type rulesFlags struct {
	preset string
	format string
	path   string
}

func (a *app) rulesCommand() *cobra.Command {
	f := rulesFlags{format: "text"}
	cmd := &cobra.Command{
		Use:   "rules [ID]",
		Short: "List the rules, or explain one",
		Long: `List the rules of a preset, or explain the one with that ID. A code (S8) or a
category (injection) stands for its rules.`,
		Args: atMost(1, "one rule"),
		RunE: func(_ *cobra.Command, args []string) error {
			var b bytes.Buffer
			if err := a.writeRules(&b, f, args); err != nil {
				return err
			}
			if f.path != "" {
				return writeFile(f.path, b.Bytes())
			}
			_, err := a.stdout.Write(b.Bytes())
			return err
		},
	}
	flags := cmd.Flags()
	presetChoice(&f.preset).add(flags, "preset", "leave out `rules` that are off under this preset")
	choice{&f.format, []string{"text", "json", "markdown"}}.add(flags, "format", "`form` of the output")
	flags.StringVarP(&f.path, "output", "o", "", "write to this `file` instead of standard output")
	return cmd
}

func (a *app) writeRules(w io.Writer, f rulesFlags, args []string) error {
	options, err := ruleOptions()
	if err != nil {
		return err
	}
	chosen := rules.All()
	if len(args) == 1 {
		if chosen, err = findRules(chosen, args[0]); err != nil {
			return err
		}
	}
	preset := linter.Preset(cmp.Or(f.preset, string(linter.Recommended)))
	if len(chosen) > 1 && (f.preset != "" || f.format == "text" && len(args) == 0) {
		chosen = ofPreset(chosen, preset)
	}
	switch {
	case f.format == "json":
		return report.WriteRulesJSON(w, chosen, options)
	case f.format == "markdown":
		return report.WriteRulesMarkdown(w, chosen, options)
	case len(args) == 1 && len(chosen) == 1:
		color := f.path == "" && a.color(a.stdout)
		return report.WriteRuleText(w, &chosen[0], options, report.TextOptions{Color: color, Width: width(a.stdout)})
	}
	return report.WriteRuleList(w, chosen, report.RuleListOptions{Preset: preset, Codes: true, Width: width(a.stdout)})
}

// listRules is --list-rules of the short form: one line a rule, however long.
func (a *app) listRules(preset linter.Preset) error {
	return report.WriteRuleList(a.stdout, ofPreset(rules.All(), preset), report.RuleListOptions{Preset: preset})
}

// ofPreset leaves out the rules that are off under a preset.
func ofPreset(all []linter.Rule, preset linter.Preset) []linter.Rule {
	return slices.DeleteFunc(all, func(r linter.Rule) bool { return r.Severity.For(preset) == severity.Off })
}

// findRules finds the rule of an ID, else those of a code or a category.
func findRules(all []linter.Rule, word string) ([]linter.Rule, error) {
	var (
		found []linter.Rule
		ids   []string
		named = make(map[string]string) // IDs by the part after the slash
	)
	for _, r := range all {
		if r.ID == word {
			return []linter.Rule{r}, nil
		}
		hasCode := slices.ContainsFunc(r.Codes, func(code string) bool { return strings.EqualFold(code, word) })
		if hasCode || r.Category() == word {
			found = append(found, r)
		}
		ids = append(ids, r.ID)
		_, name, _ := strings.Cut(r.ID, "/")
		named[name] = r.ID
	}
	if len(found) > 0 {
		return found, nil
	}
	if linter.Nearest(word, ids) == "" {
		if name := linter.Nearest(word, slices.Collect(maps.Keys(named))); name != "" {
			return nil, fmt.Errorf("unknown rule %q; did you mean %q?", word, named[name])
		}
	}
	return nil, fmt.Errorf("unknown rule %q; %s", word, jsonc.Suggest(word, ids))
}

// ruleOptions reads what the published schema of the configuration says about
// the options of rules: it is written down there and nowhere else.
func ruleOptions() (report.RuleOptions, error) {
	var schema struct {
		Properties struct {
			Options struct {
				Properties map[string]struct {
					Description string
					Default     *float64
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(docs.ConfigSchema()), &schema); err != nil {
		return nil, fmt.Errorf("reading the configuration's schema: %w", err)
	}
	options := make(report.RuleOptions)
	for name, o := range schema.Properties.Options.Properties {
		options[name] = report.RuleOption{Name: name, Default: o.Default, Means: o.Description}
	}
	return options, nil
}
