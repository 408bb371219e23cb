package report

import (
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/linter/severity"
)

func TestLockRulesSayWhatAChangeMeans(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]string{
		"description_changed":       "A description differs from the lock.",
		"prompt_title_changed":      "A title differs from the lock.",
		"resource_template_changed": "A definition differs from the lock.",
		"prompt_arguments_changed":  "Arguments differ from the lock.",
		"resource_template_added":   "A resource template is not in the lock.",
		"prompt_removed":            "A locked prompt is gone.",
		"duplicate_resource":        "The name of a resource is used more than once.",
		"some_future_kind":          "Changed against the lock: some future kind.",
	} {
		d := describeLockRule(kind, severity.Error)
		if *d.ShortDescription.Text != want || d.ID != "lock/"+kind || !strings.Contains(*d.Help.Text, "mcp-lint lock --accept") {
			t.Errorf("%s: %s %q", kind, d.ID, *d.ShortDescription.Text)
		}
	}
}
