package rules_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// aboutText lists the findings that judge what a text says.
func aboutText(findings []linter.Finding) []linter.Finding {
	var list []linter.Finding
	for _, f := range findings {
		if strings.HasPrefix(f.Rule, "injection/") || f.Rule == "naming/mixed-script" {
			list = append(list, f)
		}
	}
	return list
}

// surfaces are places of a text: documents with TEXT where it goes.
var surfaces = map[string]string{
	"description":  `{"tools":[{"name":"tide","description":TEXT,"inputSchema":{"type":"object"}}]}`,
	"parameter":    `{"tools":[{"name":"tide","inputSchema":{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"description":TEXT}}}}}}]}`,
	"default":      `{"tools":[{"name":"tide","inputSchema":{"type":"object","properties":{"a":{"default":TEXT}}}}]}`,
	"enum":         `{"tools":[{"name":"tide","inputSchema":{"type":"object","properties":{"a":{"enum":["x",TEXT]}}}}]}`,
	"output":       `{"tools":[{"name":"tide","inputSchema":{"type":"object"},"outputSchema":{"properties":{"a":{"description":TEXT}}}}]}`,
	"unknown key":  `{"tools":[{"name":"tide","inputSchema":{"type":"object","x-note":{"deep":[TEXT]}}}]}`,
	"title":        `{"tools":[{"name":"tide","title":TEXT,"inputSchema":{"type":"object"}}]}`,
	"annotation":   `{"tools":[{"name":"tide","inputSchema":{"type":"object"},"annotations":{"title":TEXT}}]}`,
	"name":         `{"tools":[{"name":"tide","inputSchema":{"type":"object","properties":{TEXT:{"type":"string"}}}}]}`,
	"instructions": `{"instructions":TEXT,"tools":[]}`,
	"prompt":       `{"tools":[],"prompts":[{"name":"tide","description":"x","arguments":[{"name":"a","description":TEXT}]}]}`,
	"resource":     `{"tools":[],"resources":[{"uri":"tide://a","name":"a","description":TEXT}]}`,
	"template":     `{"tools":[],"resourceTemplates":[{"uriTemplate":"tide://{a}","name":"a","title":TEXT}]}`,
}

func judgeText(t *testing.T, surface, text string) []linter.Finding {
	t.Helper()
	literal, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	s := mustParse(t, []byte(strings.Replace(surfaces[surface], "TEXT", string(literal), 1)))
	return aboutText(mustLinter(t, linter.Config{}).Lint(s).Findings)
}

type poisonGroup struct {
	Rule  string
	Texts []string
}

// TestPoisonIsFound: every text of the table gives exactly one finding, of the
// rule named (or of any with that beginning), in every surface.
func TestPoisonIsFound(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"design.json"} {
		for _, group := range readTable[[]poisonGroup](t, filepath.Join("poison", file)) {
			for _, text := range group.Texts {
				for surface := range surfaces {
					found := judgeText(t, surface, text)
					if len(found) != 1 || !strings.HasPrefix(found[0].Rule, group.Rule) || found[0].Severity < severity.Warning {
						t.Errorf("%s, %s: %s", surface, text, summary(found))
						break
					}
				}
			}
		}
	}
}

func summary(found []linter.Finding) string {
	lines := []string{fmt.Sprint(len(found), " findings")}
	for _, f := range found {
		lines = append(lines, f.Severity.String()+" "+f.Rule+" "+f.Message)
	}
	return strings.Join(lines, "\n\t")
}

type honestGroup struct {
	About string
	Texts []string
}

func TestHonestTextsStaySilent(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"design.json"} {
		for _, group := range readTable[[]honestGroup](t, filepath.Join("honest", file)) {
			for _, text := range group.Texts {
				for surface := range surfaces {
					if found := judgeText(t, surface, text); len(found) > 0 {
						t.Errorf("%s, %s: %s", surface, text, summary(found))
						break
					}
				}
			}
		}
	}
}
