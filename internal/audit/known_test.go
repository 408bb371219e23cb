package audit

import (
	"testing"

	"github.com/mcp-lint/mcp-lint/linter"
)

// A finding that stands for more than it did in the base hides new ones.
func TestAFindingIsKnownWhenItStandsForNoMoreThanBefore(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before, now linter.Finding
		isNew       bool
	}{
		"the same":        {linter.Finding{More: 3}, linter.Finding{More: 3}, false},
		"fewer":           {linter.Finding{More: 3}, linter.Finding{}, false},
		"more":            {linter.Finding{More: 3}, linter.Finding{More: 4}, true},
		"more members":    {linter.Finding{MoreItems: 3}, linter.Finding{MoreItems: 4}, true},
		"one, then a lot": {linter.Finding{}, linter.Finding{More: 1}, true},
	} {
		c.before.Fingerprint, c.now.Fingerprint, c.now.New = "f", "f", true
		head := []linter.Finding{c.now}
		markKnown(head, []linter.Finding{c.before})
		if head[0].New != c.isNew {
			t.Errorf("%s: new is %t", name, head[0].New)
		}
	}
}
