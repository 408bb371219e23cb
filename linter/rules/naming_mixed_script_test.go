package rules_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/linter"
)

func TestMixedScript(t *testing.T) {
	t.Parallel()
	for name, mixed := range map[string]bool{
		"pаy":            true, // Cyrillic а
		"get_pаyment":    true,
		"Ваsh":           true,
		"сору_file":      true, // a whole word of look-alikes beside a Latin one
		"ρayment":        true,
		"payment":        false,
		"оплата":         false,
		"получить_url":   false,
		"水位":             false,
		"get水位":          false,
		"日本語Name":        false,
		"größe_ångström": false,
		"πλοίο":          false,
		"µm":             false,
		"Δt":             false,
		"σx":             false,
		"ім'я":           false,
		"مستوى":          false,
		"emoji_😀":        false,
	} {
		literal, _ := json.Marshal(name)
		for surface, document := range map[string]string{
			"tool":      `{"tools":[{"name":NAME,"inputSchema":{"type":"object"}}]}`,
			"parameter": `{"tools":[{"name":"t","inputSchema":{"type":"object","properties":{NAME:{"type":"string"}}}}]}`,
			"prompt":    `{"tools":[],"prompts":[{"name":NAME}]}`,
			"argument":  `{"tools":[],"prompts":[{"name":"t","arguments":[{"name":NAME}]}]}`,
			"server":    `{"serverInfo":{"name":NAME},"tools":[]}`,
		} {
			s := mustParse(t, []byte(strings.Replace(document, "NAME", string(literal), 1)))
			found := only("naming/mixed-script", mustLinter(t, linter.Config{}).Lint(s).Findings)
			if (len(found) == 1) != mixed || len(found) > 1 {
				t.Errorf("%s as %s: %d findings; want %v", name, surface, len(found), mixed)
			}
		}
	}
	// What is described is no name.
	if found := judgeText(t, "description", "Вода H2O, тест payмент"); len(found) != 0 {
		t.Errorf("a description: %s", summary(found))
	}
}
